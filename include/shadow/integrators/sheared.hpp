// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/integrators/around_method.hpp"
#include "shadow/integrators/ramp.hpp"

#include "kernels/views.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace shadow {

/// The settings of a table `[shear]`.
struct ShearSettings {
    Ramp rate; ///< change of the flow velocity per distance across the flow
    std::int32_t flow = 0, gradient = 1; ///< directions

    [[nodiscard]] SlidingImages images() const { return {flow, gradient, 0.0, 0.0}; }
};

/// The keys of a shear.
[[nodiscard]] const Descriptor& shear_table();

/// Throws InputError, located in the input.
[[nodiscard]] ShearSettings read_shear(const Parameters& params, int dimension);

/// Why a method cannot move a fluid in shear, to be appended to its name, or "": it must be made of
/// drifts, kicks and baths of single particles.
[[nodiscard]] std::string unfit_for_shear(const Integrator& method);

/// A fluid in shear: a method, whose momenta are relative to the flow (SLLOD: Evans and Morriss
/// 1984, Phys. Rev. A 30, 1528), in a box whose periodic images slide (Lees and Edwards 1972, J.
/// Phys. C 5, 1921). A drift is free flight in the laboratory, so that a method keeps its order; it
/// is reversible if the direction of the flow is reversed, too. A changing rate is constant within
/// a step, with its value at the middle of the step. Needs energies and the virial at each kick,
/// for the work of the shear.
class Sheared final : public AroundMethod {
  public:
    Sheared(std::unique_ptr<Integrator> method, const ShearSettings& settings)
        : AroundMethod(std::move(method)), settings_(settings) {}

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool samples_ensemble() const override {
        return shear_rate() == 0.0 && method().samples_ensemble();
    }
    [[nodiscard]] std::int64_t steady_from() const override {
        return std::max(AroundMethod::steady_from(), settings_.rate.steady_from());
    }
    [[nodiscard]] double shear_rate() const override { return settings_.rate.last(); }
    [[nodiscard]] double shear_rate_at(std::int64_t step) const override {
        return settings_.rate.at(static_cast<double>(step - first_step()));
    }
    [[nodiscard]] bool shear_changes() const override { return settings_.rate.steady_from() > 0; }

  private:
    [[nodiscard]] std::string what() const override { return "shear"; }

    ShearSettings settings_;
};

} // namespace shadow
