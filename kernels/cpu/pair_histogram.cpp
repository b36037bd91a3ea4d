// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_histogram.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"

#include <mutex>
#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void count_pairs(const PairHistogram<Dim>& pairs, int a, int b, std::int64_t first,            \
                     std::int64_t last, std::int64_t* histogram);                                  \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

template <int Dim>
void count_pairs(const Backend& backend, const PairHistogram<Dim>& pairs, int a, int b,
                 std::int64_t* histogram) {
    constexpr std::int64_t grain = 64;
    const auto bins = static_cast<std::size_t>(pairs.bins);
    std::mutex mutex;
    parallel_ranges(backend.threads(), pairs.chosen(), grain,
                    [&](std::int64_t begin, std::int64_t end) {
                        std::vector<std::int64_t> mine(4 * bins);
                        SHADOW_DISPATCH(backend, count_pairs, pairs, a, b, begin, end, mine.data());
                        const std::lock_guard lock(mutex);
                        for (std::size_t k = 0; k < mine.size(); ++k)
                            histogram[k % bins] += mine[k];
                    });
}

#define SHADOW_COUNT_PAIRS(Dim)                                                                    \
    template void count_pairs(const Backend&, const PairHistogram<Dim>&, int, int, std::int64_t*);
SHADOW_COUNT_PAIRS(1)
SHADOW_COUNT_PAIRS(2)
SHADOW_COUNT_PAIRS(3)

} // namespace cpu

} // namespace shadow
