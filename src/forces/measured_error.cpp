// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/long_range.hpp"

#include "kernels/mesh/fourier.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {
namespace {

constexpr double max_finer_points = 4e6; ///< of a finer mesh
constexpr double pairs_to_test = 2e6;    ///< some 10 ms
constexpr double farther = 1.6; ///< times the cut-off: there erfc is smaller by 1e-4 or more
constexpr double finer =
    1.5; ///< times as many points: splines of order 8 are then better by 1.5^8 = 26

/// The force on particle `i` of pairs beyond the cut-off, over all periodic images.
template <int Dim>
std::array<double, Dim> left_out(const LongRangeDescription& force, const Box<Dim>& box,
                                 const Snapshot<Dim>& start, std::size_t i) {
    const double alpha = force.split.alpha, near2 = std::pow(force.split.cutoff, 2);
    std::array<double, Dim> sum{};
    const SlidingImages& sliding = box.sliding();
    for (std::size_t j = 0; j < start.size(); ++j) {
        std::array<double, Dim> nearest;
        for (std::size_t d = 0; d < Dim; ++d)
            nearest[d] = start.position[i][d] - start.position[j][d];
        box.shorten(nearest);
        for (int image = 0; image < (Dim == 3 ? 27 : 9); ++image) {
            std::array<double, Dim> dx = nearest;
            double r2 = 0.0;
            int rest = image;
            for (std::size_t d = 0; d < Dim; ++d, rest /= 3) {
                dx[d] += box.lengths()[d] * (rest % 3 - 1);
                if (sliding.any())
                    sliding.slide_back(dx, static_cast<std::int32_t>(d), 1.0 - rest % 3);
            }
            for (const double x : dx) r2 += x * x;
            if (r2 < near2 || r2 > farther * farther * near2) continue;
            const double r = std::sqrt(r2), x = alpha * r;
            const double gauss = std::exp(-x * x);
            const double slope =
                force.logarithmic ? gauss : std::erfc(x) / r + 1.1283791670955126 * alpha * gauss;
            const double qq = force.charge[start.species[i]] * force.charge[start.species[j]];
            for (std::size_t d = 0; d < Dim; ++d) sum[d] += force.coulomb * qq * slope / r2 * dx[d];
        }
    }
    return sum;
}

} // namespace

template <int Dim>
std::optional<double> measured_error(const LongRangeDescription& force, const Box<Dim>& own,
                                     const Snapshot<Dim>& start) {
    const Box<Dim> box = fourier_box(force, own);
    LongRangeDescription better = force;
    better.split.order = 8;
    double points = 1.0;
    for (std::int32_t& n : better.split.count) points *= n = good_count(finer * n);
    if (force.split.order == 0 || points > max_finer_points) return {};
    const auto here = long_range_forces<Dim>(force, box, start);
    const auto exact = long_range_forces<Dim>(better, box, start);
    const auto n = static_cast<double>(start.size());
    const auto sample = static_cast<std::size_t>(std::max(10.0, pairs_to_test / n));
    const std::size_t stride = (start.size() + sample - 1) / sample;
    double square = 0.0, count = 0.0;
    for (std::size_t i = 0; i < start.size(); i += stride, ++count) {
        const std::array<double, Dim> pairs = left_out(force, box, start, i);
        for (std::size_t d = 0; d < Dim; ++d)
            square += std::pow(here[i][d] - exact[i][d] - pairs[d], 2);
    }
    return std::sqrt(square / count) / force.force_scale;
}

template std::optional<double> measured_error(const LongRangeDescription&, const Box<2>&,
                                              const Snapshot<2>&);
template std::optional<double> measured_error(const LongRangeDescription&, const Box<3>&,
                                              const Snapshot<3>&);
template <>
std::optional<double> measured_error(const LongRangeDescription&, const Box<1>&,
                                     const Snapshot<1>&) {
    return {};
}

} // namespace shadow
