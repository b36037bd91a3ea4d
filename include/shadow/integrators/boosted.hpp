// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/integrators/around_method.hpp"

#include "kernels/ops/boost.hpp"

#include <memory>
#include <string>

namespace shadow {

/// The keys of a boost.
[[nodiscard]] const Descriptor& boost_table();

/// Reads a table `[boost]`, without kT. Throws InputError, located in the input.
[[nodiscard]] Boost read_boost(const Parameters& params);

/// Reads the boost of the total energy, for a method that samples its density.
[[nodiscard]] Boost read_density(const Parameters& params);

/// Why a method cannot move particles with a boost, and what to do, to be appended to its name and
/// a bracket, or "": it must be made of drifts, kicks with the forces of all levels and baths, at a
/// temperature above zero.
[[nodiscard]] std::string unfit_for_boost(const Integrator& method);

/// A method with a flattened potential energy, so that barriers are crossed more often. Samples
/// carry the Boltzmann weight of the difference, so that averages are those of the original forces.
/// Needs energies at each kick.
class Boosted final : public AroundMethod {
  public:
    Boosted(std::unique_ptr<Integrator> method, const Boost& boost);

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override { return method().claims(); }
    [[nodiscard]] bool moves_with_momenta() const override { return method().moves_with_momenta(); }
    [[nodiscard]] bool has_bath_variables() const override { return method().has_bath_variables(); }
    [[nodiscard]] bool samples_ensemble() const override { return method().samples_ensemble(); }
    [[nodiscard]] double flow_time() const override { return method().flow_time(); }
    [[nodiscard]] double step_of(double time) const override { return method().step_of(time); }
    [[nodiscard]] std::string conserved_name() const override {
        return method().conserved_name() + " with the boost";
    }
    [[nodiscard]] bool boosts() const override { return true; }

  private:
    [[nodiscard]] std::string what() const override { return "boost"; }

    Boost boost_;
};

} // namespace shadow
