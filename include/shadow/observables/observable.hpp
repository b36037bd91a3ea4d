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
    std::optional<Expectation> expected = {}; ///< for a number that tests equilibrium
    double susceptibility = 0.0; ///< this times the variance is a susceptibility; 0: none
};

/// A species and its number of particles.
struct Population {
    std::string name;
    std::int64_t particles = 0;
};

/// The meaning of an index of an array: the radius of a bin, a lag time ...
struct Axis {
    std::string name;
    std::string unit;
    std::vector<double> values;
};

/// An array computed from all measurements so far, not a row of numbers at each step.
struct ArrayEstimate {
    std::string name;
    std::string unit;
    std::vector<Axis> axes;    ///< row-major, the last index runs fastest; none: a number
    std::vector<double> value; ///< means
    std::vector<double> error; ///< standard errors of `value`; infinite if not known yet
    std::int64_t samples = 0;  ///< number of measurements used
    bool coefficient = false;  ///< a function of the lag that tends to a transport coefficient
    double window = 0.0;       ///< a stage needs many as long for its error; 0: any number
    std::string warning = {};  ///< why it may not say what it is taken for
};

/// A quantity measured while the system runs. It is enqueued on the backend without waiting: its
/// values, one row of `width()` doubles, are written to backend memory and collected later.
template <int Dim>
class Observable {
  public:
    virtual ~Observable() = default;

    /// The contents of a row, in order: series that are stored, and averaged if they are numbers.
    [[nodiscard]] virtual std::vector<Quantity> quantities() const = 0;
    /// For an analysis, which measures nothing itself: the numbers of other observables that form
    /// its rows, at each step at which all of them are measured, in the units of the output.
    [[nodiscard]] virtual std::vector<std::string> sources() const { return {}; }
    /// Does it describe how particles move, rather than their positions and velocities at one time?
    [[nodiscard]] virtual bool in_time() const { return false; }
    /// Does it need the velocities of the motion? Motion without inertia has none.
    [[nodiscard]] virtual bool needs_velocities() const { return false; }
    /// Is it valid in a box that changes? It is not if its bins, wave vectors or origins are those
    /// of the initial box.
    [[nodiscard]] virtual bool follows_box() const { return false; }
    /// Is it valid while images of the box slide and momenta are relative to a flow?
    [[nodiscard]] virtual bool follows_shear() const { return false; }
    /// Is it valid in a box whose images have slid and stay there?
    [[nodiscard]] virtual bool follows_tilt() const { return follows_shear(); }
    /// Does it read per-particle energies and virials?
    [[nodiscard]] virtual bool needs_energy() const { return false; }
    /// The radius of the neighbour list it needs; the list must be declared (`declare_list`) before
    /// the lists are first built.
    [[nodiscard]] virtual std::optional<double> list_radius() const { return std::nullopt; }
    virtual void set_list(int) {}
    /// The number of steps before a row at which `look` is called too, as at the row itself; the
    /// system then tracks the action of the steps between. Rows without that many earlier steps are
    /// left out.
    [[nodiscard]] virtual std::int64_t looks_back() const { return 0; }
    /// Called at each of these steps, and before `enqueue`.
    virtual void look(ParticleSystem<Dim>&) {}
    /// Called at the start of a stage with the energy of the variables that its method adds.
    virtual void set_extended_energy(const ExtendedEnergy&) {}

    /// Enqueues the measurement of the current state, with all flows applied and forces evaluated.
    virtual void enqueue(ParticleSystem<Dim>& system, double* row) = 0;

    /// The quantities it provides to the trajectory, per particle; empty unless the input requests
    /// them.
    [[nodiscard]] virtual std::vector<Quantity> particle_quantities() const { return {}; }
    /// The current values of `particle_quantities`, one array for each: `width` numbers per
    /// particle, in id order. Waits for the device.
    [[nodiscard]] virtual std::vector<std::vector<double>> measure_particles(ParticleSystem<Dim>&) {
        return {};
    }

    /// Numbers in a row. Those of `quantities` come first; numbers after them are for `accumulate`
    /// only.
    [[nodiscard]] virtual std::size_t width() const {
        std::size_t sum = 0;
        for (const Quantity& q : quantities()) sum += q.width;
        return sum;
    }
    /// Adds a row to the averages: called once for each row, in order, after it has reached the
    /// host.
    virtual void accumulate(double /*time*/, std::span<const double> /*row*/) {}
    /// The results of the rows so far; names, units and axes do not change.
    [[nodiscard]] virtual std::vector<ArrayEstimate> estimates() const { return {}; }
    /// All that `estimates` and later rows depend on, besides the particles. After `restore` of an
    /// observable with the same parameters the results are bitwise the same.
    [[nodiscard]] virtual std::vector<double> state() const { return {}; }
    /// Throws InputError if `state` was not written by such an observable.
    virtual void restore(std::span<const double> /*state*/) {}
};

/// Instantiates a class for each dimension, in its source file.
#define SHADOW_INSTANTIATE_EACH_DIMENSION(Class)                                                   \
    template class Class<1>;                                                                       \
    template class Class<2>;                                                                       \
    template class Class<3>;

/// Declares the list that an observable needs, if any.
template <int Dim>
void declare_list(Neighbours<Dim>& neighbours, Observable<Dim>& observable) {
    if (const auto radius = observable.list_radius())
        observable.set_list(neighbours.add_list(*radius, false));
}

/// Arrays by id from component-major arrays in memory order, `from` in backend memory: one for each
/// entry of `widths`, with that many numbers per particle, contiguous. Waits for the device.
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
