// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/tensor.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace shadow {

/// The force on a particle, and its energy and virial: half of each of its pairs, and its own.
template <int Dim>
struct PairTotals {
    std::array<double, Dim> force{};
    double energy = 0.0;
    std::array<double, tensor_size<Dim>> virial = {};

    /// Adds `of` of each number; energy and virial are multiplied by `share`.
    template <class Of = std::identity>
    void add(const PairTotals& more, double share = 1.0, const Of& of = {}) {
        for (std::size_t d = 0; d < Dim; ++d) force[d] += of(more.force[d]);
        energy += share * of(more.energy);
        for (std::size_t c = 0; c < virial.size(); ++c) virial[c] += share * of(more.virial[c]);
    }
};

/// These totals, and how much the rounding of a device's kernels may change each component.
template <int Dim>
struct DirectTotals {
    PairTotals<Dim> value, rounding;

    /// Adds a share of `at()`, a function of `places`, with a rounding of `relative` of itself,
    /// plus its change when a coordinate changes by `apart(coordinate)`.
    template <class At, class Apart>
    void add(std::span<std::array<double, Dim>> places, double share, double relative, const At& at,
             const Apart& apart) {
        const PairTotals<Dim> here = at();
        value.add(here, share);
        rounding.add(here, share, [=](double x) { return relative * std::abs(x); });
        for (auto& place : places)
            for (double& x : place) {
                const double before = std::exchange(x, x + apart(x));
                PairTotals<Dim> change = at();
                x = before;
                change.add(here, 1.0, std::negate());
                rounding.add(change, share, [](double y) { return std::abs(y); });
            }
    }
};
/// Number of roundings of terms of the size of the result: some 20 while a pair is computed, up to
/// 200 while pairs are added.
inline constexpr double direct_roundings = 220.0;

/// A force without lists, clusters or threads, in double: adds its totals of a particle.
template <int Dim>
using DirectForce = std::function<void(DirectTotals<Dim>& sums, std::size_t particle)>;

template <int Dim>
struct DirectContext {
    const Box<Dim>& box;
    const Snapshot<Dim>& particles;
    std::vector<std::array<std::uint32_t, 2>> excluded; ///< ascending, the first id the lower
    double epsilon; ///< of the numbers in which a device computes a pair
    double extent;  ///< the largest extent of the system along any direction
};

} // namespace shadow
