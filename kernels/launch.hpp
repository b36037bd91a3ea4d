// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cpu/launch.hpp"
#include "kernels/ops/counting.hpp"

#include <cstdint>

/// Launches, reductions and counts over indices. An op is a named functor that is its own payload:
/// trivially copyable, with raw pointers into backend memory. Each op that is launched must be in
/// kernels/ops/list.hpp, from which the CUDA side is instantiated.
///
/// A `gate` is an int in backend memory: if it is not null and holds 0, nothing happens. So the
/// device itself decides about work that is only sometimes due (list rebuilds), and the host never
/// waits for an answer.
namespace shadow {

namespace cuda {
/// Defined in kernels/cuda/launch.cuh, instantiated for the ops of the list.
template <class Op>
void launch(const Backend& backend, const Op& op, std::int64_t n, const int* gate);
template <class Op>
void launch_and_scan(const Backend& backend, const Op& op, std::int64_t n, const Counts& counts,
                     const int* gate);
template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate);
template <class Op>
void count(const Backend& backend, const Op& op, std::int64_t n, std::int64_t bins);
void exclusive_scan(const Backend& backend, const Counts& counts, const int* gate);
} // namespace cuda

/// Calls `op(i)` for i in [0, n), in any order.
template <class Op>
void launch(const Backend& backend, const Op& op, std::int64_t n, const int* gate = nullptr) {
    if (backend.is_cuda()) return cuda::launch(backend, op, n, gate);
    cpu::launch(backend, op, n, gate);
}

/// Combines `op(i)` for i in [0, n) over a tree that depends only on n and writes the result to
/// `*result` in backend memory. An op has `Value`, `identity()`, `operator()(i) -> Value` and
/// `combine(Value, Value)`. It may have `finish()`, which is called once after the result is
/// written.
template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate = nullptr) {
    if (backend.is_cuda()) return cuda::reduce(backend, op, n, result, gate);
    cpu::reduce(backend, op, n, result, gate);
}

/// Counts into the `bins` of a histogram what the op finds for each i in [0, n): see
/// kernels/ops/counting.hpp.
template <class Op>
void count(const Backend& backend, const Op& op, std::int64_t n, std::int64_t bins) {
    if (backend.is_cuda()) return cuda::count(backend, op, n, bins);
    if constexpr (cpu::RunsItself<Op>) return op.on_cpu(backend);
    cpu::launch(backend, CountAtOnce<Op>{op}, n, nullptr);
}

/// Launches a Sweep (kernels/ops/sweep.hpp) over `clusters` clusters, on a GPU with `lanes` threads
/// for each; on a CPU a thread gets at least a few clusters.
template <class Sweep>
void launch_sweep(const Backend& backend, Sweep sweep, std::int64_t clusters, int lanes = 8) {
    sweep.lanes = backend.is_cuda() ? lanes : 1;
    if (!backend.is_cuda()) return cpu::launch(backend, sweep, clusters, nullptr, 8);
    launch(backend, sweep, clusters * sweep.lanes);
}

/// Calls an op as `launch` does, and scans its counts: on a GPU in one launch, if they are not too
/// many for one block.
template <class Op>
void launch_and_scan(const Backend& backend, const Op& op, std::int64_t n, const Counts& counts,
                     const int* gate = nullptr) {
    if (backend.is_cuda()) return cuda::launch_and_scan(backend, op, n, counts, gate);
    cpu::launch(backend, op, n, gate);
    cpu::exclusive_scan(backend, counts.number, counts.first, counts.size, gate);
}

/// out[i] = in[0] + ... + in[i-1] for i in [0, n]; `out` has n + 1 elements and may not alias `in`.
inline void exclusive_scan(const Backend& backend, const std::int32_t* in, std::int32_t* out,
                           std::int64_t n, const int* gate = nullptr) {
    if (backend.is_cuda()) return cuda::exclusive_scan(backend, {in, out, n}, gate);
    cpu::exclusive_scan(backend, in, out, n, gate);
}

} // namespace shadow
