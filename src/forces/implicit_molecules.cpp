// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/implicit_molecules.hpp"

#include "kernels/bonded/groups_on.hpp"
#include "kernels/launch.hpp"

namespace shadow {
namespace {

template <int Dim>
std::int64_t numbers_of_kick(const MoleculeKind& kind) {
    return implicit_numbers<Dim>(kind.atoms, kind.atom_band);
}

} // namespace

template <int Dim>
ImplicitMolecules<Dim>::ImplicitMolecules(const Backend& backend,
                                          std::span<const BondedDescription> fast,
                                          const Snapshot<Dim>& start)
    : backend_(backend), groups_(backend, fast, start, numbers_of_kick<Dim>, {.narrow = true}) {
    if (const auto numbers = numbers_in_memory(backend, groups_.numbers()); numbers > 0)
        scratch_ = Array<double>(backend, numbers);
}

template <int Dim>
void ImplicitMolecules<Dim>::kick(double t, double theta, const ParticlesView<Dim>& particles,
                                  const TotalForce<Dim>& given, const std::int32_t* index_of_id) {
    const ImplicitTimes times{t, (theta - 0.5) * t, 0.5 * theta * t * t};
    const ImplicitKick<Dim> op{groups_.view(particles.box, index_of_id),
                               times,
                               particles.position,
                               particles.momentum,
                               given,
                               scratch_.data(),
                               groups_.max_numbers()};
    launch(backend_, op, op.threads());
}

template class ImplicitMolecules<1>;
template class ImplicitMolecules<2>;
template class ImplicitMolecules<3>;

} // namespace shadow
