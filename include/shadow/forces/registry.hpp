// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/bonded.hpp"
#include "shadow/forces/field.hpp"
#include "shadow/forces/long_range.hpp"
#include "shadow/forces/pair_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace shadow {

/// All forces, for `mdrun --list`. Potentials come from the list of kernels/potentials/list.hpp,
/// external fields from that of kernels/fields/list.hpp, bonded forces from that of
/// kernels/bonded/list.hpp; a force of another kind from `ForceDescription` and the list of readers
/// (src/forces/registry.cpp).
[[nodiscard]] const std::vector<Descriptor>& forces();

/// The keys that several forces have, and the tables in them.
[[nodiscard]] const std::vector<Descriptor>& force_tables();

/// `levels` of an input: names of the levels of forces, those that kick most often first.
[[nodiscard]] std::vector<std::string> read_levels(const Parameters& root);

/// The kinds of terms (bonds, angles ...) whose forces the input takes from its data file. Throws
/// InputError.
[[nodiscard]] std::vector<BondedKind> kinds_with_data_coefficients(const Parameters& root);

/// A force of any kind. Terms are in the order of this list.
using ForceDescription =
    std::variant<PairForceDescription, BondedDescription, LongRangeDescription, FieldDescription>;

/// All `[[force]]` tables, validated; forces that one pass can compute together are one
/// description.
struct ForcePlan {
    std::vector<ForceDescription> forces = {};        ///< in the order of their terms
    std::vector<PairForceDescription> step_sums = {}; ///< of `[[step_sum]]`, which are no forces
    std::vector<std::string> levels = {};
    std::vector<std::array<std::uint32_t, 2>> excluded = {}; ///< of the topology

    [[nodiscard]] bool empty() const { return forces.empty(); }
    /// Calls `f` with the description of each force.
    template <class F>
    void each(const F& f) const {
        for (const ForceDescription& force : forces) std::visit(f, force);
    }
    /// Forces of one kind, of a level or of all.
    template <class Kind>
    [[nodiscard]] std::vector<Kind> of(ForceLevel level = all_levels) const {
        std::vector<Kind> found;
        for (const ForceDescription& force : forces)
            if (const Kind* own = std::get_if<Kind>(&force))
                if (level == all_levels || own->level == level) found.push_back(*own);
        return found;
    }
    /// The first force of a kind, or null.
    template <class Kind>
    [[nodiscard]] const Kind* first() const {
        for (const ForceDescription& force : forces)
            if (const Kind* own = std::get_if<Kind>(&force)) return own;
        return nullptr;
    }
    /// The first force for which `is` is true, or null; and its name, or "".
    template <class Is>
    [[nodiscard]] const ForceDescription* find(const Is& is) const {
        for (const ForceDescription& force : forces)
            if (std::visit(is, force)) return &force;
        return nullptr;
    }
    template <class Is>
    [[nodiscard]] std::string name_where(const Is& is) const {
        const ForceDescription* const found = find(is);
        return found ? std::visit([](const auto& f) { return f.name; }, *found) : "";
    }
    /// Is there a force that depends on these other particles?
    [[nodiscard]] bool has_list(ForceList::Of of) const {
        return find([of](const auto& force) { return force.list().of == of; });
    }
    /// The name of the first force without a virial (ForceClaims::has_virial), which acts from
    /// outside of the system.
    template <int Dim>
    [[nodiscard]] std::string name_without_virial() const {
        return name_where(
            [](const auto& force) { return !force.template claims<Dim>().has_virial; });
    }
    /// Names of the terms; for a term of several parts those of its parts, one after the other.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Claims of the terms, one for each term.
    template <int Dim>
    [[nodiscard]] std::vector<ForceClaims<Dim>> claims() const;
    /// Is there a force of this level?
    [[nodiscard]] bool has(ForceLevel level) const;
    /// The time from which on all forces are constant: minus infinity if none ever changes,
    /// infinity if one always does.
    [[nodiscard]] double steady_from() const;
    [[nodiscard]] bool constant() const { return std::isinf(steady_from()) && steady_from() < 0.0; }
    /// Names of the levels that have forces.
    [[nodiscard]] std::vector<std::string> used_levels() const;

    /// The longest finite cut-off; 0 if there is none.
    [[nodiscard]] double longest_cutoff() const;
    /// Is the cut-off of any force infinite?
    [[nodiscard]] bool all_pairs() const;
    /// 0.12 of the longest finite cut-off (0.3 for 2.5): rebuilds and wasted pairs then cost about
    /// the same in a simple liquid. 1 if there is no such cut-off.
    [[nodiscard]] double default_skin() const;

    /// Does any force act on charges? Does any damp them, so that they must be neutral?
    [[nodiscard]] bool charged() const;
    [[nodiscard]] bool damped() const;
    /// With a reaction field: c_rf = 3/((2 + 1/epsilon_rf) R), 0 without one, and the sum of k c_rf
    /// q^2 / 2 over all particles, which energies do not include.
    struct FieldSelf {
        double c_rf = 0.0, energy = 0.0;
    };
    [[nodiscard]] FieldSelf field_self(const std::vector<std::uint16_t>& species) const;
    /// Are point charges with 1/r the only pair force, so that opposite charges collapse?
    [[nodiscard]] bool bare_charges() const;

  private:
    [[nodiscard]] std::vector<double> cutoffs() const;
};

/// Reads `[[force]]`:
///
///     type, the parameters of the potential, cutoff, truncation, inner, tail, level, mixing
///     pairs = [ { species = ["A", "B"], parameters, cutoff, inner }, ... ]
///     split = { inner = r1, outer = r2, level } # into a fast and a slow part, by distance
///
/// of a pair force, of a bonded one
///
///     type, its parameters, of, level
///
/// (or type = "data-coefficients", of, level: several of them, from a data file)
///
/// and of an external field
///
///     type, the parameters of the field, coupling, species, level
///
/// and `[[step_sum]]`, sums over pairs that are not forces: as for a pair force, without level and
/// split.
///
/// Parameters next to `type` hold for every pair of species that `pairs` does not name; with
/// `mixing`, for every like pair, and unlike ones follow from the rule. Throws InputError, located
/// in the input.
template <int Dim>
[[nodiscard]] ForcePlan read_forces(const Parameters& root, const ForceContext<Dim>& context);

/// The terms of a plan, those of its sums last; requests their lists from `neighbours`.
template <int Dim>
[[nodiscard]] std::vector<std::unique_ptr<ForceTerm<Dim>>>
make_forces(const ForcePlan& plan, const ForceContext<Dim>& context, Neighbours<Dim>& neighbours);

} // namespace shadow
