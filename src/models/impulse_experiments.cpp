// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/linear_models.hpp"
#include "src/models/resonances.hpp"
#include "src/models/small_system.hpp"

#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

std::vector<Window> windows_of(int inverse, const Word& word, double first, double last,
                               double by) {
    const ImpulsePair model(1.0 / inverse);
    return unstable_windows(growth_of(model, word, inverse), first, last, by);
}

/// Growth by a method of the engine with eps = 1/10, whose inner steps are practically exact.
double growth_by_engine(const char* method, double ratio) {
    MethodSettings settings;
    settings.dt = 0.1 * ratio;
    settings.inner = {256};
    return growth(matrix_of(step_of(slow_fast_pair(0.1), method, settings), 4));
}

} // namespace

Results impulses() {
    Results results;
    struct Known {
        int inverse;
        KnownWindow window;
    };
    const Known known[] = {
        {10, {2.993, 2.995, 1.0013}},         {10, {5.441, 5.529, 1.0257}},
        {10, {8.977, 8.986, 1.0048}},         {20, {5.839, 5.865, 1.0070}},
        {40, {6.0546, 6.0617, 1.0019, 1e-4}}, {80, {6.1672, 6.1690, 1.0005, 1e-4}}};
    for (const auto& [inverse, window] : known) {
        const double middle = 0.5 * (window.from + window.to);
        const auto found = windows_of(inverse, kicked(), middle - 0.1, middle + 0.1, 1e-4);
        compare_window(results, fmt::format("eps = 1/{}, {:.4g}", inverse, middle), window,
                       window_near(found, middle));
    }
    results.compare("respa of the engine, step 5.486: growth", 1.0257,
                    growth_by_engine("respa", 5.486), 1e-4);
    return results;
}

Results mollified_impulses() {
    Results results;
    const auto one = [&](int inverse, const KnownWindow& window) {
        const auto found = windows_of(inverse, mollified(), 0.1, 10.0, 2e-4);
        results.compare(fmt::format("eps = 1/{}: windows", inverse), 1.0,
                        static_cast<double>(found.size()), 0.0);
        compare_window(results, fmt::format("eps = 1/{}", inverse), window,
                       window_near(found, 2.0 * pi));
    };
    one(10, {5.482, 5.490, 1.0022});
    one(20, {5.8516, 5.8527, 1.00033, 1e-4, 1e-5});
    const Window least = window_near(windows_of(40, mollified(), 5.9, 6.2, 1e-5), 2.0 * pi);
    results.compare("eps = 1/40: at", 6.0582, least.at, 1e-4);
    results.compare("eps = 1/40: growth", 1.000045, least.most, 1e-6);
    results.compare("eps = 1/80: windows", 0.0,
                    static_cast<double>(windows_of(80, mollified(), 6.0, 6.3, 1e-5).size()), 0.0);
    results.compare("mollified-impulse of the engine, step 5.486: growth", 1.0022,
                    growth_by_engine("mollified-impulse", 5.486), 1e-4);
    const ImpulsePair model(1.0 / 40.0), wide(1.0 / 10.0); // with windows wide enough to be visible
    results.curves.push_back(
        growth_curves("mollified_impulses", {"impulses", "mollified"},
                      {growth_of(wide, kicked(), 10.0), growth_of(wide, mollified(), 10.0)}));
    results.curves.push_back(eigenvalue_curves("mollified_impulses_eigenvalues", [&](double ratio) {
        return step_of(model, mollified(), ratio / 40.0);
    }));
    return results;
}

} // namespace shadow::models
