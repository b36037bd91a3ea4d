// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/forces/bonded.hpp"

#include "kernels/bonded/molecule_groups.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Molecules connected by bonded forces, those of one kind side by side, in backend memory.
template <int Dim>
class MoleculeGroups {
  public:
    /// How many numbers an op needs in memory for a molecule of a kind.
    using Numbers = std::int64_t (*)(const MoleculeKind&);

    struct Options {
        /// Atoms of a molecule are in an order in which those of one term are near each other
        /// (`bring_together`), else in that of their ids.
        bool narrow = false;
        bool with_single_atoms = false; ///< a particle without such a force is a molecule, too
    };

    /// `forces`: none of them internal.
    MoleculeGroups(const Backend& backend, std::span<const BondedDescription> forces,
                   const Snapshot<Dim>& start, Numbers numbers_of, Options options);

    [[nodiscard]] MoleculeGroupsView<Dim> view(const BoxView<Dim>* box,
                                               const std::int32_t* index_of_id) const;
    [[nodiscard]] std::int64_t molecules() const { return molecules_; }
    [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
    /// A kind, with the first and the last id of one of its molecules.
    struct Example {
        MoleculeKind kind;
        std::uint32_t first, last;
    };
    [[nodiscard]] const std::vector<Example>& examples() const { return examples_; }
    /// Coordinates, and `numbers`: the maximum of a molecule, and the sum over all groups.
    [[nodiscard]] std::int64_t max_coordinates() const { return max_coordinates_; }
    [[nodiscard]] std::int64_t coordinates() const {
        return static_cast<std::int64_t>(ids_.size()) * Dim;
    }
    [[nodiscard]] std::int64_t max_numbers() const { return max_numbers_; }
    [[nodiscard]] std::int64_t numbers() const { return numbers_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    Array<MoleculeKind> kinds_;
    Array<MoleculeTerm> terms_, constraints_;
    Array<double> rows_, inverse_mass_;
    Array<MoleculeGroup> groups_;
    Array<std::uint32_t> ids_;
    std::vector<Example> examples_;
    std::int64_t molecules_ = 0, max_coordinates_ = 0, max_numbers_ = 0, numbers_ = 0;
};

} // namespace shadow
