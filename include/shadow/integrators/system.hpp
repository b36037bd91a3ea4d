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

/// A level of forces in a multiple-time-step method: 1, which kicks most often, 2 ...; or all.
using ForceLevel = int;
inline constexpr ForceLevel all_levels = 0;
/// The level of a sum over pairs that steps follow, which is no force.
inline constexpr ForceLevel step_sum_level = -1;
/// The level whose motion mollified kicks average.
inline constexpr ForceLevel averaged_level = 1;

/// The time of a flow: `value` times a scalar of the system (Scalar::one by default), by which
/// methods with feedback scale their flows without the host reading it.
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
    /// Friction alone, by Euler's explicit and implicit method: c = 1 - rate t, and c = 1 /
    /// (1 + rate t).
    forward,
    backward,
    /// The same by Heun's method: c = 1 - rate t + (rate t)^2 / 2.
    heun,
    /// Each particle gets new momenta with the probability 1 - exp(-rate t).
    collisions,
    /// All particles collide at the same moments.
    all_at_once,
    /// Friction and noise along the line between any two particles within a radius.
    pair_friction,
    /// Two particles within a radius get a new relative velocity along the line between them with
    /// the probability rate t.
    pair_exchange
};

/// Does a bath act between pairs of particles, along the line joining them? Then it conserves
/// momentum.
[[nodiscard]] inline bool is_of_pairs(BathKind kind) {
    return kind == BathKind::pair_friction || kind == BathKind::pair_exchange;
}

/// One rate for all particles, or one for each species of a system.
struct BathRates {
    double all = 0.0;
    std::span<const double> by_species = {}; ///< empty: one rate for all
    BathRates(double rate = 0.0) : all(rate) {}
    BathRates(std::span<const double> rates) : by_species(rates) {}
};

/// One flow of a bath.
struct BathFlow {
    BathKind kind = BathKind::langevin;
    double t = 0.0, rate = 0.0, kT = 0.0;
    double radius = 0.0;                     ///< of pairs
    std::span<const double> by_species = {}; ///< rates, where they differ; for their time alone

    /// The same for particles with this rate.
    [[nodiscard]] BathFlow with(double of_species) const { return {kind, t, of_species, kT}; }
    /// The fraction of momenta that is kept: of each, or (with collisions) on average.
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

/// What an integrator acts on: something with positions q, momenta p and a Hamiltonian p.M^-1 p / 2
/// + V(q), which provides the exact flows of its parts. Implemented by particle arrays on a backend
/// and by small analytic systems. Calls may be queued; results are as if done in order.
class System {
  public:
    virtual ~System() = default;

    /// p <- p - t grad V_level(q)
    virtual void kick(FlowTime t, ForceLevel level = all_levels) = 0;
    /// p <- p + t (F - square V'' M^-1 F) with F = -grad V of all forces, `square` in time^2: the
    /// kick of V - square/2 F.M^-1 F, as if F were evaluated at positions displaced by `square`
    /// times the acceleration (Suzuki 1995, Phys. Lett. A 201, 425; Chin 1997, Phys. Lett. A 226,
    /// 344).
    virtual void gradient_kick(FlowTime t, double square) = 0;
    /// Sets the averages of mollified kicks, by level - 1; an average without weights is none.
    virtual void mollify(const std::vector<Mollifier>& mollifiers) = 0;
    /// p <- p - t grad V_level(A(q)), where A averages the motion under the forces of level 1.
    virtual void mollified_kick(FlowTime t, ForceLevel level) = 0;
    /// p <- p + t F with the force of level 1 implicit, F = f(q + (theta - 1/2) t M^-1 p + theta
    /// t^2 M^-1 F / 2); for `all_levels` F includes the forces of the other levels at q. Between
    /// two drifts t / 2 it is the implicit midpoint rule where theta = 1/2 and there is no other
    /// force.
    virtual void implicit_kick(double t, ForceLevel level, double theta) = 0;
    /// q <- q + t M^-1 p
    virtual void drift(FlowTime t) = 0;
    /// q, p <- q, p after a time t of motion under the forces of level 1 alone.
    virtual void move_exactly(double t) = 0;
    /// p <- p + t F for coordinates that are not light, with F the mean force of level 1 on them
    /// over times from -window to window of the motion of the light ones while they are fixed.
    virtual void averaged_kick(double t, double window, const LightMotion& light) = 0;
    /// Light coordinates move under the forces of level 1 while the others move freely, q + t M^-1
    /// p.
    virtual void move_light(double t, const LightMotion& light) = 0;
    /// A bath acts on momenta. `occurrence` distinguishes the baths of one step. A system without
    /// pairs throws std::logic_error for a pair bath.
    virtual void bath(const BathFlow& flow, int occurrence = 0) = 0;
    /// The names of its species, in the order of rates by species; none for a system without
    /// species.
    [[nodiscard]] virtual std::vector<std::string> species() const { return {}; }
    /// The number of components of momenta of each species, in the same order.
    [[nodiscard]] virtual std::vector<double> freedom_by_species() const { return {}; }

    /// p <- p times a scalar, along some directions. A system without directions throws
    /// std::logic_error unless these are all.
    virtual void scale_momenta(Scalar factor, Axes axes) = 0;
    void scale_momenta(Scalar factor) { scale_momenta(factor, all_axes); }
    /// The same by a row of scalars, one for each species. A system without species throws
    /// std::logic_error, here and in the measurement of kinetic energies by species.
    virtual void scale_momenta_by_species(Scalar first);
    /// Scales lengths of the box along some directions, and positions with them, by a scalar. A
    /// system without a box throws std::logic_error, here and in the measurement of the virial.
    virtual void scale_box(Scalar factor, Axes axes);
    /// From now on drifts and kicks are those of a fluid in shear, at this rate, with momenta
    /// relative to its flow; the images of the box slide with it. Without such images throws
    /// std::logic_error unless the rate is 0.
    virtual void set_shear(double rate);
    void scale_box(Scalar factor) { scale_box(factor, all_axes); }
    /// From now on kicks and Scalar::potential are those of a flattened potential energy, or
    /// samples have the weights of a flattened total energy; reported energies remain those of the
    /// original forces. A system whose potential energy cannot be flattened throws std::logic_error
    /// for it.
    virtual void set_boost(const Boost& boost);

    /// Removes the motion of the centre of mass, a rounding error, where it is conserved.
    virtual void stop_centre() {}

    /// Scalar::kinetic <- sum p.M^-1 p (twice the kinetic energy of the canonical momenta)
    virtual void measure_kinetic() = 0;
    /// Scalar::kinetic_along <- the same by direction; a system without a box throws
    /// std::logic_error
    virtual void measure_kinetic_along();
    /// Scalar::species_kinetic <- the same by species, of which there are max_species_chains at
    /// most
    virtual void measure_kinetic_by_species();
    /// Scalar::potential <- V(q), or the part of a level, up to constants
    virtual void measure_potential(ForceLevel level = all_levels) = 0;
    /// Scalar::virial <- sum of r f along some directions, with mean-field corrections;
    /// Scalar::virial_along <- the sum along each; Scalar::volume <- the volume of the box
    virtual void measure_virial(Axes axes);
    void measure_virial() { measure_virial(all_axes); }
    /// Scalar::normal <- a standard normal number, Scalar::uniform <- one between 0 and 1,
    /// Scalar::squares <- the sum of the squares of `squares` further normal numbers, all of this
    /// step and stream
    virtual void draw(RandomStream stream, double squares = 0.0) = 0;
    /// Advances the scalars by one of the functors of kernels/ops/scalar_flows.hpp.
    virtual void advance(const ScalarFlow& flow) = 0;
    /// Sets or reads a scalar from the host (waits; not for the step loop).
    virtual void set_scalar(Scalar which, double value) = 0;
    [[nodiscard]] virtual double scalar(Scalar which) = 0;

    /// Declares that no later flow of this step moves the particles: the forces of later kicks are
    /// those at its end. A hint, for energies that are measured there.
    virtual void arrive() {}
    /// Announces that energies, or the virial, will be needed at the end of the next step, so that
    /// forces there come with them. A hint as well.
    virtual void expect_energies(bool) {}
    /// The same for the virial, in this step.
    virtual void expect_virial() {}
    /// Declares the end of a step of length dt: time and step count advance.
    virtual void end_step(double dt) = 0;
    [[nodiscard]] virtual std::int64_t step() const = 0;

    /// Kinetic degrees of freedom (total momentum removed where it is conserved).
    [[nodiscard]] virtual double degrees_of_freedom() const = 0;
    /// Current physical energies, in double; these wait for the device.
    [[nodiscard]] virtual double kinetic_energy() = 0;
    [[nodiscard]] virtual double potential_energy() = 0;
    /// Energy given to the particles by all `bath` flows so far.
    [[nodiscard]] virtual double bath_heat() = 0;

    /// For steps that follow the motion; a system without such steps throws std::logic_error.
    /// Scalar::motion_kinetic and the scalars after it <- what steps may follow, with all forces
    virtual void measure_motion();
    /// Scalar::slope_power and the scalar after it <- sums over the gradient of what steps follow,
    /// the potential energy or a sum over pairs; for the latter also Scalar::step_sum
    virtual void measure_slope(StepMeasure of);
    /// From now on time advances by Scalar::elapsed.
    virtual void begin_clock();
    /// Declares the end of a step whose length a scalar flow has added to Scalar::elapsed.
    virtual void end_step();
    /// Declares the end of one of several steps of a method within a step of the run: a hint.
    virtual void end_substep() {}

    /// For minimisations, in which every mass is 1; a system for dynamics alone throws
    /// std::logic_error.
    /// Scalar::descent_power and the scalars after it <- sums over momenta and all forces, and the
    /// largest force
    virtual void measure_descent();
    /// p <- p Scalar::descent_keep + F (Scalar::descent_turn + t), then q <- q + t p, with t =
    /// Scalar::descent_step, limited so that no particle moves farther than `longest_move`.
    virtual void descend(double longest_move);

    /// Saves positions, momenta and scalars, so that they may be replaced by an observed state from
    /// which steps do not continue; and restores them. A system that cannot do this throws
    /// std::logic_error.
    virtual void keep();
    virtual void put_back();
};

} // namespace shadow
