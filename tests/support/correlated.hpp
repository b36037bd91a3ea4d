// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/philox.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// x_t = a x_(t-1) + sqrt(1 - a^2) xi: mean 0, variance 1, autocovariance a^t, statistical
/// inefficiency (1 + a) / (1 - a).
class Correlated {
  public:
    Correlated(double a, std::uint64_t seed) : a_(a), seed_(seed) {
        Philox(seed, 1, 0, 0).normal(x_, spare_);
    }
    double next() {
        double xi;
        Philox(seed_, 2, 0, ++step_).normal(xi, spare_);
        x_ = a_ * x_ + std::sqrt(1.0 - a_ * a_) * xi;
        return x_;
    }
    [[nodiscard]] static double inefficiency(double a) { return (1.0 + a) / (1.0 - a); }

  private:
    double a_, x_ = 0.0, spare_ = 0.0;
    std::uint64_t seed_, step_ = 0;
};

} // namespace shadow
