// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/local_density.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace shadow {
namespace {

/// Number of particles sampled, for an error of a few per thousand.
constexpr std::size_t sample = 100'000;

/// The mixing function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

} // namespace

template <int Dim>
double local_density(const Snapshot<Dim>& snapshot, const Box<Dim>& box, double edge) {
    std::array<double, Dim> width{}, cells{};
    double volume = 1.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        const double length = box.lengths()[d];
        cells[d] = box.periodic()[d] ? std::max(1.0, std::floor(length / edge)) : 0.0;
        width[d] = box.periodic()[d] ? length / cells[d] : edge;
        volume *= width[d];
    }
    const std::uint64_t every = 1 + snapshot.size() / sample;
    std::vector<std::uint64_t> cell_of;
    for (const auto& position : snapshot.position) {
        std::uint64_t key = 0;
        for (std::size_t d = 0; d < Dim; ++d) {
            double cell = std::floor((position[d] - box.origin()[d]) / width[d]);
            if (box.periodic()[d]) cell -= cells[d] * std::floor(cell / cells[d]);
            if (!(std::abs(cell) < 1e15)) cell = 1e15; // beyond all others, or not a number
            key = mixed(key ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)));
        }
        if (key % every == 0) cell_of.push_back(key);
    }
    std::sort(cell_of.begin(), cell_of.end());
    double squares = 0.0;
    for (std::size_t i = 0; i < cell_of.size();) {
        const std::size_t first = i;
        while (i < cell_of.size() && cell_of[i] == cell_of[first]) ++i;
        squares += static_cast<double>(i - first) * static_cast<double>(i - first);
    }
    const auto count = static_cast<double>(cell_of.size());
    return std::max(1.0, count > 0.0 ? squares / count : 0.0) / volume;
}

template double local_density(const Snapshot<1>&, const Box<1>&, double);
template double local_density(const Snapshot<2>&, const Box<2>&, double);
template double local_density(const Snapshot<3>&, const Box<3>&, double);

} // namespace shadow
