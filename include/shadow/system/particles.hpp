// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/system/ensemble.hpp"

#include "kernels/views.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

/// A kind of particle.
struct Species {
    std::string name = "A";
    double mass = 1.0;   ///< positive
    double charge = 0.0; ///< in units of the elementary charge of `system.units`
};

/// All particles on the host in id order: as a user sees them, and as they are copied to and from a
/// backend.
template <int Dim>
struct Snapshot {
    std::int64_t step = 0;
    double time = 0.0;
    double s = 1.0; ///< of a Nosé bath: canonical momenta are physical ones times s
    std::vector<Species> species_table;
    std::vector<std::array<double, Dim>> position; ///< as stored: in or near the box
    std::vector<std::array<double, Dim>> momentum; ///< canonical, as stored
    std::vector<std::array<std::int32_t, Dim>> image;
    std::vector<std::uint16_t> species;

    [[nodiscard]] std::size_t size() const noexcept { return position.size(); }
    [[nodiscard]] double mass(std::size_t i) const { return species_table[species[i]].mass; }
    /// Physical momenta are canonical ones times this.
    [[nodiscard]] double momentum_scale() const { return 1.0 / s; }
    [[nodiscard]] double physical_momentum(std::size_t i, std::size_t d) const {
        return momentum[i][d] * momentum_scale();
    }
    [[nodiscard]] double velocity(std::size_t i, std::size_t d) const {
        return physical_momentum(i, d) / mass(i);
    }
    /// As ParticleSystem::detach_bath: canonical momenta become physical ones, s = 1.
    void detach_bath() {
        for (auto& p : momentum)
            for (double& component : p) component *= momentum_scale();
        s = 1.0;
    }
    [[nodiscard]] double total_mass() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < size(); ++i) sum += mass(i);
        return sum;
    }
};

/// Owns the particle arrays on a backend.
/// Particle i of a Snapshot has id i.
template <int Dim>
class Particles {
  public:
    /// Copies a snapshot to the backend, in id order. Throws InputError for positions or momenta
    /// that are not finite, species out of range, masses not positive, or more than 2^31 - 1
    /// particles.
    /// Views refer to the box and the bath of `ensemble`.
    Particles(const Backend& backend, const Ensemble<Dim>& ensemble, const Snapshot<Dim>& snapshot);

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] const std::vector<Species>& species_table() const noexcept { return table_; }
    [[nodiscard]] ParticlesView<Dim> view() noexcept;
    /// All particles in id order (the caller sets step, time and s).
    [[nodiscard]] Snapshot<Dim> snapshot() const;
    /// Canonical momenta, in id order.
    void set_momenta(const std::vector<std::array<double, Dim>>& momenta);
    /// Memory on the backend in bytes.
    [[nodiscard]] std::size_t bytes() const noexcept;

  private:
    const Backend* backend_;
    std::int64_t size_;
    std::vector<Species> table_;
    std::array<Array<double>, Dim> position_, momentum_;
    std::array<Array<std::int32_t>, Dim> image_;
    Array<std::uint16_t> species_;
    Array<std::uint32_t> id_;
    Array<double> mass_, inverse_mass_;
    const BoxView<Dim>* box_;
    const double* s_;
};

} // namespace shadow
