// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/forces/force.hpp"
#include "shadow/system/particles.hpp"
#include "shadow/system/topology.hpp"
#include "shadow/system/units.hpp"

#include <limits>
#include <string>
#include <vector>

namespace shadow {

/// What forces need to know beside their tables.
template <int Dim>
struct ForceContext {
    const Backend& backend;
    const Box<Dim>& box;
    const Snapshot<Dim>& start; ///< its species table and how many of each there are
    const Units& units;
    bool pair_is_double;                                ///< type of the arithmetic on one pair
    std::vector<std::string> levels = {"fast", "slow"}; ///< as `read_levels` gives them
    const Topology* topology = nullptr;                 ///< null: nothing is bonded
    std::string folder = {};                            ///< of the input
};

/// What a description of a force has, whatever its kind, and what it says of itself where its kind
/// says nothing else by a member of the same name. A kind adds
///
///     template <int Dim> // asks `neighbours` for the lists that the term needs
///     std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
///                                          Neighbours<Dim>& neighbours) const;
struct CommonDescription {
    std::string name = {}; ///< of the series of its energy
    ForceLevel level = 1;

    /// Of the parts of the term (ForceTerm::parts).
    [[nodiscard]] std::vector<std::string> names() const { return {name}; }
    template <int Dim>
    [[nodiscard]] ForceClaims<Dim> claims() const {
        return {};
    }
    [[nodiscard]] bool acts_on_charges() const { return false; }
    /// Is it a linear function of places that does not change in time?
    [[nodiscard]] bool is_linear() const { return false; }
    /// The time from which it does not change any more: minus infinity if it never does, infinity
    /// if it always does.
    [[nodiscard]] double steady_from() const { return -std::numeric_limits<double>::infinity(); }
    /// Beyond which pairs are left out; infinite where none are. None: it needs no list of pairs.
    [[nodiscard]] std::vector<double> cutoffs() const { return {}; }
    /// Does its energy jump at its cut-off, where the force knows nothing of it, without a tail
    /// that makes up for it?
    [[nodiscard]] bool jumps() const { return false; }
    /// Is another one of its kind the same, but for the level?
    [[nodiscard]] bool is_same(const CommonDescription&) const { return false; }
};

} // namespace shadow
