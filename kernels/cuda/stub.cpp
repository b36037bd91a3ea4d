// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"

#include "kernels/cuda/runtime.hpp"

namespace shadow::cuda {

namespace {
[[noreturn]] void absent() {
    throw MachineError(
        "CUDA asked for (this binary was built without it); use device = \"cpu\", or "
        "build where nvcc is found");
}
} // namespace

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
void copy_within(void*, void*, const void*, std::size_t) {
    absent();
}
void fill_zero(void*, void*, std::size_t) {
    absent();
}

} // namespace shadow::cuda
