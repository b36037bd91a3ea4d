// SPDX-License-Identifier: BSD-3-Clause
/// Impulses and mollified impulses on a slow oscillator with a fast one attached, of which all
/// resonances are known (Leimkuhler and Reich 2004, section 10.5 and figure 10.8).
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>
#include <complex>

using namespace shadow;
using namespace shadow::test;

namespace {

/// H = (p^2 + q^2) / 2 + (p_x^2 + (x - q)^2) / 2 eps: a particle of mass 1 on a spring to the
/// origin, the slow force, and one of mass eps that a spring 1 / eps joins to it, the fast force.
template <int Inverse>
Problem slow_fast_pair() {
    constexpr double eps = 1.0 / Inverse;
    return {"slow-fast-pair",
            {1.0, eps},
            {0.0, 0.0},
            {0.0, 0.0},
            [](const double* q, ForceLevel f) {
                const double bond = f == 2 ? 0.0 : q[1] - q[0], trap = f == 1 ? 0.0 : q[0];
                return 0.5 * bond * bond / eps + 0.5 * trap * trap;
            },
            [](const double* q, ForceLevel f, double* g) {
                const double bond = f == 2 ? 0.0 : (q[1] - q[0]) / eps;
                g[0] = (f == 1 ? 0.0 : q[0]) - bond;
                g[1] = bond;
            }};
}

/// The largest modulus of the eigenvalues of a step, a symplectic 4 x 4 matrix M: pairs lambda and
/// 1 / lambda with lambda + 1 / lambda = mu, mu^2 - a mu + b - 2 = 0, a = tr M, b = (a^2 - tr M^2)
/// / 2.
double growth(const Problem& problem, const char* name, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    settings.inner = {256}; // as good as the exact motion: the phase is wrong by 1e-4
    const auto method = find_integrator(name)->make(settings);
    double m[4][4];
    for (std::size_t j = 0; j < 4; ++j) {
        SmallSystem system(problem);
        method->prepare(system);
        std::vector<double> unit(4, 0.0);
        unit[j] = 1.0;
        system.set_state(unit, false);
        method->step(system);
        const std::vector<double> image = system.state(false);
        for (std::size_t i = 0; i < 4; ++i) m[i][j] = image[i];
    }
    double trace = 0.0, trace_of_square = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        trace += m[i][i];
        for (std::size_t j = 0; j < 4; ++j) trace_of_square += m[i][j] * m[j][i];
    }
    const std::complex<double> half = 0.5 * trace,
                               b = 0.5 * (trace * trace - trace_of_square) - 2.0;
    double largest = 1.0;
    for (const double sign : {1.0, -1.0}) {
        const auto mu = half + sign * std::sqrt(half * half - b);
        const auto root = std::sqrt(0.25 * mu * mu - 1.0);
        largest = std::max({largest, std::abs(0.5 * mu + root), std::abs(0.5 * mu - root)});
    }
    return largest;
}

/// Where steps, in units of eps, are unstable, and how much.
struct Window {
    double from = 0.0, to = 0.0, most = 1.0;
};

template <int Inverse>
Window window(const char* name, double first, double last, double by) {
    const Problem problem = slow_fast_pair<Inverse>();
    Window found;
    for (double ratio = first; ratio < last; ratio += by) {
        const double g = growth(problem, name, ratio / Inverse);
        if (!(g > 1.0 + 1e-5)) continue; // double eigenvalues are good to the root of rounding
        if (found.most == 1.0) found.from = ratio;
        found.to = ratio;
        found.most = std::max(found.most, g);
    }
    return found;
}

} // namespace

TEST_CASE("impulses resonate with a fast oscillator where they are known to") {
    // Windows of the exact fast motion, in three digits behind the point.
    const auto check = [](const Window& found, double from, double to, double most) {
        CAPTURE(found.from, found.to, found.most, from, to, most);
        CHECK(std::abs(found.from - from) < 2e-3);
        CHECK(std::abs(found.to - to) < 2e-3);
        CHECK(std::abs(found.most - most) < 2e-4);
    };
    check(window<10>("respa", 5.3, 5.7, 1e-3), 5.441, 5.529, 1.0257);
    check(window<20>("respa", 5.7, 6.0, 1e-3), 5.839, 5.865, 1.0070);
    check(window<40>("respa", 6.02, 6.1, 2e-4), 6.0546, 6.0617, 1.0019);
}

TEST_CASE("mollified impulses hardly resonate with a fast oscillator") {
    const Window ten = window<10>("mollified-impulse", 5.3, 5.7, 1e-3);
    CAPTURE(ten.from, ten.to, ten.most);
    CHECK(std::abs(ten.from - 5.482) < 2e-3);
    CHECK(std::abs(ten.to - 5.490) < 2e-3);
    CHECK(std::abs(ten.most - 1.0022) < 2e-4);
    // Nothing is left where impulses resonate with half of the period.
    CHECK(window<10>("respa", 2.9, 3.1, 1e-3).most > 1.001);
    CHECK(window<10>("mollified-impulse", 2.5, 3.5, 1e-3).most == 1.0);
    CHECK(window<10>("mollified-impulse", 8.5, 9.5, 1e-3).most == 1.0);
}
