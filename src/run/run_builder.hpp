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
    RunBuilder(Run<Dim>& run, InputErrors& errors) : run_(run), errors_(errors) {}

    /// Throws InputError with all that was found and the errors so far.
    void build(bool check_start = true);
    /// Makes forces, particles and the stages from `first` on anew, in a box that a barostat has
    /// changed: as a run would that begins with it. Throws InputError for what does not fit there.
    void rebuild(std::size_t first, const Box<Dim>& box, const Snapshot<Dim>& now);

  private:
    [[nodiscard]] std::optional<Setup<Dim>> read_system();
    void build_stages(const Setup<Dim>& setup, bool forces_are_known);
    void refuse_idle_sum() const;
    void look_at_methods() const;
    /// Those of the first stage in shear; a run without one has none.
    void slide_images(Box<Dim>& box) const;
    /// What `reversible` asks of methods; the spacing, and a box that is a multiple of it.
    void make_reversible(Setup<Dim>& setup);
    void refuse_bad_start();

    Run<Dim>& run_;
    InputErrors& errors_;
};

} // namespace shadow
