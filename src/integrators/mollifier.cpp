// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/mollifier.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace shadow {
namespace {

/// The weights of an average at times t >= 0, in units of the time between two kicks: constant up
/// to `end`, or falling linearly to zero there.
struct Window {
    double end;
    bool falls;

    /// Weight of t and -t together; its integral is 1.
    [[nodiscard]] double operator()(double t) const {
        return t > end ? 0.0 : falls ? 2.0 * (end - t) / (end * end) : 1.0 / end;
    }
    /// The integral from a to b of this times the line from `left` at a to `right` at b: both are
    /// linear up to the end, so that Simpson's rule is exact.
    [[nodiscard]] double integral(double a, double b, double left, double right) const {
        const double last = std::min(b, end);
        if (last <= a) return 0.0;
        const auto line = [&](double t) { return left + (right - left) * (t - a) / (b - a); };
        const double middle = 0.5 * (a + last);
        return (last - a) / 6.0 *
               ((*this)(a)*line(a) + 4.0 * (*this)(middle)*line(middle) + (*this)(last)*line(last));
    }
};

/// Weight of the point `k` of `steps`: the integral with the hat function that is 1 there and falls
/// to 0 at its neighbours.
double weight_of(const Window& window, int k, int steps) {
    const double a = (k - 1.0) / steps, here = k / static_cast<double>(steps),
                 b = (k + 1.0) / steps;
    return (k > 0 ? window.integral(a, here, 0.0, 1.0) : 0.0) +
           (k < steps ? window.integral(here, b, 1.0, 0.0) : 0.0);
}

/// The same for 1 + cos(pi t), whose cosine the hat functions multiply by the square of sin(x) / x.
double cosine_weight(int k, int steps) {
    const double x = 0.5 * std::numbers::pi / steps, left = std::pow(std::sin(x) / x, 2);
    const double whole = (k == 0 || k == steps ? 0.5 : 1.0) / steps;
    return whole * (1.0 + left * std::cos(std::numbers::pi * k / steps));
}

struct Average {
    const char* name;
    double (*weight)(int k, int steps);
};

constexpr Average averages[] = {
    {"short-average",
     [](int k, int steps) {
         return weight_of({0.5, false}, k, steps);
     }},
    {"long-average",
     [](int k, int steps) {
         return weight_of({1.0, false}, k, steps);
     }},
    {"linear-average",
     [](int k, int steps) {
         return weight_of({1.0, true}, k, steps);
     }},
    {"cosine-average", cosine_weight},
};

} // namespace

const std::vector<std::string>& mollifier_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Average& average : averages) all.emplace_back(average.name);
        all.emplace_back(equilibrium_mollifier);
        return all;
    }();
    return names;
}

Mollifier make_mollifier(const std::string& name, double dt, int steps) {
    if (name == equilibrium_mollifier) return {dt, {1.0}, true};
    const auto* average = std::find_if(std::begin(averages), std::end(averages),
                                       [&](const Average& known) { return known.name == name; });
    Mollifier mollifier{dt, {}, false};
    for (int k = 0; k <= steps; ++k)
        if (const double weight = average->weight(k, steps); weight > 0.0)
            mollifier.weight.push_back(weight);
    return mollifier;
}

} // namespace shadow
