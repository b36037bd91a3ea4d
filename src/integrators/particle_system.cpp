// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/particle_system.hpp"

#include "shadow/forces/fast_motion.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/motion.hpp"
#include "kernels/ops/shadow_energy.hpp"
#include "kernels/ops/shear.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace shadow {

template <int Dim>
ParticleSystem<Dim>::ParticleSystem(const Backend& backend, const Box<Dim>& box,
                                    const Snapshot<Dim>& start, std::uint64_t seed,
                                    Neighbours<Dim> neighbours,
                                    std::vector<std::unique_ptr<ForceTerm<Dim>>> forces,
                                    std::unique_ptr<FastMotion<Dim>> fast)
    : backend_(backend), ensemble_(backend, box, start.step, start.time),
      particles_(backend, ensemble_, start), neighbours_(std::move(neighbours)),
      terms_(std::move(forces)), fast_(std::move(fast)), heat_(backend, start.size()),
      result_(backend, 1), status_(backend, 1),
      tail_volume_(box.is_periodic() ? box.volume() : 0.0) {
    const auto n = static_cast<std::size_t>(particles_.size());
    const auto sums = std::stable_partition(terms_.begin(), terms_.end(), [](const auto& term) {
        return term->level() != step_sum_level;
    });
    std::move(sums, terms_.end(), std::back_inserter(sums_));
    terms_.erase(sums, terms_.end());
    for (const auto& sum : sums_) step_sum_.terms.push_back(sum.get());
    for (const auto& term : terms_)
        forces_[slot(term->level(), !term->claims().constant)].terms.push_back(term.get());
    for (ForceArrays& arrays : forces_)
        std::stable_partition(arrays.terms.begin(), arrays.terms.end(),
                              [](const Term* term) { return !term->can_advance(); });
    reset_clocks();
    const auto allocate = [&](ForceArrays& arrays) {
        arrays.used = true;
        for (auto& component : arrays.force) component = Array<double>(backend, n);
        arrays.energy = Array<double>(backend, n);
        arrays.virial = Array<SymmetricTensor<Dim>>(backend, 1);
    };
    for (ForceArrays& arrays : forces_)
        if (!arrays.terms.empty() || (terms_.empty() && &arrays == &forces_.front()))
            allocate(arrays);
    if (!sums_.empty()) allocate(step_sum_);
    if (box.sliding().any()) neighbours_.slide_with(ensemble_.box_view());
    neighbours_.attach(heat_);
    for (std::size_t d = 0; d < Dim; ++d) {
        neighbours_.attach(kept_[d]);
        neighbours_.attach(sides_[0].force[d]);
        for (auto* kept : {&at_output_.position, &at_output_.momentum, &at_output_.reference})
            neighbours_.attach((*kept)[d]);
        neighbours_.attach(at_output_.image[d]);
    }
    freedom_by_species_.resize(start.species_table.size());
    for (const auto species : start.species) freedom_by_species_[species] += Dim;
    queue_.seed = seed;
    queue_.one_species = start.species_table.size() == 1;
}

template <int Dim>
ParticleSystem<Dim>::ParticleSystem(const Backend& backend, const Box<Dim>& box,
                                    const Snapshot<Dim>& start, std::uint64_t seed,
                                    Neighbours<Dim> neighbours,
                                    std::vector<std::unique_ptr<ForceTerm<Dim>>> forces)
    : ParticleSystem(backend, box, start, seed, std::move(neighbours), std::move(forces),
                     std::make_unique<FastMotion<Dim>>()) {}

template <int Dim>
ParticleSystem<Dim>::~ParticleSystem() = default;

template <int Dim>
std::string ParticleSystem<Dim>::overdetermined() const {
    return fast_->averaged ? fast_->averaged->overdetermined() : "";
}

template <int Dim>
void ParticleSystem<Dim>::kick(FlowTime t, ForceLevel level) {
    if (boost_.of_forces()) {
        for (const ForceLevel used : levels()) evaluate(used, ForceSums::energies);
        flush();
        sum_potential(t.scale);
        t.scale = Scalar::boosted_kick;
    }
    for (const ForceLevel used : levels()) {
        if (level != all_levels && level != used) continue;
        if (const std::size_t constant = slot(used, false); forces_[constant].used) {
            ForceSums sums = ForceSums::none;
            if (shear_rate() != 0.0 || (arrived_ && virial_expected_)) sums = ForceSums::virial;
            if (follows_action_ || (arrived_ && energies_expected_)) sums = ForceSums::energies;
            sums == ForceSums::none ? defer_forces(used) : evaluate(used, sums);
            if (shear_rate() != 0.0)
                launch(backend_,
                       AddShearWork<Dim>{forces_[constant].virial.data(),
                                         ensemble_.box_view(),
                                         {scalars()},
                                         shear_rate() * t.value},
                       1);
            if (follows_action_ && t.scale == Scalar::one)
                add_to_action(-t.value, SumArrays{{}, energies(used)});
            push({FlowEntry::Kind::kick, static_cast<int>(constant), t.value, t.scale, 0.0, 0, 0});
        }
        if (forces_[slot(used, true)].used) kick_changing(used, t);
    }
}

template <int Dim>
void ParticleSystem<Dim>::gradient_kick(FlowTime t, double square) {
    kick(t, all_levels);
    evaluate_gradient(square);
    const int arrays = static_cast<int>(forces_.size() + mollified_.size());
    push({FlowEntry::Kind::kick, arrays, t.value, t.scale, 0.0, 0, 0});
}

/// Forces that change in time are not mollified: they are another part of the energy.
template <int Dim>
void ParticleSystem<Dim>::mollified_kick(FlowTime t, ForceLevel level) {
    if (forces_[slot(level, false)].used) {
        evaluate_mollified(level);
        const int arrays = static_cast<int>(forces_.size()) + level - 1;
        push({FlowEntry::Kind::kick, arrays, t.value, t.scale, 0.0, 0, 0});
    }
    if (forces_[slot(level, true)].used) kick_changing(level, t);
}

template <int Dim>
void ParticleSystem<Dim>::mollify(const std::vector<Mollifier>& mollifiers) {
    if (mollifiers == mollifiers_) return;
    mollifiers_ = mollifiers;
    for (ForceArrays& arrays : mollified_) arrays.force_valid = false;
    forget_mollified();
}

template <int Dim>
void ParticleSystem<Dim>::forget_mollified() {
    mollified_measured_ = false;
    for (const Scalar energy : {Scalar::mollified, Scalar::unmollified}) set_scalar(energy, 0.0);
}

/// The exact flow of a time-dependent energy, over the part of the time that belongs to the kick;
/// the energy it gives is counted with the heat of the baths.
template <int Dim>
void ParticleSystem<Dim>::kick_changing(ForceLevel level, FlowTime t) {
    double& clock = clock_[static_cast<std::size_t>(level - 1)];
    evaluate_changing(level, ForceSums::none, clock, clock + t.value);
    const std::size_t changing = slot(level, true);
    for (Term* term : forces_[changing].terms) term->add_work(particles_.view(), heat_.data());
    push({FlowEntry::Kind::kick, static_cast<int>(changing), t.value, t.scale, 0.0, 0, 0});
    clock += t.value;
}

template <int Dim>
void ParticleSystem<Dim>::drift(FlowTime t) {
    if (follows_action_ && t.scale == Scalar::one) {
        flush();
        TwiceKinetic<Dim> twice_kinetic;
        twice_kinetic.particles = particles_.view();
        add_to_action(0.5 * t.value, twice_kinetic);
    }
    push({FlowEntry::Kind::drift, 0, t.value, t.scale, 0.0, 0, 0});
    if (shear_rate() != 0.0) {
        ensemble_.slide(shear_rate() * t.value);
        neighbours_.follow_box(particles_.view());
    }
    positions_moved();
}

template <int Dim>
void ParticleSystem<Dim>::set_shear(double rate) {
    if (rate == queue_.shear_rate) return;
    if (!ensemble_.box().sliding().any())
        throw std::logic_error("the images of this box do not slide");
    flush();
    queue_.shear_rate = rate;
}

template <int Dim>
void ParticleSystem<Dim>::set_magnetic_field(const std::array<double, 3>& field) {
    flush();
    queue_.magnetic = {};
    if (field == std::array<double, 3>{}) return;
    std::vector<double> ratio;
    for (const Species& species : particles_.species_table())
        ratio.push_back(species.charge / species.mass);
    charge_over_mass_ = Array<double>(backend_, std::span<const double>(ratio));
    std::copy_n(field.begin(), 3, queue_.magnetic.field);
    queue_.magnetic.ratio = charge_over_mass_.data();
}

template <int Dim>
void ParticleSystem<Dim>::set_boost(const Boost& boost) {
    if (boost == boost_) return;
    flush();
    boost_ = boost;
    set_scalar(Scalar::boost, 0.0);
}

template <int Dim>
void ParticleSystem<Dim>::follow_action(bool follow) {
    if (follow && action_.size() == 0) action_ = Array<double>(backend_, 2);
    follows_action_ = follow;
    action_begins_ = true;
}

template <int Dim>
template <class Energy>
void ParticleSystem<Dim>::add_to_action(double time, const Energy& energy) {
    reduce(backend_, energy, size(), action_.data() + 1);
    launch(backend_, AddToAction{action_.data(), action_.data() + 1, time, action_begins_}, 1);
    action_begins_ = false;
}

template <int Dim>
void ParticleSystem<Dim>::move_exactly(double t) {
    VectorView<Dim, const double> force{};
    if (ForceArrays& arrays = forces_[slot(1, false)]; arrays.used) {
        evaluate(1, ForceSums::none);
        force = arrays.view();
    }
    flush();
    const std::int32_t* index = index_of_id();
    const Timer::Scope scope(timer_, parts_.integration);
    fast_->exact->move(t, particles_.view(), force, index);
    positions_moved();
}

template <int Dim>
void ParticleSystem<Dim>::bath(const BathFlow& flow, int occurrence) {
    const std::uint32_t stream =
        static_cast<std::uint32_t>(RandomStream::langevin) + static_cast<std::uint32_t>(occurrence);
    if (flow.is_of_pairs()) {
        flush_and_update_lists();
        update_pair_lists();
        const Timer::Scope scope(timer_, parts_.integration);
        const PairNumbers<Dim> numbers{particles_.view(), queue_.seed, stream, step()};
        return flow.kind == BathKind::pair_exchange ? exchange_between_pairs(flow, numbers)
                                                    : friction_between_pairs(flow, numbers);
    }
    FlowEntry entry{FlowEntry::Kind::bath,    0,      flow.kept(), Scalar::one,
                    flow.renewed() * flow.kT, stream, step()};
    if (!flow.by_species.empty()) entry.by_species = baths_by_species(flow);
    if (flow.collides()) {
        entry.kind = FlowEntry::Kind::collisions;
        entry.value = -std::expm1(-flow.rate * flow.t);
        entry.noise = flow.kT;
        entry.together = flow.kind == BathKind::all_at_once;
    }
    push(entry);
}

template <int Dim>
void ParticleSystem<Dim>::scale_momenta(Scalar factor, Axes axes) {
    push({FlowEntry::Kind::scale, static_cast<int>(axes), 0.0, factor, 0.0, 0, 0});
}

/// Flows queued before do not depend on the box.
template <int Dim>
void ParticleSystem<Dim>::scale_box(Scalar factor, Axes axes) {
    if (deferred_) flush();
    push({FlowEntry::Kind::strain, static_cast<int>(axes), 0.0, factor, 0.0, 0, 0});
    ensemble_.scale_box(ensemble_.scalar_view(factor), axes);
    neighbours_.follow_box(particles_.view());
    for (const auto& term : terms_) term->follow_box();
    positions_moved();
}

template <int Dim>
void ParticleSystem<Dim>::keep_spacing(const Spacing& spacing) {
    spacing_ = spacing;
    queue_.position_rounding = std::ldexp(1.5, 52) * spacing.position;
    queue_.momentum_rounding = std::ldexp(1.5, 52) * spacing.momentum;
}

template <int Dim>
void ParticleSystem<Dim>::settle() {
    if (!(spacing_.position > 0.0)) return;
    push({FlowEntry::Kind::settle, 0, 0.0, Scalar::one, 0.0, 0, 0});
    flush();
    positions_moved();
}

template <int Dim>
void ParticleSystem<Dim>::stop_centre() {
    StopCentre<Dim> op{};
    std::copy_n(conserved_.linear.begin(), Dim, op.conserved);
    if (std::none_of(op.conserved, op.conserved + Dim, [](bool along) { return along; })) return;
    flush();
    if (kinetic_sums_.size() == 0) kinetic_sums_ = Array<KineticSums<Dim>>(backend_, 1);
    op.particles = particles_.view();
    op.sums = kinetic_sums_.data();
    reduce(backend_, MeasureKinetic<Dim>{op.particles}, size(), kinetic_sums_.data());
    launch(backend_, op, size());
}

template <int Dim>
void ParticleSystem<Dim>::advance(const ScalarFlow& flow) {
    std::visit(
        [this](const auto& functor) {
            using Functor = std::decay_t<decltype(functor)>;
            if constexpr (!requires { Functor::independent; }) flush();
            launch(backend_, AdvanceScalars<Functor>{{scalars()}, functor}, 1);
        },
        flow);
}

template <int Dim>
void ParticleSystem<Dim>::set_scalar(Scalar which, double value) {
    flush();
    ensemble_.set_scalar(which, value);
}

template <int Dim>
double ParticleSystem<Dim>::scalar(Scalar which) {
    return ensemble_.scalar(which);
}

template <int Dim>
void ParticleSystem<Dim>::end_step(double dt) {
    virial_expected_ = false;
    ensemble_.end_step(dt);
    reset_clocks();
    arrived_ = false;
    action_begins_ = true;
    backend_.mark_step();
}

/// Nothing depends on time here, so that no clock is needed.
template <int Dim>
void ParticleSystem<Dim>::end_step() {
    virial_expected_ = false;
    ensemble_.end_step();
    arrived_ = false;
    action_begins_ = true;
    backend_.mark_step();
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
