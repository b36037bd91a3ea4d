// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/reversible.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// The next power of two times 2^shift.
double power_of_two(double x, int shift) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, exponent + shift);
}

double multiple(double x, double spacing) {
    return std::nearbyint(x / spacing) * spacing;
}

} // namespace

template <int Dim>
Spacing spacing_for(const Box<Dim>& box, const Snapshot<Dim>& start, double dt) {
    double longest = 0.0, heaviest = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        longest = std::max(longest, std::abs(box.origin()[d]));
        if (box.periodic()[d]) longest = std::max(longest, box.lengths()[d]);
        for (const auto& x : start.position) longest = std::max(longest, std::abs(x[d]));
    }
    if (!(longest > 0.0)) longest = 1.0; // one particle, at the origin
    for (const Species& species : start.species_table) heaviest = std::max(heaviest, species.mass);
    // 2^53 multiples are exact.
    return {power_of_two(longest, box.is_periodic() ? -50 : -43),
            power_of_two(longest * heaviest / dt, -56)};
}

template <int Dim>
Box<Dim> on_spacing(const Box<Dim>& box, const Spacing& spacing) {
    std::array<double, Dim> lengths = box.lengths(), origin = box.origin();
    for (std::size_t d = 0; d < Dim; ++d) {
        lengths[d] = multiple(lengths[d], spacing.position);
        origin[d] = multiple(origin[d], spacing.position);
    }
    return Box<Dim>(lengths, box.periodic(), origin);
}

std::string irreversible(const Integrator& method) {
    const Claims claims = method.claims();
    if (claims.stochastic) return "it has noise";
    if (claims.damped) return "it has friction";
    if (!claims.symmetric) return "its steps are not symmetric";
    if (method.adapts()) return "its steps have lengths of their own";
    if (method.has_output_state()) return "its output is not the state from which it continues";
    const bool plain = std::all_of(method.word().begin(), method.word().end(), [](const Flow& f) {
        return f.kind == FlowKind::drift || f.kind == FlowKind::kick;
    });
    if (!plain || !claims.symplectic || method.has_bath_variables() || method.pressure() ||
        method.light_mass() > 0.0 || method.bath_kT())
        return "it does more than drifts and kicks";
    return "";
}

template <int Dim>
void check_range(const Snapshot<Dim>& now, const Spacing& spacing) {
    const double exact = std::ldexp(1.0, 53);
    for (std::size_t i = 0; i < now.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            if (!(std::abs(now.position[i][d]) <= exact * spacing.position &&
                  std::abs(now.momentum[i][d]) <= exact * spacing.momentum))
                throw SimulationError(
                    fmt::format("particle {} is too far or too fast for exact sums (those of "
                                "compute.reversible reach positions of {:.3g} and momenta of "
                                "{:.3g}); use a smaller dt, walls, or a periodic box",
                                i, exact * spacing.position, exact * spacing.momentum));
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Spacing spacing_for(const Box<Dim>&, const Snapshot<Dim>&, double);                   \
    template Box<Dim> on_spacing(const Box<Dim>&, const Spacing&);                                 \
    template void check_range(const Snapshot<Dim>&, const Spacing&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
