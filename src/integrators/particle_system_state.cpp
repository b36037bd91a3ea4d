// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/forces/fast_motion.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/system/id_order.hpp"
#include "shadow/system/nearest_partner.hpp"
#include "shadow/system/scalar_groups.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

/// Access to a running system from outside: its momenta between stages, its arrays by level, its
/// status, snapshots, and the state of a restart.
namespace shadow {

template <int Dim>
void ParticleSystem<Dim>::detach_bath() {
    flush();
    launch(backend_, DivideMomenta<Dim>{particles_.view().momentum, {scalars()}}, size());
    set_shear(0.0);
    set_boost({});
    set_scalar(Scalar::s, 1.0);
    ensemble_.end_clock();
    for (const ScalarGroup& group : scalar_groups())
        if (group.begins == ScalarGroup::Begins::with_each_stage)
            for (int k = 0; k < group.length; ++k) set_scalar(of_row(group.first, k), 0.0);
    heat_.fill_zero();
}

template <int Dim>
bool ParticleSystem<Dim>::box_moves() {
    return scalar(Scalar::box_velocity) != 0.0 || scalar(Scalar::box_momentum) != 0.0;
}

template <int Dim>
void ParticleSystem<Dim>::rest() {
    flush();
    for (double* component : particles_.view().momentum.component)
        detail::fill_zero(backend_, component, static_cast<std::size_t>(size()) * sizeof(double));
}

template <int Dim>
void ParticleSystem<Dim>::set_momenta(const std::vector<std::array<double, Dim>>& momenta) {
    flush();
    particles_.set_momenta(momenta);
}

template <int Dim>
void ParticleSystem<Dim>::check_status() {
    if (deferred_) flush();
    const double failed = scalar(Scalar::failed);
    if (failed != 0.0 && failed != no_step_length)
        throw SimulationError(fmt::format(
            "step {}: the bath equations have no solution (the bath variable s would turn "
            "negative, or change manifold in one step); use a smaller dt or a larger bath mass{}",
            step(), box_moves() ? ", give the barostat a longer period" : ""));
    if (friction_status_.size() > 0 && friction_status_.get(0) != 0)
        throw SimulationError(
            fmt::format("step {}: friction between pairs takes more than the velocity of particle "
                        "{} (its pairs together are stronger than one step resolves); use a "
                        "smaller dt or less friction",
                        step(), friction_status_.get(0) - 1));
    if (neighbours_.box_too_small())
        throw SimulationError(
            fmt::format("step {}: the box has shrunk to less than 0.7 of its lengths at the start "
                        "(the memory of lists is planned for no smaller box); begin a run with the "
                        "last checkpoint or a denser start",
                        step()));
    const std::int32_t status = status_.get(0);
    if (status == 0 && failed == no_step_length)
        throw SimulationError(
            fmt::format("step {}: the length of a step has become zero (the quantity it follows "
                        "has changed too much within one, or is an energy without the offset that "
                        "keeps its sign; the half steps of adaptive-verlet may have diverged); use "
                        "a smaller dt, a larger offset, or step-density",
                        step()));
    if (status == 0) return;
    if (const std::string left = escape(); !left.empty()) throw SimulationError(left);
    const auto blamed = static_cast<std::uint32_t>(status - 1);
    throw SimulationError(
        fmt::format("step {}: the force on particle {} is not finite ({}{}); use a smaller dt, "
                    "{}or equilibrate "
                    "overlapping particles first",
                    step_of_failure(), blamed, surroundings(particles_.snapshot(), box(), blamed),
                    infinite_forces(), box_moves() ? "give the barostat a longer period, " : ""));
}

template <int Dim>
std::string ParticleSystem<Dim>::escape() const {
    for (const auto& term : terms_)
        if (const std::string left = term->escape(); !left.empty())
            return fmt::format("step {}: {}", step_of_failure(), left);
    return "";
}

template <int Dim>
std::string ParticleSystem<Dim>::infinite_forces() const {
    std::string text;
    for (const auto& term : terms_)
        if (const std::string where = term->infinite(); !where.empty())
            text += fmt::format("; {} is infinite {}", term->name(), where);
    const Snapshot<Dim> now = particles_.snapshot();
    for (const auto& term : terms_)
        if (const std::string where = term->ends_at(now, box()); !where.empty())
            text += fmt::format("; {} ends {}", term->name(), where);
    if (std::any_of(mollifiers_.begin(), mollifiers_.end(),
                    [](const Mollifier& used) { return used.at_rest; }))
        text += "; there may be no way to the rest of bonds and angles that equilibrium needs";
    if (fast_->implicit) text += "; implicit forces may have no solution within so long a step";
    return text;
}

template <int Dim>
std::size_t ParticleSystem<Dim>::bytes() const {
    std::size_t sum = particles_.bytes() + neighbours_.bytes() + heat_.bytes();
    for (const auto* terms : {&terms_, &sums_})
        for (const auto& term : *terms) sum += term->bytes();
    const auto add_all = [&sum](const ForceArrays& arrays) {
        for (const auto& component : arrays.force) sum += component.bytes();
        sum += arrays.energy.bytes() + arrays.virial.bytes();
    };
    for (const ForceArrays& arrays : forces_) add_all(arrays);
    add_all(step_sum_);
    const auto add = [&sum](const auto& held) {
        for (const ForceArrays& arrays : held)
            for (const auto& component : arrays.force) sum += component.bytes();
    };
    add(mollified_);
    add(sides_);
    add(along_);
    for (const auto* held : {&kept_, &predicted_, &impulse_, &at_output_.position,
                             &at_output_.momentum, &at_output_.reference})
        for (const auto& component : *held) sum += component.bytes();
    sum += first_pair_.bytes() + by_species_.bytes();
    return sum + fast_->bytes();
}

template <int Dim>
ByLevel<ForceLevel> ParticleSystem<Dim>::levels() const {
    ByLevel<ForceLevel> all;
    for (ForceLevel level = 1; level <= max_levels; ++level)
        if (forces_[slot(level, false)].used || forces_[slot(level, true)].used) all.add(level);
    return all;
}

template <int Dim>
ByLevel<const double*> ParticleSystem<Dim>::energies(ForceLevel level) const {
    ByLevel<const double*> all;
    for (const ForceLevel used : levels()) {
        if (level != all_levels && level != used) continue;
        for (const bool changing : {false, true})
            if (const ForceArrays& arrays = forces_[slot(used, changing)]; arrays.used)
                all.add(arrays.energy.data());
    }
    return all;
}

template <int Dim>
ByLevel<const SymmetricTensor<Dim>*> ParticleSystem<Dim>::virials() const {
    ByLevel<const SymmetricTensor<Dim>*> all;
    for (const ForceArrays& arrays : forces_)
        if (arrays.used) all.add(arrays.virial.data());
    return all;
}

template <int Dim>
TotalForce<Dim> ParticleSystem<Dim>::force() const {
    TotalForce<Dim> all;
    for (const ForceArrays& arrays : forces_) {
        if (!arrays.used) continue;
        VectorView<Dim, const double> view;
        for (std::size_t d = 0; d < Dim; ++d) view.component[d] = arrays.force[d].data();
        all.add(view);
    }
    return all;
}

template <int Dim>
Tail ParticleSystem<Dim>::tail_energy(ForceLevel level) const {
    double sum = 0.0;
    for (const auto& term : terms_)
        if (level == all_levels || term->level() == level) sum += term->tail_energy();
    return {sum, tail_volume_};
}

template <int Dim>
Tail ParticleSystem<Dim>::tail_virial() const {
    double sum = 0.0;
    for (const auto& term : terms_) sum += term->tail_virial();
    return {sum, tail_volume_};
}

template <int Dim>
void ParticleSystem<Dim>::set_timer(Timer* timer) {
    timer_ = timer;
    if (timer) parts_ = {timer->part("forces"), timer->part("lists"), timer->part("integration")};
    if (timer && (fast_->averaged || fast_->light)) parts_.mollifier = timer->part("mollifier");
}

template <int Dim>
auto ParticleSystem<Dim>::largest_force(ForceLevel from) -> LargestForce {
    prepare_observation(false);
    const auto n = static_cast<std::size_t>(size());
    std::vector<std::uint32_t> id(n);
    detail::copy_to_host(backend_, id.data(), particles_.view().id, n * sizeof(id[0]));
    std::vector<double> square(n, 0.0), sum(n);
    for (std::size_t d = 0; d < Dim; ++d) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t k = slot(from, false); k < forces_.size(); ++k) {
            if (!forces_[k].used) continue;
            const std::vector<double> component = forces_[k].force[d].to_host();
            for (std::size_t i = 0; i < n; ++i) sum[i] += component[i];
        }
        for (std::size_t i = 0; i < n; ++i) square[i] += sum[i] * sum[i];
    }
    LargestForce largest;
    double most = -1.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double here = std::isfinite(square[i]) ? square[i] : HUGE_VAL;
        if (here < most || (here == most && id[i] > largest.id)) continue;
        most = here;
        largest = {id[i], std::sqrt(here)};
    }
    return largest;
}

template <int Dim>
Snapshot<Dim> ParticleSystem<Dim>::snapshot() {
    flush();
    Snapshot<Dim> snapshot = particles_.snapshot();
    snapshot.step = step();
    snapshot.time = time();
    snapshot.s = scalar(Scalar::s);
    return snapshot;
}

template <int Dim>
void ParticleSystem<Dim>::keep() {
    flush();
    if (!lists_built_) update_lists();
    follows_action_ = false;
    const ParticlesView<Dim> p = particles_.view();
    const auto copy = [&]<class T>(const VectorView<Dim, T>& from, std::array<Array<T>, Dim>& to) {
        launch(backend_, CopyVectors<Dim, T>{from, view_of(to)}, size());
    };
    copy(p.position, at_output_.position);
    copy(p.momentum, at_output_.momentum);
    copy(p.image, at_output_.image);
    if (const auto reference = neighbours_.reference(); reference.component[0] != nullptr)
        copy(reference, at_output_.reference);
    at_output_.evaluated = evaluated();
    at_output_.rebuilds = neighbours_.rebuilds();
    at_output_.scalars = ensemble_.state().scalars;
}

/// Restores the bits of the state, with lists in the order that they had.
template <int Dim>
void ParticleSystem<Dim>::put_back() {
    if (!is_kept()) return;
    flush();
    if (neighbours_.rebuilds() != at_output_.rebuilds)
        neighbours_.build_again(particles_, view_of(at_output_.reference), at_output_.rebuilds);
    const ParticlesView<Dim> p = particles_.view();
    launch(backend_, CopyVectors<Dim>{view_of(at_output_.position), p.position}, size());
    launch(backend_, CopyVectors<Dim>{view_of(at_output_.momentum), p.momentum}, size());
    launch(backend_, CopyVectors<Dim, std::int32_t>{view_of(at_output_.image), p.image}, size());
    ensemble_.set_scalars(at_output_.scalars);
    at_output_.scalars.clear();
    positions_moved();
    evaluate_as(at_output_.evaluated);
    arrived_ = false;
}

template <int Dim>
void ParticleSystem<Dim>::release() {
    for (const auto* terms : {&terms_, &sums_})
        for (const auto& term : *terms) term->release();
    neighbours_.release();
}

template <int Dim>
SystemState<Dim> ParticleSystem<Dim>::state() {
    release();
    SystemState<Dim> state;
    state.snapshot = snapshot();
    state.reference = neighbours_.reference(particles_);
    state.reference_lengths = neighbours_.reference_lengths();
    const SlidingImages reference = neighbours_.reference_sliding();
    state.reference_slide = reference.slide;
    state.reference_third = {reference.third_flow, reference.third_gradient};
    state.rebuilds = neighbours_.rebuilds();
    state.ensemble = ensemble_.state();
    state.bath_heat.resize(heat_.size());
    const double* const heat[] = {heat_.data()};
    copy_by_id<double>(backend_, particles_.view().id, size(), heat, state.bath_heat.data());
    state.evaluated = evaluated();
    return state;
}

template <int Dim>
void ParticleSystem<Dim>::restore(const SystemState<Dim>& state) {
    queue_.count = 0;
    particles_ = Particles<Dim>(backend_, ensemble_, state.snapshot);
    heat_.assign(state.bath_heat);
    if (!state.reference_lengths.empty()) ensemble_.set_lengths(state.reference_lengths);
    ensemble_.set_slide(state.reference_slide, state.ensemble.turns, state.reference_third);
    neighbours_.restore(particles_, state.reference, state.rebuilds);
    ensemble_.restore(state.ensemble);
    forget_mollified(); // those of the method that wrote the state
    neighbours_.follow_box(particles_.view());
    for (const auto& term : terms_) term->follow_box();
    lists_valid_ = false;
    lists_built_ = true;
    forget_forces();
    evaluate_as(state.evaluated);
    reset_clocks();
}

template <int Dim>
auto ParticleSystem<Dim>::evaluated() const -> Evaluated {
    Evaluated levels{};
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const ForceArrays& arrays = forces_[slot(static_cast<ForceLevel>(k) + 1, false)];
        levels[k] = arrays.has(ForceSums::energies) ? 2 : arrays.force_valid ? 1 : 0;
    }
    return levels;
}

template <int Dim>
void ParticleSystem<Dim>::evaluate_as(const Evaluated& before) {
    for (const ForceLevel level : levels()) {
        const std::int32_t of_level = before[static_cast<std::size_t>(level - 1)];
        if (of_level > 0) evaluate(level, of_level == 2 ? ForceSums::energies : ForceSums::none);
    }
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
