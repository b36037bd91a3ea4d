// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/runge_kutta.hpp"
#include "src/models/semi_explicit.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace shadow::models {
namespace {

/// q'' = -k q - c v
struct TestEquation {
    double k = 0.0, c = 0.0;

    [[nodiscard]] StiffMotion::Acceleration acceleration() const {
        return [*this](const State& z, std::vector<double>& a) { a[0] = -k * z[0] - c * z[1]; };
    }
    [[nodiscard]] StiffMotion::Slope slope() const {
        return [*this](const State&, Matrix& by_q, Matrix& by_v) {
            by_q(0, 0) = -k;
            by_v(0, 0) = -c;
        };
    }
};

/// The matrix of a step h = 1.
Matrix test_matrix(const TestEquation& a, const TestEquation& b, double alpha, double beta) {
    const StiffMotion motion{1, a.acceleration(), b.acceleration(), a.slope(), b.slope()};
    return matrix_of(
        [&](State& z) {
            ImplicitStep step{z, {}, 0};
            semi_explicit_step(motion, 1.0, alpha, beta, step);
            z = step.z;
        },
        2);
}

double radius(const Matrix& m) {
    const auto [one, other] = eigenvalues_of_two(m);
    return std::max(std::abs(one), std::abs(other));
}

bool oscillates(const Matrix& m) {
    return eigenvalues_of_two(m)[0].imag() != 0.0;
}

/// The number of points of the plane that are inside the triangle and unstable, or outside and
/// stable; and of points inside whose motion oscillates where corollary 4 denies it, or the other
/// way round.
struct Misfits {
    int stability = 0, oscillation = 0;
};

Misfits misfits(double alpha) {
    Misfits count;
    constexpr double step = 0.05, margin = 1e-9;
    for (double c = -0.475; c < 2.5; c += step)
        for (double k = 0.025; k < 4.5; k += step) {
            const bool inside = c <= 2.0 - alpha * k && c >= (0.5 - alpha) * k;
            const Matrix m = test_matrix({k, c}, {}, alpha, 0.5);
            const bool stable = radius(m) <= 1.0 + margin;
            if (stable != inside) ++count.stability;
            const bool swings = c < 2.0 * std::sqrt(k) - 0.5 * k * (1.0 + 2.0 * alpha);
            if (inside && oscillates(m) != swings) ++count.oscillation;
        }
    return count;
}

/// The largest damping hc up to 2.5 with which a step is stable, by bisection.
double edge(double alpha, double k) {
    double stable = (0.5 - alpha) * k + 1e-6, beyond = 2.5;
    if (radius(test_matrix({k, stable}, {}, alpha, 0.5)) > 1.0) return 0.0;
    for (int n = 0; n < 40; ++n) {
        const double middle = 0.5 * (stable + beyond);
        const bool inside = radius(test_matrix({k, middle}, {}, alpha, 0.5)) <= 1.0;
        (inside ? stable : beyond) = middle;
    }
    return stable;
}

/// Two particles on weak and stiff springs, figure 3: q'' = -diag(1, 0) q - 1e3 L q - 1e2 L v.
StiffMotion springs() {
    constexpr double k = 1e3, c = 1e2;
    return {2,
            [](const State& z, std::vector<double>& a) {
                a[0] = -z[0];
                a[1] = 0.0;
            },
            [](const State& z, std::vector<double>& a) {
                a[0] = -k * (z[0] - z[1]) - c * (z[2] - z[3]);
                a[1] = -a[0];
            },
            [](const State&, Matrix& by_q, Matrix& by_v) {
                by_q = by_v = Matrix(2);
                by_q(0, 0) = -1.0;
            },
            [](const State&, Matrix& by_q, Matrix& by_v) {
                for (std::size_t i = 0; i < 2; ++i)
                    for (std::size_t j = 0; j < 2; ++j) {
                        by_q(i, j) = i == j ? -k : k;
                        by_v(i, j) = i == j ? -c : c;
                    }
            }};
}

/// A pendulum on a stiff rod, figures 4 and 5: q'' = (0, -1) - 1e4 (|q|^2 - 1) q.
StiffMotion rod() {
    constexpr double k = 1e4;
    return {2,
            [](const State&, std::vector<double>& a) {
                a[0] = 0.0;
                a[1] = -1.0;
            },
            [](const State& z, std::vector<double>& a) {
                const double stretch = z[0] * z[0] + z[1] * z[1] - 1.0;
                for (std::size_t i = 0; i < 2; ++i) a[i] = -k * stretch * z[i];
            },
            [](const State&, Matrix& by_q, Matrix& by_v) { by_q = by_v = Matrix(2); },
            [](const State& z, Matrix& by_q, Matrix& by_v) {
                const double stretch = z[0] * z[0] + z[1] * z[1] - 1.0;
                by_v = Matrix(2);
                for (std::size_t i = 0; i < 2; ++i)
                    for (std::size_t j = 0; j < 2; ++j)
                        by_q(i, j) = -k * ((i == j ? stretch : 0.0) + 2.0 * z[i] * z[j]);
            }};
}

/// The motion at multiples of h, by the classical Runge-Kutta method with fine steps.
std::vector<State> followed(const StiffMotion& motion, State z, double h, int steps, int fine) {
    const std::size_t n = motion.size;
    std::vector<double> a(n), b(n);
    const Rate rate = [&](const State& y, State& f) {
        motion.soft(y, a);
        motion.stiff(y, b);
        for (std::size_t i = 0; i < n; ++i) {
            f[i] = y[n + i];
            f[n + i] = a[i] + b[i];
        }
    };
    std::vector<State> all = {z};
    for (int k = 0; k < steps; ++k) {
        for (int j = 0; j < fine; ++j) runge_kutta_step(rate, h / fine, z);
        all.push_back(z);
    }
    return all;
}

/// Semi-explicit with alpha = 1/2, or the theta method.
struct Method {
    const char* name;
    bool semi_explicit;
    double theta;
};

struct Trajectory {
    std::vector<State> z;
    double iterations = 0.0; ///< per step
};

Trajectory trajectory(const StiffMotion& motion, const State& start, double h, int steps,
                      const Method& method) {
    ImplicitStep step{start, {}, 0};
    Trajectory all{{start}};
    for (int k = 0; k < steps; ++k) {
        if (method.semi_explicit)
            semi_explicit_step(motion, h, 0.5, method.theta, step);
        else
            theta_step(motion, h, method.theta, step);
        all.z.push_back(step.z);
        all.iterations += static_cast<double>(step.iterations) / steps;
    }
    return all;
}

/// Largest difference of q_1 up to a time.
double largest_error(const std::vector<State>& a, const std::vector<State>& b, int steps) {
    double largest = 0.0;
    for (int k = 0; k <= steps; ++k) {
        const auto at = static_cast<std::size_t>(k);
        largest = std::max(largest, std::abs(a[at][0] - b[at][0]));
    }
    return largest;
}

} // namespace

Results semi_explicit_stability() {
    Results results;
    Curves& curves = results.add_curves("semi_explicit_stability",
                                        {"h2k", "alpha_0", "alpha_0.25", "alpha_0.5"});
    for (double k = 0.02; k < 4.0; k += 0.02)
        curves.rows.push_back({k, edge(0.0, k), edge(0.25, k), edge(0.5, k)});
    for (const double alpha : {0.0, 0.25, 0.5}) {
        const Misfits found = misfits(alpha);
        const std::string name = fmt::format("alpha = {}: ", alpha);
        results.compare(name + "points that are stable outside of the triangle, or not inside", 0.0,
                        found.stability, 0.0);
        results.compare(name + "points that swing beyond critical damping, or do not below it", 0.0,
                        found.oscillation, 0.0);
    }
    // Theorem 6: with an implicit part, theta >= 1/2, the method is as stable as without.
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(0.0, 1.0);
    double largest = 0.0;
    for (int k = 0; k < 20000; ++k) {
        const double alpha = 0.5 * part(random), ka = 4.0 * part(random), low = (0.5 - alpha) * ka,
                     high = 2.0 - alpha * ka;
        if (high <= low) continue;
        const TestEquation soft{ka, low + (high - low) * part(random)},
            stiff{std::pow(10.0, 8.0 * part(random) - 3.0),
                  std::pow(10.0, 6.0 * part(random) - 3.0)};
        largest =
            std::max(largest, radius(test_matrix(soft, stiff, alpha, 0.5 + 0.5 * part(random))));
    }
    results.compare("largest eigenvalue with any implicit part", 1.0, std::max(1.0, largest), 1e-9);
    // Without damping one eigenvalue of the implicit part is never damped.
    const Matrix hard = test_matrix({}, {1e12, 0.0}, 0.5, 0.8);
    results.compare("trace for a stiff spring, theta = 0.8", -1.25, hard(0, 0) + hard(1, 1), 1e-6);
    results.compare("determinant", 0.25, hard(0, 0) * hard(1, 1) - hard(0, 1) * hard(1, 0), 1e-3);
    return results;
}

Results semi_explicit_springs() {
    Results results;
    constexpr int steps = 120;
    const StiffMotion motion = springs();
    const State start = {1.0, 1.1, 0.0, 0.0};
    const auto exact = followed(motion, start, 1.0, steps, 4000);
    Curves& curves = results.add_curves(
        "semi_explicit_springs", {"time", "exact", "semi_explicit", "theta_0.5", "theta_0.8"});
    for (int k = 0; k <= steps; ++k)
        curves.rows.push_back({double(k), exact[static_cast<std::size_t>(k)][0]});
    struct Known {
        Method method;
        double short_error, long_error;
    };
    for (const Known& known : {Known{{"semi-explicit, theta = 0.8", true, 0.8}, 0.31, 0.73},
                               Known{{"theta = 1/2", false, 0.5}, 0.55, 1.23},
                               Known{{"theta = 0.8", false, 0.8}, 0.96, 1.05}}) {
        const Trajectory found = trajectory(motion, start, 1.0, steps, known.method);
        const std::string name = std::string(known.method.name) + ": error ";
        results.compare(name + "up to t = 20", known.short_error, largest_error(found.z, exact, 20),
                        0.005);
        results.compare(name + "up to t = 50", known.long_error, largest_error(found.z, exact, 50),
                        0.005);
        for (std::size_t k = 0; k < found.z.size(); ++k) curves.rows[k].push_back(found.z[k][0]);
    }
    return results;
}

Results semi_explicit_pendulum() {
    Results results;
    constexpr int steps = 2000;
    constexpr double h = 0.01;
    const StiffMotion motion = rod();
    const State start = {1.01, 0.0, 0.0, 0.0};
    const auto exact = followed(motion, start, h, steps, 50);
    Curves& curves = results.add_curves(
        "semi_explicit_pendulum", {"time", "semi_explicit", "stretch_semi_explicit", "theta_0.5",
                                   "stretch_theta_0.5", "theta_0.6", "stretch_theta_0.6"});
    for (int k = 0; k <= steps; ++k) curves.rows.push_back({k * h});
    struct Known {
        Method method;
        double error, stretch, within, iterations;
    };
    for (const Known& known :
         {Known{{"semi-explicit, theta = 0.6", true, 0.6}, 0.115, 1.7e-4, 1e-5, 2.07},
          Known{{"theta = 1/2", false, 0.5}, 0.020, 1.0e-2, 5e-4, 3.77},
          Known{{"theta = 0.6", false, 0.6}, 0.226, 1.7e-4, 1e-5, 2.04}}) {
        const Trajectory found = trajectory(motion, start, h, steps, known.method);
        double stretch = 0.0;
        for (std::size_t k = 0; k < found.z.size(); ++k) {
            const State& z = found.z[k];
            const double away = std::hypot(z[0], z[1]) - 1.0;
            if (static_cast<double>(k) * h > 10.0) stretch = std::max(stretch, std::abs(away));
            curves.rows[k].insert(curves.rows[k].end(), {z[0] - exact[k][0], away});
        }
        const std::string name = std::string(known.method.name) + ": ";
        results.compare(name + "error of q_x", known.error, largest_error(found.z, exact, steps),
                        0.001);
        results.compare(name + "stretch of the rod from t = 10 on", known.stretch, stretch,
                        known.within);
        results.compare(name + "Newton iterations a step", known.iterations, found.iterations,
                        0.02);
    }
    const Trajectory a = trajectory(motion, start, h, steps, {"", true, 0.5}),
                     b = trajectory(motion, start, h, steps, {"", false, 0.5});
    results.compare("semi-explicit less theta method, theta = 1/2", 0.0,
                    largest_error(a.z, b.z, steps), 1e-8);
    return results;
}

} // namespace shadow::models
