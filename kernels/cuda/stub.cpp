// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"

#include "kernels/cuda/fourier_plan.hpp"
#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/runtime.hpp"
#include "kernels/ops/counting.hpp"
#include "kernels/sort.hpp"

/// Replaces all CUDA code where there is no nvcc: the same functions, none of which is ever called,
/// so that the rest of the program is compiled the same way with and without it.
namespace shadow::cuda {

namespace {
[[noreturn]] void absent() {
    throw MachineError(
        "CUDA asked for (this binary was built without it); use device = \"cpu\", or "
        "build where nvcc is found");
}
} // namespace

bool is_built() noexcept {
    return false;
}
Gpus devices() {
    return {};
}
std::string driver() {
    return "none";
}
void* open_stream(int) {
    absent();
}
void close_stream(void*) noexcept {}
void synchronize(void*) {
    absent();
}
void mark_step(void*) {}
void set_replay(void*, ReplayMode) {}
ReplayReport replay_report(void*) {
    return {};
}
void* allocate(void*, std::size_t) {
    absent();
}
void deallocate(void*, void*) noexcept {}
void copy_to_device(void*, void*, const void*, std::size_t) {
    absent();
}
void copy_to_host(void*, void*, const void*, std::size_t) {
    absent();
}
void fill_zero(void*, void*, std::size_t) {
    absent();
}

std::unique_ptr<FourierPlan> make_fourier_plan(const Backend&, const MeshShape&, std::string&) {
    absent();
}

template <class Op>
void launch(const Backend&, const Op&, std::int64_t, const int*) {
    absent();
}
template <class Op>
void launch_and_scan(const Backend&, const Op&, std::int64_t, const Counts&, const int*) {
    absent();
}
template <class Op>
void reduce(const Backend&, const Op&, std::int64_t, typename Op::Value*, const int*) {
    absent();
}
template <class Op>
void count(const Backend&, const Op&, std::int64_t, std::int64_t) {
    absent();
}
void exclusive_scan(const Backend&, const Counts&, const int*) {
    absent();
}
std::size_t sort_work_bytes(const Backend&, std::int64_t, std::int64_t) {
    absent();
}
void sort_by_key(const Backend&, const KeySort&) {
    absent();
}
template <int Dim, class Pair>
void pair_force(const Backend&, const PairForcePayload<Dim, Pair>&, std::int64_t) {
    absent();
}
template <int Dim>
void stage(const Backend&, const StagePayload<Dim>&, std::int64_t, const int*) {
    absent();
}
template <int Dim>
void find_ranges(const Backend&, const BuildRanges<Dim>&, std::int64_t, const int*) {
    absent();
}

SHADOW_INSTANTIATE_PLAIN_OPS
SHADOW_INSTANTIATE_OPS(1)
SHADOW_INSTANTIATE_OPS(2)
SHADOW_INSTANTIATE_OPS(3)
SHADOW_INSTANTIATE_CHARGE_OPS(2)
SHADOW_INSTANTIATE_CHARGE_OPS(3)
SHADOW_INSTANTIATE_PAIR_FORCE(1, double)
SHADOW_INSTANTIATE_PAIR_FORCE(1, float)
SHADOW_INSTANTIATE_PAIR_FORCE(2, double)
SHADOW_INSTANTIATE_PAIR_FORCE(2, float)
SHADOW_INSTANTIATE_PAIR_FORCE(3, double)
SHADOW_INSTANTIATE_PAIR_FORCE(3, float)
SHADOW_INSTANTIATE_STAGES

} // namespace shadow::cuda
