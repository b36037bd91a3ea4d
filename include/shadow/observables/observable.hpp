// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/particle_system.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// One named quantity of an observable: `width` numbers (1: a scalar) in `unit`.
struct Quantity {
    std::string name;
    std::string unit; ///< "energy", "energy/length^dimension", "" ...
    std::size_t width = 1;
};

/// Something measured while the system runs. It is enqueued on the backend without waiting: its
/// values, one row of `width()` doubles, are written to backend memory and collected later.
template <int Dim, class Real>
class Observable {
  public:
    virtual ~Observable() = default;

    /// What a row holds, in order.
    [[nodiscard]] virtual std::vector<Quantity> quantities() const = 0;
    /// Does it read per-particle energies and virials?
    [[nodiscard]] virtual bool needs_energy() const { return false; }
    /// The pairs it looks at: it needs a neighbour list of this radius, which must be declared
    /// (`declare_list`) before the lists are first built.
    [[nodiscard]] virtual std::optional<double> list_radius() const { return std::nullopt; }
    virtual void set_list(int) {}
    /// Told at the start of a stage: the energy of the variables which its method adds.
    virtual void set_extended_energy(const ExtendedEnergy&) {}

    /// Enqueues the measurement of the current state, all flows applied and forces evaluated.
    virtual void enqueue(ParticleSystem<Dim, Real>& system, double* row) = 0;

    /// What it offers to the trajectory, per particle; empty unless the input asks for it.
    [[nodiscard]] virtual std::vector<Quantity> particle_quantities() const { return {}; }
    /// The current values of these, one array for each: `width` numbers a particle, in id order.
    /// Waits for the device.
    [[nodiscard]] virtual std::vector<std::vector<double>>
    measure_particles(ParticleSystem<Dim, Real>&) {
        return {};
    }

    [[nodiscard]] std::size_t width() const {
        std::size_t sum = 0;
        for (const Quantity& q : quantities()) sum += q.width;
        return sum;
    }
};

/// Asks for the list that an observable needs, if it needs one.
template <int Dim, class Real>
void declare_list(Neighbours<Dim, Real>& neighbours, Observable<Dim, Real>& observable) {
    if (const auto radius = observable.list_radius())
        observable.set_list(neighbours.add_list(*radius, false));
}

} // namespace shadow
