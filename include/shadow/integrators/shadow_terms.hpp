// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"

#include "kernels/by_level.hpp"

#include <array>
#include <optional>

namespace shadow {

/// The terms that a splitting method adds to H in the energy that it conserves, up to second order
/// in its step h. With forces F_l of level l, velocities v and masses m it conserves, up to higher
/// orders,
///
///     H + sum_l along_l v.F_l + sum_l curvature_l v.V_l'' v + sum_lk product_lk F_l.M^-1 F_k
///
/// (Leimkuhler and Reich 2004, sections 5.4 and 5.5): for Verlet's method curvature is h^2/12, and
/// product -h^2/24.
struct ShadowTerms {
    template <class T>
    using EachLevel = std::array<T, static_cast<std::size_t>(max_levels)>;
    EachLevel<double> along{}, curvature{}; ///< by level - 1; time, time^2
    EachLevel<EachLevel<double>> product{}; ///< time^2; symmetric

    /// Whether the energy itself is conserved to more than second order.
    [[nodiscard]] bool vanish(double dt) const;
};

/// The terms of a word with steps `dt`, from the Baker-Campbell-Hausdorff formula for its flows in
/// sequence. Nothing if the word has a bath, or kicks at average positions.
[[nodiscard]] std::optional<ShadowTerms> shadow_terms(const Word& word, double dt);

} // namespace shadow
