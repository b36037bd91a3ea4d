// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/wave_mesh.hpp"

#include "kernels/cpu/threads.hpp"
#include "kernels/mesh/fourier.hpp"
#include "kernels/ops/spread.hpp"

#include <algorithm>
#include <cmath>
#include <kissfft/kissfft.hh>
#include <numbers>

namespace shadow {

namespace {

using Complex = std::complex<double>;

/// Transforms contiguous lines of doubles; keeps components 0 .. max of each.
std::vector<Complex> transform_lines(const double* density, std::int64_t lines, std::int32_t count,
                                     std::int32_t max, int threads) {
    const auto n = static_cast<std::size_t>(count), kept = static_cast<std::size_t>(max) + 1;
    const kissfft<double> fft(n / 2, false);
    std::vector<Complex> all(static_cast<std::size_t>(lines) * kept);
    cpu::parallel_ranges(threads, lines, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Complex> line(n / 2);
        for (auto l = static_cast<std::size_t>(begin); l < static_cast<std::size_t>(end); ++l) {
            fft.transform_real(density + l * n, line.data());
            all[l * kept] = line[0].real(); // its imaginary part is the component of index n / 2
            std::copy_n(line.begin() + 1, max,
                        all.begin() + static_cast<std::ptrdiff_t>(l * kept) + 1);
        }
    });
    return all;
}

/// Transforms the lines along the middle index of numbers [outer][count][inner]; keeps components
/// -max .. max of each.
std::vector<Complex> transform_middle(const std::vector<Complex>& from, std::size_t inner,
                                      std::int32_t count, std::int32_t max, int threads) {
    const auto n = static_cast<std::size_t>(count), kept = 2 * static_cast<std::size_t>(max) + 1;
    const kissfft<double> fft(n, false);
    const std::size_t lines = from.size() / n;
    std::vector<Complex> all(lines * kept);
    cpu::parallel_ranges(
        threads, static_cast<std::int64_t>(lines), 1, [&](std::int64_t begin, std::int64_t end) {
            std::vector<Complex> line(n), found(n);
            for (auto l = static_cast<std::size_t>(begin); l < static_cast<std::size_t>(end); ++l) {
                const std::size_t outer = l / inner, here = l % inner;
                for (std::size_t k = 0; k < n; ++k) line[k] = from[(outer * n + k) * inner + here];
                fft.transform(line.data(), found.data());
                for (std::size_t m = 0; m < kept; ++m)
                    all[(outer * kept + m) * inner + here] =
                        found[(m + n - static_cast<std::size_t>(max)) % n];
            }
        });
    return all;
}

/// The inverse of the transform of the B-spline at index m of a mesh with `count` points.
double sharpen(std::int32_t m, std::int32_t count) {
    const double t = std::numbers::pi * m / count;
    return m == 0 ? 1.0 : std::pow(t / std::sin(t), AssignmentWeights::order);
}

} // namespace

template <int Dim>
std::array<std::int32_t, Dim> WaveMesh<Dim>::indices(std::int64_t mode) const {
    std::array<std::int32_t, Dim> index;
    index[Dim - 1] = static_cast<std::int32_t>(mode % (max_index[Dim - 1] + 1));
    mode /= max_index[Dim - 1] + 1;
    for (std::size_t d = Dim - 1; d-- > 0; mode /= 2 * max_index[d] + 1)
        index[d] = static_cast<std::int32_t>(mode % (2 * max_index[d] + 1)) - max_index[d];
    return index;
}

template <int Dim>
WaveMesh<Dim> choose_mesh(const Box<Dim>& box, double longest, double accuracy) {
    // Two aliases, K - m and K + m; the second is far smaller.
    const double ratio = std::pow(0.5 * accuracy, 1.0 / AssignmentWeights::order);
    const double share = ratio / (1.0 + ratio); // m / K
    WaveMesh<Dim> mesh;
    for (std::size_t d = 0; d < Dim; ++d) {
        const double max = longest * box.lengths()[d] / (2.0 * std::numbers::pi);
        mesh.max_index[d] = static_cast<std::int32_t>(max);
        mesh.count[d] = good_count(std::max<double>(
            2.0 * AssignmentWeights::order, static_cast<double>(mesh.max_index[d]) / share));
    }
    return mesh;
}

template <int Dim>
std::vector<Complex> transform_mesh(const WaveMesh<Dim>& mesh, const double* density, int threads) {
    constexpr std::size_t last = Dim - 1;
    std::vector<Complex> modes = transform_lines(density, mesh.points() / mesh.count[last],
                                                 mesh.count[last], mesh.max_index[last], threads);
    std::size_t inner = static_cast<std::size_t>(mesh.max_index[last]) + 1;
    for (std::size_t d = last; d-- > 0;
         inner *= 2 * static_cast<std::size_t>(mesh.max_index[d]) + 1)
        modes = transform_middle(modes, inner, mesh.count[d], mesh.max_index[d], threads);
    for (std::size_t k = 0; k < modes.size(); ++k) {
        const auto index = mesh.indices(static_cast<std::int64_t>(k));
        for (std::size_t d = 0; d < Dim; ++d) modes[k] *= sharpen(index[d], mesh.count[d]);
    }
    return modes;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template struct WaveMesh<Dim>;                                                                 \
    template WaveMesh<Dim> choose_mesh(const Box<Dim>&, double, double);                           \
    template std::vector<Complex> transform_mesh(const WaveMesh<Dim>&, const double*, int);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
