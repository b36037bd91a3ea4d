// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/lie_body.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace shadow::models {
namespace {

constexpr double lie_time = 1e4;

/// The slope of the energy error over time, by least squares, and the largest error.
struct LieDrift {
    double slope = 0.0, largest = 0.0;
    std::vector<double> samples; ///< every 50 units of time
};

LieDrift drift_of(const LieMethod& method, double h) {
    Attitude a = BodyInWell::start();
    const double start = BodyInWell::energy(a), middle = 0.5 * lie_time;
    const int steps = static_cast<int>(std::lround(lie_time / h)),
              stride = static_cast<int>(50.0 / h);
    LieDrift drift;
    double along = 0.0, square = middle * middle;
    for (int k = 1; k <= steps; ++k) {
        method.step(a, h);
        const double t = h * k - middle, error = BodyInWell::energy(a) - start;
        along += t * error;
        square += t * t;
        drift.largest = std::max(std::abs(error), drift.largest);
        if (k % stride == 0) drift.samples.push_back(error);
    }
    drift.slope = along / square;
    return drift;
}

/// Distances of rotations and velocities from the known ones at t = 5.
std::array<double, 2> errors_at_five(const LieMethod& method) {
    constexpr Nine rotation = {0.709508968094, -0.248419197473, -0.659458055164,
                               0.265697936182, 0.961043060470,  -0.076163263002,
                               0.652688004258, -0.121178126117, 0.747873138205};
    constexpr Three velocity = {-0.672030085760, 0.314153256534, -0.337834526308};
    Attitude a = BodyInWell::start();
    for (int k = 0; k < 320; ++k) method.step(a, 1.0 / 64.0);
    double of_rotation = 0.0, of_velocity = 0.0;
    for (std::size_t i = 0; i < 9; ++i) of_rotation += std::pow(a.rotation[i] - rotation[i], 2);
    for (std::size_t i = 0; i < 3; ++i) of_velocity += std::pow(a.velocity[i] - velocity[i], 2);
    return {std::sqrt(of_rotation), std::sqrt(of_velocity)};
}

} // namespace

/// Chapters 3 and 4: methods that are not symplectic drift, although they are symmetric.
Results lie_body() {
    Results results;
    struct Known {
        double slope, largest, of_rotation, of_velocity;
        int digits[2];      ///< significant digits of the last two
        int of_largest = 3; ///< significant digits of `largest`
    };
    constexpr std::size_t methods = 11;
    constexpr std::array<Known, methods> known = {{{-1.055e-6, 1.22e-2, 1.51e-5, 1.43e-5, {3, 3}},
                                                   {-1.59e-6, 1.80e-2, 1.31e-4, 4.4e-5, {3, 2}},
                                                   {1.42e-7, 2.35e-3, 2.93e-5, 5.3e-6, {3, 2}},
                                                   {-1.70e-6, 1.84e-2, 9.2e-6, 8.5e-6, {2, 2}},
                                                   {5.69e-7, 6.65e-3, 2.77e-5, 4.7e-6, {3, 2}},
                                                   {5.69e-7, 6.34e-3, 3.15e-5, 1.89e-5, {3, 3}},
                                                   {0.0, 1.28e-3, 9.2e-5, 4.0e-5, {2, 2}},
                                                   {-4.83e-7, 6.5e-3, 0.0, 0.0, {0, 0}, 2},
                                                   {-1.06e-6, 1.26e-2, 0.0, 0.0, {0, 0}},
                                                   {0.0, 1.49e-3, 3.3e-5, 5.9e-6, {2, 2}},
                                                   {0.0, 1.41e-3, 8.7e-5, 2.4e-5, {2, 2}}}};
    results.compare("energy of the start", 0.670245380281, BodyInWell::energy(BodyInWell::start()),
                    1e-12);
    std::array<LieDrift, methods> found;
    in_parallel(methods, [&](std::size_t k) { found[k] = drift_of(lie_methods()[k], 0.125); });
    Curves& curves = results.add_curves("lie_body", {"time"});
    for (std::size_t k = 0; k < found[0].samples.size(); ++k)
        curves.rows.push_back({50.0 * static_cast<double>(k + 1)});
    for (std::size_t m = 0; m < methods; ++m) {
        const std::string& name = lie_methods()[m].name;
        // No drift: less than a hundredth of the largest error over the whole run.
        results.compare(name + ": slope of the energy", known[m].slope, found[m].slope,
                        known[m].slope == 0.0 ? 0.01 * known[m].largest / lie_time
                                              : last_of(3, known[m].slope));
        results.compare(name + ": largest error of the energy", known[m].largest, found[m].largest,
                        last_of(known[m].of_largest, known[m].largest));
        curves.columns.push_back("method_" + std::to_string(m + 1));
        for (std::size_t k = 0; k < found[m].samples.size(); ++k)
            curves.rows[k].push_back(found[m].samples[k]);
        if (known[m].of_rotation == 0.0) continue;
        const auto [of_rotation, of_velocity] = errors_at_five(lie_methods()[m]);
        results.compare(name + ": rotation at t = 5, step 1/64", known[m].of_rotation, of_rotation,
                        last_of(known[m].digits[0], known[m].of_rotation));
        results.compare(name + ": velocity", known[m].of_velocity, of_velocity,
                        last_of(known[m].digits[1], known[m].of_velocity));
    }
    return results;
}

} // namespace shadow::models
