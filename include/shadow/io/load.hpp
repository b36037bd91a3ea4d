// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/setup.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// The units of a file of particles. Lengths, masses and charges are those of the run, so that only
/// velocities depend on them.
struct FileUnits {
    const char* name;    ///< as in `system.file_units`
    const char* style;   ///< name in LAMMPS ("units = real" in a data file), or nullptr
    double femtoseconds; ///< in one unit of time, if lengths are in Angstrom; 0: reduced units
};

/// "lj", "akma", "lammps-real", "lammps-metal" and "ase"; the styles "real" and "metal" are also
/// names of `system.units`.
[[nodiscard]] const std::vector<FileUnits>& file_units();

/// How a file is converted to a system.
struct LoadOptions {
    /// Species declared by the input; all particles must be of these. Empty: species are defined by
    /// the file.
    std::vector<Species> species;
    /// Frame of a trajectory, from 0; negative: counted from the end.
    std::int64_t frame = -1;
    /// Units of the run, to which the file is converted.
    std::string units = "lj";
    /// Units of the file, a name of file_units(); empty: those given in the file, else those of the
    /// run.
    std::string file_units = {};
    /// Kinds of bonded terms whose coefficients are read from a LAMMPS data file.
    std::vector<BondedKind> coefficients = {};
};

/// `system.file`: a checkpoint, a frame of an H5MD file, extended XYZ, or a LAMMPS data file,
/// identified by name (.h5, .h5md; .xyz, .extxyz; .data, .lmp) and otherwise by contents. Throws
/// InputError that names file and line: files that are truncated, binary, or damaged; numbers that
/// are not finite; species that the input does not declare; boxes with edges tilted in a circle; a
/// third coordinate that varies in a 2D system.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_system(const std::filesystem::path& path,
                                            const LoadOptions& options = {});

/// Extended XYZ: `Lattice`, `Origin`, `pbc`, and `Properties` with species:S:1, pos:R:3, and
/// optionally vel or velo:R:3, mass or masses:R:1, charge or charges:R:1, id:I:1. Plain XYZ is a
/// system in an open box. `name` is for messages.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_extxyz(std::string_view text, const std::string& name,
                                            const LoadOptions& options = {});

/// A LAMMPS data file of atom style atomic, charge, bond, angle, molecular or full, with a box that
/// is periodic in every direction (the format does not specify it). Types are numbered species: the
/// first declared species is type 1, unless type labels name them.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_lammps_data(std::string_view text, const std::string& name,
                                                 const LoadOptions& options = {});

/// A frame of `particles/all`, or of the only group of particles of an H5MD file.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_h5md(const std::filesystem::path& path,
                                          const LoadOptions& options = {});

/// The physical state in a checkpoint of another run. Momenta of a Nosé-Poincaré run are divided by
/// s; bath, statistics and time are not loaded.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_checkpoint(const std::filesystem::path& path,
                                                const LoadOptions& options = {});

} // namespace shadow
