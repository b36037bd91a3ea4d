// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/configurational.hpp"

#include "keys.hpp"

#include "shadow/statistics/state.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/pair_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

/// Thickness, relative to the cut-off, of the shell within it that gives the density of pairs at
/// the cut-off.
constexpr double shell = 0.04;

std::vector<PairTable> tables_of(const std::vector<PairForceDescription>& forces) {
    std::vector<PairTable> all;
    for (const PairForceDescription& force : forces) {
        all.push_back(make_general_table(force.potential));
        if (force.electrostatic) all.push_back(make_general_table(*force.electrostatic));
    }
    return all;
}

/// The longest cut-off; any length if there is no force.
template <int Dim>
double longest(const std::vector<PairForceDescription>& forces, const Box<Dim>& box) {
    double reach = 0.0;
    for (const PairTable& table : tables_of(forces)) reach = std::max(reach, table.cutoff);
    return reach > 0.0 ? reach : 0.5 * box.shortest_periodic_length();
}

/// The cut-off of two species, and the force at the cut-off.
struct ForceAtCutoff {
    const double* table;
    std::int32_t pair;
    Ending ending;
    double force = 0.0, cutoff = 0.0;

    template <class Interaction>
    void operator()() {
        const auto functor = constants<Interaction, double>(table, pair);
        cutoff = std::sqrt(functor.cutoff2.value);
        force = evaluate(functor, functor.cutoff2, ending, table).f_over_r.value * cutoff;
    }
};

} // namespace

template <int Dim>
Configurational<Dim>::Configurational(const Box<Dim>& box, const std::vector<Population>& species,
                                      const std::vector<PairForceDescription>& forces)
    : pairs_(species_pairs(species)),
      cells_(box, longest(forces, box), population(species), species.size()) {
    const std::vector<PairTable> tables = tables_of(forces);
    potentials_ = static_cast<int>(tables.size());
    for (const PairTable& table : tables) {
        rows_.resize((rows_.size() + 3) / 4 * 4); // alignment of curve segments
        table_at_.push_back(rows_.size());
        rows_.insert(rows_.end(), table.rows.begin(), table.rows.end());
    }
    for (const SpeciesPair& pair : pairs_) {
        double reach = 0.0;
        for (const PairTable& table : tables) {
            const std::int32_t at = pair.a * table.species_count + pair.b;
            ForceAtCutoff end{table.rows.data(), at, table.ending};
            visit_interaction(GeneralInteractions{}, table.interaction, end);
            terms_.push_back({table.interaction, at, table.ending, end.cutoff, end.force,
                              1.0 / (shell * end.cutoff), nullptr});
            reach = std::max(reach, end.cutoff);
        }
        reach_.push_back(reach);
    }
}

template <int Dim>
std::vector<Quantity> Configurational<Dim>::quantities() const {
    return {{"hypervirial", "energy"},
            {"squared_force", "(energy/length)^2"},
            {"laplacian", "energy/length^2"}};
}

template <int Dim>
void Configurational<Dim>::move_terms(const Backend& backend) {
    backend_rows_ = Array<double>(backend, rows_);
    for (std::size_t t = 0; t < terms_.size(); ++t)
        terms_[t].table = backend_rows_.data() + table_at_[t % table_at_.size()];
    backend_terms_ = Array<DerivativeTerm>(backend, terms_);
    sums_ = Array<PairDerivatives>(backend, pairs_.size());
}

template <int Dim>
SumPairDerivatives<Dim> Configurational<Dim>::sums_of(std::size_t pair) const {
    SumPairDerivatives<Dim> op{view_, pairs_[pair].a, pairs_[pair].b,
                               backend_terms_.data() + pair * static_cast<std::size_t>(potentials_),
                               potentials_};
    op.pairs.radius2 = reach_[pair] * reach_[pair];
    return op;
}

template <int Dim>
void Configurational<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) move_terms(backend);
    if (potentials_ > 0) {
        view_ = cells_.sort(system);
        view_.parts = cells_.parts();
        view_.part = static_cast<std::int32_t>(measured_++ % view_.parts);
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const SumPairDerivatives<Dim> op = sums_of(p);
            reduce(backend, op, op.pairs.chosen(), sums_.data() + p);
        }
    }
    reduce(backend, SquareForces<Dim>{system.force()}, system.size(), row + 1);
    // The pairs beyond the cut-off in a uniform density contribute d X = W.
    launch(backend,
           FinishConfigurational{sums_.data(), static_cast<int>(pairs_.size()), Dim,
                                 static_cast<double>(cells_.parts()),
                                 system.tail_virial().value / Dim, row},
           1);
}

template <int Dim>
std::vector<double> Configurational<Dim>::state() const {
    return {static_cast<double>(measured_)};
}

template <int Dim>
void Configurational<Dim>::restore(std::span<const double> state) {
    StateReader reader(state, "configurational");
    measured_ = reader.count();
    reader.finish();
}

SHADOW_INSTANTIATE_EACH_DIMENSION(Configurational)

namespace {

template <int Dim>
Made<Dim> make_configurational(const ObservableInput<Dim>& in) {
    if (!in.context.box.is_periodic())
        in.fail("type", "configurational in an open box (pairs are found by cells that fill a "
                        "periodic one, and a compressibility needs a volume); make the box "
                        "periodic");
    const ForcePlan& forces = in.context.forces;
    const std::string other = forces.name_where([](const auto& force) {
        return !(force.list().of == ForceList::Of::pairs && force.gives_hessian());
    });
    if (!other.empty())
        in.fail("type", fmt::format("configurational with {} (it takes derivatives of pair forces "
                                    "alone); remove one",
                                    other));
    return std::make_unique<Configurational<Dim>>(in.context.box, in.context.species,
                                                  forces.of<PairForceDescription>());
}

} // namespace

ObservableEntry configurational_entry() {
    return {{"configurational",
             "Second derivatives of the potential energy: hypervirial, for compressibilities, and "
             "configurational temperature",
             "X = sum over pairs of r d(r u')/dr / d^2; k T = <|grad U|^2> / <laplacian U>",
             "Allen and Tildesley 2017, section 2.5; Rugh 1997; Butler et al. 1998",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_configurational)};
}

} // namespace shadow
