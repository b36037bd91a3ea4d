// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include "kernels/potentials/tabulated.hpp"

#include <map>
#include <vector>

namespace shadow {

/// Segments of tables one after the other, those of each table once.
class Segments {
  public:
    /// `before`: the number of segments before them.
    explicit Segments(std::size_t before = 0) : before_(before) {}

    /// Adds the segments of a table, unless they are there already, and returns its row. Throws
    /// InputError for more segments than single precision can number.
    [[nodiscard]] Tabulated::Of<double> add(const SplineTable& spline);
    [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }

  private:
    std::size_t before_;
    std::map<const SplineTable*, std::size_t> places_;
    std::vector<double> numbers_;
};

} // namespace shadow
