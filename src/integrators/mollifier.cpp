// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/mollifier.hpp"

#include <algorithm>
#include <array>

namespace shadow {
namespace {

/// Averages of time t >= 0, as a part of that between two kicks: constant up to `end`, or falling
/// off to it.
struct Window {
    double end;
    bool falls;

    /// Weight of both times together; its integral is 1.
    [[nodiscard]] double operator()(double t) const {
        return t > end ? 0.0 : falls ? 2.0 * (end - t) / (end * end) : 1.0 / end;
    }
    /// Of this times the line from `left` at a to `right` at b, from a to b: both are linear up to
    /// the end, so that Simpson's rule is exact.
    [[nodiscard]] double integral(double a, double b, double left, double right) const {
        const double last = std::min(b, end);
        if (last <= a) return 0.0;
        const auto line = [&](double t) { return left + (right - left) * (t - a) / (b - a); };
        const double middle = 0.5 * (a + last);
        return (last - a) / 6.0 *
               ((*this)(a)*line(a) + 4.0 * (*this)(middle)*line(middle) + (*this)(last)*line(last));
    }
};

constexpr std::array<Window, 3> windows = {{{0.5, false}, {1.0, false}, {1.0, true}}};

} // namespace

const std::vector<std::string>& mollifier_names() {
    static const std::vector<std::string> names = {"short-average", "long-average",
                                                   "linear-average", equilibrium_mollifier};
    return names;
}

Mollifier make_mollifier(const std::string& name, double dt, int steps) {
    if (name == equilibrium_mollifier) return {dt, {1.0}, true};
    const auto& names = mollifier_names();
    const Window window = windows[static_cast<std::size_t>(
        std::find(names.begin(), names.end(), name) - names.begin())];
    Mollifier mollifier{dt, {}, false};
    for (int k = 0; k <= steps; ++k) {
        const double a = (k - 1.0) / steps, here = k / static_cast<double>(steps),
                     b = (k + 1.0) / steps;
        const double weight = (k > 0 ? window.integral(a, here, 0.0, 1.0) : 0.0) +
                              (k < steps ? window.integral(here, b, 1.0, 0.0) : 0.0);
        if (weight > 0.0) mollifier.weight.push_back(weight);
    }
    return mollifier;
}

} // namespace shadow
