// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"
#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/particle_system.hpp"

#include <functional>
#include <memory>
#include <string>

namespace shadow {

/// Whether a GPU computes what it should, looked at on copies of the particles of a run.
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

    /// Forces and energies of a sample of the particles, of small systems of all and the virial
    /// too, against a sum over all pairs on the processor. In a large system the virial is that of
    /// some particles next to each other, as a system of their own. Throws MachineError where they
    /// differ by more than DirectSum says of rounding.
    void check_forces(const ForcePlan& forces, bool pair_is_double) const;

    /// Some steps in each way that the GPU does them (kernels/cuda/replay_report.hpp) against
    /// launches, bit for bit. Warns of a way with other bits, and leaves the best one that is
    /// right. Throws MachineError where launches themselves do not repeat.
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
