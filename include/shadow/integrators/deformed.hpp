// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/isobaric.hpp"

namespace shadow {

/// A method in a box whose lengths change at given rates: after every `every` of its steps the
/// exact flow of r' = rate r, p' = -rate p along each direction, over the time of these steps, with
/// the rate at the middle of that time. Momenta are relative to the flow (Evans and Morriss 1984,
/// Phys. Rev. A 30, 1528; Daivis and Todd 2006, J. Chem. Phys. 124, 194103). The work of the
/// deformation is in Scalar::box_work; energies are needed before it and in the new box.
class Deformed final : public AroundMethod {
  public:
    Deformed(std::unique_ptr<Integrator> method, const BarostatSettings& settings)
        : AroundMethod(std::move(method)), settings_(settings) {}

    void step(System& system) override;
    [[nodiscard]] std::int64_t steady_from() const override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool samples_ensemble() const override { return false; }
    [[nodiscard]] bool changes_shape() const override { return true; }
    [[nodiscard]] bool deforms() const override { return true; }

  private:
    [[nodiscard]] std::string what() const override { return "deformation"; }
    void deform(System& system) const;

    BarostatSettings settings_;
};

} // namespace shadow
