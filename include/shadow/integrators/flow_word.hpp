// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/system.hpp"

#include <string_view>
#include <vector>

namespace shadow {

/// `exact_motion`: a drift together with the kicks of level 1. `gradient_kick`: a kick with forces
/// corrected by their gradient. `implicit_kick`: an implicit kick of level 1, or a kick of all
/// levels in which level 1 is implicit. `damping`: friction without noise. `damped_kick`: a kick of
/// all forces with friction.
enum class FlowKind {
    drift,
    kick,
    gradient_kick,
    mollified_kick,
    implicit_kick,
    exact_motion,
    bath,
    damping,
    damped_kick
};

/// One flow of a splitting method, over `fraction` of the step.
struct Flow {
    FlowKind kind;
    ForceLevel level; ///< of a kick
    double fraction;
    BathKind bath = BathKind::langevin; ///< of a bath or of friction
    double theta = 0.5;                 ///< of an implicit kick: see System
    double gradient = 0.0;              ///< of a gradient kick, in units of dt^2

    [[nodiscard]] bool same_part(const Flow& other) const {
        return kind == other.kind && (!is_kick() || level == other.level) && bath == other.bath &&
               gradient == other.gradient;
    }
    /// Does it move particles?
    [[nodiscard]] bool moves() const {
        return kind == FlowKind::drift || kind == FlowKind::exact_motion;
    }
    [[nodiscard]] bool is_kick() const {
        return kind == FlowKind::kick || kind == FlowKind::gradient_kick ||
               kind == FlowKind::mollified_kick || kind == FlowKind::implicit_kick ||
               kind == FlowKind::damped_kick;
    }
    /// Does it apply friction without noise?
    [[nodiscard]] bool damps() const {
        return kind == FlowKind::damping || kind == FlowKind::damped_kick;
    }
    /// Are two of these flows, one after the other, equal to one over the time of both?
    [[nodiscard]] bool is_exact() const {
        return kind != FlowKind::implicit_kick && (!damps() || bath == BathKind::langevin) &&
               !is_of_pairs(bath);
    }
};

/// A step of a splitting method: its flows in the order in which they act.
using Word = std::vector<Flow>;

/// Reads a word such as `B½ A1 B½`; the first flow acts first.
///
/// A flow is a letter and its fraction of the step. Letters: `A` drift, `H` exact motion under the
/// (harmonic) forces of level 1, `B` kick of all forces, `B[2]` kick of the forces of level 2, `F`
/// and `S` kick of the first and of the last of `levels`, `G[c]` kick of all forces corrected by c
/// dt^2 times their gradient (System::gradient_kick), `M` and `M[2]` mollified kick of the last
/// level and of level 2, `I` motion under the forces of level 1 by the implicit midpoint rule, `J`
/// kick of all forces with level 1 implicit, `O` bath, `P` bath by the midpoint rule, `C`
/// collisions with a bath, `Q` friction and noise of pairs, `L` exchanges of pairs with a bath, `D`
/// friction, `X` and `Y` friction by Euler's explicit and implicit method, `K` kick of all forces
/// with friction, `R` the same by Heun's method, `V` = `(B½ A1 B½)`. A fraction is a decimal
/// number, `p/q`, `½`, or `*`: what is left to one for the same letter (B and G together), in equal
/// shares. `( )` followed by a fraction scales a word; followed by `^n` the word is repeated
/// `inner` times, each over 1/n of the time (`^3`: three times). `|` at the end of a word appends
/// its flows in reverse order, without repeating the last one: `B½ A1 |` is `B½ A1 B½`. Adjacent
/// flows of the same part are merged.
///
/// Throws InputError with the position for a word that it cannot read.
[[nodiscard]] Word parse_word(std::string_view text, int inner = 1, int levels = 2);

/// Whether the word reads the same from both ends, with X for Y; such a method is time-reversible,
/// except for its bath and friction.
[[nodiscard]] bool is_symmetric(const Word& word);

/// The largest fraction of a step over which particles move without a kick.
[[nodiscard]] double longest_drift(const Word& word);

/// The error of a word against the exact flow of the sum of its parts at one power of dt: the
/// largest deviation from 1/k! of the coefficients of the k-letter products in the expanded product
/// of exponentials, over all such products. It uses that B is a function of positions and A
/// quadratic in momenta, so that B and [B, [A, B]] commute; products that are equal for this reason
/// are counted as one. So zero for k = 1..p is sufficient for order p with any forces that do not
/// change in time, and for weak order p with a bath.
[[nodiscard]] double order_defect(const Word& word, int degree);

/// The largest p <= 8 such that order_defect vanishes (1e-12, above the rounding of tabulated
/// coefficients) up to degree p; 0 for a word that is not even consistent. At most 2 with implicit
/// kicks, which approximate a flow to that order only, and 1 where their theta is not 1/2; at most
/// 2 also with kicks by Heun's method and with friction by Euler's methods, 1 where the errors of X
/// and Y do not cancel. At most 2 with pair baths: the order of averages.
[[nodiscard]] int order_of(const Word& word);

} // namespace shadow
