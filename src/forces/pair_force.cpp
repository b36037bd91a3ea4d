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
#include <fmt/ranges.h>
#include <set>

namespace shadow {

namespace {

/// A strength of 1e-50 would be zero in single precision.
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

/// "1.1", or "1.1 to 1.3"
std::string range_text(double first, double last) {
    return first == last ? fmt::format("{:.4g}", first)
                         : fmt::format("{:.4g} to {:.4g}", first, last);
}

/// Where the files of its tables begin, in parentheses: up to a hundredth before the tables do.
std::string rows_of(const PairForceDescription& description) {
    std::set<std::string> files;
    double first = HUGE_VAL, last = 0.0;
    for (const PairForceDescription& part : parts_of(description))
        for (const PairParameters& p : part.potential.pairs) {
            if (!p.curve || p.curve->file.empty()) continue;
            files.insert(p.curve->file);
            first = std::min(first, p.curve->first);
            last = std::max(last, p.curve->first);
        }
    if (files.empty()) return "";
    return fmt::format(" (its rows in {} begin at r = {}: where pairs may come closer, add rows at "
                       "smaller r)",
                       fmt::join(files, ", "), range_text(first, last));
}

/// Distances below the beginning of its tables, if these begin with an infinite force.
std::string where_infinite(const PairForceDescription& description) {
    double first = HUGE_VAL, last = 0.0;
    std::string barrier;
    const auto add = [&](const std::shared_ptr<const SplineTable>& spline) {
        if (!spline || !std::isinf(spline->numbers[0])) return;
        first = std::min(first, spline->first);
        last = std::max(last, spline->first);
        if (spline->barrier && barrier.empty())
            barrier = fmt::format(", at a barrier {:.3g} high, inside which u falls without bound",
                                  *spline->barrier);
    };
    for (const auto& spline : description.sums) add(spline);
    for (const PairParameters& p : description.potential.pairs)
        if (description.sums.empty()) add(p.spline);
    if (last == 0.0) return "";
    const std::string rows = rows_of(description), at = range_text(first, last);
    if (first == last)
        return fmt::format("closer than its table begins, at r = {}{}{}", at, rows, barrier);
    return fmt::format("closer than its tables begin, at r = {} by species{}{}", at, rows, barrier);
}

/// With eps that of the numbers in which a pair is computed, and L the extent of the system: two
/// coordinates relative to a centre, each at most L, are rounded, and so is their difference; the
/// error of a distance is less than 4 eps L, and that of a force or energy its change over that.
/// Terms have the size of the result or, where it is near zero, of its change over 5 % of the
/// distance.
template <int Dim>
struct DirectPairs {
    DirectContext<Dim> context;
    PairTable table;
    std::vector<double> self; ///< energies of single particles, by species
    double off;               ///< bound of the error of a distance

    void operator()(DirectTotals<Dim>& sums, std::size_t particle) const {
        const Snapshot<Dim>& all = context.particles;
        const double own = self.empty() ? 0.0 : self[all.species[particle]];
        sums.value.energy += own;
        sums.rounding.energy += 2.0 * context.epsilon * std::abs(own);
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (j == particle || is_excluded(particle, j)) continue;
            std::array<double, Dim> delta;
            double r2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d)
                delta[d] = all.position[particle][d] - all.position[j][d];
            context.box.shorten(delta);
            for (const double component : delta) r2 += component * component;
            const double r = std::sqrt(r2);
            if (r < table.cutoff + off)
                add(sums, delta, r, all.species[particle] * table.species_count + all.species[j]);
        }
    }
    [[nodiscard]] bool is_excluded(std::size_t i, std::size_t j) const {
        const std::array<std::uint32_t, 2> pair = {static_cast<std::uint32_t>(std::min(i, j)),
                                                   static_cast<std::uint32_t>(std::max(i, j))};
        return std::binary_search(context.excluded.begin(), context.excluded.end(), pair);
    }
    void add(DirectTotals<Dim>& sums, const std::array<double, Dim>& delta, double r,
             int row) const {
        const auto at = [&](double distance) {
            const PairResult<double> result =
                evaluate_pair(Interactions{}, table.interaction, table.rows.data(), row,
                              distance * distance, table.ending);
            return std::array<double, 2>{result.f_over_r * distance, result.u};
        };
        const auto here = at(r), above = at(r + off);
        const auto below = at(std::max(r - off, 1e-3 * r)); // never at zero distance
        const auto nearer = at(0.95 * r); // terms that cancel here do not cancel there
        std::array<double, 2> rounding{};
        for (std::size_t k = 0; k < 2; ++k) {
            // Beyond a cut-off, and where a part of a split is zero.
            if (here[k] == 0.0 && above[k] == 0.0 && below[k] == 0.0) continue;
            const double size = std::max(std::abs(here[k]), std::abs(nearer[k] - here[k]));
            rounding[k] = std::max(std::abs(below[k] - here[k]), std::abs(above[k] - here[k])) +
                          direct_roundings * context.epsilon * size;
        }
        const double turned = std::abs(here[0]) * off; // from the error of the direction
        sums.value.energy += 0.5 * here[1];
        sums.rounding.energy += 0.5 * rounding[1];
        for (std::size_t p = 0; p < Dim; ++p) {
            sums.value.force[p] += here[0] * delta[p] / r;
            sums.rounding.force[p] += rounding[0] + turned / r;
            for (std::size_t q = p; q < Dim; ++q) {
                const auto k = static_cast<std::size_t>(
                    tensor_index<Dim>(static_cast<int>(p), static_cast<int>(q)));
                sums.value.virial[k] += 0.5 * here[0] * delta[p] * delta[q] / r;
                sums.rounding.virial[k] += 0.5 * (rounding[0] * r + 2.0 * turned);
            }
        }
    }
};

} // namespace

template <int Dim>
std::unique_ptr<ForceTerm<Dim>> PairForceDescription::make(const ForceContext<Dim>& context,
                                                           Neighbours<Dim>& neighbours) const {
    std::vector<std::int64_t> counts(context.start.species_table.size(), 0);
    for (const std::uint16_t s : context.start.species) ++counts[s];
    std::vector<TailCorrection> tails;
    for (const PairForceDescription& part : parts_of(*this))
        tails.push_back(tail_correction(part.potential, Dim, counts, context.box.volume()));
    return std::make_unique<PairForce<Dim>>(context.backend, *this, context.pair_is_double,
                                            neighbours.add_list(list().radius()), std::move(tails));
}

template <int Dim>
DirectForce<Dim> PairForceDescription::direct(const DirectContext<Dim>& context) const {
    return DirectPairs<Dim>{context, make_pair_table(*this), self_energies(*this),
                            4.0 * context.epsilon * context.extent};
}

template <int Dim>
PairForce<Dim>::PairForce(const Backend& backend, const PairForceDescription& description,
                          bool pair_is_double, int list, std::vector<TailCorrection> tails)
    : backend_(backend), name_(description.name), infinite_(where_infinite(description)),
      level_(description.level), claims_(description.claims<Dim>()), tails_(std::move(tails)),
      list_(list), table_(make_pair_table(description)) {
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
double PairForce<Dim>::tail_energy(std::size_t part) const {
    if (part < tails_.size()) return tails_[part].energy;
    double sum = 0.0;
    if (part == ForceTerm<Dim>::all_parts)
        for (const TailCorrection& tail : tails_) sum += tail.energy;
    return sum;
}

template <int Dim>
double PairForce<Dim>::tail_virial() const {
    double sum = 0.0;
    for (const TailCorrection& tail : tails_) sum += tail.virial;
    return sum;
}

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

/// By tiles if there can be any; else by the neighbour ranges, as on a GPU.
template <int Dim>
template <class Pair>
void PairForce<Dim>::share(const Pair* rows, const PairTable& table,
                           const ParticlesView<Dim>& particles, const List& list, bool accumulate,
                           Share<Dim>* share) {
    if (tiles_) {
        std::int32_t ignored = 0; // forces have reported it already
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
                                                                        Neighbours<Dim>&) const;   \
    template DirectForce<Dim> PairForceDescription::direct(const DirectContext<Dim>&) const;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
