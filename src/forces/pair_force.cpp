// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_force.hpp"

#include "shadow/core/error.hpp"

#include "kernels/all_pairs.hpp"
#include "kernels/cpu/tile_force.hpp"
#include "kernels/launch.hpp"
#include "kernels/ops/self_energy.hpp"
#include "kernels/ops/share_pairs.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"
#include "kernels/pair_force.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

/// A strength of 1e-50 would be none in single precision.
void refuse_lost(const PairForceDescription& description) {
    for (const PairForceDescription& part : parts_of(description))
        for (const PairParameters& pair : part.potential.pairs)
            for (const double x : pair.numbers)
                if (x != 0.0 && static_cast<float>(x) == 0.0F)
                    throw InputError(fmt::format(
                        "force {}: a coefficient of {:.3g} (below the range of float); use other "
                        "units, or precision = \"double\"",
                        part.name, x));
}

/// Closer than where its tables begin, where that is at an infinite force.
std::string where_infinite(const PairForceDescription& description) {
    double first = HUGE_VAL, last = 0.0;
    const auto add = [&](const std::shared_ptr<const SplineTable>& spline) {
        if (!spline || !std::isinf(spline->numbers[0])) return;
        first = std::min(first, spline->first);
        last = std::max(last, spline->first);
    };
    for (const auto& spline : description.sums) add(spline);
    for (const PairParameters& p : description.potential.pairs)
        if (description.sums.empty()) add(p.spline);
    if (last == 0.0) return "";
    if (first == last) return fmt::format("closer than its table begins, at r = {:.4g}", first);
    return fmt::format("closer than its tables begin, at r = {:.4g} to {:.4g} by species", first,
                       last);
}

} // namespace

template <int Dim>
std::unique_ptr<ForceTerm<Dim>> PairForceDescription::make(const ForceContext<Dim>& context,
                                                           Neighbours<Dim>& neighbours) const {
    std::vector<std::int64_t> counts(context.start.species_table.size(), 0);
    for (const std::uint16_t s : context.start.species) ++counts[s];
    TailCorrection tail;
    for (const PairForceDescription& part : parts_of(*this)) {
        const auto own = tail_correction(part.potential, Dim, counts, context.box.volume());
        tail = {tail.energy + own.energy, tail.virial + own.virial};
    }
    const int list = neighbours.add_list(make_pair_table(*this).cutoff);
    return std::make_unique<PairForce<Dim>>(context.backend, *this, context.pair_is_double, list,
                                            tail);
}

template <int Dim>
PairForce<Dim>::PairForce(const Backend& backend, const PairForceDescription& description,
                          bool pair_is_double, int list, TailCorrection tail)
    : backend_(backend), name_(description.name), infinite_(where_infinite(description)),
      level_(description.level), claims_(description.claims<Dim>()), tail_(tail), list_(list),
      table_(make_pair_table(description)) {
    if (has_tiles(backend)) tiles_ = std::make_unique<cpu::TileForce<Dim>>();
    if (const auto self = self_energies(description); !self.empty())
        self_ = Array<double>(backend, self);
    for (const PairForceDescription& part : parts_of(description)) {
        PairTable table = make_pair_table(part);
        Part& made = potentials_.emplace_back();
        made.rows = Array<double>(backend, table.rows);
        if (const auto self = self_energies(part); !self.empty())
            made.self = Array<double>(backend, self);
        made.table = std::move(table);
    }
    if (pair_is_double) {
        double_rows_ = Array<double>(backend, table_.rows);
    } else {
        std::vector<float> rows;
        for (const double x : table_.rows) {
            rows.push_back(static_cast<float>(x));
            if (std::isfinite(x) && !std::isfinite(rows.back()))
                throw InputError(fmt::format(
                    "force {}: a coefficient of {:.3g} (beyond the range of float); use other "
                    "units, or precision = \"double\"",
                    name_, x));
        }
        refuse_lost(description);
        float_rows_ = Array<float>(backend, rows);
    }
}

template <int Dim>
PairForce<Dim>::~PairForce() = default;

template <int Dim>
std::size_t PairForce<Dim>::bytes() const {
    return (tiles_ ? tiles_->bytes() : 0) + double_rows_.bytes() + float_rows_.bytes() +
           self_.bytes() + parts_.bytes();
}

template <int Dim>
void PairForce<Dim>::release() {
    if (tiles_) tiles_->release();
}

template <int Dim>
void PairForce<Dim>::compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>& neighbours,
                             const ForceOutput<Dim>& output) {
    compute(particles, list(neighbours), output);
}

template <int Dim>
auto PairForce<Dim>::list(const Neighbours<Dim>& neighbours) const -> List {
    return {neighbours.list(list_), neighbours.reference(), neighbours.reference_box(),
            neighbours.cluster_bound()};
}

template <int Dim>
void PairForce<Dim>::compute(const ParticlesView<Dim>& particles, const List& list,
                             const ForceOutput<Dim>& output) {
    const std::int64_t parts =
        list.view.all_pairs ? all_pairs_blocks(particles.size) : list.clusters;
    if (output.energy && static_cast<std::int64_t>(parts_.size()) < parts)
        parts_ = Array<SymmetricTensor<Dim>>(backend_, static_cast<std::size_t>(parts));
    if (double_rows_.size() > 0)
        run(payload(double_rows_.data(), table_, particles, list, output), list.clusters, parts);
    else
        run(payload(float_rows_.data(), table_, particles, list, output), list.clusters, parts);
}

template <int Dim>
void PairForce<Dim>::share(std::size_t part, const ParticlesView<Dim>& particles,
                           const Neighbours<Dim>& neighbours, bool accumulate, Share<Dim>* share) {
    this->share(part, particles, list(neighbours), accumulate, share);
}

template <int Dim>
void PairForce<Dim>::share(std::size_t part, const ParticlesView<Dim>& particles, const List& list,
                           bool accumulate, Share<Dim>* share) {
    const bool all = part == this->all_parts;
    const auto add = [&](const auto* rows, const PairTable& table) {
        this->share(rows, table, particles, list, accumulate, share);
    };
    if (!all)
        add(potentials_[part].rows.data(), potentials_[part].table);
    else if (double_rows_.size() > 0)
        add(double_rows_.data(), table_);
    else
        add(float_rows_.data(), table_);
    const Array<double>& self = all ? self_ : potentials_[part].self;
    if (self.size() > 0)
        launch(backend_,
               AddSelfEnergy{particles.species, self.data(), &share->energy,
                             sizeof(Share<Dim>) / sizeof(double)},
               particles.size);
}

template <int Dim>
template <class Pair>
PairForcePayload<Dim, Pair> PairForce<Dim>::payload(const Pair* rows, const PairTable& table,
                                                    const ParticlesView<Dim>& particles,
                                                    const List& list,
                                                    const ForceOutput<Dim>& output) {
    return {.particles = particles,
            .list = list.view,
            .reference = list.reference,
            .reference_box = list.reference_box,
            .force = output.force,
            .energy = output.energy,
            .virial = output.virial,
            .parts = parts_.data(),
            .status = output.status,
            .accumulate = output.accumulate,
            .ending = table.ending,
            .interaction = table.interaction,
            .species_count = table.species_count,
            .cutoff = table.cutoff,
            .table = rows,
            .tiles = tiles_.get(),
            .advance = output.advance,
            .follows = output.follows};
}

/// Through tiles where there can be any; else through the neighbour ranges, as a GPU does.
template <int Dim>
template <class Pair>
void PairForce<Dim>::share(const Pair* rows, const PairTable& table,
                           const ParticlesView<Dim>& particles, const List& list, bool accumulate,
                           Share<Dim>* share) {
    if (tiles_) {
        std::int32_t ignored = 0; // forces have told already
        ForceOutput<Dim> output{};
        output.status = &ignored;
        output.accumulate = accumulate;
        if (tiles_->share(backend_, payload(rows, table, particles, list, output), share)) return;
    }
    using Op = SharePairs<Dim, Pair>;
    const Op op{particles.species, rows,  table.interaction,    table.species_count, table.ending,
                accumulate,        share, list.view.exclusions, particles.box};
    launch_sweep(backend_,
                 Sweep<Dim, Op>{particles.position, particles.box, list.view,
                                table.cutoff * table.cutoff, 1, op},
                 list.clusters, pair_cluster_size(backend_));
}

template <int Dim>
template <class Pair>
void PairForce<Dim>::run(const PairForcePayload<Dim, Pair>& task, std::int64_t clusters,
                         std::int64_t parts) {
    pair_force(backend_, task, clusters);
    if (task.energy && self_.size() > 0)
        launch(backend_, AddSelfEnergy{task.particles.species, self_.data(), task.energy, 1},
               task.particles.size);
    // With tiles the parts are summed already.
    if (!tiles_ && task.energy)
        reduce(backend_,
               SumVirial<Dim>{{},
                              parts_.data(),
                              task.list.all_pairs ? nullptr : task.list.cluster_count,
                              task.virial_so_far()},
               parts, task.virial);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template class PairForce<Dim>;                                                                 \
    template std::unique_ptr<ForceTerm<Dim>> PairForceDescription::make(const ForceContext<Dim>&,  \
                                                                        Neighbours<Dim>&) const;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
