// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/neighbours/neighbours.hpp"

#include "shadow/core/error.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/clusters.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/runs.hpp"
#include "kernels/ops/sort.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {

namespace {

struct List {
    double cutoff;
    std::int64_t stride = 0;
    Array<std::int32_t> run_count;
    Array<Run> runs;
};

/// Rounding of cell arithmetic is hidden in this part of the reach.
constexpr double pad = 1.0 + 1e-9;

/// A box must be longer than this many reaches for clusters to be held to half of it; then
/// L/2 + 2 reach < L and no run needs a third image.
constexpr double long_box = 4.1;

} // namespace

template <int Dim, class Real>
struct Neighbours<Dim, Real>::State {
    static constexpr int last = Dim - 1;

    const Backend& backend;
    Box<Dim> box;
    std::int32_t cluster_size;
    double skin;
    std::vector<List> lists;
    std::vector<Array<double>*> companions;

    GridLimits<Dim> limits{};
    bool planned = false, any_finite = false, measured = false, open = false;
    std::int64_t n = 0, clusters = 0;
    std::int32_t samples = 0, sample_stride = 1;

    Array<std::int32_t> flag;
    Array<std::int64_t> rebuilds;
    Array<Grid<Dim>> grid;
    Array<Window<Dim>> window;
    Array<std::int64_t> pairs;
    Array<std::int32_t> bin_count, bin_start, order;
    Array<std::int32_t> column_clusters, first_cluster, cluster_begin, cluster_end;
    Array<unsigned char> scratch;
    std::array<Array<Real>, Dim> reference;

    State(const Backend& b, const Box<Dim>& region, int c, double s)
        : backend(b), box(region), cluster_size(c), skin(s), flag(b, 1), rebuilds(b, 1) {}

    [[nodiscard]] VectorView<Dim, Real> reference_view() {
        VectorView<Dim, Real> v{};
        for (std::size_t d = 0; d < Dim; ++d) v.component[d] = reference[d].data();
        return v;
    }
    template <class T>
    [[nodiscard]] VectorView<Dim, T> scratch_view() {
        VectorView<Dim, T> v{};
        for (int d = 0; d < Dim; ++d) v.component[d] = reinterpret_cast<T*>(scratch.data()) + d * n;
        return v;
    }
    template <class Op>
    void run(const Op& op, std::int64_t count) {
        launch(backend, op, count, flag.data());
    }
    [[nodiscard]] const std::int32_t* cluster_count() const {
        return first_cluster.data() + column_clusters.size();
    }

    void plan(std::int64_t particles);
    void plan_widths();
    void plan_memory();
    [[nodiscard]] int images_along_column(double reach) const;
    [[nodiscard]] bool cuts_long_clusters() const;

    void test(const ParticlesView<Dim, Real>& p);
    void rebuild(const ParticlesView<Dim, Real>& p);
    void choose_grid(const ParticlesView<Dim, Real>& p);
    void sort(const ParticlesView<Dim, Real>& p);
    void permute(const ParticlesView<Dim, Real>& p);
    void cut_clusters(const ParticlesView<Dim, Real>& p);
    void build_runs(const ParticlesView<Dim, Real>& p);
};

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::plan(std::int64_t particles) {
    planned = true;
    n = particles;
    open = !box.is_periodic();
    double longest = 0.0;
    for (const List& list : lists)
        if (std::isfinite(list.cutoff)) longest = std::max(longest, list.cutoff);
    any_finite = longest > 0.0;
    if (lists.empty()) return;
    if (any_finite) {
        limits.box = box.view();
        limits.reach = (longest + skin) * pad;
        limits.cluster_size = cluster_size;
        limits.particles = n;
        if (limits.reach > 100.0 * box.shortest_periodic_length())
            throw InputError(
                fmt::format("cut-off plus skin {} (over 100 times the shortest box length {}: "
                            "images are counted in 8 bits); use a smaller skin or a larger box",
                            limits.reach, box.shortest_periodic_length()));
        plan_widths();
    } else {
        limits.most_columns = 1;
    }
    plan_memory();
}

/// Bounds of the widths and counts: functions of the input alone, so that a restart, which knows
/// other positions, plans the same.
template <int Dim, class Real>
void Neighbours<Dim, Real>::State::plan_widths() {
    const double infinity = std::numeric_limits<double>::infinity();
    limits.mean_density = static_cast<double>(n) / box.volume();
    limits.widest = limits.mean_density > 0.0
                        ? std::pow(cluster_size / limits.mean_density, 1.0 / Dim)
                        : infinity;
    limits.narrowest = std::max(limits.reach / 3.0, std::min(limits.widest, 0.75 * limits.reach));
    measured = limits.widest > 1.25 * limits.narrowest;

    double columns = 1.0;
    for (std::size_t d = 0; d + 1 < Dim; ++d)
        columns *= box.periodic()[d]
                       ? std::max(1.0, std::floor(box.lengths()[d] / limits.narrowest))
                       : infinity;
    const double per_cluster = static_cast<double>(n) / cluster_size;
    if (columns > per_cluster) columns = std::min(columns, std::max(64.0, per_cluster / 4.0));
    limits.most_columns = static_cast<std::int32_t>(columns);
    limits.most_bins = static_cast<std::int32_t>(
        std::min<std::int64_t>(limits.most_columns + n / 2, std::numeric_limits<int>::max() - 1));
    sample_stride = static_cast<std::int32_t>(n / window_samples + 1);
    samples = static_cast<std::int32_t>((n + sample_stride - 1) / sample_stride);
}

template <int Dim, class Real>
bool Neighbours<Dim, Real>::State::cuts_long_clusters() const {
    return box.periodic()[last] && box.lengths()[last] > long_box * limits.reach;
}

template <int Dim, class Real>
int Neighbours<Dim, Real>::State::images_along_column(double reach) const {
    if (!box.periodic()[last]) return 1;
    return cuts_long_clusters()
               ? 2
               : 2 * static_cast<int>(std::ceil(pad * reach / box.lengths()[last])) + 1;
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::plan_memory() {
    const auto size = static_cast<std::size_t>(n);
    const auto columns = static_cast<std::size_t>(limits.most_columns);
    clusters = (n + cluster_size - 1) / cluster_size;
    if (any_finite)
        clusters = std::min<std::int64_t>(n, n / cluster_size + limits.most_columns *
                                                                    (cuts_long_clusters() ? 2 : 1));
    const auto bound = static_cast<std::size_t>(clusters);
    cluster_begin = Array<std::int32_t>(backend, bound);
    cluster_end = Array<std::int32_t>(backend, bound);
    column_clusters = Array<std::int32_t>(backend, columns);
    first_cluster = Array<std::int32_t>(backend, columns + 1);
    double width[Dim];
    for (std::size_t d = 0; d < Dim; ++d)
        width[d] =
            box.periodic()[d] ? std::min(limits.narrowest, box.lengths()[d]) : limits.narrowest;
    for (List& list : lists) {
        const double reach = (list.cutoff + skin) * pad;
        list.stride = std::isfinite(list.cutoff)
                          ? run_stride<Dim>(box.view(), width, reach, images_along_column(reach))
                          : 2;
        list.run_count = Array<std::int32_t>(backend, bound);
        list.runs = Array<Run>(backend, bound * static_cast<std::size_t>(list.stride));
    }
    flag.set(0, 1);
    if (!any_finite) return;
    grid = Array<Grid<Dim>>(backend, 1);
    if (open) window = Array<Window<Dim>>(backend, 1);
    if (measured) pairs = Array<std::int64_t>(backend, 1);
    bin_count = Array<std::int32_t>(backend, static_cast<std::size_t>(limits.most_bins));
    bin_start = Array<std::int32_t>(backend, static_cast<std::size_t>(limits.most_bins) + 1);
    order = Array<std::int32_t>(backend, size);
    // Holds bins and places, or momenta, or labels, or a companion.
    scratch = Array<unsigned char>(
        backend, size * std::max({Dim * sizeof(Real), std::size_t{4 * Dim + 6}, std::size_t{8}}));
    for (auto& component : reference) component = Array<Real>(backend, size);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::test(const ParticlesView<Dim, Real>& p) {
    const double limit = 0.5 * skin;
    launch(backend,
           TestDisplacement<Dim, Real>{p.position, reference_view(), limit * limit, flag.data()},
           n);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::choose_grid(const ParticlesView<Dim, Real>& p) {
    if (open) {
        run(SampleWindow<Dim, Real>{p.position, p.id, static_cast<std::uint32_t>(sample_stride),
                                    window.data()},
            n);
        run(RankWindow<Dim>{window.data(), samples}, std::int64_t{samples} * Dim);
    }
    if (measured) {
        run(Clear{bin_count.data()}, limits.most_bins);
        run(CountHashed<Dim, Real>{p.position, 1.0 / limits.reach, bin_count.data(),
                                   static_cast<std::uint32_t>(limits.most_bins)},
            n);
        reduce(backend, SumPairs{bin_count.data()}, limits.most_bins, pairs.data(), flag.data());
    }
    run(PlanGrid<Dim>{limits, window.data(), pairs.data(), grid.data()}, 1);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::sort(const ParticlesView<Dim, Real>& p) {
    auto* bin = reinterpret_cast<std::int32_t*>(scratch.data());
    auto* place = bin + n;
    run(Clear{bin_count.data()}, limits.most_bins);
    run(CountBins<Dim, Real>{grid.data(), p.position, bin_count.data(), bin, place}, n);
    exclusive_scan(backend, bin_count.data(), bin_start.data(), limits.most_bins, flag.data());
    run(ScatterOrder{bin_start.data(), bin, place, order.data()}, n);
    run(SortBin<Real>{p.position.component[last], p.id, bin_start.data(), order.data()},
        limits.most_bins);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::permute(const ParticlesView<Dim, Real>& p) {
    const auto momentum = scratch_view<Real>();
    run(GatherMotion<Dim, Real>{order.data(), p.position, p.momentum, reference_view(), momentum},
        n);
    run(CopyMotion<Dim, Real>{reference_view(), momentum, p.position, p.momentum}, n);
    const auto image = scratch_view<std::int32_t>();
    auto* id = reinterpret_cast<std::uint32_t*>(scratch.data()) + Dim * n;
    auto* species = reinterpret_cast<std::uint16_t*>(id + n);
    run(GatherLabels<Dim>{order.data(), p.image, image, p.id, id, p.species, species}, n);
    run(CopyLabels<Dim>{image, p.image, id, p.id, species, p.species}, n);
    auto* spare = reinterpret_cast<double*>(scratch.data());
    for (Array<double>* companion : companions) {
        if (companion->size() == 0) continue;
        run(GatherDoubles{order.data(), companion->data(), spare}, n);
        run(CopyDoubles{spare, companion->data()}, n);
    }
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::cut_clusters(const ParticlesView<Dim, Real>& p) {
    const CutColumn<Dim, Real> cut{
        grid.data(), bin_start.data(), p.position.component[last], cluster_size,
        cuts_long_clusters() ? 0.5 * box.lengths()[last] : std::numeric_limits<double>::infinity()};
    run(CountClusters<Dim, Real>{cut, column_clusters.data()}, limits.most_columns);
    exclusive_scan(backend, column_clusters.data(), first_cluster.data(), limits.most_columns,
                   flag.data());
    run(FillClusters<Dim, Real>{cut, first_cluster.data(), cluster_begin.data(),
                                cluster_end.data()},
        limits.most_columns);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::build_runs(const ParticlesView<Dim, Real>& p) {
    for (List& list : lists) {
        if (!std::isfinite(list.cutoff)) {
            run(BuildAllRuns{cluster_count(), cluster_begin.data(), cluster_end.data(),
                             static_cast<std::int32_t>(n), list.run_count.data(), list.runs.data()},
                clusters);
            continue;
        }
        const double reach = (list.cutoff + skin) * pad;
        run(BuildRuns<Dim, Real>{grid.data(), bin_start.data(), box.view(), p.position,
                                 cluster_count(), cluster_begin.data(), cluster_end.data(), reach,
                                 images_along_column(reach), list.run_count.data(),
                                 list.runs.data(), list.stride},
            clusters);
    }
}

/// Everything behind the gate.
template <int Dim, class Real>
void Neighbours<Dim, Real>::State::rebuild(const ParticlesView<Dim, Real>& p) {
    if (any_finite) {
        run(WrapPositions<Dim, Real>{limits.box, p.position, p.image}, n);
        choose_grid(p);
        sort(p);
        permute(p);
        cut_clusters(p);
    } else {
        run(FillConsecutive{cluster_size, static_cast<std::int32_t>(n), cluster_begin.data(),
                            cluster_end.data()},
            clusters);
        first_cluster.set(1, static_cast<std::int32_t>(clusters));
    }
    build_runs(p);
    launch(backend, FinishRebuild{flag.data(), rebuilds.data()}, 1, flag.data());
}

template <int Dim, class Real>
Neighbours<Dim, Real>::Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size,
                                  double skin)
    : state_(std::make_unique<State>(backend, box, cluster_size, skin)) {
    if (cluster_size < 1)
        throw InputError(fmt::format("clusters of {} particles (a cluster holds at least one); use "
                                     "the size of the pair kernel",
                                     cluster_size));
    if (!(skin > 0.0) || !std::isfinite(skin))
        throw InputError(fmt::format("skin {} (lists last while particles move less than half of "
                                     "it, so it must be positive and finite); use about 0.1 to "
                                     "0.3 of the particle diameter",
                                     skin));
}

template <int Dim, class Real>
Neighbours<Dim, Real>::~Neighbours() = default;
template <int Dim, class Real>
Neighbours<Dim, Real>::Neighbours(Neighbours&&) noexcept = default;

template <int Dim, class Real>
int Neighbours<Dim, Real>::add_list(double cutoff) {
    if (!(cutoff > 0.0))
        throw InputError(fmt::format("cut-off {} (not positive); give the largest distance at "
                                     "which pairs matter",
                                     cutoff));
    if (std::isinf(cutoff) && !state_->box.is_open())
        throw InputError("an infinite cut-off in a periodic box (there are infinitely many "
                         "images); use a finite cut-off or an open box");
    state_->lists.push_back({cutoff, 0, {}, {}});
    return static_cast<int>(state_->lists.size()) - 1;
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::attach(Array<double>& companion) {
    state_->companions.push_back(&companion);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::update(Particles<Dim, Real>& particles) {
    State& s = *state_;
    const auto p = particles.view();
    const bool first = !s.planned;
    if (first) s.plan(p.size);
    if (s.n == 0) return;
    if (s.lists.empty()) {
        // Nobody looks at pairs: positions still stay near the box.
        if (!s.box.is_open())
            launch(s.backend, WrapPositions<Dim, Real>{s.box.view(), p.position, p.image}, s.n);
        return;
    }
    if (!s.any_finite && !first) return;
    if (!first) s.test(p);
    s.rebuild(p);
}

template <int Dim, class Real>
PairListView Neighbours<Dim, Real>::list(int index) const {
    const State& s = *state_;
    const List& list = s.lists.at(static_cast<std::size_t>(index));
    return {s.cluster_count(),     s.cluster_begin.data(), s.cluster_end.data(),
            list.run_count.data(), list.runs.data(),       list.stride};
}

template <int Dim, class Real>
std::int64_t Neighbours<Dim, Real>::cluster_bound() const {
    return state_->clusters;
}

template <int Dim, class Real>
double Neighbours<Dim, Real>::skin() const noexcept {
    return state_->skin;
}

template <int Dim, class Real>
std::int64_t Neighbours<Dim, Real>::rebuilds() const {
    return state_->rebuilds.get(0);
}

template <int Dim, class Real>
std::size_t Neighbours<Dim, Real>::bytes() const noexcept {
    const State& s = *state_;
    std::size_t sum = s.bin_count.bytes() + s.bin_start.bytes() + s.order.bytes() +
                      s.column_clusters.bytes() + s.first_cluster.bytes() +
                      s.cluster_begin.bytes() + s.cluster_end.bytes() + s.scratch.bytes() +
                      s.window.bytes() + s.grid.bytes();
    for (const auto& component : s.reference) sum += component.bytes();
    for (const List& list : s.lists) sum += list.run_count.bytes() + list.runs.bytes();
    return sum;
}

template <int Dim, class Real>
std::vector<std::array<double, Dim>>
Neighbours<Dim, Real>::reference(Particles<Dim, Real>& particles) const {
    const State& s = *state_;
    if (!s.planned || !s.any_finite) return {};
    const auto n = static_cast<std::size_t>(s.n);
    std::vector<std::uint32_t> id(n);
    detail::copy_to_host(s.backend, id.data(), particles.view().id, n * sizeof(std::uint32_t));
    std::vector<std::array<double, Dim>> out(n);
    for (std::size_t d = 0; d < Dim; ++d) {
        const auto component = s.reference[d].to_host();
        for (std::size_t i = 0; i < n; ++i) out[id[i]][d] = static_cast<double>(component[i]);
    }
    return out;
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::restore(Particles<Dim, Real>& particles,
                                    const std::vector<std::array<double, Dim>>& reference,
                                    std::int64_t rebuilds) {
    State& s = *state_;
    const auto p = particles.view();
    if (!s.planned) s.plan(p.size);
    if (s.n == 0 || s.lists.empty()) return;
    s.flag.set(0, 1);
    if (!reference.empty() && s.any_finite) {
        const auto n = static_cast<std::size_t>(s.n);
        if (reference.size() != n)
            throw InputError(fmt::format("{} reference positions for {} particles (the checkpoint "
                                         "is of another system); resume with its own input",
                                         reference.size(), n));
        std::vector<std::uint32_t> id(n);
        std::vector<Real> component(n);
        std::array<std::vector<Real>, Dim> position; // by id
        detail::copy_to_host(s.backend, id.data(), p.id, n * sizeof(std::uint32_t));
        for (std::size_t d = 0; d < Dim; ++d) {
            detail::copy_to_host(s.backend, component.data(), p.position.component[d],
                                 n * sizeof(Real));
            position[d].resize(n);
            for (std::size_t i = 0; i < n; ++i) {
                position[d][id[i]] = component[i];
                component[i] = static_cast<Real>(reference[id[i]][d]);
            }
            detail::copy_to_backend(s.backend, p.position.component[d], component.data(),
                                    n * sizeof(Real));
        }
        s.rebuild(p);
        detail::copy_to_host(s.backend, id.data(), p.id, n * sizeof(std::uint32_t));
        for (std::size_t d = 0; d < Dim; ++d) {
            for (std::size_t i = 0; i < n; ++i) component[i] = position[d][id[i]];
            detail::copy_to_backend(s.backend, p.position.component[d], component.data(),
                                    n * sizeof(Real));
        }
    } else if (!s.any_finite) {
        s.rebuild(p);
    }
    s.rebuilds.set(0, rebuilds);
}

template class Neighbours<1, double>;
template class Neighbours<2, double>;
template class Neighbours<3, double>;
template class Neighbours<1, float>;
template class Neighbours<2, float>;
template class Neighbours<3, float>;

} // namespace shadow
