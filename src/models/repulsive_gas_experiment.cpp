// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include "shadow/statistics/blocking.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

constexpr std::size_t gas_side = 7, gas_size = gas_side * gas_side;
constexpr double gas_energy = 2000.0, lattice = 1.0, gas_edge = lattice * gas_side;

/// Calls `act` for each pair of atoms i and j with their separation by the nearest image.
template <class Act>
void for_gas_pairs(const double* q, const Act& act) {
    for (std::size_t i = 0; i < gas_size; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            double x = q[2 * i] - q[2 * j], y = q[2 * i + 1] - q[2 * j + 1];
            x -= gas_edge * std::round(x / gas_edge);
            y -= gas_edge * std::round(y / gas_edge);
            act(i, j, x, y, x * x + y * y);
        }
}

/// 49 particles with the repulsion exp(-r^2 / 2) in a periodic square of side 7, from a square
/// lattice, with random momenta of zero sum and the energy 2000.
Problem repulsive_gas_problem(std::uint64_t seed) {
    Problem gas{"repulsive-gas",
                std::vector<double>(2 * gas_size, 1.0),
                {},
                {},
                [](const double* q, ForceLevel) {
                    double sum = 0.0;
                    for_gas_pairs(q, [&](std::size_t, std::size_t, double, double, double square) {
                        sum += std::exp(-0.5 * square);
                    });
                    return sum;
                },
                [](const double* q, ForceLevel, double* g) {
                    std::fill_n(g, 2 * gas_size, 0.0);
                    for_gas_pairs(
                        q, [&](std::size_t i, std::size_t j, double x, double y, double square) {
                            const double push = std::exp(-0.5 * square);
                            g[2 * i] -= push * x;
                            g[2 * i + 1] -= push * y;
                            g[2 * j] += push * x;
                            g[2 * j + 1] += push * y;
                        });
                },
                true};
    for (std::size_t i = 0; i < gas_size; ++i) {
        gas.q.push_back(lattice * double(i / gas_side));
        gas.q.push_back(lattice * double(i % gas_side));
        double a = 0.0, b = 0.0;
        Philox(seed, 0, static_cast<std::uint32_t>(i), 0, 0).normal(a, b);
        gas.p.push_back(a);
        gas.p.push_back(b);
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
        double sum = 0.0;
        for (std::size_t i = 0; i < gas_size; ++i) sum += gas.p[2 * i + axis];
        for (std::size_t i = 0; i < gas_size; ++i) gas.p[2 * i + axis] -= sum / gas_size;
    }
    double square = 0.0;
    for (const double p : gas.p) square += p * p;
    const double factor =
        std::sqrt(2.0 * (gas_energy - gas.potential(gas.q.data(), all_levels)) / square);
    for (double& p : gas.p) p *= factor;
    return gas;
}

struct GasRun {
    std::vector<double> averages; ///< of |p|^2 / 2N up to each step
    double error = 0.0;           ///< standard error of the last
    double energy = 0.0;          ///< largest change of the energy
};

/// A run up to t = 10.
GasRun gas_run(std::uint64_t seed) {
    constexpr int steps = 2500;
    const Problem problem = repulsive_gas_problem(seed);
    const Map step = step_of(problem, "verlet", 10.0 / steps);
    State z = start_of(problem);
    GasRun run;
    BlockingAverage average;
    for (int k = 1; k <= steps; ++k) {
        step(z);
        double square = 0.0;
        for (std::size_t c = 2 * gas_size; c < z.size(); ++c) square += z[c] * z[c];
        average.add(0.5 * square / gas_size);
        run.averages.push_back(average.mean()[0]);
        run.energy = std::max(std::abs(energy_of(problem, z) - gas_energy), run.energy);
    }
    run.error = average.error()[0];
    return run;
}

} // namespace

/// Figure 5.5: time averages from different starts of the same energy agree.
Results repulsive_gas() {
    Results results;
    std::array<GasRun, 4> runs;
    in_parallel(4, [&](std::size_t k) { runs[k] = gas_run(k + 1); });
    Curves& curves =
        results.add_curves("repulsive_gas", {"time", "run_1", "run_2", "run_3", "run_4"});
    for (std::size_t k = 9; k < runs[0].averages.size(); k += 10)
        curves.rows.push_back({0.004 * double(k + 1), runs[0].averages[k], runs[1].averages[k],
                               runs[2].averages[k], runs[3].averages[k]});
    double mean = 0.0, square = 0.0;
    for (const GasRun& run : runs) {
        mean += 0.25 * run.averages.back();
        square += run.error * run.error / 16.0;
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const std::string name = fmt::format("start {}: ", k + 1);
        results.compare(name + "average less that of all", 0.0, runs[k].averages.back() - mean,
                        4.0 * std::hypot(runs[k].error, std::sqrt(square)));
        results.compare(name + "change of the energy", 0.0, runs[k].energy, 0.1);
    }
    return results;
}

} // namespace shadow::models
