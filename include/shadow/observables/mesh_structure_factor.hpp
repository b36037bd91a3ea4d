// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/wave_mesh.hpp"

#include <vector>

namespace shadow {

/// The quantities of StructureFactor for all wave vectors of the box at once: particles are
/// assigned to a mesh by B-splines, which is transformed on the host when the row arrives there.
template <int Dim>
class MeshStructureFactor final : public AveragingObservable<Dim> {
  public:
    /// Shells as in `choose_wave_vectors`; at least one must have a vector. `accuracy`: see
    /// `choose_mesh`.
    MeshStructureFactor(const Box<Dim>& box, const std::vector<Population>& species, double longest,
                        int shells, double accuracy);

    [[nodiscard]] std::size_t width() const override {
        return species_.size() * static_cast<std::size_t>(mesh_.points());
    }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    void choose_shells(const Box<Dim>& box, double longest, int shells);

    WaveMesh<Dim> mesh_;
    std::array<double, Dim> inverse_length_;
    std::vector<double> species_; ///< number of particles of each
    std::vector<SpeciesPair> pairs_;
    std::vector<double> k_;           ///< of the shells that have vectors
    std::vector<std::int32_t> shell_; ///< of each mode; -1: none
    std::vector<double> weight_;      ///< of each mode in the mean over its shell
    int threads_ = 1;
    Array<std::int64_t> density_;
};

} // namespace shadow
