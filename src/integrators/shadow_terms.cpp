// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/shadow_terms.hpp"

#include <cmath>

namespace shadow {
namespace {

constexpr auto levels = static_cast<std::size_t>(max_levels);

/// An element of the Lie algebra which the drift A and kicks B_l generate, up to products of three.
/// Kicks commute, so that these are all:
struct Element {
    double a = 0.0;                                               ///< A
    ShadowTerms::EachLevel<double> b{}, ab{}, aab{};              ///< B_l, [A, B_l], [A, [A, B_l]]
    ShadowTerms::EachLevel<ShadowTerms::EachLevel<double>> bab{}; ///< [B_k, [A, B_l]] at [k][l]

    void add(double factor, const Element& x) {
        a += factor * x.a;
        for (std::size_t l = 0; l < levels; ++l) {
            b[l] += factor * x.b[l];
            ab[l] += factor * x.ab[l];
            aab[l] += factor * x.aab[l];
            for (std::size_t k = 0; k < levels; ++k) bab[k][l] += factor * x.bab[k][l];
        }
    }
};

/// [x, y] = xy - yx.
Element commutator(const Element& x, const Element& y) {
    Element z;
    for (std::size_t l = 0; l < levels; ++l) {
        z.ab[l] = x.a * y.b[l] - x.b[l] * y.a;
        z.aab[l] = x.a * y.ab[l] - x.ab[l] * y.a;
        for (std::size_t k = 0; k < levels; ++k) z.bab[k][l] = x.b[k] * y.ab[l] - x.ab[l] * y.b[k];
    }
    return z;
}

/// log(e^x e^y) (Leimkuhler and Reich 2004, section 5.4.2).
Element joined(const Element& x, const Element& y) {
    const Element xy = commutator(x, y);
    Element z = x;
    z.add(1.0, y);
    z.add(0.5, xy);
    z.add(1.0 / 12.0, commutator(x, xy));
    z.add(-1.0 / 12.0, commutator(y, xy));
    return z;
}

/// That of a gradient kick is B + c [B, [A, B]] / 2, with c its part of the gradient.
Element element(const Flow& flow) {
    Element x;
    if (flow.kind == FlowKind::drift) x.a = flow.fraction;
    if (flow.is_kick())
        for (std::size_t l = 0; l < levels; ++l)
            if (flow.level == all_levels || flow.level == static_cast<ForceLevel>(l) + 1)
                x.b[l] = flow.fraction;
    for (auto& of_level : x.bab) of_level.fill(0.5 * flow.gradient * flow.fraction);
    return x;
}

} // namespace

std::optional<ShadowTerms> shadow_terms(const Word& word, double dt) {
    Element sum;
    for (const Flow& flow : word) {
        if (flow.kind != FlowKind::drift && flow.kind != FlowKind::kick &&
            flow.kind != FlowKind::gradient_kick)
            return std::nullopt;
        sum = joined(sum, element(flow));
    }
    // As functions, {.,.} the Poisson bracket and [x, y] = -{x, y}:
    // [A, B] = v.grad V, [A, [A, B]] = v.V'' v, [B_k, [A, B_l]] = -grad V_k.M^-1 grad V_l.
    ShadowTerms terms;
    for (std::size_t l = 0; l < levels; ++l) {
        terms.along[l] = -dt * sum.ab[l];
        terms.curvature[l] = dt * dt * sum.aab[l];
        for (std::size_t k = 0; k < levels; ++k)
            terms.product[k][l] = -0.5 * dt * dt * (sum.bab[k][l] + sum.bab[l][k]);
    }
    return terms;
}

bool ShadowTerms::vanish(double dt) const {
    constexpr double rounding = 1e-12; // of sums of tabulated fractions
    bool zero = true;
    for (std::size_t l = 0; l < levels; ++l) {
        zero = zero && std::abs(along[l]) < rounding * dt &&
               std::abs(curvature[l]) < rounding * dt * dt;
        for (std::size_t k = 0; k < levels; ++k)
            zero = zero && std::abs(product[k][l]) < rounding * dt * dt;
    }
    return zero;
}

} // namespace shadow
