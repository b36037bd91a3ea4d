// SPDX-License-Identifier: BSD-3-Clause
#include "cubic_spline.hpp"

#include <algorithm>

namespace shadow {
namespace {

/// The slope at x[0] of the cubic through four points (Lagrange).
double slope_at_first(const double* x, const double* u) {
    double slope = 0.0;
    for (int j = 1; j < 4; ++j) {
        double weight = 1.0 / (x[j] - x[0]);
        for (int k = 1; k < 4; ++k)
            if (k != j) weight *= (x[0] - x[k]) / (x[j] - x[k]);
        slope += weight * (u[j] - u[0]);
    }
    return slope;
}

double slope_at_last(const std::vector<double>& x, const std::vector<double>& u) {
    double back[2][4];
    for (std::size_t k = 0; k < 4; ++k) {
        back[0][k] = x[x.size() - 1 - k];
        back[1][k] = u[u.size() - 1 - k];
    }
    return slope_at_first(back[0], back[1]);
}

} // namespace

std::vector<double> second_derivatives(const std::vector<double>& x, const std::vector<double>& u,
                                       double first_slope, double last_slope) {
    const std::size_t n = x.size();
    std::vector<double> upper(n), m(n);
    for (std::size_t k = 0; k < n; ++k) {
        const bool has_left = k > 0, has_right = k + 1 < n;
        const double left = has_left ? x[k] - x[k - 1] : 0.0;
        const double right = has_right ? x[k + 1] - x[k] : 0.0;
        const double before = has_left ? (u[k] - u[k - 1]) / left : first_slope;
        const double after = has_right ? (u[k + 1] - u[k]) / right : last_slope;
        double diagonal = 2.0 * (left + right), value = 6.0 * (after - before);
        if (has_left) {
            diagonal -= left * upper[k - 1];
            value -= left * m[k - 1];
        }
        upper[k] = right / diagonal;
        m[k] = value / diagonal;
    }
    for (std::size_t k = n - 1; k-- > 0;) m[k] -= upper[k] * m[k + 1];
    return m;
}

CubicSpline::CubicSpline(std::vector<double> x, std::vector<double> u)
    : x_(std::move(x)), u_(std::move(u)),
      second_(second_derivatives(x_, u_, slope_at_first(x_.data(), u_.data()),
                                 slope_at_last(x_, u_))) {}

CurvePoint CubicSpline::at(double x) const {
    const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
    const auto k = static_cast<std::size_t>(above - x_.begin()) - 1;
    const double h = x_[k + 1] - x_[k], t = x - x_[k];
    const double a = second_[k], b = second_[k + 1];
    const double slope = (u_[k + 1] - u_[k]) / h - h * (2.0 * a + b) / 6.0;
    const double third = (b - a) / h;
    return {u_[k] + t * (slope + t * (0.5 * a + t * third / 6.0)),
            slope + t * (a + 0.5 * t * third), a + t * third};
}

} // namespace shadow
