// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"

#include <utility>
#include <vector>

namespace shadow {

/// A factor that changes in time: a wave, or linear between points and constant before and after
/// them; 1 if neither is given.
class Modulation {
  public:
    struct Point {
        double time, factor;
        bool operator==(const Point&) const = default;
    };

    Modulation() = default;
    /// cos(2 pi t / period + phase)
    Modulation(double period, double phase) : period_(period), phase_(phase) {}
    /// Times must increase.
    explicit Modulation(std::vector<Point> points) : points_(std::move(points)) {}

    [[nodiscard]] double at(double time) const;
    /// Its mean between two times, in either order, and its change from the first to the second.
    /// Exact, however fast it varies.
    [[nodiscard]] double mean(double from, double to) const;
    [[nodiscard]] double change(double from, double to) const;
    /// The factor by which means over `time` multiply the wave; 1 without a wave.
    [[nodiscard]] double kept_by_means(double time) const;
    /// The time from which on it is constant: minus infinity if it never changes, infinity if it
    /// always does.
    [[nodiscard]] double steady_from() const;
    [[nodiscard]] bool is_constant() const;
    /// The smallest and the largest factor at any time.
    [[nodiscard]] std::pair<double, double> range() const;
    bool operator==(const Modulation&) const = default;

  private:
    double period_ = 0.0, phase_ = 0.0; ///< 0: no wave
    std::vector<Point> points_;
};

/// The key `modulation` of an external field, and the keys of its table.
[[nodiscard]] const ParameterInfo& modulation_key();
[[nodiscard]] const Descriptor& modulation_table();

/// Reads it from a field's table. Throws InputError, located in the input, for times that do not
/// increase and numbers out of range.
[[nodiscard]] Modulation read_modulation(const Parameters& field);

} // namespace shadow
