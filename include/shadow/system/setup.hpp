// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/system/net_motion.hpp"
#include "shadow/system/particles.hpp"
#include "shadow/system/topology.hpp"
#include "shadow/system/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// A system as the file of `system.file` describes it, at step 0 and time 0. Positions are inside
/// the box in periodic directions; momenta are mass times velocity, zero where the file has none.
template <int Dim>
struct LoadedSystem {
    Box<Dim> box;
    Snapshot<Dim> snapshot;
    Topology topology = {};
    bool has_exclusions = false; ///< the file says which pairs are excluded
    bool has_velocities = false;
    bool has_images = false;  ///< else they only undo the wrapping of positions
    bool has_momenta = false; ///< instead of velocities: masses of the input do not change them
    bool has_masses = true;   ///< else each is 1 unless the input says so
    std::string units = "lj"; ///< in which the file was, a name of `file_units`
    std::vector<std::string> notes = {}; ///< what a user should know: assumptions, things left out
    std::vector<std::string> warnings = {}; ///< likewise, where it is probably wrong
};

/// The origin of the velocities at the start.
struct StartVelocities {
    std::optional<double> temperature; ///< of `velocity`, if the input gives it
    bool from_file = false;
};

/// The start of a run, on the host.
template <int Dim>
struct Setup {
    Box<Dim> box;
    Snapshot<Dim> start;
    Units units;
    Topology topology = {};
    std::array<double, 3> magnetic_field{}; ///< energy time/(charge length^2)
    StartVelocities velocities = {};
    std::string file_units = {};                        ///< if velocities are from a file
    std::vector<std::string> notes = {}, warnings = {}; ///< as of the file
};

/// The tables of `[system]` and `[[species]]`, for `mdrun --describe`.
[[nodiscard]] const std::vector<Descriptor>& system_tables();

/// `temperature` of a table `velocity`: finite and not below zero.
[[nodiscard]] double read_temperature(const Parameters& velocity);

/// `system.dimension`: 1, 2 or 3.
[[nodiscard]] int system_dimension(const Parameters& root);

/// Reads `[system]`, `[[species]]` and `[[molecule]]` of the input, whose keys `system_tables`
/// describes. An ordered mixture has a species for each sublattice, those of [[species]] in their
/// order unless named, and no fractions. Without lengths the box fits the cells of a lattice
/// exactly. With a density the lattice constant follows; random points fill a cube of that density.
/// A box is periodic unless the input says otherwise. `loaded` replaces the lattice where
/// `system.file` is given: its box is used unless the input gives lengths or periodicity, its
/// velocities unless the input gives a temperature, its species except for masses and charges given
/// in the input under their names. If the input gives a temperature, all particles are at rest
/// until `draw_velocities`.
///
/// Throws InputError, located in the input.
template <int Dim>
[[nodiscard]] Setup<Dim> make_system(const Parameters& root, std::uint64_t seed,
                                     std::optional<LoadedSystem<Dim>> loaded = {});

/// Draws velocities at `system.velocity.temperature`, if the input gives it. Throws InputError,
/// located in the input.
template <int Dim>
void draw_velocities(const Parameters& root, Setup<Dim>& setup,
                     const ConservedMomenta<Dim>& conserved, std::uint64_t seed);

} // namespace shadow
