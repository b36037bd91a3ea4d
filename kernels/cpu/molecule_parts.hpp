// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/molecule_groups.hpp"
#include "kernels/cpu/threads.hpp"

#include <vector>

namespace shadow::cpu {

/// Calls work(first, last, scratch) for parts of `groups` groups of molecules, one part per thread;
/// each molecule needs `numbers` numbers of scratch memory.
template <class Work>
void each_part(const Backend& backend, std::int64_t groups, std::int64_t numbers,
               const Work& work) {
    constexpr std::int64_t worth_a_thread = 16;
    parallel_ranges(
        backend.threads(), groups, worth_a_thread, [&](std::int64_t first, std::int64_t last) {
            std::vector<double> scratch(static_cast<std::size_t>(numbers * molecules_per_pack));
            work(first, last, scratch.data());
        });
}

} // namespace shadow::cpu
