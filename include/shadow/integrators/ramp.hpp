// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace shadow {

/// A parameter of a bath, a barostat or a shear that may change with the steps of a stage: linear
/// between points, constant before the first and after the last.
class Ramp {
  public:
    struct Point {
        std::int64_t step; ///< of the stage
        double value;
    };

    /// Constant.
    Ramp(double value = 0.0) : points_{{0, value}} {}
    /// At least one point; steps must increase.
    explicit Ramp(std::vector<Point> points) : points_(std::move(points)) {}
    /// Reads a key: a number, or rows of a step of the stage and a value; `check` may refuse each
    /// value. Throws InputError, located in the input, where it is no such table.
    [[nodiscard]] static Ramp read(const Parameters& params, std::string_view key,
                                   const std::function<void(double)>& check);

    [[nodiscard]] double at(double step) const;
    /// The value from `steady_from` on.
    [[nodiscard]] double last() const { return points_.back().value; }
    [[nodiscard]] bool is_zero() const { return last() == 0.0 && steady_from() == 0; }
    /// The step from which it is constant.
    [[nodiscard]] std::int64_t steady_from() const;
    /// The largest absolute value.
    [[nodiscard]] double largest() const;
    /// The smallest value.
    [[nodiscard]] double least() const;
    /// Every value times a factor.
    [[nodiscard]] Ramp operator*(double factor) const;

  private:
    std::vector<Point> points_;
};

} // namespace shadow
