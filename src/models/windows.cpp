// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/windows.hpp"

#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <thread>

namespace shadow::models {
namespace {

constexpr int halvings = 50;

/// The end of a window, between a step inside and one outside.
double edge(const std::function<double(double)>& growth, double in, double out) {
    for (int k = 0; k < halvings; ++k) {
        const double middle = 0.5 * (in + out);
        (growth(middle) > 1.0 + min_growth ? in : out) = middle;
    }
    return in;
}

/// The step of largest growth between two steps, by golden-section search.
double top(const std::function<double(double)>& growth, double a, double b) {
    constexpr double part = 1.0 / std::numbers::phi;
    double left = b - part * (b - a), right = a + part * (b - a);
    double at_left = growth(left), at_right = growth(right);
    for (int k = 0; k < halvings; ++k) {
        if (at_left > at_right) {
            b = right;
            right = left;
            at_right = at_left;
            at_left = growth(left = b - part * (b - a));
        } else {
            a = left;
            left = right;
            at_left = at_right;
            at_right = growth(right = a + part * (b - a));
        }
    }
    return 0.5 * (a + b);
}

} // namespace

std::vector<double> grid(double first, double last, double by) {
    std::vector<double> steps;
    const auto count = std::llround((last - first) / by);
    for (long long k = 0; k <= count; ++k) steps.push_back(first + static_cast<double>(k) * by);
    return steps;
}

void in_parallel(std::size_t n, const std::function<void(std::size_t)>& body) {
    const auto threads = std::max(1U, std::thread::hardware_concurrency());
    cpu::parallel_ranges(static_cast<int>(threads), threads, 1, [&](auto begin, auto end) {
        for (auto thread = begin; thread < end; ++thread)
            for (auto k = static_cast<std::size_t>(thread); k < n; k += threads) body(k);
    });
}

std::vector<Window> unstable_windows(const std::function<double(double)>& growth, double first,
                                     double last, double by) {
    const std::vector<double> steps = grid(first, last, by);
    std::vector<double> found(steps.size());
    in_parallel(steps.size(), [&](std::size_t k) { found[k] = growth(steps[k]); });
    std::vector<Window> windows;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        if (!(found[k] > 1.0 + min_growth)) continue;
        std::size_t end = k, most = k;
        for (; end < steps.size() && found[end] > 1.0 + min_growth; ++end)
            if (found[end] > found[most]) most = end;
        Window w{};
        w.from = k == 0 ? steps[0] : edge(growth, steps[k], steps[k - 1]);
        w.to = end == steps.size() ? steps.back() : edge(growth, steps[end - 1], steps[end]);
        w.at = top(growth, std::max(w.from, steps[most] - by), std::min(w.to, steps[most] + by));
        w.most = growth(w.at);
        windows.push_back(w);
        k = end;
    }
    return windows;
}

Window window_near(const std::vector<Window>& windows, double step) {
    if (windows.empty()) throw std::logic_error("no window of instability");
    return *std::min_element(windows.begin(), windows.end(),
                             [step](const Window& a, const Window& b) {
                                 return std::abs(a.at - step) < std::abs(b.at - step);
                             });
}

} // namespace shadow::models
