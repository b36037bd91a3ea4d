// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/term_batches.hpp"
#include "kernels/potentials/coulomb.hpp"
#include "kernels/potentials/lennard_jones.hpp"

namespace shadow::SHADOW_ISA {

/// Chooses the form once for a range of particles.
template <int Dim>
struct EachForm {
    const ApplyBonded<Dim>& op;
    std::int64_t first, last;

    template <class Form>
    SHADOW_INLINE void operator()(BondedTag<Form>) const {
        if constexpr (is_batched<Form>) // otherwise the form is only declared here
            if constexpr (exists_in<Dim>(Form::info.kind))
                TermBatches<Dim, Form>(op).range(first, last);
    }
};

template <int Dim>
void bonded_forces(const ApplyBonded<Dim>& op, std::int64_t first, std::int64_t last) {
    // Qualified: argument-dependent lookup would need forms that are only declared here.
    shadow::visit_bonded(BondedForms{}, op.terms.form, EachForm<Dim>{op, first, last});
}

template void bonded_forces(const ApplyBonded<1>&, std::int64_t, std::int64_t);
template void bonded_forces(const ApplyBonded<2>&, std::int64_t, std::int64_t);
template void bonded_forces(const ApplyBonded<3>&, std::int64_t, std::int64_t);

} // namespace shadow::SHADOW_ISA
