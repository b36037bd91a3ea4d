// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/density_modes.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void sum_modes(const DensityModes<Dim>& modes, const WaveVector<Dim>* vectors, int species,    \
                   std::int64_t first, std::int64_t last, double* cosines, double* sines);         \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {

namespace {
/// Number of particles summed together first, so that no sum depends on threads.
constexpr std::int64_t leaf = 4096;
constexpr std::size_t max_lanes = 8;
} // namespace

template <int Dim>
void density_modes(const Backend& backend, const DensityModes<Dim>& modes, int species,
                   double* row) {
    const auto sums = static_cast<std::size_t>(species) * static_cast<std::size_t>(modes.count);
    std::vector<WaveVector<Dim>> vectors;
    for (std::int32_t k = 0; k < modes.count; ++k) vectors.push_back(modes.vector(k));
    const std::int64_t leaves = (modes.particles + leaf - 1) / leaf;
    std::vector<double> parts(static_cast<std::size_t>(leaves) * 2 * sums);
    parallel_ranges(backend.threads(), leaves, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> cosines(sums * max_lanes), sines(sums * max_lanes);
        for (std::int64_t part = begin; part < end; ++part) {
            SHADOW_DISPATCH(backend, sum_modes, modes, vectors.data(), species, part * leaf,
                            std::min(modes.particles, (part + 1) * leaf), cosines.data(),
                            sines.data());
            double* mine = parts.data() + static_cast<std::size_t>(part) * 2 * sums;
            std::copy_n(cosines.data(), sums, mine);
            std::copy_n(sines.data(), sums, mine + sums);
        }
    });
    std::fill_n(row, 2 * sums, 0.0);
    for (std::size_t k = 0; k < parts.size(); ++k) row[k % (2 * sums)] += parts[k];
}

#define SHADOW_DENSITY_MODES(Dim)                                                                  \
    template void density_modes(const Backend&, const DensityModes<Dim>&, int, double*);
SHADOW_DENSITY_MODES(1)
SHADOW_DENSITY_MODES(2)
SHADOW_DENSITY_MODES(3)

} // namespace cpu

} // namespace shadow
