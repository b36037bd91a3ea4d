// SPDX-License-Identifier: BSD-3-Clause
/// Baths that act between pairs of particles.
#include "shadow/integrators/particle_system.hpp"

#include "kernels/cpu/sweep_in_packs.hpp"
#include "kernels/launch.hpp"
#include "kernels/ops/sweep.hpp"

namespace shadow {

template <int Dim>
template <class Op>
void ParticleSystem<Dim>::sweep(double radius, const Op& op) {
    Sweep<Dim, Op> visit{};
    visit.position = particles_.view().position;
    visit.box = particles_.view().box;
    visit.list = neighbours_.list(neighbours_.list_within(radius));
    visit.radius2 = radius * radius;
    visit.op = op;
    launch_sweep(backend_, visit, neighbours_.cluster_bound());
}

template <int Dim>
void ParticleSystem<Dim>::exchange_between_pairs(const BathFlow& flow,
                                                 const PairNumbers<Dim>& numbers) {
    if (first_pair_.size() == 0)
        first_pair_ = Array<FirstPair<Dim>>(backend_, static_cast<std::size_t>(size()));
    sweep(flow.radius, FindFirstPair<Dim>{numbers, first_pair_.data()});
    launch(backend_,
           ExchangeFirstPairs<Dim>{numbers, first_pair_.data(), flow.rate * flow.t, flow.kT,
                                   heat_.data()},
           size());
}

template <int Dim>
void ParticleSystem<Dim>::friction_between_pairs(const BathFlow& flow,
                                                 const PairNumbers<Dim>& numbers) {
    if (friction_status_.size() == 0) friction_status_ = Array<std::int32_t>(backend_, 1);
    const VectorView<Dim, double> impulse = view_of(impulse_);
    const PairFriction<Dim> pairs{numbers, flow.radius,         2.0 * flow.rate * flow.t,
                                  flow.kT, view_of(predicted_), impulse};
    if (sweeps_in_packs(backend_))
        known_pairs_.resize(static_cast<std::size_t>(neighbours_.cluster_bound()));
    sweep(flow.radius, PredictVelocities<Dim>{pairs, friction_status_.data(), known_pairs_.data()});
    sweep(flow.radius, AddPairFriction<Dim>{pairs, known_pairs_.data()});
    launch(backend_, GiveImpulses<Dim>{numbers.particles, impulse, heat_.data()}, size());
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
