// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/stress.hpp"
#include "shadow/system/molecule_list.hpp"

#include "kernels/ops/molecules.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

/// Molecules in backend memory, copied at the first measurement.
template <int Dim>
class MoleculeArrays {
  public:
    explicit MoleculeArrays(std::vector<ConnectedMolecule<Dim>> molecules)
        : molecules_(std::move(molecules)) {}

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(molecules_.size()); }
    /// The molecules in the current state.
    [[nodiscard]] MoleculesView<Dim> view(ParticleSystem<Dim>& system);
    /// Their centres of mass as particles, in the same order, at positions without images.
    [[nodiscard]] ParticlesView<Dim> centres(ParticleSystem<Dim>& system);

  private:
    std::vector<ConnectedMolecule<Dim>> molecules_;
    Array<std::int32_t> begin_, turns_, no_image_;
    Array<std::uint32_t> atom_, number_;
    Array<std::uint16_t> one_species_;
    Array<double> centre_;
};

/// Radius of gyration R_g^2 = sum m |x - c|^2 / sum m about the centre of mass c and, for chains,
/// the end-to-end distance: means over molecules of each and of its square.
template <int Dim>
class MoleculeSize final : public Observable<Dim> {
  public:
    explicit MoleculeSize(std::vector<ConnectedMolecule<Dim>> molecules);

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return 4; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    bool chains_;
    MoleculeArrays<Dim> molecules_;
};

/// Molecular pressure and its tensor, from the momenta of the centres of mass and the forces
/// between molecules: the atomic pressure less the contributions within molecules. The tensor is
/// its symmetric part; the antisymmetric part is the torque on molecules, whose mean is zero.
/// Particles in no molecule are molecules of one atom. In equilibrium both pressures have the same
/// mean (Ciccotti and Ryckaert 1986, Comput. Phys. Rep. 4, 345).
template <int Dim>
class MolecularPressure final : public Observable<Dim> {
  public:
    MolecularPressure(std::vector<ConnectedMolecule<Dim>> molecules, FluxScale<Dim> scale)
        : molecules_(std::move(molecules)), atoms_(scale) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    MoleculeArrays<Dim> molecules_;
    PressureTensor<Dim> atoms_;
    Array<double> tensor_;
    Array<InsideSums<Dim>> inside_;
};

/// Distribution of the lengths of bonds, or of angles, dihedrals or impropers, over all terms and
/// by type: the probability density. Values outside the range are not counted but enter the
/// normalisation.
template <int Dim>
class TermDistribution final : public AveragingObservable<Dim> {
  public:
    TermDistribution(const Topology& topology, BondedKind kind, double low, double high, int bins);

    [[nodiscard]] std::size_t width() const override {
        return types_.size() * static_cast<std::size_t>(bins_.count);
    }
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    BondedKind kind_;
    Bins bins_;
    bool closed_;
    std::vector<Population> types_; ///< with the number of terms of each
    std::vector<std::uint32_t> members_;
    std::vector<std::int32_t> type_;
    Array<std::int32_t> backend_type_;
    Array<std::uint32_t> member_;
    Array<std::int64_t> histogram_;
};

} // namespace shadow
