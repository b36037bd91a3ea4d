// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/radial_distribution.hpp"

#include "kernels/cpu/pair_histogram.hpp"
#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

namespace {

std::vector<double> middles(double radius, int bins) {
    std::vector<double> all;
    for (int k = 0; k < bins; ++k) all.push_back((k + 0.5) * radius / bins);
    return all;
}

/// Cells of a third of the radius or more, and not many more of them than particles.
template <int Dim>
Cells<Dim> choose_cells(const Box<Dim>& box, double radius, std::int64_t particles) {
    Cells<Dim> cells{};
    const double per_length =
        std::min(CellStencil<Dim>::most_reach / radius,
                 std::pow(2.0 * static_cast<double>(particles) / box.volume(), 1.0 / Dim));
    for (int d = 0; d < Dim; ++d) {
        const auto k = static_cast<std::size_t>(d);
        cells.origin[d] = box.origin()[k];
        cells.length[d] = box.lengths()[k];
        cells.count[d] = std::max(1, static_cast<std::int32_t>(cells.length[d] * per_length));
    }
    return cells;
}

/// The rows of cells that come as near as `radius` to a cell.
template <int Dim>
CellStencil<Dim> choose_stencil(const Cells<Dim>& cells, double radius) {
    struct Step {
        std::int32_t offset;
        double gap;
    };
    std::vector<Step> steps[2];
    double edge[Dim];
    for (int d = 0; d < Dim; ++d) edge[d] = cells.length[d] / cells.count[d];
    for (int d = 0; d + 1 < Dim; ++d) {
        const std::int32_t n = cells.count[d];
        const auto reach = static_cast<std::int32_t>(std::ceil(radius / edge[d]));
        if (2 * reach + 1 >= n)
            for (std::int32_t k = 0; k < n; ++k) steps[d].push_back({k, 0.0});
        else
            for (std::int32_t k = -reach; k <= reach; ++k)
                steps[d].push_back({(k + n) % n, std::max(0, std::abs(k) - 1) * edge[d]});
    }
    for (int d = std::max(0, Dim - 1); d < 2; ++d) steps[d] = {{0, 0.0}};
    CellStencil<Dim> stencil{};
    for (const Step& x : steps[0])
        for (const Step& y : steps[1]) {
            const double left2 = radius * radius - x.gap * x.gap - y.gap * y.gap;
            if (left2 < 0.0) continue;
            const std::int32_t offset[] = {x.offset, y.offset, 0};
            std::copy_n(offset, Dim, stencil.offset[stencil.rows]);
            stencil.reach[stencil.rows++] =
                static_cast<std::int32_t>(std::ceil(std::sqrt(left2) / edge[Dim - 1]));
        }
    return stencil;
}

} // namespace

template <int Dim, class Real>
RadialDistribution<Dim, Real>::RadialDistribution(const Box<Dim>& box,
                                                  const std::vector<Population>& species,
                                                  double radius, int bins)
    : AveragingObservable<Dim, Real>(
          {names_by_pair("rdf", species), "", {{"r", "length", middles(radius, bins)}}}),
      volume_(box.volume()), bins_(bins), pairs_(species_pairs(species)), species_(species.size()) {
    std::int64_t particles = 0;
    for (const Population& p : species) particles += p.particles;
    for (const SpeciesPair& pair : pairs_) {
        const auto a = static_cast<double>(species[static_cast<std::size_t>(pair.a)].particles);
        const auto b = static_cast<double>(species[static_cast<std::size_t>(pair.b)].particles);
        numbers_.push_back(pair.a == pair.b ? 0.5 * a * (a - 1.0) : a * b);
    }
    for (int k = 0; k < bins_; ++k)
        shells_.push_back(ball_volume<Dim>((k + 1) * radius / bins_) -
                          ball_volume<Dim>(k * radius / bins_));
    // Two particles of neighbouring cells must not be lost to rounding.
    constexpr double pad = 1.0 + 1e-9;
    view_.cells = choose_cells(box, pad * radius, particles);
    view_.stencil = choose_stencil(view_.cells, pad * radius);
    view_.radius2 = radius * radius;
    view_.inverse_width = bins_ / radius;
    view_.bins = bins_;
    view_.parts = static_cast<std::int32_t>((particles + most_origins - 1) / most_origins);
}

template <int Dim, class Real>
std::size_t RadialDistribution<Dim, Real>::width() const {
    return pairs_.size() * static_cast<std::size_t>(bins_);
}

template <int Dim, class Real>
void RadialDistribution<Dim, Real>::sort(ParticleSystem<Dim, Real>& system) {
    const Backend& backend = system.backend();
    const auto keys = static_cast<std::size_t>(view_.cells.total()) * species_;
    if (count_.size() == 0) {
        count_ = Array<std::int32_t>(backend, keys);
        begin_ = Array<std::int32_t>(backend, keys + 1);
        for (auto& place : place_)
            place = Array<double>(backend, static_cast<std::size_t>(system.size()));
        histogram_ = Array<std::int64_t>(backend, width());
        view_.begin = begin_.data();
        for (int d = 0; d < Dim; ++d) view_.place[d] = place_[d].data();
    }
    SortIntoCells<Dim, Real> op{system.particles(), view_.cells, count_.data(), nullptr, {}};
    count_.fill_zero();
    launch(backend, op, system.size());
    exclusive_scan(backend, count_.data(), begin_.data(), static_cast<std::int64_t>(keys));
    count_.fill_zero();
    op.begin = begin_.data();
    for (int d = 0; d < Dim; ++d) op.place[d] = place_[d].data();
    launch(backend, op, system.size());
}

template <int Dim, class Real>
void RadialDistribution<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    sort(system);
    view_.part = static_cast<std::int32_t>(this->measured_++ % view_.parts);
    std::int64_t* histogram = histogram_.data();
    for (const SpeciesPair& pair : pairs_) {
        const CountPairs<Dim> op{view_, pair.a, pair.b, histogram};
        histogram += bins_;
        if (backend.is_cuda())
            launch(backend, op, view_.chosen());
        else
            cpu::count_pairs(backend, view_, op.a, op.b, op.histogram);
    }
    launch(backend, TakeCounts{histogram_.data(), row}, static_cast<std::int64_t>(width()));
}

template <int Dim, class Real>
void RadialDistribution<Dim, Real>::digest(double /*time*/, std::span<const double> row) {
    const auto bins = static_cast<std::size_t>(bins_);
    std::vector<double> all(bins), curves(bins);
    double number = 0.0;
    for (std::size_t p = 0; p < numbers_.size(); ++p) {
        number += numbers_[p];
        for (std::size_t k = 0; k < bins; ++k) {
            const double count = view_.parts * row[p * bins + k];
            all[k] += count;
            curves.push_back(numbers_[p] > 0.0 ? count * volume_ / (numbers_[p] * shells_[k])
                                               : 0.0);
        }
    }
    for (std::size_t k = 0; k < bins; ++k) curves[k] = all[k] * volume_ / (number * shells_[k]);
    this->average_.add(curves);
}

template class RadialDistribution<1, double>;
template class RadialDistribution<2, double>;
template class RadialDistribution<3, double>;
template class RadialDistribution<1, float>;
template class RadialDistribution<2, float>;
template class RadialDistribution<3, float>;

} // namespace shadow
