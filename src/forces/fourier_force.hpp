// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "wire.hpp"

#include "shadow/forces/long_range.hpp"

#include "kernels/ops/net_force.hpp"

#include <cmath>
#include <numbers>

namespace shadow {

/// The uniform background that neutralises a net charge: energy of a charge of 1 in it, from the
/// pair part (`screened_potential`), minus a constant up to the cut-off if that is shifted.
template <int Dim>
[[nodiscard]] double background_energy(const LongRangeDescription& force, const Box<Dim>& box,
                                       double net) {
    constexpr double pi = std::numbers::pi;
    const double alpha = force.split.alpha, cutoff = force.split.cutoff;
    const double sphere = Dim == 3 ? 4.0 / 3.0 * pi * std::pow(cutoff, 3) : pi * cutoff * cutoff;
    const double integral = Dim == 3            ? pi / (alpha * alpha)
                            : force.logarithmic ? 0.5 * pi / (alpha * alpha)
                                                : 2.0 * std::sqrt(pi) / alpha;
    return -0.5 * force.coulomb * net * (integral - force.pair_shift * sphere) / box.volume();
}

/// The Fourier part of periodic charges, by any method. It needs no lists.
template <int Dim>
class FourierForce : public ForceTerm<Dim> {
  public:
    FourierForce(const Backend& backend, const LongRangeDescription& description,
                 const Box<Dim>& box, const Snapshot<Dim>& start);

    using ForceTerm<Dim>::compute;
    using ForceTerm<Dim>::share;
    virtual void compute(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output) = 0;
    /// The shares of the wave vectors.
    virtual void share_modes(const ParticlesView<Dim>& particles, bool accumulate,
                             Share<Dim>* share) = 0;
    /// All shares.
    void share(const ParticlesView<Dim>& particles, bool accumulate, Share<Dim>* share);

    void compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>&,
                 const ForceOutput<Dim>& output) final {
        update_box(particles);
        compute(particles, output);
    }
    /// A slab or wire keeps its own box.
    void follow_box() final { box_is_old_ = slab_.factor == 0.0 && !wire_; }
    void share(std::size_t, const ParticlesView<Dim>& particles, const Neighbours<Dim>&,
               bool accumulate, Share<Dim>* share) final {
        this->share(particles, accumulate, share);
    }
    [[nodiscard]] std::string escape() const final;
    [[nodiscard]] std::string name() const final { return name_; }
    [[nodiscard]] ForceLevel level() const final { return level_; }
    [[nodiscard]] ForceClaims<Dim> claims() const final { return claims_; }
    [[nodiscard]] std::size_t bytes() const override;

  protected:
    [[nodiscard]] VectorView<Dim, double> force();
    /// Sets the virial to that of the background, or adds it.
    void start_virial(const ForceOutput<Dim>& output);
    /// Stores forces and energies of particles, with those of a slab or wire, after the net force
    /// is subtracted.
    void store(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output);

    /// Sets what depends on `box_`.
    virtual void set_box() = 0;

    const Backend& backend_;
    Array<BoxView<Dim>> box_;       ///< of the wave vectors
    Array<double> charge_, energy_; ///< by species; by particle
    double background_;             ///< energy of a charge of 1

  private:
    /// Follows a change of the box of the particles.
    void update_box(const ParticlesView<Dim>& particles);
    void measure_layer(const ParticlesView<Dim>& particles);
    /// Subtracts the interaction of images of a slab or wire.
    void add_images(const ParticlesView<Dim>& particles, const ForceOutput<Dim>& output);

    std::string name_, bounds_; ///< `bounds_`: of a slab or wire, in words
    ForceLevel level_;
    ForceClaims<Dim> claims_;
    double net_charge_, inverse_mass_; ///< of all particles
    std::array<Array<double>, Dim> force_;
    Array<ForceSum<Dim>> net_;
    SlabView<Dim> slab_{};
    Array<Layer> layer_;
    std::optional<WireCorrection<Dim>> wire_;
    bool box_is_old_ = false;
    Array<std::int32_t> left_; ///< 1 + the lowest id of particles beyond slab or wire
};

} // namespace shadow
