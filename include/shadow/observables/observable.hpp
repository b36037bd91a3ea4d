// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/statistics/expectation.hpp"
#include "shadow/system/id_order.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// One named quantity of an observable: `width` numbers (1: a scalar) in `unit`.
struct Quantity {
    std::string name;
    std::string unit; ///< "energy", "energy/length^dimension", "" ...
    std::size_t width = 1;
    std::optional<Expectation> expected = {}; ///< of a number that tests equilibrium
    double susceptibility = 0.0; ///< of a number whose variance, so many times, is one; 0: none
};

/// A species and how many particles are of it.
struct Population {
    std::string name;
    std::int64_t particles = 0;
};

/// What an index of an array stands for: the radius of a bin, a lag time ...
struct Axis {
    std::string name;
    std::string unit;
    std::vector<double> values;
};

/// An array that is not a row of numbers at each step but the result of all measurements so far.
struct ArrayEstimate {
    std::string name;
    std::string unit;
    std::vector<Axis> axes;    ///< row-major, the last runs fastest; none: a number
    std::vector<double> value; ///< means
    std::vector<double> error; ///< standard errors of `value`; infinite where not known yet
    std::int64_t samples = 0;  ///< measurements that entered
    bool coefficient = false;  ///< a function of the lag that tends to a transport coefficient
    std::string warning = {};  ///< why it may not say what it is taken for
};

/// Something measured while the system runs. It is enqueued on the backend without waiting: its
/// values, one row of `width()` doubles, are written to backend memory and collected later.
template <int Dim>
class Observable {
  public:
    virtual ~Observable() = default;

    /// What a row holds, in order: series that are kept, and averaged if they are numbers.
    [[nodiscard]] virtual std::vector<Quantity> quantities() const = 0;
    /// Of an analysis that measures nothing itself: the numbers of others of which its rows are
    /// made, at each step at which all are measured, in the units in which they are written.
    [[nodiscard]] virtual std::vector<std::string> sources() const { return {}; }
    /// Does it tell how particles move, and not only where they are and how fast?
    [[nodiscard]] virtual bool in_time() const { return false; }
    /// Does it need velocities that are those of the motion, as motion without inertia has none?
    [[nodiscard]] virtual bool needs_velocities() const { return false; }
    /// Does it stay right in a box that changes? Where bins, wave vectors or places in time are
    /// those of the box at the start, it does not.
    [[nodiscard]] virtual bool follows_box() const { return false; }
    /// And where images of the box slide, and momenta are relative to a flow?
    [[nodiscard]] virtual bool follows_shear() const { return false; }
    /// Is it right in a box whose images have slid and stay there?
    [[nodiscard]] virtual bool follows_tilt() const { return follows_shear(); }
    /// Does it read per-particle energies and virials?
    [[nodiscard]] virtual bool needs_energy() const { return false; }
    /// The pairs it looks at: it needs a neighbour list of this radius, which must be declared
    /// (`declare_list`) before the lists are first built.
    [[nodiscard]] virtual std::optional<double> list_radius() const { return std::nullopt; }
    virtual void set_list(int) {}
    /// At so many steps before a row, and at that of the row itself, it looks at the system, which
    /// follows the action of the steps between. Rows for which there are no such steps are left
    /// out.
    [[nodiscard]] virtual std::int64_t looks_back() const { return 0; }
    /// Called at each of these steps, and before `enqueue`.
    virtual void look(ParticleSystem<Dim>&) {}
    /// Told at the start of a stage: the energy of the variables which its method adds.
    virtual void set_extended_energy(const ExtendedEnergy&) {}

    /// Enqueues the measurement of the current state, all flows applied and forces evaluated.
    virtual void enqueue(ParticleSystem<Dim>& system, double* row) = 0;

    /// What it offers to the trajectory, per particle; empty unless the input asks for it.
    [[nodiscard]] virtual std::vector<Quantity> particle_quantities() const { return {}; }
    /// The current values of these, one array for each: `width` numbers a particle, in id order.
    /// Waits for the device.
    [[nodiscard]] virtual std::vector<std::vector<double>> measure_particles(ParticleSystem<Dim>&) {
        return {};
    }

    /// Numbers in a row. Those of `quantities` stand first; behind them may be what only
    /// `accumulate` needs.
    [[nodiscard]] virtual std::size_t width() const {
        std::size_t sum = 0;
        for (const Quantity& q : quantities()) sum += q.width;
        return sum;
    }
    /// Takes each row into what is averaged: called once for each, in order, when it has come to
    /// the host.
    virtual void accumulate(double /*time*/, std::span<const double> /*row*/) {}
    /// What was made of the rows so far; names, units and axes are the same at any time.
    [[nodiscard]] virtual std::vector<ArrayEstimate> estimates() const { return {}; }
    /// All that `estimates` and coming rows depend on, beside the particles. After `restore` of an
    /// observable with the same parameters the same bits follow.
    [[nodiscard]] virtual std::vector<double> state() const { return {}; }
    /// Throws InputError if it was not written by such an observable.
    virtual void restore(std::span<const double> /*state*/) {}
};

/// In its source file, a class that exists in each dimension.
#define SHADOW_INSTANTIATE_EACH_DIMENSION(Class)                                                   \
    template class Class<1>;                                                                       \
    template class Class<2>;                                                                       \
    template class Class<3>;

/// Asks for the list that an observable needs, if it needs one.
template <int Dim>
void declare_list(Neighbours<Dim>& neighbours, Observable<Dim>& observable) {
    if (const auto radius = observable.list_radius())
        observable.set_list(neighbours.add_list(*radius, false));
}

/// Arrays by id from component-major ones in memory order, `from` in backend memory: one for each
/// entry of `widths`, so many numbers a particle, next to each other. Waits for the device.
template <int Dim>
[[nodiscard]] std::vector<std::vector<double>> in_id_order(ParticleSystem<Dim>& system,
                                                           const double* from,
                                                           const std::vector<std::size_t>& widths) {
    std::vector<std::vector<double>> all;
    for (const std::size_t width : widths) {
        std::vector<const double*> components(width);
        for (const double*& component : components) {
            component = from;
            from += system.size();
        }
        std::vector<double>& to = all.emplace_back(width * static_cast<std::size_t>(system.size()));
        copy_by_id<double>(system.backend(), system.particles().id, system.size(), components,
                           to.data());
    }
    return all;
}

} // namespace shadow
