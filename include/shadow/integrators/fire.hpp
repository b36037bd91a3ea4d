// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"

namespace shadow {

/// Energy minimisation by the fast inertial relaxation engine (Bitzek, Koskinen, Gähler, Moseler,
/// Gumbsch 2006, Phys. Rev. Lett. 97, 170201). Starts from rest. No particle moves farther than
/// `longest_move` in a step, so that overlapping particles are pushed apart gently.
class Fire final : public Integrator {
  public:
    explicit Fire(const MethodSettings& settings) : settings_(settings.descent) {}

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return 0.0; }
    /// Empty: a minimisation is no motion.
    [[nodiscard]] const Word& word() const override { return word_; }
    /// Total momentum is conserved: particles begin and end at rest.
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool samples_ensemble() const override { return false; }
    /// When the largest force is below `force_tolerance`, or at the last step.
    [[nodiscard]] Arrival arrival(System& system, std::int64_t steps,
                                  std::int64_t most) const override;

  private:
    Descent settings_;
    Word word_;
};

} // namespace shadow
