// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/forces/long_range.hpp"

#include "kernels/mesh/fourier.hpp"
#include "kernels/mesh/screening.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {
namespace {

using std::numbers::pi;
constexpr int orders[] = {4, 5, 6, 7, 8};

const std::vector<double>& edges(const ChargedSystem& system) {
    return system.edges.empty() ? system.lengths : system.edges;
}

double screening(const ChargedSystem& system, double alpha, double k2) {
    return system.dimension == 3 ? Screening<3>{alpha}(k2)
                                 : Screening<2>{alpha, system.logarithmic}(k2);
}

/// For a mode along one direction, with U the transform of the spline: its squared wave number, and
/// the shares of its aliases, m + count * s, in the sum of U^2 over all, and in the sum of U^2 k^2
/// over that of U^2.
struct Aliases {
    double weight = 1.0; ///< 2 for m and -m
    double k2 = 0.0, share = 0.0, share_k2 = 0.0;
};
Aliases aliases(int m, int count, int order, double length) {
    Aliases sums;
    sums.weight = m == 0 || 2 * m == count ? 1.0 : 2.0;
    double all = 0.0;
    for (int s = -4; s <= 4; ++s) {
        const double n = m + static_cast<double>(s) * count, x = pi * n / count;
        const double u = n == 0.0 ? 1.0 : std::pow(std::sin(x) / x, 2 * order);
        const double k = 2.0 * pi * n / length;
        all += u;
        if (s == 0) {
            sums.k2 = k * k;
        } else {
            sums.share += u;
            sums.share_k2 += u * k * k;
        }
    }
    sums.share /= all;
    sums.share_k2 /= all;
    return sums;
}

/// The relevant modes along one direction, for so many points that they are dense where g is large:
/// beyond 10 alpha g^2 k^(2 order) vanishes, and steps of 0.8 alpha sum it to 1e-5.
std::vector<Aliases> aliases_along(const EwaldSplit& split, std::size_t d, double& length) {
    constexpr int some = 24;
    constexpr double step = 0.8, most = 10.0; // over alpha
    const double spacing = length / split.count[d];
    const double dense = std::ceil(2.0 * pi / (step * split.alpha * spacing));
    const int count = static_cast<int>(
        std::min(std::max(static_cast<double>(some), dense), static_cast<double>(split.count[d])));
    length = spacing * count;
    std::vector<Aliases> along;
    for (int m = 0; 2 * m <= count && 2.0 * pi * m <= most * split.alpha * length; ++m)
        along.push_back(aliases(m, count, split.order, length));
    return along;
}

/// The mean square error of forces between charges of 1 at random positions (Ballenegger, Cerda and
/// Holm 2012, J. Chem. Theory Comput. 8, 936, eq. 26, for forces by differentiation of the splines
/// and the influence function of ChargeMesh), times the volume. It depends on the spacing of
/// points, hardly on their number.
double mesh_square(const ChargedSystem& system, const EwaldSplit& split) {
    const auto dimensions = static_cast<std::size_t>(system.dimension);
    std::vector<std::vector<Aliases>> table(dimensions);
    double volume = 1.0;
    std::int64_t modes = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
        double length = edges(system)[d];
        table[d] = aliases_along(split, d, length);
        volume *= length;
        modes *= static_cast<std::int64_t>(table[d].size());
    }
    double sum = 0.0;
    for (std::int64_t mode = 1; mode < modes; ++mode) {
        // Combines all directions without differences of numbers that nearly cancel.
        double k2 = 0.0, share = 0.0, share_k2 = 0.0, weight = 1.0;
        std::int64_t rest = mode;
        for (std::size_t d = 0; d < dimensions; ++d) {
            const auto count = static_cast<std::int64_t>(table[d].size());
            const Aliases& a = table[d][static_cast<std::size_t>(rest % count)];
            rest /= count;
            weight *= a.weight;
            k2 += a.k2;
            share += a.share - share * a.share;
            share_k2 += a.share_k2 - a.k2 * a.share;
        }
        share_k2 += k2 * share;
        const double g = screening(system, split.alpha, k2), own = 1.0 - share;
        sum += weight * g * g * (k2 * share * (1.0 + share * own) + own * own * share_k2);
    }
    return sum / volume;
}

/// The same for wave vectors beyond the longest: an integral of k^2 g^2 over them.
double sum_square(const ChargedSystem& system, const EwaldSplit& split) {
    const double first = split.longest, step = 0.05 * split.alpha;
    double sum = 0.0;
    for (double k = first + 0.5 * step; k < first + 10.0 * split.alpha; k += step) {
        const double g = screening(system, split.alpha, k * k);
        const double shell = system.dimension == 3 ? 4.0 * pi * k * k : 2.0 * pi * k;
        sum += step * shell * k * k * g * g;
    }
    return sum / std::pow(2.0 * pi, system.dimension);
}

/// The integral of r v'(r)^2 from 1 on, v = erfc(x r)/r, which falls as exp(-2 x^2 r^2): by the
/// midpoint rule, to some 1e-5 of it.
double plane_square(double x) {
    const double step = 0.01 / (x * std::max(x, 1.0));
    double sum = 0.0;
    for (double r = 1.0 + 0.5 * step; r < 1.0 + 800.0 * step; r += step) {
        const double slope =
            std::erfc(x * r) / r + 2.0 * x / std::sqrt(pi) * std::exp(-x * x * r * r);
        sum += step * slope * slope / r;
    }
    return sum;
}

/// Sets a mesh of this spacing, exactly or with counts that suit transforms, and the wave number up
/// to which its wave vectors would reach.
void set_spacing(const ChargedSystem& system, EwaldSplit& split, double spacing, bool exactly) {
    split.longest = pi / spacing;
    split.count.clear();
    constexpr double most = 1e6; // beyond what is computed
    for (const double length : edges(system))
        split.count.push_back(
            exactly ? static_cast<std::int32_t>(std::clamp(length / spacing, 4.0, most))
                    : good_count(std::clamp(length / spacing, 10.0, most)));
}

/// The cost of one step, in nanoseconds on one core: pairs, splines, transforms. `pair`: of one
/// pair.
double cost(const ChargedSystem& system, const EwaldSplit& split, double pair) {
    const double sphere = system.dimension == 3 ? 4.0 / 3.0 * pi : pi;
    const double pairs = 0.5 * system.particles * system.particles / system.volume() * sphere *
                         std::pow(split.cutoff, system.dimension);
    double points = 1.0;
    for (const std::int32_t n : split.count) points *= n;
    if (split.order == 0) return pair * pairs + 10.0 * system.particles * points;
    const double lines = std::pow(split.order, system.dimension - 1);
    return pair * pairs + system.particles * (70.0 + 1.6 * lines) + 3.4 * points;
}

/// The coarsest mesh, or the fewest wave vectors, within `accuracy`.
void refine(const ChargedSystem& system, EwaldSplit& split, double accuracy) {
    double fine = 0.004 / split.alpha, coarse = 3.0 / split.alpha;
    for (int k = 0; k < 13; ++k) {
        const double spacing = std::sqrt(fine * coarse);
        set_spacing(system, split, spacing, true);
        (fourier_error(system, split) > accuracy ? coarse : fine) = spacing;
    }
    set_spacing(system, split, fine, false);
}

/// The alpha with which pairs have this error at the cut-off.
double alpha_of(const ChargedSystem& system, double cutoff, double accuracy) {
    double low = 0.01 / cutoff, high = 20.0 / cutoff;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (pair_error(system, middle, cutoff) > accuracy ? low : high) = middle;
    }
    return high;
}

/// The shortest cut-off, down to half of this one, with which pairs have less than this error.
double cutoff_of(const ChargedSystem& system, double alpha, double cutoff, double accuracy) {
    double low = 0.5 * cutoff, high = cutoff;
    for (int k = 0; k < 30; ++k) {
        const double middle = 0.5 * (low + high);
        (pair_error(system, alpha, middle) > accuracy ? low : high) = middle;
    }
    return high;
}

/// Counts are rounded up, so the mesh is more accurate than necessary. A larger alpha makes it less
/// so, and pairs more accurate in return: they end at the shortest cut-off with which both errors
/// add up to `accuracy`.
void shorten(const ChargedSystem& system, EwaldSplit& split, double accuracy) {
    constexpr double step = 1.01;
    for (EwaldSplit next = split;; split = next) {
        next.alpha *= step;
        const double mesh = fourier_error(system, next);
        if (mesh >= accuracy) return;
        const double left = std::sqrt(accuracy * accuracy - mesh * mesh);
        next.cutoff = cutoff_of(system, next.alpha, split.cutoff, left);
        if (!(next.cutoff < split.cutoff)) return;
    }
}

} // namespace

double ChargedSystem::volume() const {
    if (filled > 0.0) return filled;
    double v = 1.0;
    for (const double length : lengths) v *= length;
    return v;
}

double ChargedSystem::force_scale() const {
    return coulomb * squares / particles *
           std::pow(particles / volume(), (logarithmic ? 1.0 : 2.0) / dimension);
}

double screened_potential(bool logarithmic, double alpha, double r) {
    const double x = alpha * r;
    return logarithmic ? -0.5 * std::expint(-x * x) : std::erfc(x) / r;
}

/// If other charges are at random positions, the mean square force is q_i^2 <q^2> rho times the
/// integral of v'(r)^2, v the screened potential, beyond the cut-off. In 3D with v = w/r, v'^2 r^2
/// = w'^2 - (w^2/r)'; for large alpha r that is the result of Kolafa and Perram. For -ln r v'^2 is
/// exp(-2 alpha^2 r^2)/r^2.
double pair_error(const ChargedSystem& system, double alpha, double cutoff) {
    const double x = alpha * cutoff;
    double square;
    if (system.logarithmic) {
        square = 2.0 * pi * screened_potential(true, std::numbers::sqrt2 * alpha, cutoff);
    } else if (system.dimension == 3) {
        square = 4.0 * pi *
                 (alpha * std::sqrt(2.0 / pi) * std::erfc(std::numbers::sqrt2 * x) +
                  std::pow(std::erfc(x), 2) / cutoff);
    } else {
        square = 2.0 * pi * plane_square(x) / (cutoff * cutoff);
    }
    return system.coulomb * system.squares *
           std::sqrt(square / (system.particles * system.volume())) / system.force_scale();
}

double fourier_error(const ChargedSystem& system, const EwaldSplit& split) {
    const double square = split.order > 0 ? mesh_square(system, split) : sum_square(system, split);
    return system.coulomb * system.squares *
           std::sqrt(std::max(0.0, square) / (system.volume() * system.particles)) /
           system.force_scale();
}

namespace {

/// Compares splits: for each order of splines the coarsest mesh within `accuracy`, or the given
/// one. Keeps the cheapest; if given values are not accurate enough, the most accurate.
class SplitChoice {
  public:
    SplitChoice(const ChargedSystem& system, const EwaldSplit& given, bool mesh, double accuracy)
        : system_(system), given_(given), mesh_(mesh),
          accuracy_((mesh ? aim : aim_of_sum) * accuracy), half_(accuracy_ / std::numbers::sqrt2) {}

    /// `pair`, `more`: the cost of a pair, and costs besides pairs and mesh. A cut-off that need
    /// not be `kept` may be shortened.
    void consider(double cutoff, bool kept, double pair, double more) {
        for (const int order : orders) {
            if (mesh_ && given_.order > 0 && order != given_.order) continue;
            EwaldSplit split = given_;
            split.cutoff = cutoff;
            split.order = mesh_ ? order : 0;
            if (given_.alpha == 0.0) split.alpha = alpha_of(system_, cutoff, half_);
            const bool fixed = mesh_ ? !given_.count.empty() : given_.longest > 0.0;
            if (!fixed) refine(system_, split, half_);
            const double excess =
                fixed ? std::max(1.0, fourier_error(system_, split) / (1.0001 * half_)) : 1.0;
            const bool fills_box = system_.filled == 0.0; // else estimates are coarser
            if (mesh_ && !kept && given_.alpha == 0.0 && excess == 1.0 && fills_box)
                shorten(system_, split, accuracy_);
            keep(split, excess, more + cost(system_, split, pair));
        }
    }
    [[nodiscard]] bool found() const { return time_ < HUGE_VAL; }
    [[nodiscard]] const EwaldSplit& best() const { return best_; }

  private:
    /// For charges at random the error of one configuration differs by some percent.
    static constexpr double aim = 0.95;
    /// Also, the estimate for omitted wave vectors is up to a quarter too low (at 1e-7).
    static constexpr double aim_of_sum = 0.78;

    void keep(const EwaldSplit& split, double excess, double time) {
        if (excess > excess_ || (excess == excess_ && time >= time_)) return;
        best_ = split;
        excess_ = excess;
        time_ = time;
    }

    const ChargedSystem& system_;
    const EwaldSplit& given_;
    bool mesh_;
    double accuracy_, half_, excess_ = HUGE_VAL, time_ = HUGE_VAL;
    EwaldSplit best_;
};

} // namespace

EwaldSplit choose_split(const ChargedSystem& system, const EwaldSplit& given, bool mesh,
                        double accuracy, double shared) {
    // Measured, by pair and by particle: pairs in the pass of another force, or in one of their
    // own.
    constexpr double added = 3.4, alone = 5.7, own_pass = 60.0;
    const double longest = 0.5 * *std::min_element(system.lengths.begin(), system.lengths.end());
    const double distance = std::pow(system.volume() / system.particles, 1.0 / system.dimension);
    SplitChoice choice(system, given, mesh, accuracy);
    if (given.cutoff > 0.0) {
        choice.consider(given.cutoff, true, alone, 0.0);
        return choice.best();
    }
    if (shared > 0.0) choice.consider(shared, true, added, 0.0);
    const double more = shared > 0.0 ? own_pass * system.particles : 0.0;
    for (double cutoff = 1.5 * distance; cutoff < longest; cutoff *= 1.12)
        choice.consider(cutoff, false, alone, more);
    if (!choice.found()) choice.consider(longest, false, alone, more);
    return choice.best();
}

} // namespace shadow
