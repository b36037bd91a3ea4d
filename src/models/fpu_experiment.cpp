// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// The chain of Fermi, Pasta and Ulam between two walls, 32 springs x + x^2 / 4: the fast part is
/// that of the linear springs, whose modes rotate; the slow one kicks.
class FpuChain final : public SplitModel {
  public:
    FpuChain() : sine_(n * n), frequency_(n), of_q_(n), of_p_(n) {
        for (std::size_t k = 0; k < n; ++k) {
            frequency_[k] = 2.0 * std::sin(0.5 * pi * double(k + 1) / springs);
            for (std::size_t i = 0; i < n; ++i)
                sine_[k * n + i] =
                    std::sqrt(2.0 / springs) * std::sin(pi * double((k + 1) * (i + 1)) / springs);
        }
    }

    void fast(State& z, double t) const override {
        to_modes(z.data(), of_q_);
        to_modes(z.data() + n, of_p_);
        for (std::size_t k = 0; k < n; ++k) {
            const double w = frequency_[k], c = std::cos(w * t), s = std::sin(w * t);
            const double q = of_q_[k], p = of_p_[k];
            of_q_[k] = c * q + s / w * p;
            of_p_[k] = c * p - s * w * q;
        }
        // The matrix is its own inverse.
        State q(n), p(n);
        to_modes(of_q_.data(), q);
        to_modes(of_p_.data(), p);
        std::copy(q.begin(), q.end(), z.begin());
        std::copy(p.begin(), p.end(), z.begin() + n);
    }
    void slow(State& z, double t) const override { kick(z, 0.0, t); }
    /// Subtracts t times the slope of the springs from p, with a multiple of their linear part.
    static void kick(State& z, double linear, double t) {
        for (std::size_t i = 0; i <= n; ++i) {
            const double r = (i < n ? z[i] : 0.0) - (i > 0 ? z[i - 1] : 0.0);
            const double force = linear * r + cubic * r * r;
            if (i < n) z[n + i] -= t * force;
            if (i > 0) z[n + i - 1] += t * force;
        }
    }
    [[nodiscard]] double energy(const State& z) const override {
        double sum = harmonic_energy(z);
        for (std::size_t i = 0; i <= n; ++i) {
            const double r = (i < n ? z[i] : 0.0) - (i > 0 ? z[i - 1] : 0.0);
            sum += cubic / 3.0 * r * r * r;
        }
        return sum;
    }
    [[nodiscard]] std::size_t size() const override { return 2 * n; }

    [[nodiscard]] double mode_energy(const State& z, std::size_t k) const {
        double q = 0.0, p = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            q += sine_[k * n + i] * z[i];
            p += sine_[k * n + i] * z[n + i];
        }
        return 0.5 * (p * p + frequency_[k] * frequency_[k] * q * q);
    }
    [[nodiscard]] static double harmonic_energy(const State& z) {
        double sum = 0.0;
        for (std::size_t i = 0; i <= n; ++i) {
            const double r = (i < n ? z[i] : 0.0) - (i > 0 ? z[i - 1] : 0.0);
            sum += 0.5 * r * r;
            if (i < n) sum += 0.5 * z[n + i] * z[n + i];
        }
        return sum;
    }
    /// The first mode alone, at rest.
    [[nodiscard]] static State start() {
        State z(2 * n);
        for (std::size_t i = 0; i < n; ++i)
            z[i] = std::sqrt(2.0 / springs) * std::sin(pi * double(i + 1) / springs);
        return z;
    }

  private:
    static constexpr std::size_t springs = 32, n = springs - 1;
    static constexpr double cubic = 0.25;

    void to_modes(const double* x, State& modes) const {
        for (std::size_t k = 0; k < n; ++k) {
            double sum = 0.0;
            for (std::size_t i = 0; i < n; ++i) sum += sine_[k * n + i] * x[i];
            modes[k] = sum;
        }
    }

    std::vector<double> sine_, frequency_;
    mutable State of_q_, of_p_;
};

/// A run of 200 periods of the first mode.
struct FpuRun {
    double energy = 0.0, harmonic = 0.0; ///< largest changes
    double min_first = 1.0, max_second = 0.0, max_third = 0.0;
    std::vector<std::vector<double>> rows; ///< time and energies of modes
};

FpuRun fpu_run(bool splitting, double dt) {
    const FpuChain chain;
    const Word word = parse_word("B1 A1");
    State z = FpuChain::start();
    const double period = 2.0 * pi / (2.0 * std::sin(pi / 64.0));
    const int steps = static_cast<int>(std::lround(200.0 * period / dt));
    const Map step = step_of(chain, word, dt);
    const double energy = chain.energy(z), harmonic = FpuChain::harmonic_energy(z);
    FpuRun run;
    for (int k = 1; k <= steps; ++k) {
        if (splitting) {
            step(z);
        } else {
            FpuChain::kick(z, 1.0, dt);
            for (std::size_t i = 0; i < z.size() / 2; ++i) z[i] += dt * z[z.size() / 2 + i];
        }
        run.energy = std::max(std::abs(chain.energy(z) - energy), run.energy);
        run.harmonic = std::max(std::abs(FpuChain::harmonic_energy(z) - harmonic), run.harmonic);
        if (k % 16 != 0) continue;
        const std::array<double, 3> modes = {chain.mode_energy(z, 0), chain.mode_energy(z, 1),
                                             chain.mode_energy(z, 2)};
        run.min_first = std::min(modes[0], run.min_first);
        run.max_second = std::max(modes[1], run.max_second);
        run.max_third = std::max(modes[2], run.max_third);
        if (k % 128 == 0) run.rows.push_back({dt * k, modes[0], modes[1], modes[2]});
    }
    return run;
}

} // namespace

/// Exercise 4.5: with exact linear springs, the error of symplectic Euler is that of the rest.
Results fpu_splitting() {
    Results results;
    struct Known {
        double dt, euler, splitting;
    };
    constexpr std::array<Known, 3> known = {
        {{0.2, 7.34e-5, 4.61e-7}, {0.1, 3.62e-5, 2.31e-7}, {0.05, 1.80e-5, 1.15e-7}}};
    const FpuChain chain;
    results.compare("energy", 4.81527e-3, chain.energy(FpuChain::start()), 1e-8);
    std::array<FpuRun, 6> found;
    in_parallel(6, [&](std::size_t k) { found[k] = fpu_run(k % 2 == 1, known[k / 2].dt); });
    for (std::size_t k = 0; k < 3; ++k) {
        const std::string name = fmt::format("step {}: ", known[k].dt);
        results.compare(name + "kicks and drifts", known[k].euler, found[2 * k].energy,
                        last_of(3, known[k].euler));
        results.compare(name + "kicks and turns of modes", known[k].splitting,
                        found[2 * k + 1].energy, last_of(3, known[k].splitting));
    }
    const FpuRun& best = found[5];
    results.compare("change of the energy of linear springs", 2.0e-5, best.harmonic, 1e-6);
    results.compare("least energy of the first mode", 1.906e-3, best.min_first, 1e-6);
    results.compare("largest of the second", 2.67e-3, best.max_second, 1e-5);
    results.compare("largest of the third", 5.3e-4, best.max_third, 1e-5);
    results.curves.push_back(
        {"fpu_splitting", {"time", "first", "second", "third"}, found[1].rows});
    return results;
}

} // namespace shadow::models
