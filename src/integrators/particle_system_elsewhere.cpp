// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/fast_motion.hpp"
#include "shadow/integrators/particle_system.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/gradient_kick.hpp"
#include "kernels/ops/shadow_energy.hpp"
#include "kernels/ops/sums.hpp"

/// Forces at positions other than the current ones: displaced in both directions, at the averages
/// of molecules, at implicit positions, averaged over a motion, and along velocities.
namespace shadow {
namespace {

/// The displacement of a gradient kick, as a fraction of its square of a time times the
/// acceleration: small enough that the error of the difference is far below that of the method, and
/// large enough that in mixed precision its rounding error is little larger than that of forces.
constexpr double look = 0.25;

} // namespace

/// The correction of a gradient kick to the forces of all levels at the current positions. These
/// forces are evaluated again afterwards: particles may have been sorted at displaced positions.
template <int Dim>
void ParticleSystem<Dim>::evaluate_gradient(double square) {
    ForceArrays &ahead = sides_[0], &behind = sides_[1];
    flush();
    const auto kept = view_of(kept_), first = view_of(ahead.force), second = view_of(behind.force);
    const auto evaluate_here = [this](ForceArrays& side) {
        side.terms.clear();
        for (const auto& term : terms_) side.terms.push_back(term.get());
        lists_valid_ = false;
        evaluate(side, ForceSums::none);
    };
    launch(backend_, MoveByForce<Dim>{particles_.view(), force(), look * square, kept}, size());
    evaluate_here(ahead);
    const ParticlesView<Dim> p = particles_.view();
    launch(backend_, RestorePositions<Dim>{p.box, kept, p.position, true}, size());
    evaluate_here(behind);
    launch(backend_, DifferenceOfForces<Dim>{first, second, 0.5 / look}, size());
    launch(backend_, RestorePositions<Dim>{p.box, kept, p.position}, size());
    lists_valid_ = false;
}

template <int Dim>
auto ParticleSystem<Dim>::mollified_arrays(ForceLevel level) -> ForceArrays& {
    ForceArrays& arrays = mollified_[static_cast<std::size_t>(level - 1)];
    if (arrays.used) return arrays;
    arrays.used = true;
    arrays.terms = forces_[slot(level, false)].terms;
    (void)view_of(arrays.force);
    return arrays;
}

/// Forces, and energies, of a level with particles at their average positions, where they are left.
template <int Dim>
void ParticleSystem<Dim>::evaluate_at_averages(ForceLevel level, ForceSums sums) {
    flush();
    if (!lists_built_) update_lists();
    {
        const Timer::Scope scope(timer_, parts_.mollifier);
        fast_->averaged->average(mollifiers_[static_cast<std::size_t>(level - 1)],
                                 particles_.view(), neighbours_);
    }
    lists_valid_ = false;
    evaluate(mollified_arrays(level), sums);
    lists_valid_ = false;
}

template <int Dim>
bool ParticleSystem<Dim>::mollifies(ForceLevel level) const {
    const auto at = static_cast<std::size_t>(level - 1);
    return at < mollifiers_.size() && !mollifiers_[at].weight.empty() &&
           forces_[slot(level, false)].used;
}

/// Energies of levels with mollified kicks, at average and at current positions. Forces of the
/// kicks are recomputed later: with energies they may be rounded differently.
template <int Dim>
void ParticleSystem<Dim>::measure_mollified() {
    if (mollified_measured_ || mollifiers_.empty()) return;
    ByLevel<const double*> there, here;
    for (const ForceLevel level : levels()) {
        if (!mollifies(level)) continue;
        ForceArrays& arrays = mollified_arrays(level);
        if (arrays.energy.size() == 0) {
            arrays.energy = Array<double>(backend_, static_cast<std::size_t>(size()));
            arrays.virial = Array<SymmetricTensor<Dim>>(backend_, 1);
        }
        evaluate_at_averages(level, ForceSums::energies);
        fast_->averaged->restore(particles_.view());
        arrays.force_valid = false;
        evaluate(level, ForceSums::energies);
        there.add(arrays.energy.data());
        here.add(forces_[slot(level, false)].energy.data());
    }
    reduce(backend_, SumArrays{{}, there}, size(), scalars() + Scalar::mollified);
    reduce(backend_, SumArrays{{}, here}, size(), scalars() + Scalar::unmollified);
    mollified_measured_ = true;
}

/// Forces of a mollified kick: those at the averages, times the transposed derivative of the
/// averages.
template <int Dim>
void ParticleSystem<Dim>::evaluate_mollified(ForceLevel level) {
    ForceArrays& arrays = mollified_arrays(level);
    if (arrays.force_valid) return;
    evaluate_at_averages(level, ForceSums::none);
    const Timer::Scope scope(timer_, parts_.mollifier);
    const Mollifier& mollifier = mollifiers_[static_cast<std::size_t>(level - 1)];
    fast_->averaged->transpose(mollifier, particles_.view(), neighbours_, view_of(arrays.force));
    fast_->averaged->restore(particles_.view());
}

template <int Dim>
void ParticleSystem<Dim>::implicit_kick(double t, ForceLevel level, double theta) {
    TotalForce<Dim> given;
    std::vector<ForceLevel> slower;
    if (level == all_levels)
        for (const ForceLevel used : levels())
            if (used > 1) slower.push_back(used);
    for (const ForceLevel used : slower) {
        const double now = clock_[static_cast<std::size_t>(used - 1)];
        evaluate(used, ForceSums::none);
        evaluate_changing(used, ForceSums::none, now, now + t);
        for (const bool changing : {false, true})
            if (const ForceArrays& arrays = forces_[slot(used, changing)]; arrays.used)
                given.add(arrays.view());
    }
    flush();
    const std::int32_t* index = index_of_id();
    {
        const Timer::Scope scope(timer_, parts_.integration);
        fast_->implicit->kick(t, theta, particles_.view(), given, index);
    }
    for (const ForceLevel used : slower) kick(t, used);
}

/// The mean force stays valid until anything else is done: from the end of a step to the next step.
template <int Dim>
void ParticleSystem<Dim>::averaged_kick(double t, double window, const LightMotion& light) {
    ForceArrays& mean = mollified_.front();
    if (!mean.force_valid) {
        flush();
        mean.used = true;
        const VectorView<Dim, double> force = view_of(mean.force);
        const std::int32_t* index = index_of_id();
        const Timer::Scope scope(timer_, parts_.mollifier);
        fast_->light->mean_force(window, light, particles_.view(), index, force);
    }
    push({FlowEntry::Kind::kick, static_cast<int>(forces_.size()), t, Scalar::one, 0.0, 0, 0});
    mean.force_valid = true;
}

template <int Dim>
void ParticleSystem<Dim>::move_light(double t, const LightMotion& light) {
    flush();
    const std::int32_t* index = index_of_id();
    {
        const Timer::Scope scope(timer_, parts_.integration);
        fast_->light->move(t, light, particles_.view(), index);
    }
    positions_moved();
}

template <int Dim>
TotalForce<Dim> ParticleSystem<Dim>::force_along(double t) {
    prepare_observation(false);
    const ParticlesView<Dim> p = particles_.view();
    const VectorView<Dim, double> kept = view_of(kept_);
    if (status_along_.size() == 0) status_along_ = Array<std::int32_t>(backend_, 1);
    launch(backend_, CopyVectors<Dim>{p.position, kept}, size());
    launch(backend_, MoveAlong<Dim>{p, t}, size());
    TotalForce<Dim> all;
    for (const ForceLevel level : levels()) {
        if (!forces_[slot(level, false)].used) continue;
        ForceArrays& arrays = along_[static_cast<std::size_t>(level - 1)];
        arrays.terms = forces_[slot(level, false)].terms;
        (void)view_of(arrays.force);
        compute(arrays, ForceSums::none, status_along_.data());
        all.add(arrays.view());
    }
    launch(backend_, CopyVectors<Dim>{kept, p.position}, size());
    return all;
}

template <int Dim>
void ParticleSystem<Dim>::evaluate_again() {
    for (ForceArrays& arrays : forces_)
        if (arrays.used && arrays.force_valid) compute(arrays, arrays.sums, status_.data());
}

template <int Dim>
void ParticleSystem<Dim>::measure_descent() {
    prepare_observation(false);
    using Descent = typename MeasureFire<Dim>::Value;
    reduce(backend_, MeasureFire<Dim>{particles_.view(), force()}, size(),
           reinterpret_cast<Descent*>(scalars() + Scalar::descent_power));
}

template <int Dim>
void ParticleSystem<Dim>::descend(double longest_move) {
    launch(backend_, MoveFire<Dim>{particles_.view(), force(), {scalars()}, longest_move}, size());
    positions_moved();
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
