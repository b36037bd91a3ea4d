// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/averaged_molecules.hpp"

#include "kernels/bonded/groups_on.hpp"
#include "kernels/launch.hpp"
#include "kernels/ops/displacement.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

/// The number of internal coordinates of a free molecule.
int inner_coordinates(int dim, int atoms) {
    const int rotations = dim == 1 ? 0 : dim == 2 ? 1 : atoms == 2 ? 2 : 3;
    return atoms * dim - dim - rotations;
}

template <int Dim>
std::int64_t numbers_of_projection(const MoleculeKind& kind) {
    return projection_numbers<Dim>(kind.atoms, kind.constraints(), kind.constraint_band);
}

} // namespace

template <int Dim>
AveragedMolecules<Dim>::AveragedMolecules(const Backend& backend,
                                          std::span<const BondedDescription> fast,
                                          const Snapshot<Dim>& start, Neighbours<Dim>& neighbours)
    : backend_(backend), groups_(backend, fast, start, numbers_of_projection<Dim>, {}) {
    for (const auto& [kind, first, last] : groups_.examples())
        if (const int inner = inner_coordinates(Dim, kind.atoms); kind.constraints() > inner)
            overdetermined_ = fmt::format("{} bonds and angles of atoms {} to {} (which have {} "
                                          "coordinates besides those of the whole molecule)",
                                          kind.constraints(), first, last, inner);
    for (Array<double>& component : kept_) {
        component = Array<double>(backend, start.size());
        neighbours.attach(component);
    }
}

template <int Dim>
VectorView<Dim, double> AveragedMolecules<Dim>::kept_view() {
    VectorView<Dim, double> view{};
    for (std::size_t d = 0; d < Dim; ++d) view.component[d] = kept_[d].data();
    return view;
}

template <int Dim>
template <Averaging averaging>
MoleculeOp<Dim, averaging> AveragedMolecules<Dim>::prepare(const Mollifier& mollifier,
                                                           const ParticlesView<Dim>& particles,
                                                           const Neighbours<Dim>& neighbours) {
    if (!(mollifier == mollifier_)) {
        mollifier_ = mollifier;
        weight_ = Array<double>(backend_, mollifier.weight);
    }
    const TimeAverageView average{
        weight_.data(), static_cast<std::int32_t>(mollifier.weight.size()) - 1, mollifier.dt};
    const bool in_time = averaging == Averaging::in_time;
    const std::int64_t all = in_time ? groups_.coordinates() * average.arrays() : groups_.numbers(),
                       most = in_time ? groups_.max_coordinates() * average.arrays()
                                      : groups_.max_numbers();
    if (const auto numbers = numbers_in_memory(backend_, all); scratch_.size() < numbers)
        scratch_ = Array<double>(backend_, numbers);
    return {groups_.view(particles.box, neighbours.index_of_id(particles)), average,
            particles.position, scratch_.data(), most};
}

template <int Dim>
template <Averaging averaging>
void AveragedMolecules<Dim>::average_by(const Mollifier& mollifier,
                                        const ParticlesView<Dim>& particles,
                                        const Neighbours<Dim>& neighbours) {
    const AverageMolecules<Dim, averaging> op{prepare<averaging>(mollifier, particles, neighbours)};
    launch(backend_, op, op.threads());
}

template <int Dim>
template <Averaging averaging>
void AveragedMolecules<Dim>::transpose_by(const Mollifier& mollifier,
                                          const ParticlesView<Dim>& particles,
                                          const Neighbours<Dim>& neighbours,
                                          const VectorView<Dim, double>& force) {
    ParticlesView<Dim> before = particles;
    before.position = kept_view();
    const TransposeAverage<Dim, averaging> op{prepare<averaging>(mollifier, before, neighbours),
                                              force};
    launch(backend_, op, op.threads());
}

template <int Dim>
void AveragedMolecules<Dim>::average(const Mollifier& mollifier,
                                     const ParticlesView<Dim>& particles,
                                     const Neighbours<Dim>& neighbours) {
    launch(backend_, CopyVectors<Dim>{particles.position, kept_view()}, particles.size);
    if (mollifier.at_rest)
        average_by<Averaging::at_rest>(mollifier, particles, neighbours);
    else
        average_by<Averaging::in_time>(mollifier, particles, neighbours);
}

template <int Dim>
void AveragedMolecules<Dim>::transpose(const Mollifier& mollifier,
                                       const ParticlesView<Dim>& particles,
                                       const Neighbours<Dim>& neighbours,
                                       const VectorView<Dim, double>& force) {
    if (mollifier.at_rest)
        transpose_by<Averaging::at_rest>(mollifier, particles, neighbours, force);
    else
        transpose_by<Averaging::in_time>(mollifier, particles, neighbours, force);
}

template <int Dim>
void AveragedMolecules<Dim>::restore(const ParticlesView<Dim>& particles) {
    launch(backend_, RestorePositions<Dim>{particles.box, kept_view(), particles.position},
           particles.size);
}

template <int Dim>
std::size_t AveragedMolecules<Dim>::bytes() const {
    std::size_t sum = groups_.bytes() + weight_.bytes() + scratch_.bytes();
    for (const Array<double>& component : kept_) sum += component.bytes();
    return sum;
}

template class AveragedMolecules<1>;
template class AveragedMolecules<2>;
template class AveragedMolecules<3>;

} // namespace shadow
