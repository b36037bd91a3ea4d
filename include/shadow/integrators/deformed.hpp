// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/isobaric.hpp"

namespace shadow {

/// A box whose lengths change at given rates, and particles with it: a method, and before every so
/// many of its steps the exact flow of r' = rate r, p' = -rate p along each direction, over the
/// time of these steps. Momenta are relative to the flow (Evans and Morriss 1984, Phys. Rev. A 30,
/// 1528; Daivis and Todd 2006, J. Chem. Phys. 124, 194103). Its work is in Scalar::box_work; it
/// needs energies before and in the new box.
class Deformed final : public Integrator {
  public:
    Deformed(std::unique_ptr<Integrator> method, const BarostatSettings& settings)
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
    [[nodiscard]] double pair_radius() const override { return method_->pair_radius(); }
    [[nodiscard]] bool samples_ensemble() const override { return false; }
    [[nodiscard]] bool rescales() const override { return method_->rescales(); }
    [[nodiscard]] bool changes_shape() const override { return true; }
    [[nodiscard]] bool deforms() const override { return true; }
    [[nodiscard]] std::string conserved_name() const override {
        return method_->conserved_name() + " minus work of the deformation";
    }

  private:
    [[nodiscard]] bool is_due(std::int64_t step) const {
        return step > first_step() && (step - first_step()) % settings_.every == 0;
    }
    void deform(System& system) const;

    std::unique_ptr<Integrator> method_;
    BarostatSettings settings_;
};

} // namespace shadow
