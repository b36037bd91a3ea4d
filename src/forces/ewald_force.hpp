// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fourier_force.hpp"

#include "kernels/ops/ewald.hpp"

namespace shadow {

/// The Fourier part of periodic charges as a sum over wave vectors and particles, in double: for
/// small systems, and as a reference for meshes.
template <int Dim>
class EwaldForce final : public FourierForce<Dim> {
  public:
    EwaldForce(const Backend& backend, const LongRangeDescription& description, const Box<Dim>& box,
               const Snapshot<Dim>& start);

    void compute(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output) override;
    void share_modes(const ParticlesView<Dim>& particles, bool accumulate,
                     Share<Dim>* share) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    using Base = FourierForce<Dim>;
    using Base::backend_;
    void set_box() override;
    [[nodiscard]] EwaldSum<Dim> sum(const ParticlesView<Dim>& particles);

    EwaldSum<Dim> sum_{};
    double coulomb_;
    Array<WaveVector<Dim>> modes_;
    Array<double> factor_, cosine_, sine_;
    Array<SymmetricTensor<Dim>> virial_; ///< by particle, for shares
};

} // namespace shadow
