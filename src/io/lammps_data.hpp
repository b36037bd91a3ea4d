// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/io/raw_system.hpp"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The parts of a reader of LAMMPS data files.
namespace shadow {

using Words = std::vector<std::string_view>;

/// Bonds, or angles, dihedrals, impropers of a data file.
struct DataTerms {
    std::int64_t count = 0, types = 0; ///< as announced by the header
    std::vector<std::string> labels;   ///< of types, if the file gives them
    bool read = false;
    bool coefficients_read = false;
};

/// A data file while it is being read.
struct DataFile {
    Lines lines;
    RawSystem raw;
    std::int64_t atoms = -1, types = -1;
    std::array<bool, 3> bounds{};
    bool has_atoms = false, has_masses = false;
    std::vector<std::string> labels = {};                   ///< of types, if the file gives them
    std::vector<std::string> comments = {};                 ///< after the masses of types
    std::unordered_map<std::int64_t, std::size_t> row = {}; ///< of an id
    std::array<DataTerms, bonded_kinds.size()> terms{};

    [[nodiscard]] bool bonded() const {
        for (const DataTerms& kind : terms)
            if (kind.count > 0) return true;
        return false;
    }
};

/// The words of the next non-empty line, with its comment in `comment`; empty at the end of the
/// file.
Words next_words(Lines& lines, std::string_view* comment = nullptr);
/// Throws InputError at the current line if a section ends too early, or unless `right`.
void need_columns(const DataFile& file, const Words& words, bool right, const char* wanted);
/// The type labels of a section, for `types` types called `what`.
std::vector<std::string> read_labels(DataFile& file, std::int64_t types, const char* what);

/// The sections Masses, Atoms (of style `style`; "" if the file does not give it) and Velocities.
void read_masses(DataFile& file);
void read_atoms(DataFile& file, std::string_view style);
void read_velocities(DataFile& file);
/// The section Bonds, Angles, Dihedrals or Impropers, into `raw.topology`, by rows of atoms.
void read_terms(DataFile& file, BondedKind kind);
/// Bond Coeffs or the like, of the style given in `comment`, into `raw.topology`.
void read_coefficients(DataFile& file, BondedKind kind, std::string_view comment);
/// "Bond", "Angle" ... as in titles of sections.
std::string title_of(BondedKind kind);
/// The name of a type in the file: its label, else its number.
std::string type_named(std::string_view word, BondedKind kind, const DataFile& file);

} // namespace shadow
