// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/particle_system.hpp"

#include "kernels/launch.hpp"

#include <cmath>
#include <utility>

/// When flows are applied and forces computed: flows are queued; forces are computed when they are
/// needed, on a CPU in one pass with the flows that follow if these move the particles.
namespace shadow {

template <int Dim>
void ParticleSystem<Dim>::positions_moved() {
    lists_valid_ = false;
    mollified_measured_ = false;
    forget_forces();
}

template <int Dim>
void ParticleSystem<Dim>::forget_forces() {
    for (ForceArrays& arrays : forces_) arrays.force_valid = false;
    for (ForceArrays& arrays : mollified_) arrays.force_valid = false;
    step_sum_.force_valid = false;
}

template <int Dim>
void ParticleSystem<Dim>::push(const FlowEntry& entry) {
    if (queue_.count == queue_.capacity) flush();
    mollified_.front().force_valid = false; // momenta change
    queue_.flow[queue_.count++] = entry;
}

template <int Dim>
void ParticleSystem<Dim>::flush() {
    mollified_.front().force_valid = false; // the caller may change momenta
    if (queue_.count == 0) return;          // no forces are deferred either
    point_queue();
    if (deferred_ && compute_deferred()) queue_.count = 0;
    if (queue_.count == 0) return;
    const Timer::Scope scope(timer_, parts_.integration);
    launch(backend_, queue_, particles_.size());
    queue_.count = 0;
    moved_on_ = nullptr;
}

template <int Dim>
void ParticleSystem<Dim>::point_queue() {
    queue_.particles = particles_.view();
    for (std::size_t k = 0; k < forces_.size(); ++k)
        for (std::size_t d = 0; d < Dim; ++d) queue_.force[k][d] = forces_[k].force[d].data();
    for (std::size_t k = 0; k < mollified_.size(); ++k)
        for (std::size_t d = 0; d < Dim; ++d)
            queue_.force[forces_.size() + k][d] = mollified_[k].force[d].data();
    for (std::size_t d = 0; d < Dim; ++d)
        queue_.force[forces_.size() + mollified_.size()][d] = sides_[0].force[d].data();
    queue_.heat = heat_.data();
    queue_.scalars = {scalars()};
}

/// Computes deferred forces, in one pass with the queued flows if these move the particles; returns
/// whether it has applied the flows.
template <int Dim>
bool ParticleSystem<Dim>::compute_deferred() {
    ForceArrays& arrays = *std::exchange(deferred_, nullptr);
    const bool moves_on = queue_.count > 0 && !arrays.force_valid;
    const bool had_failed = force_failed();
    compute(arrays, ForceSums::none, status_.data(), moves_on ? &queue_ : nullptr);
    if (!had_failed && force_failed()) failed_step_ = deferred_step_;
    moved_on_ = moves_on ? &arrays : nullptr;
    return moves_on;
}

/// Forces that only kicks need are deferred: when something else is needed, they are computed in
/// one pass with the flows queued until then.
template <int Dim>
void ParticleSystem<Dim>::defer_forces(ForceLevel level) {
    ForceArrays& arrays = forces_[slot(level, false)];
    if (!arrays.used || arrays.force_valid) return;
    if (arrays.terms.empty() || !arrays.terms.back()->can_advance() || spacing_.position > 0.0)
        return evaluate(arrays, ForceSums::none);
    moved_on_ = nullptr;
    flush_and_update_lists();
    deferred_follows_ = moved_on_ == &arrays;
    arrays.force_valid = true;
    arrays.sums = ForceSums::none;
    deferred_ = &arrays;
    deferred_step_ = step() + 1;
}

template <int Dim>
void ParticleSystem<Dim>::evaluate(ForceLevel level, ForceSums sums) {
    if (deferred_) flush();
    ForceArrays& arrays = forces_[slot(level, false)];
    if (arrays.used && !arrays.has(sums)) evaluate(arrays, sums);
}

template <int Dim>
void ParticleSystem<Dim>::evaluate_changing(ForceLevel level, ForceSums sums, double from,
                                            double to) {
    ForceArrays& arrays = forces_[slot(level, true)];
    const bool same_time = arrays.from == from && arrays.to == to;
    if (!arrays.used || (same_time && arrays.has(sums))) return;
    arrays.from = from;
    arrays.to = to;
    evaluate(arrays, sums);
}

template <int Dim>
void ParticleSystem<Dim>::flush_and_update_lists() {
    // The last queued flows also do the first part of an update of the lists.
    if (!lists_valid_ && queue_.count > 0) {
        queue_.test = neighbours_.displacement_test(particles_.view());
        queue_.far = neighbours_.far_outside();
    }
    const bool done = queue_.test.flag != nullptr || queue_.far < HUGE_VAL;
    flush();
    queue_.test = {};
    queue_.far = HUGE_VAL;
    update_lists(done);
}

template <int Dim>
void ParticleSystem<Dim>::evaluate(ForceArrays& arrays, ForceSums sums) {
    if (spacing_.position > 0.0) sums = ForceSums::energies;
    flush_and_update_lists();
    compute(arrays, sums, status_.data());
    arrays.force_valid = true;
    arrays.sums = sums;
}

template <int Dim>
void ParticleSystem<Dim>::compute(ForceArrays& arrays, ForceSums sums, std::int32_t* status,
                                  const Advance<Dim>* advance) {
    const Timer::Scope scope(timer_, parts_.forces);
    ForceOutput<Dim> output;
    for (std::size_t d = 0; d < Dim; ++d) output.force.component[d] = arrays.force[d].data();
    output.virial = sums != ForceSums::none ? arrays.virial.data() : nullptr;
    output.status = status;
    for (Term* term : arrays.terms) {
        term->set_time(arrays.from, arrays.to);
        // Energies that come with a virial which is not summed alone are not used.
        const bool energy = sums == ForceSums::energies ||
                            (sums == ForceSums::virial && !term->sums_virial_alone());
        output.energy = energy ? arrays.energy.data() : nullptr;
        if (term == arrays.terms.back()) {
            output.advance = advance;
            output.follows = advance && deferred_follows_;
        }
        term->compute(particles_.view(), neighbours_, output);
        output.accumulate = true;
    }
}

/// Forces computed before may be in another order than the particles are now.
template <int Dim>
void ParticleSystem<Dim>::update_lists(bool done) {
    if (lists_valid_) return;
    const Timer::Scope scope(timer_, parts_.lists);
    neighbours_.update(particles_, done);
    forget_forces();
    lists_valid_ = lists_built_ = true;
    pairs_listed_ = !neighbours_.on_demand();
}

template <int Dim>
void ParticleSystem<Dim>::update_pair_lists() {
    if (!lists_valid_) flush_and_update_lists();
    if (pairs_listed_) return;
    {
        const Timer::Scope scope(timer_, parts_.lists);
        neighbours_.build(particles_);
    }
    pairs_listed_ = true;
    for (ForceArrays& arrays : mollified_) arrays.force_valid = false;
    step_sum_.force_valid = false;
    evaluate_again();
}

template <int Dim>
PairListView ParticleSystem<Dim>::pair_list(int index) {
    update_pair_lists();
    return neighbours_.list(index);
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
