// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_influence.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace shadow {
namespace {

SplineFactors factors_of(int m, int count, int order) {
    constexpr int reach = 5;
    std::array<double, 2 * reach + 2> u{};
    for (int s = -reach; s <= reach + 1; ++s) {
        const double n = m + static_cast<double>(s) * count, x = std::numbers::pi * n / count;
        u[static_cast<std::size_t>(s + reach)] = n == 0.0 ? 1.0 : std::pow(std::sin(x) / x, order);
    }
    SplineFactors sums{};
    for (std::size_t s = 0; s + 1 < u.size(); ++s) {
        sums.all += u[s] * u[s];
        sums.next += u[s] * u[s + 1];
    }
    sums.sharpening = u[reach] * u[reach] / (sums.all * sums.all);
    return sums;
}

} // namespace

std::vector<SplineFactors> spline_factors(std::int32_t count, int order) {
    std::vector<SplineFactors> all;
    for (std::int32_t m = 0; m < count; ++m)
        all.push_back(factors_of(2 * m > count ? m - count : m, count, order));
    return all;
}

} // namespace shadow
