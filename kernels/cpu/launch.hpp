// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cpu/threads.hpp"

#include <cstdint>
#include <vector>

namespace shadow::cpu {

/// The number of elements of one leaf of the reduction tree, and the minimum per thread.
inline constexpr std::int64_t grain = 1024;

/// An op may offer `range(begin, end)`, equivalent to a call for each index, in a form that the
/// compiler vectorises.
template <class Op>
concept HasRange = requires(const Op& op, std::int64_t i) {
    op.range(i, i);
};

/// Or a `range` with the backend as an argument, for code compiled for each instruction set.
template <class Op>
concept HasBackendRange = requires(const Op& op, const Backend& backend, std::int64_t i) {
    op.range(backend, i, i);
};

/// Or `on_cpu(backend)`, which does the whole launch: with sums for each thread instead of atomic
/// ones, or by kernels of the instruction set. In a reduction it returns the result.
template <class Op>
concept RunsItself = requires(const Op& op, const Backend& backend) {
    op.on_cpu(backend);
};

/// `least`: the minimum number of elements per thread.
template <class Op>
void launch(const Backend& backend, const Op& op, std::int64_t n, const int* gate,
            std::int64_t least = grain) {
    if (gate && *gate == 0) return;
    if constexpr (RunsItself<Op>) return op.on_cpu(backend);
    parallel_ranges(backend.threads(), n, least, [&](std::int64_t begin, std::int64_t end) {
        if constexpr (HasRange<Op>) {
            op.range(begin, end);
        } else if constexpr (HasBackendRange<Op>) {
            op.range(backend, begin, end);
        } else {
            for (std::int64_t i = begin; i < end; ++i) op(i);
        }
    });
}

template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate) {
    if (gate && *gate == 0) return;
    if constexpr (RunsItself<Op>) {
        *result = op.on_cpu(backend);
        return;
    }
    std::vector<typename Op::Value> leaves(static_cast<std::size_t>((n + grain - 1) / grain));
    parallel_ranges(backend.threads(), n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end;) {
            auto leaf = Op::identity();
            const std::int64_t stop = std::min(end, i + grain);
            for (const std::int64_t first = i; i < stop; ++i)
                leaf = first == i ? op(i) : Op::combine(leaf, op(i));
            leaves[static_cast<std::size_t>((stop - 1) / grain)] = leaf;
        }
    });
    for (std::size_t width = leaves.size(); width > 1; width = (width + 1) / 2)
        for (std::size_t k = 0; k < width / 2; ++k)
            leaves[k] = Op::combine(leaves[k], leaves[width - 1 - k]);
    *result = leaves.empty() ? Op::identity() : leaves[0];
    if constexpr (requires { op.finish(); }) op.finish();
}

void exclusive_scan(const Backend& backend, const std::int32_t* in, std::int32_t* out,
                    std::int64_t n, const int* gate);

} // namespace shadow::cpu
