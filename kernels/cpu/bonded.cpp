// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/bonded.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/ops/bonded.hpp"
#include "kernels/potentials/formulas.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void bonded_forces(const ApplyBonded<Dim>& op, std::int64_t first, std::int64_t last);         \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {
namespace {

/// The forms without batches, particle by particle.
template <int Dim>
struct EachParticle {
    const ApplyBonded<Dim>& op;
    std::int64_t first, last;

    template <class Form>
    void operator()(BondedTag<Form>) const {
        if constexpr (exists_in<Dim>(Form::info.kind) && !is_batched<Form>)
            for (std::int64_t i = first; i < last; ++i)
                op.output.energy ? op.template add<Form, true>(i) : op.template add<Form, false>(i);
    }
};

} // namespace

template <int Dim>
void apply_bonded(const Backend& backend, const ApplyBonded<Dim>& op, std::int64_t first,
                  std::int64_t last) {
    visit_bonded(BondedForms{}, op.terms.form, EachParticle<Dim>{op, first, last});
    SHADOW_DISPATCH(backend, bonded_forces, op, first, last);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void apply_bonded(const Backend&, const ApplyBonded<Dim>&, std::int64_t, std::int64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)

} // namespace cpu
} // namespace shadow
