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
    bool pair_is_double = false; ///< the arithmetic on one pair; else float
    std::uint64_t seed = 1;
    std::vector<std::string> levels = {"fast", "slow"}; ///< of forces, see `read_levels`
    std::filesystem::path folder = {};                  ///< of the input: of files it names
};

/// What is simulated, but for its particles: units, molecules, forces, and what these conserve.
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

    /// The context of observables of a stage that begins with `setup`, which it refers to.
    [[nodiscard]] ObservableContext<Dim> observables(const Setup<Dim>& setup) const;
};

/// A model of `setup` without forces.
template <int Dim>
[[nodiscard]] Model<Dim> model_of(const Setup<Dim>& setup, ModelOptions options);

/// Adds the forces of `[[force]]` to a model of `setup`. Throws InputError, located in the input.
template <int Dim>
void add_forces(Model<Dim>& model, const Parameters& root, const Backend& backend,
                const Setup<Dim>& setup);

/// How the particles of a model are made.
template <int Dim>
struct ParticleOptions {
    double skin = 0.0;                   ///< of lists, length; 0: that of the forces
    Spacing spacing = {};                ///< of positions and momenta; with one, lists last no step
    double min_length = 1.0;             ///< the part of its lengths to which the box may shrink
    bool mollifies = false;              ///< molecules of fast bonded forces are averaged
    bool moves_exactly = false;          ///< under the forces of the first level, which are linear
    bool kicks_implicitly = false;       ///< with the forces of the first level, which are bonded
    bool has_light_atoms = false;        ///< that move under these apart from the others
    std::vector<double> pair_radii = {}; ///< of baths between pairs
    /// Asks for the lists of observables.
    std::function<void(Neighbours<Dim>&)> declare_lists = {};
};

/// Particles on a backend, from `start` on, under the forces of the model.
template <int Dim>
[[nodiscard]] std::unique_ptr<ParticleSystem<Dim>>
make_particles(const Model<Dim>& model, const Backend& backend, const Box<Dim>& box,
               const Snapshot<Dim>& start, const ParticleOptions<Dim>& options = {});

} // namespace shadow
