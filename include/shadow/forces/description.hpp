// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/forces/direct_force.hpp"
#include "shadow/forces/force.hpp"
#include "shadow/system/particles.hpp"
#include "shadow/system/topology.hpp"
#include "shadow/system/units.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace shadow {

/// What forces need besides their tables.
template <int Dim>
struct ForceContext {
    const Backend& backend;
    const Box<Dim>& box;
    const Snapshot<Dim>& start; ///< its species table and numbers of particles
    const Units& units;
    bool pair_is_double; ///< is the arithmetic on one pair in double?
    std::vector<std::string> levels = {"fast", "slow"}; ///< as `read_levels` gives them
    const Topology* topology = nullptr;                 ///< null: nothing is bonded
    std::string folder = {};                            ///< of the input
};

/// The other particles on which the force on a particle depends, and so the list that its term
/// needs.
struct ForceList {
    enum class Of {
        no_list,   ///< none: no list
        pairs,     ///< those within a cut-off: a list of pairs
        bonded,    ///< those bonded to it: terms by particle (Neighbours::keep)
        all_images ///< all, with their images: no list, but an unchanged box
    };
    Of of = Of::no_list;
    /// Cut-offs beyond which pairs are left out, by pair of species; infinite where none are.
    std::vector<double> cutoffs = {};

    /// The cut-off of the list.
    [[nodiscard]] double radius() const {
        return cutoffs.empty() ? 0.0 : *std::max_element(cutoffs.begin(), cutoffs.end());
    }
};

/// What descriptions of all kinds of forces have, and defaults, which a kind may replace by members
/// of the same name. A kind adds
///
///     template <int Dim> // requests its list from `neighbours`
///     std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
///                                          Neighbours<Dim>& neighbours) const;
///     template <int Dim> // the same without lists
///     DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
struct CommonDescription {
    std::string name = {}; ///< of the series of its energy
    ForceLevel level = 1;
    std::string type = {}; ///< of the [[force]] to which it belongs
    std::size_t table = 0; ///< the number of that [[force]], from 1 on

    /// Names of the parts of the term (ForceTerm::parts).
    [[nodiscard]] std::vector<std::string> names() const { return {name}; }
    template <int Dim>
    [[nodiscard]] ForceClaims<Dim> claims() const {
        return {};
    }
    [[nodiscard]] bool acts_on_charges() const { return false; }
    /// Is the force a linear function of positions that does not change in time?
    [[nodiscard]] bool is_linear() const { return false; }
    /// The time from which on it is constant: minus infinity if it never changes, infinity if it
    /// always does.
    [[nodiscard]] double steady_from() const { return -std::numeric_limits<double>::infinity(); }
    [[nodiscard]] ForceList list() const { return {}; }
    /// Can its Hessian be multiplied by a vector?
    [[nodiscard]] bool gives_hessian() const { return false; }
    /// Does its energy jump at its cut-off, which the force does not contain? Not where a tail
    /// corrects for it in the mean, unless `tails`.
    [[nodiscard]] bool jumps(bool /*tails*/ = false) const { return false; }
    /// Is another description of its kind the same, except for the level?
    [[nodiscard]] bool is_same(const CommonDescription&) const { return false; }
};

} // namespace shadow
