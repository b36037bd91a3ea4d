// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/core/input_errors.hpp"

#include <optional>

namespace shadow {

/// Builds everything in a run that may have errors in the input; writes nothing.
template <int Dim>
class RunBuilder {
  public:
    RunBuilder(Run<Dim>& run, InputErrors& errors) : run_(run), errors_(errors) {}

    /// Throws InputError with all errors found, including the earlier ones.
    void build(bool check_start = true);
    /// Rebuilds forces, particles and the stages from `first` on in a box that a barostat has
    /// changed, as for a run that starts in it. Throws InputError if something does not fit the
    /// box.
    void rebuild(std::size_t first, const Box<Dim>& box, const Snapshot<Dim>& now);

  private:
    [[nodiscard]] std::optional<Setup<Dim>> read_system();
    void build_stages(const Setup<Dim>& setup, bool forces_are_known);
    void refuse_idle_sum() const;
    void look_at_methods() const;
    /// Images slide as in the first stage with shear; without shear they do not slide.
    void slide_images(Box<Dim>& box) const;
    /// Checks the requirements of `reversible` for methods; sets the spacing, and a box that is a
    /// multiple of it.
    void make_reversible(Setup<Dim>& setup);
    void refuse_bad_start();

    Run<Dim>& run_;
    InputErrors& errors_;
};

} // namespace shadow
