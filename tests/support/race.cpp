// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"

#include <cstdint>
#include <cstdio>

/// An intended race; under the thread sanitizer this program must fail.
int main() {
    std::int64_t sum = 0;
    shadow::cpu::parallel_ranges(2, 2, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = 0; i < 100'000; ++i) sum += end - begin;
    });
    std::printf("%lld\n", static_cast<long long>(sum));
}
