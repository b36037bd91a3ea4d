// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/system/box.hpp"

#include "kernels/ops/scalar_flows.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// What a restart needs of an ensemble.
struct EnsembleState {
    std::vector<double> lengths;     ///< of the box; empty: as constructed
    double slide = 0.0, turns = 0.0; ///< of its images
    std::array<double, 2> third{};   ///< components of its third edge along flow and gradient
    std::vector<double> scalars;     ///< by Scalar
    std::int64_t step = 0;
    double time_base = 0.0; ///< time = time_base + steps_since_base * dt + Scalar::elapsed
    std::int64_t steps_since_base = 0;
    double dt = 0.0;
};

/// The state of a system apart from its particles: box, variables of baths, step and time. Box and
/// variables are in backend memory, where particles, lists, forces and observables refer to them.
template <int Dim>
class Ensemble {
  public:
    /// Without a bath: s = 1.
    Ensemble(const Backend& backend, const Box<Dim>& box, std::int64_t step = 0, double time = 0.0);

    /// The current box; waits for the device if it changes.
    [[nodiscard]] const Box<Dim>& box() const;
    /// Backend memory.
    [[nodiscard]] const BoxView<Dim>* box_view() const noexcept { return box_view_.data(); }
    [[nodiscard]] BoxView<Dim>* box_view() noexcept { return box_view_.data(); }
    /// Backend memory, by Scalar.
    [[nodiscard]] double* scalars() noexcept { return scalars_.data(); }
    [[nodiscard]] const double* scalar_view(Scalar which) const noexcept {
        return scalars_.data() + static_cast<int>(which);
    }
    /// Enqueues the change of the periodic lengths along some directions by a factor in backend
    /// memory.
    void scale_box(const double* factor, Axes axes = all_axes);
    void set_lengths(std::span<const double> lengths);
    /// Enqueues a shear of the images that slide.
    void slide(double strain);
    void set_slide(double slide, double turns, const std::array<double, 2>& third);
    /// Sets or reads a variable from the host; reading waits.
    void set_scalar(Scalar which, double value);
    [[nodiscard]] double scalar(Scalar which) const;
    /// Sets all of them, by Scalar.
    void set_scalars(const std::vector<double>& values) { scalars_.assign(values); }

    [[nodiscard]] std::int64_t step() const noexcept { return step_; }
    /// Waits where it `has_clock`.
    [[nodiscard]] double time() const;
    /// The end of a step of length `dt`, or of one whose length has been added to Scalar::elapsed.
    void end_step(double dt);
    void end_step() { ++step_; }
    /// From now on steps vary in length: time is `clock_start` + Scalar::elapsed.
    void begin_clock();
    [[nodiscard]] bool has_clock() const noexcept { return has_clock_; }
    [[nodiscard]] double clock_start() const noexcept { return time_base_; }
    /// From now on steps have given lengths again; waits if there is a clock.
    void end_clock();

    [[nodiscard]] EnsembleState state() const;
    void restore(const EnsembleState& state);

  private:
    /// Makes the current time the base.
    void rebase();

    const Backend& backend_;
    mutable Box<Dim> box_;
    mutable bool box_is_known_ = true; ///< on the host
    bool slides_on_ = false;           ///< images have slid since the start
    bool has_clock_ = false;
    Array<BoxView<Dim>> box_view_;
    Array<double> scalars_;
    std::int64_t step_;
    double time_base_, dt_ = 0.0;
    std::int64_t steps_since_base_ = 0;
};

} // namespace shadow
