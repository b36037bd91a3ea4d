// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shadow {

/// Changes the box, the flow or the potential energy around the steps of a method, which keeps its
/// own bath and energy.
class AroundMethod : public Integrator {
  public:
    explicit AroundMethod(std::unique_ptr<Integrator> method) : method_(std::move(method)) {}

    void prepare(System& system) override { method_->prepare(system); }
    [[nodiscard]] double dt() const override { return method_->dt(); }
    [[nodiscard]] const Word& word() const override { return method_->word(); }
    [[nodiscard]] std::string mollifier() const override { return method_->mollifier(); }
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
    [[nodiscard]] bool scales_species() const override { return method_->scales_species(); }
    [[nodiscard]] double pair_radius() const override { return method_->pair_radius(); }
    [[nodiscard]] bool rescales() const override { return method_->rescales(); }
    [[nodiscard]] std::string conserved_name() const override {
        return method_->conserved_name() + " minus work of the " + what();
    }

  protected:
    [[nodiscard]] Integrator& method() const { return *method_; }
    /// The part that does the work: "barostat".
    [[nodiscard]] virtual std::string what() const = 0;

  private:
    std::unique_ptr<Integrator> method_;
};

} // namespace shadow
