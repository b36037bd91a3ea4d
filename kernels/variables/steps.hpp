// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace shadow {

/// Steps that follow the motion (kernels/ops/step_control.hpp), and the quantities they follow
/// (motion.hpp).
template <int first>
struct StepVariables {
    enum Variable : int {
        elapsed = first, ///< time, if steps have different lengths
        step_factor,     ///< of dt: the length of the next flow,
        step_weight,  ///< and the rate of time: the weight of averages; with a boost the logarithm
                      ///< of the weight
        step_density, ///< of steps that follow the motion,
        step_rate,    ///< and its rate of change
        step_reference,      ///< to which an objective of steps is compared
        step_shortest,       ///< lengths so far
        step_longest,        //
        step_count,          ///< of steps that follow the motion
        motion_kinetic,      ///< by System::measure_motion: sum p.M^-1 p,
        motion_power,        ///< F.v,
        motion_speed,        ///< and means of v^2, of
        motion_acceleration, ///< a^2 and
        motion_largest,      ///< a^16, of accelerations
        step_sum,            ///< X, a sum over pairs that steps follow, by System::measure_slope,
        slope_power,         ///< and sums f.v and
        slope_square,        ///< f.M^-1 f of f = -grad X, or of all forces
        end
    };
    static constexpr int of_stage = motion_kinetic, of_step = motion_kinetic;
};

/// A potential energy that is flattened (kernels/ops/boost.hpp).
template <int first>
struct BoostVariables {
    enum Variable : int {
        boost = first,   ///< added to the potential energy
        boost_reference, ///< its initial value: with a weight of one
        boosted_kick,    ///< the factor of its forces, and of a kick
        end
    };
    static constexpr int of_stage = boosted_kick, of_step = boosted_kick;
};

/// A minimisation (kernels/ops/fire.hpp).
template <int first>
struct DescentVariables {
    enum Variable : int {
        descent_power = first, ///< by System::measure_descent: sums F.p,
        descent_speed,         ///< p.p and
        descent_force,         ///< F.F,
        descent_largest,       ///< and the largest F.F of a particle;
        descent_step,          ///< its step,
        descent_mixing,        ///< the fraction by which momenta are turned towards forces,
        descent_downhill,      ///< the number of steps for which the energy has fallen,
        descent_keep,          ///< and factors of the next move: of momenta
        descent_turn,          ///< and forces
        end
    };
    static constexpr int of_stage = descent_keep, of_step = descent_keep;
};

} // namespace shadow
