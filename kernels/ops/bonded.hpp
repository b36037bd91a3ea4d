// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/geometry.hpp"
#include "kernels/bonded/list.hpp"
#include "kernels/cpu/bonded.hpp"
#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/shares.hpp"

/// Forces of bonded terms: each particle sums those of the terms in which it takes part, in the
/// order of the topology. So a term is evaluated once for each of its members, and nothing has to
/// be added between particles.
namespace shadow {

/// Terms of one form; each term is an entry of each of its members.
template <int Dim>
struct BondedTerms {
    ParticlesView<Dim> particles;
    EntryView entries;      ///< terms of a particle; all their members
    const double* rows;     ///< of parameters
    const double* segments; ///< of tables; null of most forms
    std::int32_t row_count;
    std::int32_t form; ///< position in `BondedForms`

    /// An entry's tag: a row of parameters, and the number of the particle among the members.
    static SHADOW_INLINE std::int32_t tag(std::int32_t row, int member) { return 4 * row + member; }
    [[nodiscard]] SHADOW_INLINE std::int32_t row(std::int32_t entry) const {
        return entries.tag[entry] >> 2;
    }
    [[nodiscard]] SHADOW_INLINE int member(std::int32_t entry) const {
        return entries.tag[entry] & 3;
    }
    template <class Form>
    [[nodiscard]] SHADOW_INLINE auto parameters(std::int32_t entry) const {
        Form f;
        __builtin_memcpy(static_cast<void*>(&f),
                         rows + row(entry) * std::int64_t{sizeof(Form) / sizeof(double)}, sizeof f);
        return with_segments(f, segments);
    }
    template <class Form>
    [[nodiscard]] SHADOW_INLINE GeometryOf<Dim, Form> geometry(std::int32_t entry) const {
        using Geometry = GeometryOf<Dim, Form>;
        const std::int32_t* m = entries.partner + std::int64_t{entry} * members_of(Form::info.kind);
        Geometry g;
        for (int k = 0; k < Geometry::edges; ++k)
            find_edge(particles, m[Geometry::from(k)], m[Geometry::to(k)], g.edge[k]);
        g.prepare();
        return g;
    }
};

/// Forces, and energies on request.
template <int Dim>
struct ApplyBonded {
    BondedTerms<Dim> terms;
    ParticleForceOutput<Dim> output;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        visit_bonded(BondedForms{}, terms.form, One{*this, i});
    }
#if !defined(__CUDACC__)
    void range(const Backend& backend, std::int64_t begin, std::int64_t end) const {
        cpu::apply_bonded(backend, *this, begin, end);
    }
#endif

    template <class Form, bool with_energy>
    SHADOW_INLINE void add(std::int64_t i) const {
        constexpr int members = members_of(Form::info.kind);
        double sum[Dim] = {}, u = 0.0;
        for (std::int32_t e = terms.entries.begin[i]; e < terms.entries.begin[i + 1]; ++e) {
            const auto geometry = terms.template geometry<Form>(e);
            const auto form = terms.template parameters<Form>(e);
            const double slope = form.slope(geometry.variable);
            double g[Dim];
            geometry.gradient(terms.member(e), g);
            for (int d = 0; d < Dim; ++d) sum[d] -= slope * g[d];
            if (with_energy) u += form.energy(geometry.variable) / members;
        }
        output.store(i, terms.particles.id[i], sum, u);
    }

  private:
    struct One {
        const ApplyBonded& op;
        std::int64_t i;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            if constexpr (exists_in<Dim>(Form::info.kind))
                op.output.energy ? op.add<Form, true>(i) : op.add<Form, false>(i);
        }
    };
};

/// Sum of the virials of all terms, counted at their first members, and the present value (null:
/// none).
template <int Dim>
struct SumBondedVirial : TensorSum<Dim> {
    BondedTerms<Dim> terms;
    const SymmetricTensor<Dim>* so_far;

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        SymmetricTensor<Dim> sum{};
        if (i == 0 && so_far) sum = *so_far;
        visit_bonded(BondedForms{}, terms.form, Add{*this, i, sum});
        return sum;
    }

  private:
    struct Add {
        const SumBondedVirial& op;
        std::int64_t i;
        SymmetricTensor<Dim>& sum;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            if constexpr (exists_in<Dim>(Form::info.kind)) {
                const EntryView& entries = op.terms.entries;
                for (std::int32_t e = entries.begin[i]; e < entries.begin[i + 1]; ++e) {
                    if (op.terms.member(e) != 0) continue;
                    const auto geometry = op.terms.template geometry<Form>(e);
                    const auto form = op.terms.template parameters<Form>(e);
                    geometry.add_virial(form.slope(geometry.variable), sum);
                }
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
            if constexpr (exists_in<Dim>(Form::info.kind)) {
                constexpr int members = members_of(Form::info.kind);
                Share<Dim> own{};
                if (op.accumulate) own = op.share[i];
                const EntryView& entries = op.terms.entries;
                for (std::int32_t e = entries.begin[i]; e < entries.begin[i + 1]; ++e) {
                    const auto geometry = op.terms.template geometry<Form>(e);
                    const auto form = op.terms.template parameters<Form>(e);
                    own.energy += form.energy(geometry.variable) / members;
                    geometry.add_virial(form.slope(geometry.variable) / members, own.virial);
                }
                op.share[i] = own;
            }
        }
    };
};

} // namespace shadow
