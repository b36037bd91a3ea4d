// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// "bond", "angle", "dihedral" or "improper".
[[nodiscard]] const char* name(BondedKind kind);
inline constexpr std::array bonded_kinds = {BondedKind::bond, BondedKind::angle,
                                            BondedKind::dihedral, BondedKind::improper};

/// Bonds of one type; or angles, dihedrals, impropers.
struct BondedGroup {
    BondedKind kind = BondedKind::bond;
    std::string type;                   ///< bonded forces refer to it
    std::vector<std::uint32_t> members; ///< ids, `members_of(kind)` for each

    [[nodiscard]] std::size_t size() const { return members.size() / span(); }
    [[nodiscard]] std::size_t span() const { return static_cast<std::size_t>(members_of(kind)); }
};

/// What a LAMMPS data file gives for the force on bonds, angles ... of one type.
struct TypeCoefficients {
    BondedKind kind = BondedKind::bond;
    std::string type;            ///< as in BondedGroup
    std::string style;           ///< one of `coefficient_styles`
    std::vector<double> numbers; ///< in the order of LAMMPS, angles in degrees
    std::string place;           ///< of their line, for messages

    [[nodiscard]] bool same(const TypeCoefficients& other) const {
        return style == other.style && numbers == other.numbers;
    }
};

/// The styles of LAMMPS whose coefficients are read.
[[nodiscard]] const std::vector<std::string>& coefficient_styles(BondedKind kind);

/// A pair three bonds apart that is excluded and has scaled pair potentials instead.
struct ScaledPair {
    std::array<std::uint32_t, 2> members; ///< ids
    double lj, coulomb; ///< factors: `coulomb` for charges, `lj` for all other potentials

    [[nodiscard]] bool operator==(const ScaledPair&) const = default;
};

/// Which particles are bonded to each other; constant.
struct Topology {
    std::vector<BondedGroup> groups;
    std::vector<std::array<std::uint32_t, 2>> excluded; ///< pairs on which no pair force acts
    std::vector<ScaledPair> scaled;                  ///< of these, those with a scaled pair force
    std::vector<TypeCoefficients> coefficients = {}; ///< of a data file, if the input requests them
    std::vector<std::int64_t> file_ids; ///< of particles in the file of the start; may be empty

    /// The number of a particle in messages: that of the file.
    [[nodiscard]] std::int64_t called(std::uint32_t id) const {
        return id < file_ids.size() ? file_ids[id] : id;
    }
    [[nodiscard]] std::vector<std::int64_t> called(std::span<const std::uint32_t> ids) const;
    [[nodiscard]] bool empty() const { return groups.empty(); }
    /// The group of this kind and type, which is added where there is none.
    [[nodiscard]] BondedGroup& group(BondedKind kind, const std::string& type);
    /// Appends copies of all of `molecule`, whose particles are 0 .. particles - 1: `count` of
    /// them from particle `first` on.
    void append(const Topology& molecule, std::int64_t particles, std::int64_t count,
                std::int64_t first);
};

/// Pairs of particles that are at most so many bonds apart, each once, ascending.
[[nodiscard]] std::vector<std::array<std::uint32_t, 2>>
pairs_within_bonds(const Topology& topology, std::int64_t particles, int bonds);

/// "", or the first pair that was scaled and has no pair force at all now, in words.
[[nodiscard]] std::string lost_scaling(const Topology& before, const Topology& now);

/// "", or the first bond, angle ... that is not the same now, in words.
[[nodiscard]] std::string changed_terms(const Topology& before, const Topology& now);

/// "", or the first type that has other coefficients now, in words.
[[nodiscard]] std::string changed_coefficients(const Topology& before, const Topology& now);

/// "", or why the topology is invalid, as a message: a term with a particle that does not exist or
/// occurs twice, or a term that occurs twice.
[[nodiscard]] std::string why_no_topology(const Topology& topology, std::int64_t particles);

} // namespace shadow
