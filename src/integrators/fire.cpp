// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/fire.hpp"

#include "kernels/launch.hpp"

namespace shadow {

template <int Dim>
Fire<Dim>::Fire(ParticleSystem<Dim>& system, double largest_step, double longest_move)
    : system_(system), longest_move_(longest_move), sums_(system.backend(), 1),
      state_(system.backend(), 1) {
    state_.set(0, FireState{0.1 * largest_step, 0.1, 0.0, 0.0, 0, 0.0, largest_step});
}

template <int Dim>
void Fire<Dim>::step() {
    system_.prepare_observation(false);
    const auto particles = system_.particles();
    const TotalForce<Dim> force = system_.force();
    const Backend& backend = system_.backend();
    reduce(backend, MeasureFire<Dim>{particles, force}, system_.size(), sums_.data());
    launch(backend, ControlFire{sums_.data(), state_.data()}, 1);
    launch(backend, MoveFire<Dim>{particles, force, state_.data(), longest_move_}, system_.size());
    system_.positions_moved();
    system_.end_step(0.0);
}

template class Fire<1>;
template class Fire<2>;
template class Fire<3>;

} // namespace shadow
