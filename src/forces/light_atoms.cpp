// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/light_atoms.hpp"

#include "kernels/bonded/groups_on.hpp"
#include "kernels/launch.hpp"

namespace shadow {
namespace {

template <int Dim>
std::int64_t numbers_of_light_motion(const MoleculeKind& kind) {
    return std::int64_t{light_motion_arrays} * kind.atoms * Dim;
}

} // namespace

template <int Dim>
LightAtoms<Dim>::LightAtoms(const Backend& backend, std::span<const BondedDescription> fast,
                            const Snapshot<Dim>& start)
    : backend_(backend),
      groups_(backend, fast, start, numbers_of_light_motion<Dim>, {.with_single_atoms = true}) {
    if (const auto numbers = numbers_in_memory(backend, groups_.numbers()); numbers > 0)
        scratch_ = Array<double>(backend, numbers);
}

template <int Dim>
LightMotionOp<Dim> LightAtoms<Dim>::prepare(double t, const LightMotion& how,
                                            const ParticlesView<Dim>& particles,
                                            const std::int32_t* index_of_id) {
    return {groups_.view(particles.box, index_of_id),
            how,
            t,
            particles.position,
            particles.momentum,
            scratch_.data(),
            groups_.max_numbers()};
}

template <int Dim>
void LightAtoms<Dim>::mean_force(double window, const LightMotion& how,
                                 const ParticlesView<Dim>& particles,
                                 const std::int32_t* index_of_id,
                                 const VectorView<Dim, double>& mean) {
    const MeanLightForce<Dim> op{prepare(window, how, particles, index_of_id), mean};
    launch(backend_, op, op.threads());
}

template <int Dim>
void LightAtoms<Dim>::move(double t, const LightMotion& how, const ParticlesView<Dim>& particles,
                           const std::int32_t* index_of_id) {
    const MoveLight<Dim> op{prepare(t, how, particles, index_of_id)};
    launch(backend_, op, op.threads());
}

template class LightAtoms<1>;
template class LightAtoms<2>;
template class LightAtoms<3>;

} // namespace shadow
