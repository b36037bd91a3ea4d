// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/bonded.hpp"
#include "shadow/system/nearest_partner.hpp"

#include "kernels/dual.hpp"
#include "kernels/launch.hpp"
#include "kernels/ops/bonded.hpp"
#include "kernels/potentials/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace shadow {
namespace {

template <int Dim>
struct EvaluateTerm {
    const BondedTerms<Dim>& terms; ///< a single one
    BondedResult<Dim>& result;

    template <class Form>
    void operator()(BondedTag<Form>) const {
        constexpr BondedKind kind = Form::info.kind;
        if constexpr (exists_in<Dim>(kind)) {
            const auto geometry = terms.template geometry<Form>(0);
            const auto form = terms.template parameters<Form>(0);
            const double slope = form.slope(geometry.variable);
            result.energy = form.energy(geometry.variable);
            geometry.add_virial(slope, result.virial);
            for (int m = 0; m < members_of(kind); ++m) {
                double g[Dim];
                geometry.gradient(m, g);
                for (std::size_t d = 0; d < Dim; ++d)
                    result.force[static_cast<std::size_t>(m)][d] = -slope * g[d];
            }
        }
    }
};

/// By dual numbers, as for fast motion (kernels/bonded/time_average.hpp).
template <int Dim>
struct ChangeTerm {
    const BondedTerms<Dim>& terms; ///< a single one
    const std::vector<std::array<double, Dim>>& way;
    std::array<std::array<double, Dim>, 4>& change;

    template <class Form>
    void operator()(BondedTag<Form>) const {
        constexpr BondedKind kind = Form::info.kind;
        if constexpr (exists_in<Dim>(kind) && !Form::info.internal) {
            const auto here = terms.template geometry<Form>(0);
            GeometryOf<Dim, Form, Dual<double>> moving;
            for (int e = 0; e < moving.edges; ++e) {
                const auto& from = way[static_cast<std::size_t>(moving.from(e))];
                const auto& to = way[static_cast<std::size_t>(moving.to(e))];
                for (std::size_t d = 0; d < Dim; ++d)
                    moving.edge[e][d] = Dual<double>(here.edge[e][d], from[d] - to[d]);
            }
            moving.prepare();
            const auto slope = terms.template parameters<Form>(0).slope(moving.variable);
            for (int m = 0; m < members_of(kind); ++m) {
                Dual<double> g[Dim];
                moving.gradient(m, g);
                for (std::size_t d = 0; d < Dim; ++d)
                    change[static_cast<std::size_t>(m)][d] = -(slope * g[d]).slope;
            }
        }
    }
};

template <int Dim>
BondedTerms<Dim> terms_in(const ParticlesView<Dim>& particles, const EntryView& entries,
                          const double* rows, const double* segments, std::int32_t row_count,
                          int form) {
    return {particles, entries, rows, segments, row_count, form};
}

/// The terms of each particle, in the order of the description.
ParticleEntries entries_of(const BondedDescription& description, std::int64_t particles) {
    const auto span = static_cast<std::size_t>(members_of(description.info->kind));
    const std::vector<std::uint32_t>& members = description.members;
    ParticleEntries entries;
    entries.begin.resize(static_cast<std::size_t>(particles) + 1);
    for (const std::uint32_t id : members) ++entries.begin[id + 1];
    std::partial_sum(entries.begin.begin(), entries.begin.end(), entries.begin.begin());
    entries.partner.resize(members.size() * span);
    entries.tag.resize(members.size());
    std::vector<std::int32_t> next = entries.begin;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const auto to = static_cast<std::size_t>(next[members[k]]++);
        const std::size_t term = k / span;
        std::copy_n(members.begin() + static_cast<std::ptrdiff_t>(term * span), span,
                    entries.partner.begin() + static_cast<std::ptrdiff_t>(to * span));
        entries.tag[to] = BondedTerms<3>::tag(description.row[term], static_cast<int>(k % span));
    }
    return entries;
}

} // namespace

bool BondedDescription::acts_on(const BondedGroup& group) const {
    return group.kind == info->kind &&
           std::find(types.begin(), types.end(), group.type) != types.end();
}

template <int Dim>
std::unique_ptr<ForceTerm<Dim>> BondedDescription::make(const ForceContext<Dim>& context,
                                                        Neighbours<Dim>& neighbours) const {
    return std::make_unique<BondedForce<Dim>>(
        context.backend, *this, static_cast<std::int64_t>(context.start.size()), neighbours);
}

/// In double on every device. Positions of all members are rounded when they become differences.
template <int Dim>
DirectForce<Dim> BondedDescription::direct(const DirectContext<Dim>& context) const {
    return [force = *this, context](DirectTotals<Dim>& sums, std::size_t particle) {
        constexpr double epsilon = std::numeric_limits<double>::epsilon();
        const auto count = static_cast<std::size_t>(members_of(force.info->kind));
        std::vector<std::array<double, Dim>> place(count);
        for (std::size_t k = 0; k < force.members.size(); ++k) {
            if (force.members[k] != particle) continue;
            const std::size_t term = k / count;
            for (std::size_t m = 0; m < count; ++m)
                place[m] = context.particles.position[force.members[term * count + m]];
            const auto at = [&] {
                const auto all = evaluate_term<Dim>(force, force.row[term], place, context.box);
                return PairTotals<Dim>{all.force[k % count], all.energy,
                                       std::to_array(all.virial.component)};
            };
            sums.add(place, 1.0 / static_cast<double>(count), direct_roundings * epsilon, at,
                     [&](double) { return 4.0 * epsilon * context.extent; });
        }
    };
}

bool are_alike(const BondedDescription& a, const BondedDescription& b) {
    return a.form == b.form && a.level == b.level;
}

BondedDescription fused(BondedDescription a, const BondedDescription& b) {
    a.types.insert(a.types.end(), b.types.begin(), b.types.end());
    a.rows.insert(a.rows.end(), b.rows.begin(), b.rows.end());
    a.members.insert(a.members.end(), b.members.begin(), b.members.end());
    for (const std::int32_t r : b.row) a.row.push_back(a.row_count + r);
    a.row_count += b.row_count;
    return a;
}

template <int Dim>
BondedForce<Dim>::BondedForce(const Backend& backend, const BondedDescription& description,
                              std::int64_t particles, Neighbours<Dim>& neighbours)
    : backend_(backend), info_(description.info), name_(description.name),
      level_(description.level), claims_(description.claims<Dim>()), members_(description.members),
      form_(description.form), entries_(neighbours.keep(entries_of(description, particles))),
      rows_(backend, description.rows), segments_(backend, description.segments),
      row_count_(description.row_count) {}

template <int Dim>
BondedTerms<Dim> BondedForce<Dim>::terms(const ParticlesView<Dim>& particles,
                                         const Neighbours<Dim>& neighbours) const {
    return terms_in(particles, neighbours.entries(entries_), rows_.data(), segments_.data(),
                    row_count_, form_);
}

template <int Dim>
void BondedForce<Dim>::compute(const ParticlesView<Dim>& particles,
                               const Neighbours<Dim>& neighbours, const ForceOutput<Dim>& output) {
    const BondedTerms<Dim> all = terms(particles, neighbours);
    launch(backend_,
           ApplyBonded<Dim>{all, {output.force, output.energy, output.status, output.accumulate}},
           particles.size);
    if (output.virial)
        reduce(backend_, SumBondedVirial<Dim>{{}, all, output.accumulate ? output.virial : nullptr},
               particles.size, output.virial);
}

template <int Dim>
void BondedForce<Dim>::share(std::size_t, const ParticlesView<Dim>& particles,
                             const Neighbours<Dim>& neighbours, bool accumulate,
                             Share<Dim>* share) {
    launch(backend_, ShareBonded<Dim>{terms(particles, neighbours), accumulate, share},
           particles.size);
}

template <int Dim>
std::optional<LongBond> long_bond(BondedKind kind, std::span<const std::uint32_t> members,
                                  const Snapshot<Dim>& at, const Box<Dim>& box) {
    const double longest = max_edge * box.shortest_periodic_length();
    const auto span = static_cast<std::size_t>(members_of(kind));
    for (std::size_t k = 1; k < members.size(); ++k) {
        if (k % span == 0) continue; // the first of a term
        const double length =
            distance<Dim>(at.position[members[k - 1]], at.position[members[k]], box);
        if (length >= longest) return LongBond{{members[k - 1], members[k]}, length, longest};
    }
    return std::nullopt;
}

template <int Dim>
std::string BondedForce<Dim>::ends_at(const Snapshot<Dim>& now, const Box<Dim>& box) const {
    const auto bond = long_bond<Dim>(info_->kind, members_, now, box);
    if (!bond) return "";
    return fmt::format(
        "where particles {} and {} are {:.4g} apart (from {:.4g} on, nearly half the "
        "shortest box length, the nearest image may be of another particle: bonds as "
        "long need a larger box)",
        bond->id[0], bond->id[1], bond->length, bond->longest);
}

namespace {
/// Calls `use` with a single term.
template <int Dim, class Use>
void with_term(const BondedDescription& description, std::int32_t row,
               const std::vector<std::array<double, Dim>>& place, const Box<Dim>& box,
               const Use& use) {
    // The members are all particles of a small system, in this order; the first has the entry.
    double x[Dim][4];
    const BoxView<Dim> box_view = box.view();
    ParticlesView<Dim> particles{};
    particles.box = &box_view;
    for (std::size_t d = 0; d < Dim; ++d) {
        for (std::size_t m = 0; m < place.size(); ++m) x[d][m] = place[m][d];
        particles.position.component[d] = x[d];
    }
    const std::int32_t begin[] = {0, 1}, member[] = {0, 1, 2, 3};
    const std::int32_t tag = BondedTerms<Dim>::tag(row, 0);
    const BondedTerms<Dim> terms =
        terms_in(particles, {begin, member, &tag}, description.rows.data(),
                 description.segments.data(), description.row_count, description.form);
    use(terms);
}
} // namespace

template <int Dim>
BondedResult<Dim> evaluate_term(const BondedDescription& description, std::int32_t row,
                                const std::vector<std::array<double, Dim>>& place,
                                const Box<Dim>& box) {
    BondedResult<Dim> result;
    with_term<Dim>(description, row, place, box, [&](const BondedTerms<Dim>& terms) {
        visit_bonded(BondedForms{}, terms.form, EvaluateTerm<Dim>{terms, result});
    });
    return result;
}

template <int Dim>
std::array<std::array<double, Dim>, 4>
change_of_term(const BondedDescription& description, std::int32_t row,
               const std::vector<std::array<double, Dim>>& place,
               const std::vector<std::array<double, Dim>>& way, const Box<Dim>& box) {
    std::array<std::array<double, Dim>, 4> change{};
    with_term<Dim>(description, row, place, box, [&](const BondedTerms<Dim>& terms) {
        visit_bonded(BondedForms{}, terms.form, ChangeTerm<Dim>{terms, way, change});
    });
    return change;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template class BondedForce<Dim>;                                                               \
    template std::unique_ptr<ForceTerm<Dim>> BondedDescription::make(const ForceContext<Dim>&,     \
                                                                     Neighbours<Dim>&) const;      \
    template BondedResult<Dim> evaluate_term<Dim>(const BondedDescription&, std::int32_t,          \
                                                  const std::vector<std::array<double, Dim>>&,     \
                                                  const Box<Dim>&);                                \
    template std::array<std::array<double, Dim>, 4> change_of_term<Dim>(                           \
        const BondedDescription&, std::int32_t, const std::vector<std::array<double, Dim>>&,       \
        const std::vector<std::array<double, Dim>>&, const Box<Dim>&);                             \
    template DirectForce<Dim> BondedDescription::direct(const DirectContext<Dim>&) const;          \
    template std::optional<LongBond> long_bond<Dim>(BondedKind, std::span<const std::uint32_t>,    \
                                                    const Snapshot<Dim>&, const Box<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
