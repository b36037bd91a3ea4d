// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/setup.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// The units of a file of particles. Lengths, masses and charges are those of the run, so
/// velocities tell them apart.
struct FileUnits {
    const char* name;    ///< as in `system.file_units`
    const char* style;   ///< of LAMMPS ("units = real" in a data file), or nullptr
    double femtoseconds; ///< of one unit of time, where lengths are in Angstrom; 0: reduced units
};

/// "lj", "akma", "lammps-real", "lammps-metal" and "ase"; the styles "real" and "metal" are also
/// names of `system.units`.
[[nodiscard]] const std::vector<FileUnits>& file_units();

/// How a file becomes a system.
struct LoadOptions {
    /// What the input declares; particles must be of these. Empty: the file brings its own.
    std::vector<Species> species;
    /// Which frame of a trajectory, from 0; negative: counted from the end.
    std::int64_t frame = -1;
    /// Those of the run, into which the file is converted.
    std::string units = "lj";
    /// Those of the file, a name of file_units(); empty: what it says, else those of the run.
    std::string file_units = {};
    /// Bonds, angles ... whose coefficients a LAMMPS data file gives.
    std::vector<BondedKind> coefficients = {};
};

/// `system.file`: a checkpoint, a frame of an H5MD file, extended XYZ, or a LAMMPS data file, told
/// apart by name (.h5, .h5md; .xyz, .extxyz; .data, .lmp) and else by contents. Throws InputError
/// that names file and line: files which are truncated, binary, or damaged; numbers that are not
/// finite; species which the input does not declare; boxes whose edges lean on each other in a
/// circle; a third coordinate that varies in a system of two dimensions.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_system(const std::filesystem::path& path,
                                            const LoadOptions& options = {});

/// Extended XYZ: `Lattice`, `Origin`, `pbc`, and `Properties` with species:S:1,
/// pos:R:3, and optionally vel or velo:R:3, mass or masses:R:1, charge or charges:R:1, id:I:1.
/// Plain XYZ is a system in an open box. `name` is for messages.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_extxyz(std::string_view text, const std::string& name,
                                            const LoadOptions& options = {});

/// A LAMMPS data file of atom style atomic, charge, bond, angle, molecular or full, its box
/// periodic in every direction (the format does not say). Types are numbered species: the first
/// declared species is type 1, unless type labels name them.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_lammps_data(std::string_view text, const std::string& name,
                                                 const LoadOptions& options = {});

/// A frame of `particles/all`, or of the only group of particles of an H5MD file.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_h5md(const std::filesystem::path& path,
                                          const LoadOptions& options = {});

/// The moment of a checkpoint, of another run: what is physical of it. Momenta of a Nosé-Poincaré
/// run are divided by s; bath, statistics and time stay behind.
template <int Dim>
[[nodiscard]] LoadedSystem<Dim> load_checkpoint(const std::filesystem::path& path,
                                                const LoadOptions& options = {});

} // namespace shadow
