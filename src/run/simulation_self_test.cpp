// SPDX-License-Identifier: BSD-3-Clause
#include "self_test.hpp"
#include "simulation.hpp"

#include "shadow/integrators/registry.hpp"

namespace shadow {

/// Leaves the particles, to the bit, as they were; their memory is lent to the copies meanwhile.
template <int Dim>
void Simulation<Dim>::self_test(StageType& stage) {
    if (!backend_.is_cuda() || !plan_.compute.self_test.on) return;
    const Timer::Scope scope(timer_, timer_.part("self-test"));
    const Box<Dim> box = system_->box();
    const SystemState<Dim> start = system_->state();
    const std::vector<Mollifier> mollifiers = system_->mollifiers();
    system_.reset();
    const auto make = [this](const Box<Dim>& where, const Snapshot<Dim>& from) {
        return make_particles(where, from);
    };
    const SelfTest<Dim> test(backend_, make, box, start);
    test.check_forces(forces_, plan_.compute.precision == Precision::double_precision);
    if (stage.integrator)
        test.check_replay(
            [&] { return make_integrator(stage.plan.integrator, {units_.boltzmann}); },
            stage.degrees_of_freedom);
    settle(box, start.snapshot);
    system_->restore(start);
    system_->mollify(mollifiers);
    system_->set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    tested_at_ = timer_.seconds();
}

/// The same now and then, while the stage is at work.
template <int Dim>
void Simulation<Dim>::self_test_again(StageType& stage) {
    const double every = plan_.compute.self_test.every_seconds;
    if (every == 0.0 || !stage.integrator || timer_.seconds() - tested_at_ < every) return;
    self_test(stage);
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
