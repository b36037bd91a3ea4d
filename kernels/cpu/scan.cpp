// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/launch.hpp"

namespace shadow::cpu {

void exclusive_scan(const Backend& backend, const std::int32_t* in, std::int32_t* out,
                    std::int64_t n, const int* gate) {
    if (gate && *gate == 0) return;
    constexpr std::int64_t block = 1 << 16;
    const std::int64_t blocks = (n + block - 1) / block;
    std::vector<std::int32_t> offset(static_cast<std::size_t>(blocks) + 1, 0);
    const auto for_blocks = [&](const auto& body) {
        parallel_ranges(backend.threads(), blocks, 1, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t b = first; b < last; ++b)
                body(static_cast<std::size_t>(b), b * block, std::min(n, (b + 1) * block));
        });
    };
    for_blocks([&](std::size_t b, std::int64_t begin, std::int64_t end) {
        std::int32_t sum = 0;
        for (std::int64_t i = begin; i < end; ++i) sum += in[i];
        offset[b + 1] = sum;
    });
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) offset[b + 1] += offset[b];
    for_blocks([&](std::size_t b, std::int64_t begin, std::int64_t end) {
        std::int32_t sum = offset[b];
        for (std::int64_t i = begin; i < end; ++i) {
            out[i] = sum;
            sum += in[i];
        }
    });
    out[n] = offset.back();
}

} // namespace shadow::cpu
