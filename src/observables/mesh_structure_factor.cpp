// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/mesh_structure_factor.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shadow {

template <int Dim>
MeshStructureFactor<Dim>::MeshStructureFactor(const Box<Dim>& box,
                                              const std::vector<Population>& species,
                                              double longest, int shells, double accuracy)
    : AveragingObservable<Dim>({{}, "", {}}), mesh_(choose_mesh(box, longest, accuracy)),
      pairs_(species_pairs(species)) {
    for (std::size_t d = 0; d < Dim; ++d) inverse_length_[d] = 1.0 / box.lengths()[d];
    for (const Population& p : species) species_.push_back(static_cast<double>(p.particles));
    choose_shells(box, longest, shells);
    this->average_ =
        AveragedArrays(names_by_pair("structure_factor", species), "", {{"k", "1/length", k_}});
}

/// Modes with index 0 along the last direction are present with their opposites; each other mode
/// counts twice.
template <int Dim>
void MeshStructureFactor<Dim>::choose_shells(const Box<Dim>& box, double longest, int shells) {
    std::vector<double> number(static_cast<std::size_t>(shells)), length(number.size());
    for (std::int64_t mode = 0; mode < mesh_.modes(); ++mode) {
        const auto index = mesh_.indices(mode);
        double k2 = 0.0;
        for (std::size_t d = 0; d < Dim; ++d)
            k2 += std::pow(2.0 * std::numbers::pi * index[d] / box.lengths()[d], 2);
        // Upper ends belong to a shell, despite rounding.
        const double k = std::sqrt(k2);
        const double place = std::ceil(k / longest * shells * (1.0 - 1e-12)) - 1.0;
        const bool within = place >= 0.0 && place < shells;
        shell_.push_back(within ? static_cast<std::int32_t>(place) : -1);
        weight_.push_back(index[Dim - 1] > 0 ? 2.0 : 1.0);
        if (!within) continue;
        number[static_cast<std::size_t>(place)] += weight_.back();
        length[static_cast<std::size_t>(place)] += weight_.back() * k;
    }
    std::vector<std::int32_t> renumbered;
    for (std::size_t s = 0; s < number.size(); ++s) {
        renumbered.push_back(static_cast<std::int32_t>(k_.size()));
        if (number[s] > 0.0) k_.push_back(length[s] / number[s]);
    }
    for (std::size_t mode = 0; mode < shell_.size(); ++mode) {
        if (shell_[mode] < 0) continue;
        const auto shell = static_cast<std::size_t>(shell_[mode]);
        weight_[mode] /= number[shell];
        shell_[mode] = renumbered[shell];
    }
}

template <int Dim>
void MeshStructureFactor<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    threads_ = std::max(1, backend.threads());
    if (density_.size() == 0) density_ = Array<std::int64_t>(backend, width());
    SpreadToMesh<Dim> op{};
    op.particles = system.particles();
    std::copy_n(inverse_length_.begin(), Dim, op.inverse_length);
    std::copy_n(mesh_.count.begin(), Dim, op.count);
    op.points = mesh_.points();
    op.mesh = density_.data();
    launch(backend, op, system.size());
    launch(backend, TakeCounts{density_.data(), row}, static_cast<std::int64_t>(width()));
}

template <int Dim>
void MeshStructureFactor<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    const auto points = static_cast<std::size_t>(mesh_.points());
    std::vector<std::vector<std::complex<double>>> modes;
    for (std::size_t s = 0; s < species_.size(); ++s)
        modes.push_back(transform_mesh(mesh_, row.data() + s * points, threads_));
    const std::size_t count = k_.size();
    std::vector<double> curves((1 + pairs_.size()) * count);
    for (std::size_t mode = 0; mode < shell_.size(); ++mode) {
        if (shell_[mode] < 0) continue;
        double* at = curves.data() + shell_[mode];
        std::complex<double> all = 0.0;
        for (const auto& of : modes) all += of[mode];
        *at += weight_[mode] * std::norm(all);
        for (const SpeciesPair& pair : pairs_) {
            const auto a = modes[static_cast<std::size_t>(pair.a)][mode];
            const auto b = modes[static_cast<std::size_t>(pair.b)][mode];
            *(at += count) += weight_[mode] * (a.real() * b.real() + a.imag() * b.imag());
        }
    }
    double particles = 0.0;
    for (const double n : species_) particles += n;
    constexpr double unit = SpreadToMesh<Dim>::one * SpreadToMesh<Dim>::one;
    for (std::size_t k = 0; k < curves.size(); ++k) {
        double number = particles;
        if (k >= count) {
            const SpeciesPair& pair = pairs_[k / count - 1];
            number = std::sqrt(species_[static_cast<std::size_t>(pair.a)] *
                               species_[static_cast<std::size_t>(pair.b)]);
        }
        curves[k] = number > 0.0 ? curves[k] / (unit * number) : 0.0;
    }
    this->average_.add(curves);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(MeshStructureFactor)

} // namespace shadow
