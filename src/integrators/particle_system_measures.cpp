// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/particle_system.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/motion.hpp"
#include "kernels/ops/sums.hpp"

#include <stdexcept>

/// Measurements in a running system: energies, virials and shares of forces, and the scalars that
/// methods with feedback need.
namespace shadow {

template <int Dim>
void ParticleSystem<Dim>::prepare_observation(bool with_energy) {
    prepare_sums(with_energy ? ForceSums::energies : ForceSums::none);
    if (!boost_.of_total) return;
    sum_potential();
    measure_kinetic();
    launch(backend_, WeighDensity{{scalars()}, boost_}, 1);
}

template <int Dim>
void ParticleSystem<Dim>::prepare_sums(ForceSums sums) {
    flush();
    if (is_boosted()) sums = ForceSums::energies; // samples have weights
    if (sums != ForceSums::none) measure_mollified();
    for (const ForceLevel level : levels()) {
        evaluate(level, sums);
        if (forces_[slot(level, true)].used) evaluate_changing(level, sums, time(), time());
    }
    if (boost_.of_forces()) sum_potential();
}

template <int Dim>
bool ParticleSystem<Dim>::share(Share<Dim>* share) {
    update_pair_lists();
    const Timer::Scope scope(timer_, parts_.forces);
    bool accumulate = false;
    for (const auto& term : terms_) {
        term->share(term->all_parts, particles_.view(), neighbours_, accumulate, share);
        accumulate = true;
    }
    return accumulate;
}

template <int Dim>
void ParticleSystem<Dim>::measure_kinetic() {
    flush();
    TwiceKinetic<Dim> op;
    op.particles = particles_.view();
    reduce(backend_, op, particles_.size(), scalars() + Scalar::kinetic);
}

template <int Dim>
void ParticleSystem<Dim>::measure_kinetic_along() {
    flush();
    using Along = typename TwiceKineticAlong<Dim>::Value;
    reduce(backend_, TwiceKineticAlong<Dim>{particles_.view()}, particles_.size(),
           reinterpret_cast<Along*>(scalars() + Scalar::kinetic_along));
}

template <int Dim>
void ParticleSystem<Dim>::measure_motion() {
    for (const ForceLevel level : levels()) evaluate(level, ForceSums::none);
    flush();
    using Motion = typename MeasureMotion<Dim>::Value;
    reduce(backend_, MeasureMotion<Dim>{particles_.view(), force()}, particles_.size(),
           reinterpret_cast<Motion*>(scalars() + Scalar::motion_kinetic));
}

template <int Dim>
void ParticleSystem<Dim>::measure_slope(StepMeasure of) {
    TotalForce<Dim> slope;
    if (of == StepMeasure::pair_sum) {
        if (!step_sum_.used) throw std::logic_error("steps follow a sum of no pairs");
        if (!step_sum_.force_valid) evaluate(step_sum_, ForceSums::energies);
        slope.add(step_sum_.view());
        reduce(backend_, sum_of(step_sum_.energy.data()), particles_.size(),
               scalars() + Scalar::step_sum);
    } else {
        for (const ForceLevel level : levels()) evaluate(level, ForceSums::none);
        slope = force();
    }
    flush();
    using Slope = typename MeasureSlope<Dim>::Value;
    reduce(backend_, MeasureSlope<Dim>{particles_.view(), slope}, particles_.size(),
           reinterpret_cast<Slope*>(scalars() + Scalar::slope_power));
}

template <int Dim>
void ParticleSystem<Dim>::measure_potential(ForceLevel level) {
    if (level == all_levels) {
        prepare_sums(ForceSums::energies);
        if (!boost_.of_forces()) sum_potential();
        return;
    }
    evaluate(level, ForceSums::energies);
    // Tails do not change the forces.
    reduce(backend_, SumArrays{{}, energies(level)}, particles_.size(),
           scalars() + Scalar::potential);
}

template <int Dim>
void ParticleSystem<Dim>::sum_potential(Scalar kick_scale) {
    double* target = scalars() + Scalar::potential;
    reduce(backend_, SumArrays{{}, energies()}, particles_.size(), target);
    if (const Tail tail = tail_energy(); tail.value != 0.0)
        launch(backend_, AddTail<Dim>{target, tail, ensemble_.box_view()}, 1);
    if (boost_.of_forces()) launch(backend_, FollowBoost{{scalars()}, boost_, kick_scale}, 1);
}

template <int Dim>
void ParticleSystem<Dim>::measure_virial(Axes axes) {
    prepare_sums(ForceSums::virial);
    launch(backend_,
           MeasureVirial<Dim>{virials(), tail_virial(), ensemble_.box_view(), {scalars()}, axes},
           1);
}

template <int Dim>
void ParticleSystem<Dim>::draw(RandomStream stream, double squares) {
    launch(
        backend_,
        DrawNumbers{{scalars()}, queue_.seed, static_cast<std::uint32_t>(stream), step(), squares},
        1);
}

template <int Dim>
double ParticleSystem<Dim>::kinetic_energy() {
    measure_kinetic();
    return 0.5 * physical_kinetic(scalar(Scalar::kinetic), scalar(Scalar::s));
}

template <int Dim>
double ParticleSystem<Dim>::potential_energy() {
    measure_potential(all_levels);
    const double potential = scalar(Scalar::potential);
    return boost_.of_forces() ? potential - scalar(Scalar::boost) : potential;
}

template <int Dim>
double ParticleSystem<Dim>::bath_heat() {
    flush();
    reduce(backend_, sum_of(heat_.data()), particles_.size(), result_.data());
    return result_.get(0);
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
