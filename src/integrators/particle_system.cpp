// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/particle_system.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/sums.hpp"

#include <cmath>

namespace shadow {

namespace {
int index(ForceClass forces) {
    return static_cast<int>(forces);
}
} // namespace

template <int Dim, class Real>
ParticleSystem<Dim, Real>::ParticleSystem(const Backend& backend, const Box<Dim>& box,
                                          const Snapshot<Dim>& start, std::uint64_t seed,
                                          Neighbours<Dim, Real> neighbours,
                                          std::vector<std::unique_ptr<ForceTerm<Dim, Real>>> forces)
    : backend_(backend), box_(box), particles_(backend, start), neighbours_(std::move(neighbours)),
      terms_(std::move(forces)), scalars_(backend, static_cast<std::size_t>(Scalar::count)),
      heat_(backend, start.size()), result_(backend, 1), status_(backend, 1), step_(start.step),
      time_base_(start.time) {
    const auto n = static_cast<std::size_t>(particles_.size());
    for (const auto& term : terms_)
        forces_[static_cast<std::size_t>(index(term->force_class()))].used = true;
    if (terms_.empty()) forces_[1].used = true;
    for (ForceArrays& arrays : forces_) {
        if (!arrays.used) continue;
        for (auto& component : arrays.force) component = Array<Real>(backend, n);
        arrays.energy = Array<double>(backend, n);
        arrays.virial = Array<SymmetricTensor<Dim>>(backend, 1);
    }
    neighbours_.attach(heat_);
    for (const Scalar unit : {Scalar::one, Scalar::s, Scalar::drift_scale}) set_scalar(unit, 1.0);
    queue_.seed = seed;
    queue_.one_species = start.species_table.size() == 1;
}

template <int Dim, class Real>
ParticleSystem<Dim, Real>::~ParticleSystem() = default;

template <int Dim, class Real>
bool ParticleSystem<Dim, Real>::has_class(int force_class) const {
    return forces_[static_cast<std::size_t>(force_class)].used;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::kick(FlowTime t, ForceClass forces) {
    for (int c = 0; c < 2; ++c) {
        if (!has_class(c) || (forces != ForceClass::all && index(forces) != c)) continue;
        evaluate(c, arrived_ && energies_expected_);
        push({FlowEntry::Kind::kick, c, t.value, t.scale, 0.0, 0, 0});
    }
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::drift(FlowTime t) {
    push({FlowEntry::Kind::drift, 0, t.value, t.scale, 0.0, 0, 0});
    positions_moved();
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::positions_moved() {
    lists_valid_ = false;
    for (ForceArrays& arrays : forces_) arrays.force_valid = arrays.energy_valid = false;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::bath(double t, double friction, double kT, int occurrence) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::langevin);
    push({FlowEntry::Kind::bath, 0, std::exp(-friction * t), Scalar::one,
          -std::expm1(-2.0 * friction * t) * kT, stream + static_cast<std::uint32_t>(occurrence),
          step_});
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::push(const FlowEntry& entry) {
    if (queue_.count == queue_.capacity) flush();
    queue_.flow[queue_.count++] = entry;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::flush() {
    if (queue_.count == 0) return;
    const Timer::Scope scope(timer_, parts_.integration);
    queue_.particles = particles_.view();
    for (int c = 0; c < 2; ++c)
        if (has_class(c)) queue_.force[c] = force(c);
    queue_.heat = heat_.data();
    queue_.scalars = {scalars_.data()};
    launch(backend_, queue_, particles_.size());
    queue_.count = 0;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::detach_bath() {
    flush();
    launch(backend_, DivideMomenta<Dim, Real>{particles_.view().momentum, {scalars_.data()}},
           size());
    set_scalar(Scalar::s, 1.0);
    set_scalar(Scalar::pi, 0.0);
    heat_.fill_zero();
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::rest() {
    flush();
    for (Real* component : particles_.view().momentum.component)
        detail::fill_zero(backend_, component, static_cast<std::size_t>(size()) * sizeof(Real));
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::set_momenta(const std::vector<std::array<double, Dim>>& momenta) {
    flush();
    particles_.set_momenta(momenta);
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::evaluate(int force_class, bool with_energy) {
    ForceArrays& arrays = forces_[static_cast<std::size_t>(force_class)];
    if (arrays.force_valid && (arrays.energy_valid || !with_energy)) return;
    flush();
    if (!lists_valid_) {
        const Timer::Scope scope(timer_, parts_.lists);
        neighbours_.update(particles_);
        lists_valid_ = true;
    }
    const Timer::Scope scope(timer_, parts_.forces);

    ForceOutput<Dim, Real> output;
    for (std::size_t d = 0; d < Dim; ++d) output.force.component[d] = arrays.force[d].data();
    output.energy = with_energy ? arrays.energy.data() : nullptr;
    output.virial = with_energy ? arrays.virial.data() : nullptr;
    output.status = status_.data();
    for (const auto& term : terms_) {
        if (index(term->force_class()) != force_class) continue;
        term->compute(particles_.view(), box_.view(), neighbours_, output);
        output.accumulate = true;
    }
    arrays.force_valid = true;
    arrays.energy_valid = with_energy;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::prepare_observation(bool with_energy) {
    flush();
    for (int c = 0; c < 2; ++c)
        if (has_class(c)) evaluate(c, with_energy);
}

template <int Dim, class Real>
bool ParticleSystem<Dim, Real>::share(Share<Dim>* share) {
    const Timer::Scope scope(timer_, parts_.forces);
    bool accumulate = false;
    for (const auto& term : terms_) {
        term->share(term->all_parts, particles_.view(), box_.view(), neighbours_, accumulate,
                    share);
        accumulate = true;
    }
    return accumulate;
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::measure_kinetic() {
    flush();
    TwiceKinetic<Dim, Real> op;
    op.particles = particles_.view();
    reduce(backend_, op, particles_.size(), scalars_.data() + static_cast<int>(Scalar::kinetic));
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::measure_potential() {
    prepare_observation(true);
    SumArrays op;
    op.first = has_class(0) ? energy(0) : energy(1);
    op.second = has_class(0) && has_class(1) ? energy(1) : nullptr;
    double* target = scalars_.data() + static_cast<int>(Scalar::potential);
    reduce(backend_, op, particles_.size(), target);
    if (const double tail = tail_energy(0) + tail_energy(1); tail != 0.0)
        launch(backend_, AddConstant{target, tail}, 1);
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::advance(const ScalarFlow& flow) {
    flush();
    std::visit(
        [this](const auto& functor) {
            using Flow = std::decay_t<decltype(functor)>;
            launch(backend_, AdvanceScalars<Flow>{{scalars_.data()}, functor}, 1);
        },
        flow);
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::set_scalar(Scalar which, double value) {
    flush();
    scalars_.set(static_cast<std::size_t>(which), value);
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::scalar(Scalar which) {
    return scalars_.get(static_cast<std::size_t>(which));
}

template <int Dim, class Real>
void ParticleSystem<Dim, Real>::end_step(double dt) {
    if (dt != dt_) {
        time_base_ = time();
        steps_since_base_ = 0;
        dt_ = dt;
    }
    ++steps_since_base_;
    ++step_;
    arrived_ = false;
    backend_.mark_step();
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::time() const {
    return time_base_ + static_cast<double>(steps_since_base_) * dt_;
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::kinetic_energy() {
    measure_kinetic();
    const double s = scalar(Scalar::s);
    return 0.5 * scalar(Scalar::kinetic) / (s * s);
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::potential_energy() {
    measure_potential();
    return scalar(Scalar::potential);
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::bath_heat() {
    flush();
    SumArrays op;
    op.first = heat_.data();
    op.second = nullptr;
    reduce(backend_, op, particles_.size(), result_.data());
    return result_.get(0);
}

template <int Dim, class Real>
const double* ParticleSystem<Dim, Real>::energy(int force_class) const {
    return forces_[static_cast<std::size_t>(force_class)].energy.data();
}

template <int Dim, class Real>
const SymmetricTensor<Dim>* ParticleSystem<Dim, Real>::virial(int force_class) const {
    return forces_[static_cast<std::size_t>(force_class)].virial.data();
}

template <int Dim, class Real>
VectorView<Dim, const Real> ParticleSystem<Dim, Real>::force(int force_class) const {
    VectorView<Dim, const Real> view;
    for (std::size_t d = 0; d < Dim; ++d)
        view.component[d] = forces_[static_cast<std::size_t>(force_class)].force[d].data();
    return view;
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::tail_energy(int force_class) const {
    double sum = 0.0;
    for (const auto& term : terms_)
        if (index(term->force_class()) == force_class) sum += term->tail_energy();
    return sum;
}

template <int Dim, class Real>
double ParticleSystem<Dim, Real>::tail_virial() const {
    double sum = 0.0;
    for (const auto& term : terms_) sum += term->tail_virial();
    return sum;
}

template class ParticleSystem<1, double>;
template class ParticleSystem<2, double>;
template class ParticleSystem<3, double>;

} // namespace shadow
