// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fourier_force.hpp"
#include "mesh_influence.hpp"

#include "kernels/mesh/convolve.hpp"

namespace shadow {

/// The Fourier part of periodic charges by a mesh (kernels/mesh/charge_mesh.hpp), with arithmetic
/// in `T`. Forces are minus the gradient of its energy, except that the net force is subtracted.
template <int Dim, class T>
class MeshForce final : public FourierForce<Dim> {
  public:
    MeshForce(const Backend& backend, const LongRangeDescription& description, const Box<Dim>& box,
              const Snapshot<Dim>& start);

    void compute(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output) override;
    void share_modes(const ParticlesView<Dim>& particles, bool accumulate,
                     Share<Dim>* share) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    using Base = FourierForce<Dim>;
    using Base::backend_;
    using Mesh = ChargeMesh<Dim, T>;
    void set_box() override;
    [[nodiscard]] FourierAxis<T> make_axis(std::int32_t count, Array<T>& twiddle);

    double coulomb_;
    bool rectangular_; ///< is the box rectangular?
    Mesh mesh_{};
    std::array<Array<T>, Dim> twiddle_;
    Array<T> pair_twiddle_;
    Array<typename Mesh::Cell> cells_;
    Array<T> potential_, spectrum_, scratch_, influence_;
    std::array<Array<SplineFactors>, Dim> factors_;
    std::array<Array<double>, Dim> gauss_; ///< see MeshInfluence
    Array<MeshSelf<Dim>> self_;
    std::unique_ptr<FourierPlan> plan_; ///< null: loops of a CPU, or stages of a GPU
};

} // namespace shadow
