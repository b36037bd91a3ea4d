// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/mollifier.hpp"

#include "kernels/bonded/molecule_groups.hpp"
#include "kernels/ops/boost.hpp"
#include "kernels/ops/scalar_flows.hpp"
#include "kernels/philox.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// Forces of a multiple-time-step method: level 1, which kicks most often, level 2 ...; or all.
using ForceLevel = int;
inline constexpr ForceLevel all_levels = 0;
/// Of what is no force, but a sum over pairs that steps follow.
inline constexpr ForceLevel step_sum_level = -1;
/// Whose motion mollified kicks average.
inline constexpr ForceLevel averaged_level = 1;

/// The time of a flow: `value` times a scalar of the system (Scalar::one by default), so that a
/// method with feedback scales its flows by device-resident numbers that the host never reads.
struct FlowTime {
    double value;
    Scalar scale = Scalar::one;
    FlowTime(double v, Scalar s = Scalar::one) : value(v), scale(s) {}
};

/// How a bath acts on momenta over a time t, with a rate and a temperature.
enum class BathKind {
    /// Exact Ornstein-Uhlenbeck flow: p <- c p + sqrt((1 - c^2) kT m) xi with c = exp(-rate t).
    langevin,
    /// The same by the midpoint rule: c = (1 - rate t / 2) / (1 + rate t / 2).
    midpoint,
    /// Friction alone, by Euler's methods: c = 1 - rate t, and c = 1 / (1 + rate t).
    forward,
    backward,
    /// The same by Heun's method: c = 1 - rate t + (rate t)^2 / 2.
    heun,
    /// Each particle gets new momenta with the probability 1 - exp(-rate t).
    collisions,
    /// All particles do, at the same moments.
    all_at_once,
    /// Friction and noise along the line between each two particles within a radius.
    pair_friction,
    /// Each two within a radius get a new relative velocity along their line with the probability
    /// rate t.
    pair_exchange
};

/// Does a bath act between pairs of particles, along their line? Then it conserves momentum.
[[nodiscard]] inline bool is_of_pairs(BathKind kind) {
    return kind == BathKind::pair_friction || kind == BathKind::pair_exchange;
}

/// One rate of all particles, or one for each species of a system.
struct BathRates {
    double all = 0.0;
    std::span<const double> by_species = {}; ///< empty: they have the same
    BathRates(double rate = 0.0) : all(rate) {}
    BathRates(std::span<const double> rates) : by_species(rates) {}
};

/// One flow of a bath.
struct BathFlow {
    BathKind kind = BathKind::langevin;
    double t = 0.0, rate = 0.0, kT = 0.0;
    double radius = 0.0;                     ///< of pairs
    std::span<const double> by_species = {}; ///< rates, where they differ; for their time alone

    /// That of particles with such a rate.
    [[nodiscard]] BathFlow with(double of_species) const { return {kind, t, of_species, kT}; }
    /// What is left of momenta: of each, or (with collisions) on average.
    [[nodiscard]] double kept() const {
        const double x = rate * t;
        switch (kind) {
        case BathKind::midpoint:
            return (1.0 - 0.5 * x) / (1.0 + 0.5 * x);
        case BathKind::forward:
            return 1.0 - x;
        case BathKind::backward:
            return 1.0 / (1.0 + x);
        case BathKind::heun:
            return 1.0 - x * (1.0 - 0.5 * x);
        default:
            return std::exp(-x);
        }
    }
    /// 1 - kept^2, without cancellation.
    [[nodiscard]] double renewed() const {
        if (kind != BathKind::midpoint) return -std::expm1(-2.0 * rate * t);
        const double sum = 1.0 + 0.5 * rate * t;
        return 2.0 * rate * t / (sum * sum);
    }
    [[nodiscard]] bool collides() const {
        return kind == BathKind::collisions || kind == BathKind::all_at_once;
    }
    [[nodiscard]] bool is_of_pairs() const { return shadow::is_of_pairs(kind); }
};

/// What an integrator talks to: something with positions q, momenta p and a Hamiltonian
/// p.M^-1 p / 2 + V(q), which knows the exact flows of its parts. Two kinds answer: particle arrays
/// on a backend, and small analytic systems. Calls may be queued; results are as if done in order.
class System {
  public:
    virtual ~System() = default;

    /// p <- p - t grad V_level(q)
    virtual void kick(FlowTime t, ForceLevel level = all_levels) = 0;
    /// p <- p + t (F - square V'' M^-1 F) with F = -grad V of all forces, time^2 of `square`: the
    /// kick of V - square/2 F.M^-1 F, as if F were that where `square` times the acceleration takes
    /// (Suzuki 1995, Phys. Lett. A 201, 425; Chin 1997, Phys. Lett. A 226, 344).
    virtual void gradient_kick(FlowTime t, double square) = 0;
    /// The averages that mollified kicks have from now on, by level - 1; those without weights are
    /// none.
    virtual void mollify(const std::vector<Mollifier>& mollifiers) = 0;
    /// p <- p - t grad V_level(A(q)), where A averages the motion under the forces of level 1.
    virtual void mollified_kick(FlowTime t, ForceLevel level) = 0;
    /// p <- p + t F with the force of level 1 implicit, F = f(q + (theta - 1/2) t M^-1 p + theta
    /// t^2 M^-1 F / 2); on `all_levels` F has those of the others at q in it, too. Between two
    /// drifts t / 2 it is the implicit midpoint rule where theta = 1/2 and there is no other force.
    virtual void implicit_kick(double t, ForceLevel level, double theta) = 0;
    /// q <- q + t M^-1 p
    virtual void drift(FlowTime t) = 0;
    /// q, p <- where they are after a time t of motion under the forces of level 1 alone.
    virtual void move_exactly(double t) = 0;
    /// p <- p + t F of coordinates that are not light, with F the mean force of level 1 on them
    /// over times from -window to window of the motion in which they stay and light ones move.
    virtual void averaged_kick(double t, double window, const LightMotion& light) = 0;
    /// Light coordinates move under the forces of level 1 along the way of the others, q + t M^-1
    /// p.
    virtual void move_light(double t, const LightMotion& light) = 0;
    /// Momenta in contact with a bath. `occurrence` tells the baths of one step apart. A system
    /// without pairs throws std::logic_error for a bath of pairs.
    virtual void bath(const BathFlow& flow, int occurrence = 0) = 0;
    /// The names of its species, in the order of rates by species; none where it has no such.
    [[nodiscard]] virtual std::vector<std::string> species() const { return {}; }
    /// Their components of momenta, in the same order.
    [[nodiscard]] virtual std::vector<double> freedom_by_species() const { return {}; }

    /// p <- p times a scalar, along some directions. A system without directions throws
    /// std::logic_error where these are not all.
    virtual void scale_momenta(Scalar factor, Axes axes) = 0;
    void scale_momenta(Scalar factor) { scale_momenta(factor, all_axes); }
    /// The same by a row of scalars, one for each species. A system without species throws
    /// std::logic_error, here and where kinetic energies are measured by them.
    virtual void scale_momenta_by_species(Scalar first);
    /// Lengths of the box along some directions, and places with them, times a scalar. A system
    /// without a box throws std::logic_error, here and where its virial is measured.
    virtual void scale_box(Scalar factor, Axes axes);
    /// From now on drifts and kicks are those of a fluid in shear, at this rate, with momenta
    /// relative to its flow; the images of the box slide along. Without such images throws
    /// std::logic_error unless the rate is 0.
    virtual void set_shear(double rate);
    void scale_box(Scalar factor) { scale_box(factor, all_axes); }
    /// From now on kicks and Scalar::potential are those of a flatter potential energy, or what is
    /// measured has the weights of a flatter total energy; energies that are reported stay those of
    /// forces. A system that has no such forces throws std::logic_error for them.
    virtual void set_boost(const Boost& boost);

    /// Takes away the motion of the centre of mass where it is conserved: what rounding has left.
    virtual void stop_centre() {}

    /// Scalar::kinetic <- sum p.M^-1 p (twice the kinetic energy of the canonical momenta)
    virtual void measure_kinetic() = 0;
    /// Scalar::kinetic_along <- the same by direction; a system without a box throws
    /// std::logic_error
    virtual void measure_kinetic_along();
    /// Scalar::species_kinetic <- the same by species, of which there are max_species_chains at
    /// most
    virtual void measure_kinetic_by_species();
    /// Scalar::potential <- V(q), or what a level has of it but for constants
    virtual void measure_potential(ForceLevel level = all_levels) = 0;
    /// Scalar::virial <- sum of r f along some directions, with mean-field corrections;
    /// Scalar::virial_along <- that along each; Scalar::volume <- that of the box
    virtual void measure_virial(Axes axes);
    void measure_virial() { measure_virial(all_axes); }
    /// Scalar::normal <- a standard normal number, Scalar::uniform <- one between 0 and 1,
    /// Scalar::squares <- the sum of the squares of so many further normal ones, all of this step
    /// and stream
    virtual void draw(RandomStream stream, double squares = 0.0) = 0;
    /// Advances the scalars by one of the functors of kernels/ops/scalar_flows.hpp.
    virtual void advance(const ScalarFlow& flow) = 0;
    /// Sets or reads a scalar from the host (waits; not for the step loop).
    virtual void set_scalar(Scalar which, double value) = 0;
    [[nodiscard]] virtual double scalar(Scalar which) = 0;

    /// Says that no flow of this step moves the particles any more: the forces of a kick from now
    /// on are those at its end. A hint, for energies that are measured there.
    virtual void arrive() {}
    /// Says that energies, or the virial, will be asked for at the end of the next step: then
    /// forces there come with them. A hint as well.
    virtual void expect_energies(bool) {}
    /// The same of virials, in this step.
    virtual void expect_virial() {}
    /// Declares the end of a step of length dt: time and step count go on.
    virtual void end_step(double dt) = 0;
    [[nodiscard]] virtual std::int64_t step() const = 0;

    /// Kinetic degrees of freedom (total momentum removed where it is conserved).
    [[nodiscard]] virtual double degrees_of_freedom() const = 0;
    /// Physical energies now, in double; these wait for the device.
    [[nodiscard]] virtual double kinetic_energy() = 0;
    [[nodiscard]] virtual double potential_energy() = 0;
    /// Energy given to the particles by all `bath` flows so far.
    [[nodiscard]] virtual double bath_heat() = 0;

    /// For steps that follow the motion; a system that has no such throws std::logic_error.
    /// Scalar::motion_kinetic and those behind it <- what they may follow, with all forces
    virtual void measure_motion();
    /// Scalar::slope_power and the one behind it <- sums over the slope of what steps follow, the
    /// potential energy or a sum over pairs; of the latter Scalar::step_sum, too
    virtual void measure_slope(StepMeasure of);
    /// Time goes on by Scalar::elapsed from now on.
    virtual void begin_clock();
    /// Declares the end of a step whose length a scalar flow has added to that.
    virtual void end_step();
    /// Declares the end of one of several steps of a method in a step of the run: a hint.
    virtual void end_substep() {}

    /// For minimisations, in which every mass is 1; a system that is for motion alone throws
    /// std::logic_error.
    /// Scalar::descent_power and those behind it <- sums over momenta and all forces, and the
    /// largest force
    virtual void measure_descent();
    /// p <- p Scalar::descent_keep + F (Scalar::descent_turn + t), then q <- q + t p, with t =
    /// Scalar::descent_step, where no particle moves farther than `longest_move`.
    virtual void descend(double longest_move);

    /// Keeps places, momenta and scalars, so that these may become what is observed, which steps do
    /// not go on from; and puts them back. A system that cannot throws std::logic_error.
    virtual void keep();
    virtual void put_back();
};

} // namespace shadow
