// SPDX-License-Identifier: BSD-3-Clause
/// Impulses and mollified impulses of the engine on a slow oscillator with a fast one attached, of
/// which all resonances are known (Leimkuhler and Reich 2004, section 10.5 and figure 10.8).
#include "src/models/linear_map.hpp"
#include "src/models/small_system.hpp"
#include "src/models/windows.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::models;

namespace {

/// Windows of steps, in units of eps.
std::vector<Window> windows(const char* method, int inverse, double first, double last, double by) {
    const Problem problem = slow_fast_pair(1.0 / inverse);
    const auto growth_at = [&](double ratio) {
        MethodSettings settings;
        settings.dt = ratio / inverse;
        settings.inner = {256}; // as good as the exact motion: the phase is wrong by 1e-4
        return growth(matrix_of(step_of(problem, method, settings), 4));
    };
    return unstable_windows(growth_at, first, last, by);
}

void check(const std::vector<Window>& found, double from, double to, double most) {
    REQUIRE(found.size() == 1);
    CAPTURE(found[0].from, found[0].to, found[0].most, from, to, most);
    // Windows of the exact fast motion, in three digits behind the point.
    CHECK(std::abs(found[0].from - from) < 1e-3);
    CHECK(std::abs(found[0].to - to) < 1e-3);
    CHECK(std::abs(found[0].most - most) < 1e-4);
}

} // namespace

TEST_CASE("impulses resonate with a fast oscillator where they are known to") {
    check(windows("respa", 10, 5.3, 5.7, 0.02), 5.441, 5.529, 1.0257);
    check(windows("respa", 20, 5.8, 5.9, 0.01), 5.839, 5.865, 1.0070);
    check(windows("respa", 40, 6.04, 6.08, 2e-3), 6.0546, 6.0617, 1.0019);
}

TEST_CASE("mollified impulses hardly resonate with a fast oscillator") {
    check(windows("mollified-impulse", 10, 5.4, 5.6, 2e-3), 5.482, 5.490, 1.0022);
    // Nothing is left where impulses resonate with half of the period.
    check(windows("respa", 10, 2.95, 3.05, 1e-3), 2.993, 2.995, 1.0013);
    CHECK(windows("mollified-impulse", 10, 2.5, 3.5, 2e-3).empty());
    CHECK(windows("mollified-impulse", 10, 8.5, 9.5, 2e-3).empty());
}
