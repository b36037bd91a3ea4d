// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/registry.hpp"

#include <utility>

namespace shadow {

/// A method with a processor: a step is the kernel; starts are processed by the word before, and
/// output is processed back by the word after, its inverse.
struct Processed {
    Word before, kernel, after;
};

/// Blanes' method of order six (Leimkuhler and Reich 2004, table 6.3).
[[nodiscard]] Processed blanes_processed_6();

/// Steps of a kernel, with processed output.
class ProcessedComposition final : public Integrator {
  public:
    ProcessedComposition(Processed method, Claims claims, double dt)
        : method_(std::move(method)), claims_(std::move(claims)), dt_(dt) {}

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return dt_; }
    [[nodiscard]] const Word& word() const override { return method_.kernel; }
    [[nodiscard]] Claims claims() const override { return claims_; }
    [[nodiscard]] bool has_output_state() const override { return true; }
    void go_to_output(System& system) override { apply_word(system, method_.after, dt_); }

  private:
    Processed method_;
    Claims claims_;
    double dt_;
};

[[nodiscard]] IntegratorEntry processed_entry(const ParameterInfo& dt);

} // namespace shadow
