// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/integrators/integrator.hpp"

#include "kernels/views.hpp"

#include <memory>
#include <string>
#include <vector>

namespace shadow {

/// Of a table `[shear]`.
struct ShearSettings {
    double rate = 0.0; ///< change of the velocity along the flow over a distance across it
    std::int32_t flow = 0, gradient = 1; ///< directions

    [[nodiscard]] SlidingImages images() const { return {flow, gradient, 0.0, 0.0}; }
};

/// The keys of a shear.
[[nodiscard]] const Descriptor& shear_table();

/// Throws InputError, located in the input.
[[nodiscard]] ShearSettings read_shear(const Parameters& params, int dimension);

/// Why a method cannot move a fluid in shear, to be put behind its name, or "": it must be made of
/// drifts, kicks and baths of single particles.
[[nodiscard]] std::string unfit_for_shear(const Integrator& method);

/// A fluid in shear: a method, whose momenta are relative to the flow (SLLOD: Evans and Morriss
/// 1984, Phys. Rev. A 30, 1528), in a box whose periodic images slide (Lees and Edwards 1972, J.
/// Phys. C 5, 1921). A drift is free flight in the laboratory, so a method keeps its order; with
/// the directions of the flow reversed, too, it is reversible. Needs energies and the virial at
/// each kick, for the work of the shear.
class Sheared final : public Integrator {
  public:
    Sheared(std::unique_ptr<Integrator> method, const ShearSettings& settings)
        : method_(std::move(method)), settings_(settings) {}

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return method_->dt(); }
    [[nodiscard]] const Word& word() const override { return method_->word(); }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override {
        return method_->extended_energy(system);
    }
    [[nodiscard]] double bath_period(double degrees_of_freedom) const override {
        return method_->bath_period(degrees_of_freedom);
    }
    void set_first_step(std::int64_t step) override {
        Integrator::set_first_step(step);
        method_->set_first_step(step);
    }
    [[nodiscard]] std::int64_t steady_from() const override { return method_->steady_from(); }
    [[nodiscard]] std::optional<double> bath_kT() const override { return method_->bath_kT(); }
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return method_->bath_kT_at(step);
    }
    [[nodiscard]] double bath_rate() const override { return method_->bath_rate(); }
    [[nodiscard]] std::vector<std::string> bath_species() const override {
        return method_->bath_species();
    }
    [[nodiscard]] bool rescales() const override { return method_->rescales(); }
    [[nodiscard]] bool samples_ensemble() const override {
        return settings_.rate == 0.0 && method_->samples_ensemble();
    }
    [[nodiscard]] double shear_rate() const override { return settings_.rate; }
    [[nodiscard]] std::string conserved_name() const override {
        return method_->conserved_name() + " minus work of the shear";
    }

  private:
    std::unique_ptr<Integrator> method_;
    ShearSettings settings_;
};

} // namespace shadow
