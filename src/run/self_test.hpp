// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"
#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/particle_system.hpp"

#include <functional>
#include <memory>
#include <string>

namespace shadow {

/// Checks the results of a GPU on copies of the particles of a run.
template <int Dim>
class SelfTest {
  public:
    using Copy = std::unique_ptr<ParticleSystem<Dim>>;
    /// Makes particles on the GPU with the forces of the run.
    using Make = std::function<Copy(const Box<Dim>&, const Snapshot<Dim>&)>;
    using MakeMethod = std::function<std::unique_ptr<Integrator>()>;

    /// `start` is kept by reference.
    SelfTest(const Backend& backend, Make make, const Box<Dim>& box, const SystemState<Dim>& start)
        : backend_(backend), make_(std::move(make)), box_(box), start_(start) {}

    /// Compares forces and energies of a sample of the particles, in small systems of all particles
    /// and also the virial, with a sum over all pairs on the CPU. In a large system the virial is
    /// that of some neighbouring particles as a separate system. Throws MachineError if they differ
    /// by more than the rounding estimated by DirectSum.
    void check_forces(const ForcePlan& forces, bool pair_is_double) const;

    /// Compares some steps bitwise in each mode of replay of the GPU
    /// (kernels/cuda/replay_report.hpp) with single launches. Warns if a mode differs, and keeps
    /// the fastest correct mode. Throws MachineError if single launches do not repeat.
    void check_replay(const MakeMethod& make_method, double degrees_of_freedom) const;

  private:
    void compare(ParticleSystem<Dim>& copy, const Box<Dim>& box, const ForcePlan& forces,
                 bool pair_is_double) const;
    [[nodiscard]] std::string device() const;

    const Backend& backend_;
    Make make_;
    Box<Dim> box_;
    const SystemState<Dim>& start_;
};

} // namespace shadow
