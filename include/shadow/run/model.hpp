// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/system/setup.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shadow {

/// How a model is computed.
struct ModelOptions {
    bool pair_is_double = false; ///< arithmetic of pair forces; else float
    std::uint64_t seed = 1;
    std::vector<std::string> levels = {"fast", "slow"}; ///< of forces, see `read_levels`
    std::filesystem::path folder = {};                  ///< of the input, for files that it names
};

/// The simulated model without its particles: units, molecules, forces, and their conserved
/// quantities.
template <int Dim>
struct Model {
    ModelOptions options;
    Units units = units_named("lj");
    StartVelocities velocities = {};
    Topology topology = {};
    std::array<double, 3> magnetic_field{};
    ForcePlan forces = {};
    ConservedMomenta<Dim> conserved = {}; ///< by the forces

    [[nodiscard]] bool is_magnetic() const { return magnetic_field != std::array<double, 3>{}; }

    /// The context of observables of a stage that starts from `setup`, to which it refers.
    [[nodiscard]] ObservableContext<Dim> observables(const Setup<Dim>& setup) const;
};

/// A model of `setup` without forces.
template <int Dim>
[[nodiscard]] Model<Dim> model_of(const Setup<Dim>& setup, ModelOptions options);

/// Adds the forces of `[[force]]` to a model of `setup`. Throws InputError, located in the input.
template <int Dim>
void add_forces(Model<Dim>& model, const Parameters& root, const Backend& backend,
                const Setup<Dim>& setup);

/// Options for the particles of a model.
template <int Dim>
struct ParticleOptions {
    double skin = 0.0;                   ///< of lists, length; 0: that of the forces
    Spacing spacing = {};                ///< of positions and momenta; new lists at each step
    double min_length = 1.0;             ///< smallest factor by which the box may shrink
    bool mollifies = false;              ///< mollified forces, averaged over fast bonded forces
    bool moves_exactly = false;          ///< exact motion under the linear forces of level 1
    bool kicks_implicitly = false;       ///< implicit kicks by the bonded forces of level 1
    bool has_light_atoms = false;        ///< light atoms move separately under these forces
    std::vector<double> pair_radii = {}; ///< of baths that act between pairs
    /// Declares the lists of observables.
    std::function<void(Neighbours<Dim>&)> declare_lists = {};
};

/// Particles on a backend in the state `start`, with the forces of the model.
template <int Dim>
[[nodiscard]] std::unique_ptr<ParticleSystem<Dim>>
make_particles(const Model<Dim>& model, const Backend& backend, const Box<Dim>& box,
               const Snapshot<Dim>& start, const ParticleOptions<Dim>& options = {});

} // namespace shadow
