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

/// Which others the force on a particle depends on, and so the list that its term needs.
struct ForceList {
    enum class Of {
        nobody,  ///< none: no list
        pairs,   ///< those within a cut-off: a list of pairs
        bonded,  ///< those it is bonded with: terms by particle (Neighbours::keep)
        everyone ///< all, with their images: no list, but a box that is as it was
    };
    Of of = Of::nobody;
    /// Beyond which pairs are left out, by species; infinite where none are.
    std::vector<double> cutoffs = {};

    /// Of the list.
    [[nodiscard]] double radius() const {
        return cutoffs.empty() ? 0.0 : *std::max_element(cutoffs.begin(), cutoffs.end());
    }
};

/// What a description of a force has, whatever its kind, and what it says of itself where its kind
/// says nothing else by a member of the same name. A kind adds
///
///     template <int Dim> // asks `neighbours` for its list
///     std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
///                                          Neighbours<Dim>& neighbours) const;
///     template <int Dim> // the same without lists
///     DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
struct CommonDescription {
    std::string name = {}; ///< of the series of its energy
    ForceLevel level = 1;
    std::string type = {}; ///< of the [[force]] that it is a part of,
    std::size_t table = 0; ///< and which it is, from 1 on

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
    [[nodiscard]] ForceList list() const { return {}; }
    /// Is there a function of its second derivatives, the Hessian times a vector?
    [[nodiscard]] bool gives_hessian() const { return false; }
    /// Does its energy jump at its cut-off, where the force knows nothing of it, without a tail
    /// that makes up for it?
    [[nodiscard]] bool jumps() const { return false; }
    /// Is another one of its kind the same, but for the level?
    [[nodiscard]] bool is_same(const CommonDescription&) const { return false; }
};

} // namespace shadow
