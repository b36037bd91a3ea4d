// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_force.hpp"

#include "mesh_influence.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <numbers>

namespace shadow {
namespace {

/// Radices 4 first, of which there are fewer stages.
template <class T>
FourierAxis<T> axis_of(std::int32_t count) {
    FourierAxis<T> axis{count, 0, {}, nullptr};
    std::int32_t rest = count;
    for (const std::int32_t radix : {4, 2, 3, 5})
        for (; rest % radix == 0; rest /= radix) axis.radix[axis.stages++] = radix;
    return axis;
}

template <class T>
std::vector<T> twiddles(std::int32_t count) {
    std::vector<T> all;
    for (std::int32_t n = 0; n < count; ++n) {
        const double angle = 2.0 * std::numbers::pi * n / count;
        all.push_back(static_cast<T>(std::cos(angle)));
        all.push_back(static_cast<T>(std::sin(angle)));
    }
    return all;
}

/// 1 / unit is the rounding of a charge on a cell, and cells hold 64 of the largest charges, in
/// double 4096 (weights are below 1).
template <class T>
double unit_of(const std::vector<double>& charges) {
    double largest = 0.0;
    for (const double q : charges) largest = std::max(largest, std::abs(q));
    return (sizeof(T) == 4 ? 0x1p25 : 0x1p50) / largest;
}

} // namespace

template <int Dim, class Real, class T>
MeshForce<Dim, Real, T>::MeshForce(const Backend& backend, const LongRangeDescription& description,
                                   const Box<Dim>& box, const Snapshot<Dim>& start)
    : Base(backend, description, box, start), accuracy_(description.accuracy) {
    mesh_.order = description.split.order;
    mesh_.unit = unit_of<T>(description.charge);
    mesh_.screening = {description.split.alpha, description.logarithmic};
    mesh_.charge = this->charge_.data();
    for (std::size_t d = 0; d < Dim; ++d) {
        mesh_.count[d] = description.split.count[d];
        mesh_.inverse_length[d] = 1.0 / box.lengths()[d];
        mesh_.axis[d] = axis_of<T>(mesh_.count[d]);
        twiddle_[d] = Array<T>(backend_, twiddles<T>(mesh_.count[d]));
        mesh_.axis[d].twiddle = twiddle_[d].data();
    }
    constexpr std::int32_t block = (Dim == 3 ? 1 : 2) * Mesh::row_block;
    mesh_.line = (mesh_.count[Dim - 1] + Mesh::padding + block - 1) / block * block;
    mesh_.copies = mesh_copies(backend_);
    std::vector<T> influence;
    fill_influence(mesh_, description.coulomb, influence);
    influence_ = Array<T>(backend_, influence);
    mesh_.influence = influence_.data();
    const auto cells = static_cast<std::size_t>(mesh_.cell_count());
    const MeshSizes sizes = mesh_sizes(backend_, mesh_);
    cells_ = Array<typename Mesh::Cell>(backend_, cells * static_cast<std::size_t>(mesh_.copies));
    potential_ = Array<T>(backend_, cells);
    spectrum_ = Array<T>(backend_, 2 * sizes.spectrum);
    scratch_ = Array<T>(backend_, sizes.scratch);
    mesh_.cells = cells_.data();
    mesh_.potential = potential_.data();
    mesh_.real = spectrum_.data();
    mesh_.imaginary = spectrum_.data() + sizes.spectrum;
    mesh_.scratch = scratch_.data();
}

template <int Dim, class Real, class T>
void MeshForce<Dim, Real, T>::compute(const ParticlesView<Dim, Real>& particles,
                                      const ForceOutput<Dim, Real>& output) {
    this->start_virial(output);
    if (output.virial)
        reduce(backend_, SumMeshSelf<Dim, T>{{}, mesh_, particles, output.virial}, particles.size,
               output.virial);
    spread(particles);
    convolve(backend_, mesh_, -1, output.virial);
    launch(backend_,
           GatherForces<Dim, T>{mesh_, particles, this->force(),
                                output.energy ? this->energy_.data() : nullptr},
           particles.size);
    this->store(particles, output);
}

template <int Dim, class Real, class T>
void MeshForce<Dim, Real, T>::spread(const ParticlesView<Dim, Real>& particles) {
    if (clears_cells(backend_)) cells_.fill_zero();
    launch(backend_, SpreadCharges<Dim, T>{mesh_, particles}, particles.size);
}

template <int Dim, class Real, class T>
void MeshForce<Dim, Real, T>::share_modes(const ParticlesView<Dim, Real>& particles,
                                          bool accumulate, Share<Dim>* share) {
    double* const energy = this->energy_.data();
    spread(particles);
    for (int component = -1; component < tensor_size<Dim>; ++component) {
        convolve<Dim, T>(backend_, mesh_, component, nullptr);
        launch(backend_, GatherForces<Dim, T>{mesh_, particles, this->force(), energy},
               particles.size);
        launch(backend_,
               ShareMesh<Dim, T>{mesh_, particles, energy, this->background_, component, accumulate,
                                 share},
               particles.size);
    }
}

template <int Dim, class Real, class T>
std::size_t MeshForce<Dim, Real, T>::bytes() const {
    return Base::bytes() + cells_.bytes() + potential_.bytes() + spectrum_.bytes() +
           scratch_.bytes() + influence_.bytes();
}

template class MeshForce<2, double, float>;
template class MeshForce<2, double, double>;
template class MeshForce<3, double, float>;
template class MeshForce<3, double, double>;

} // namespace shadow
