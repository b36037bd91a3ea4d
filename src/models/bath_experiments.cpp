// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/generalized_bath.hpp"
#include "src/models/small_system.hpp"
#include "src/models/windows.hpp"

#include "shadow/integrators/separated_nose.hpp"
#include "shadow/statistics/blocking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// Two coordinates with V = (x^4 + y^4) / 4 + 3 x^2 y^2 / 2.
Problem quartic_wells() {
    return {"quartic wells",
            {1.0, 1.0},
            {0.4, -0.7},
            {1.1, 0.6},
            [](const double* q, ForceLevel) {
                const double a = q[0] * q[0], b = q[1] * q[1];
                return 0.25 * (a * a + b * b) + 1.5 * a * b;
            },
            [](const double* q, ForceLevel, double* g) {
                g[0] = q[0] * (q[0] * q[0] + 3.0 * q[1] * q[1]);
                g[1] = q[1] * (q[1] * q[1] + 3.0 * q[0] * q[0]);
            }};
}

/// A mean with weights, and its standard error by blocking.
class WeightedMean {
  public:
    explicit WeightedMean(std::size_t blocks) : weight_(blocks), sum_(blocks) {}
    void add(std::size_t block, double weight, double x) {
        weight_[block] += weight;
        sum_[block] += weight * x;
    }
    [[nodiscard]] double mean() const { return total(sum_) / total(weight_); }
    /// The largest of the errors from these blocks and from two to sixteen of them joined.
    [[nodiscard]] double error() const {
        double most = 0.0;
        for (std::size_t together = 1; together <= 16; together *= 2) {
            double square = 0.0;
            for (std::size_t k = 0; k < sum_.size(); k += together) {
                double off = 0.0;
                for (std::size_t i = k; i < std::min(k + together, sum_.size()); ++i)
                    off += sum_[i] - weight_[i] * mean();
                square += off * off;
            }
            most = std::max(std::sqrt(square), most);
        }
        return most / total(weight_);
    }
    [[nodiscard]] double of_block(std::size_t k) const { return sum_[k] / weight_[k]; }

  private:
    [[nodiscard]] static double total(const std::vector<double>& x) {
        double sum = 0.0;
        for (const double part : x) sum += part;
        return sum;
    }

    std::vector<double> weight_, sum_;
};

constexpr std::size_t weight_blocks = 200;

/// Kinetic energy and V with the weights for g, and the kinetic energy averaged over real time.
struct WeightedRun {
    WeightedMean kinetic{weight_blocks}, potential{weight_blocks}, in_time{weight_blocks};
    double largest = 0.0; ///< of s^2 times the error of the conserved energy
};

/// By the separated form, at kT = 1 with one bath variable of mass 1.
WeightedRun weighted_run(int g, std::int64_t steps, double h) {
    MethodSettings settings;
    settings.dt = h;
    settings.kT = 1.0;
    SeparatedNose method(settings);
    SmallSystem system(quartic_wells());
    system.set_degrees_of_freedom(g);
    method.prepare(system);
    const double energy = system.conserved(method);
    WeightedRun run;
    for (std::int64_t k = 0; k < steps; ++k) {
        method.step(system);
        if (k % 4 != 0) continue;
        const double s = system.scalar(Scalar::s), kinetic = system.kinetic_energy();
        const auto block =
            static_cast<std::size_t>(k * static_cast<std::int64_t>(weight_blocks) / steps);
        const double weight = g == 3 ? s * s : g == 2 ? s : 1.0;
        run.kinetic.add(block, weight, kinetic);
        run.potential.add(block, weight, system.scalar(Scalar::potential));
        run.in_time.add(block, s, kinetic);
        if (k % 64 == 0)
            run.largest =
                std::max(s * s * std::abs(system.conserved(method) - energy), run.largest);
    }
    return run;
}

/// Means of p^2, p^4, q^2 and q^4 of an oscillator with a bath, and of p^4 - 6 p^2 and q^4 - 6 q^2,
/// whose errors are those of kurtoses near 3; and standard errors.
struct ManyAverages {
    std::vector<double> mean, error;
    std::vector<std::vector<double>> rows; ///< time and s
};

ManyAverages averages_with_many(const BathOfMany& bath, State z, double h, std::int64_t steps) {
    NoseOfMany motion({[](double q) { return 0.5 * q * q; }, [](double q) { return q; }}, bath, 1.0,
                      z);
    BlockingAverage sums(6);
    ManyAverages found;
    const std::size_t p_at = 2 + bath.masses.size();
    for (std::int64_t k = 0; k < steps; ++k) {
        motion.step(z, h);
        if (k % 8 != 0) continue;
        const double p = z[p_at] / z[1], p2 = p * p, q2 = z[0] * z[0];
        sums.add(std::array{p2, p2 * p2, q2, q2 * q2, p2 * (p2 - 6.0), q2 * (q2 - 6.0)});
        if (k % 64 == 0 && found.rows.size() < 1000)
            found.rows.push_back({h * static_cast<double>(k + 1), z[1]});
    }
    found.mean = sums.mean();
    found.error = sums.error();
    return found;
}

} // namespace

/// Section 11.4: which weights belong to which number of degrees of freedom.
Results nose_weights() {
    Results results;
    std::array<WeightedRun, 3> found;
    in_parallel(3, [&](std::size_t k) {
        found[k] = weighted_run(static_cast<int>(3 - k), 10000000, 0.004);
    });
    Curves& curves = results.add_curves("nose_weights", {"block", "g_3", "g_2", "g_1"});
    for (std::size_t k = 0; k < weight_blocks; ++k)
        curves.rows.push_back({double(k + 1), found[0].kinetic.of_block(k),
                               found[1].kinetic.of_block(k), found[2].kinetic.of_block(k)});
    for (std::size_t k = 0; k < 3; ++k) {
        const WeightedRun& run = found[k];
        const std::string name = fmt::format("g = {}: ", 3 - k);
        // Within four standard errors.
        results.compare(name + "kinetic energy", 1.0, run.kinetic.mean(),
                        4.0 * run.kinetic.error());
        results.compare(name + "V", 0.5, run.potential.mean(), 4.0 * run.potential.error());
        results.compare(name + "kinetic energy with the weights of g = 2",
                        0.5 * static_cast<double>(3 - k), run.in_time.mean(),
                        4.0 * run.in_time.error());
        results.compare(name + "what is to be zero", 0.0, run.largest, 1e-4);
    }
    return results;
}

/// Section 11.4: baths of several variables bring an oscillator to the canonical distribution.
Results generalized_baths() {
    Results results;
    struct Known {
        const char* name;
        BathOfMany bath;
        State start;
        double h;
        std::int64_t steps;
    };
    State balls = {0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, -1.05, 1.0, 0.0};
    for (int i = 0; i < 9; ++i) balls.push_back(0.3 * (i - 4));
    const std::array<Known, 2> known = {
        {{"vertex", vertex_bath(), {0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 0.3, -0.7}, 0.001, 12000000},
         {"balls", ball_bath(), balls, 5e-4, 8000000}}};
    std::array<ManyAverages, 2> found;
    in_parallel(2, [&](std::size_t k) {
        found[k] = averages_with_many(known[k].bath, known[k].start, known[k].h, known[k].steps);
    });
    for (std::size_t k = 0; k < 2; ++k) {
        const ManyAverages& run = found[k];
        const std::string name = std::string(known[k].name) + ": ";
        const auto kurtosis = [&](std::size_t i) {
            return run.mean[i + 1] / (run.mean[i] * run.mean[i]);
        };
        results.compare(name + "mean square of p", 1.0, run.mean[0], 4.0 * run.error[0]);
        results.compare(name + "kurtosis of p", 3.0, kurtosis(0), 4.0 * run.error[4]);
        results.compare(name + "mean square of q", 1.0, run.mean[2], 4.0 * run.error[2]);
        results.compare(name + "kurtosis of q", 3.0, kurtosis(2), 4.0 * run.error[5]);
        results.curves.push_back(
            {fmt::format("generalized_baths_{}", known[k].name), {"time", "s"}, run.rows});
    }
    return results;
}

} // namespace shadow::models
