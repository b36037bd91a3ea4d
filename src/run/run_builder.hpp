// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/core/input_errors.hpp"

#include <optional>

namespace shadow {

/// Builds everything of a run that can be wrong with an input; writes nothing.
template <int Dim>
class RunBuilder {
  public:
    RunBuilder(Run<Dim>& run, const Parameters& root, InputErrors& errors)
        : run_(run), root_(root), errors_(errors) {}

    /// Throws InputError with all that was found and the errors so far.
    void build();

  private:
    [[nodiscard]] std::optional<Setup<Dim>> read_system();
    void build_stages(const Setup<Dim>& setup, bool forces_are_known);
    void look_at_methods() const;
    void refuse_bad_start();

    Run<Dim>& run_;
    const Parameters& root_;
    InputErrors& errors_;
};

} // namespace shadow
