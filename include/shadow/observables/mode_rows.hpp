// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/observables/wave_vectors.hpp"

#include <vector>

namespace shadow {

/// Fourier components of the density, rho(k) = sum over particles of exp(i k.x), of each species at
/// one wave vector of each shell, as a row: real parts at [species * shells + shell], then
/// imaginary parts.
template <int Dim>
class ModeRows {
  public:
    ModeRows(const Box<Dim>& box, std::size_t species, std::vector<Shell<Dim>> shells);

    [[nodiscard]] const std::vector<Shell<Dim>>& shells() const noexcept { return shells_; }
    [[nodiscard]] std::size_t width() const { return 2 * species_ * shells_.size(); }
    /// Enqueues measurement number `turn`: each shell cycles through its wave vectors.
    void enqueue(ParticleSystem<Dim>& system, std::int64_t turn, double* row);

  private:
    std::vector<Shell<Dim>> shells_;
    std::size_t species_;
    DensityModes<Dim> modes_{};
    Array<WaveVector<Dim>> vectors_; ///< shell by shell
    Array<std::int32_t> begin_;      ///< of each shell, and the end
    Array<SomeModes> sums_;
};

} // namespace shadow
