// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/bonded/geometry.hpp"
#include "kernels/bonded/list.hpp"
#include "kernels/ops/shares.hpp"

/// Forces of bonded terms: each particle sums those of the terms in which it takes part, in the
/// order of the topology. So a term is evaluated once for each of its members, and nothing has to
/// be added up between particles.
namespace shadow {

/// Terms of one form, numbered from 0, and the particles in them.
template <int Dim>
struct BondedTerms {
    ParticlesView<Dim, double> particles;
    BoxView<Dim> box;
    const std::int32_t* first;  ///< by id, and the end: of the entries of a particle
    const std::int32_t* entry;  ///< term * members + its place among the members
    const std::int32_t* member; ///< memory indices, term by term
    const std::int32_t* row;    ///< of parameters, by term
    const double* rows;
    std::int32_t form; ///< position in `BondedForms`

    template <class Form>
    [[nodiscard]] SHADOW_INLINE Form parameters(std::int64_t term) const {
        Form f;
        __builtin_memcpy(static_cast<void*>(&f), rows + row[term] * (sizeof(Form) / sizeof(double)),
                         sizeof f);
        return f;
    }
    template <BondedKind kind>
    [[nodiscard]] SHADOW_INLINE BondedGeometry<Dim, kind> geometry(std::int64_t term) const {
        using Geometry = BondedGeometry<Dim, kind>;
        const std::int32_t* m = member + term * members_of(kind);
        Geometry g;
        for (int k = 0; k < Geometry::edges; ++k)
            for (int d = 0; d < Dim; ++d) {
                const double* x = particles.position.component[d];
                double dx = x[m[Geometry::from[k]]] - x[m[Geometry::to[k]]];
                if (box.periodic[d]) dx -= box.length[d] * nearbyint(dx / box.length[d]);
                g.edge[k][d] = dx;
            }
        g.prepare();
        return g;
    }
    /// The range of entries of particle `i`.
    [[nodiscard]] SHADOW_INLINE std::int32_t begin(std::int64_t i) const {
        return first[particles.id[i]];
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t end(std::int64_t i) const {
        return first[particles.id[i] + 1];
    }
};

/// Forces, and energies where asked for; tells the status word of the first particle on which they
/// are not finite.
template <int Dim>
struct ApplyBonded {
    BondedTerms<Dim> terms;
    VectorView<Dim, double> force;
    double* energy; ///< may be null
    std::int32_t* status;
    bool accumulate;

    SHADOW_FUNCTION void operator()(std::int64_t i) const { range(i, i + 1); }
    /// For each index in [begin, end); the form is chosen once.
    SHADOW_FUNCTION void range(std::int64_t begin, std::int64_t end) const {
        visit_bonded(BondedForms{}, terms.form, Each{*this, begin, end});
    }

  private:
    struct Each {
        const ApplyBonded& op;
        std::int64_t begin, end;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            if constexpr (exists_in<Dim>(Form::info.kind)) {
                for (std::int64_t i = begin; i < end; ++i)
                    op.energy ? op.add<Form, true>(i) : op.add<Form, false>(i);
            }
        }
    };
    template <class Form, bool with_energy>
    SHADOW_INLINE void add(std::int64_t i) const {
        constexpr BondedKind kind = Form::info.kind;
        constexpr int members = members_of(kind);
        double sum[Dim] = {}, u = 0.0;
        for (std::int32_t e = terms.begin(i); e < terms.end(i); ++e) {
            const std::int32_t term = terms.entry[e] / members;
            const auto geometry = terms.template geometry<kind>(term);
            const auto form = terms.template parameters<Form>(term);
            const double slope = form.slope(geometry.variable);
            double g[Dim];
            geometry.gradient(terms.entry[e] % members, g);
            for (int d = 0; d < Dim; ++d) sum[d] -= slope * g[d];
            if (with_energy) u += form.energy(geometry.variable) / members;
        }
        double all = u;
        for (int d = 0; d < Dim; ++d) {
            all += sum[d];
            double& component = force.component[d][i];
            component = accumulate ? component + sum[d] : sum[d];
        }
        if (with_energy) energy[i] = accumulate ? energy[i] + u : u;
        if (!(all - all == 0.0))
            atomic_keep_lowest(status, 1 + static_cast<std::int32_t>(terms.particles.id[i]));
    }
};

/// Sum of the virials of all terms, and of what there is already (null: nothing).
template <int Dim>
struct SumBondedVirial : TensorSum<Dim> {
    BondedTerms<Dim> terms;
    const SymmetricTensor<Dim>* so_far;

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t term) const {
        SymmetricTensor<Dim> sum{};
        if (term == 0 && so_far) sum = *so_far;
        visit_bonded(BondedForms{}, terms.form, Add{*this, term, sum});
        return sum;
    }

  private:
    struct Add {
        const SumBondedVirial& op;
        std::int64_t term;
        SymmetricTensor<Dim>& sum;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            constexpr BondedKind kind = Form::info.kind;
            if constexpr (exists_in<Dim>(kind)) {
                const auto geometry = op.terms.template geometry<kind>(term);
                const auto form = op.terms.template parameters<Form>(term);
                geometry.add_virial(form.slope(geometry.variable), sum);
            }
        }
    };
};

/// The share of each particle: equal parts of the energy and virial of its terms (Thompson,
/// Plimpton and Mattson 2009, J. Chem. Phys. 131, 154107, eq. 14).
template <int Dim>
struct ShareBonded {
    BondedTerms<Dim> terms;
    bool accumulate;
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        visit_bonded(BondedForms{}, terms.form, Add{*this, i});
    }

  private:
    struct Add {
        const ShareBonded& op;
        std::int64_t i;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            constexpr BondedKind kind = Form::info.kind;
            if constexpr (exists_in<Dim>(kind)) {
                constexpr int members = members_of(kind);
                Share<Dim> own{};
                if (op.accumulate) own = op.share[i];
                for (std::int32_t e = op.terms.begin(i); e < op.terms.end(i); ++e) {
                    const std::int32_t term = op.terms.entry[e] / members;
                    const auto geometry = op.terms.template geometry<kind>(term);
                    const auto form = op.terms.template parameters<Form>(term);
                    own.energy += form.energy(geometry.variable) / members;
                    geometry.add_virial(form.slope(geometry.variable) / members, own.virial);
                }
                op.share[i] = own;
            }
        }
    };
};

} // namespace shadow
