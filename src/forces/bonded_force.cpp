// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/bonded.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/bonded.hpp"

#include <algorithm>
#include <numeric>

namespace shadow {
namespace {

template <int Dim>
struct EvaluateTerm {
    const BondedTerms<Dim>& terms;
    std::int64_t term;
    BondedResult<Dim>& result;

    template <class Form>
    void operator()(BondedTag<Form>) const {
        constexpr BondedKind kind = Form::info.kind;
        if constexpr (exists_in<Dim>(kind)) {
            const auto geometry = terms.template geometry<kind>(term);
            const auto form = terms.template parameters<Form>(term);
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

} // namespace

bool BondedDescription::acts_on(const BondedGroup& group) const {
    return group.kind == info->kind &&
           std::find(types.begin(), types.end(), group.type) != types.end();
}

void BondedDescription::append(const BondedDescription& other) {
    const std::int32_t before = tables;
    tables += other.tables;
    types.insert(types.end(), other.types.begin(), other.types.end());
    rows.insert(rows.end(), other.rows.begin(), other.rows.end());
    members.insert(members.end(), other.members.begin(), other.members.end());
    for (const std::int32_t r : other.row) row.push_back(before + r);
}

template <int Dim, class Real>
BondedForce<Dim, Real>::BondedForce(const Backend& backend, const BondedDescription& description,
                                    std::int64_t particles, Neighbours<Dim, Real>& neighbours)
    : backend_(backend), info_(description.info), level_(description.level),
      form_(description.form), members_(neighbours.locate(description.members)),
      rows_(backend, description.rows), row_(backend, description.row) {
    std::vector<std::int32_t> first(static_cast<std::size_t>(particles) + 1);
    for (const std::uint32_t id : description.members) ++first[id + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> entry(description.members.size()), next = first;
    for (std::size_t k = 0; k < entry.size(); ++k)
        entry[static_cast<std::size_t>(next[description.members[k]]++)] =
            static_cast<std::int32_t>(k);
    first_ = Array<std::int32_t>(backend, first);
    entry_ = Array<std::int32_t>(backend, entry);
}

template <int Dim, class Real>
std::size_t BondedForce<Dim, Real>::bytes() const {
    return rows_.bytes() + first_.bytes() + entry_.bytes() + row_.bytes();
}

template <int Dim, class Real>
BondedTerms<Dim> BondedForce<Dim, Real>::terms(const ParticlesView<Dim, Real>& particles,
                                               const BoxView<Dim>& box,
                                               const Neighbours<Dim, Real>& neighbours) const {
    return {particles,   box,          first_.data(), entry_.data(), neighbours.located(members_),
            row_.data(), rows_.data(), form_};
}

template <int Dim, class Real>
void BondedForce<Dim, Real>::compute(const ParticlesView<Dim, Real>& particles,
                                     const BoxView<Dim>& box,
                                     const Neighbours<Dim, Real>& neighbours,
                                     const ForceOutput<Dim, Real>& output) {
    const BondedTerms<Dim> all = terms(particles, box, neighbours);
    launch(backend_,
           ApplyBonded<Dim>{all, output.force, output.energy, output.status, output.accumulate},
           particles.size);
    if (output.virial)
        reduce(backend_, SumBondedVirial<Dim>{{}, all, output.accumulate ? output.virial : nullptr},
               static_cast<std::int64_t>(row_.size()), output.virial);
}

template <int Dim, class Real>
void BondedForce<Dim, Real>::share(std::size_t, const ParticlesView<Dim, Real>& particles,
                                   const BoxView<Dim>& box, const Neighbours<Dim, Real>& neighbours,
                                   bool accumulate, Share<Dim>* share) {
    launch(backend_, ShareBonded<Dim>{terms(particles, box, neighbours), accumulate, share},
           particles.size);
}

template <int Dim>
BondedResult<Dim> evaluate_term(const BondedDescription& description, std::int32_t row,
                                const std::vector<std::array<double, Dim>>& place,
                                const Box<Dim>& box) {
    // The members are all particles of a small system, in this order.
    double x[Dim][4];
    BondedTerms<Dim> terms{};
    for (std::size_t d = 0; d < Dim; ++d) {
        for (std::size_t m = 0; m < place.size(); ++m) x[d][m] = place[m][d];
        terms.particles.position.component[d] = x[d];
    }
    const std::int32_t member[] = {0, 1, 2, 3};
    terms.box = box.view();
    terms.member = member;
    terms.row = &row;
    terms.rows = description.rows.data();
    terms.form = description.form;
    BondedResult<Dim> result;
    visit_bonded(BondedForms{}, terms.form, EvaluateTerm<Dim>{terms, 0, result});
    return result;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template class BondedForce<Dim, double>;                                                       \
    template BondedResult<Dim> evaluate_term<Dim>(const BondedDescription&, std::int32_t,          \
                                                  const std::vector<std::array<double, Dim>>&,     \
                                                  const Box<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
