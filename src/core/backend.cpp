// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/backend.hpp"

#include "shadow/core/error.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cuda/runtime.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <thread>

namespace shadow {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t spare = 256;
constexpr std::int64_t page = 1 << 16;

/// In parallel, so that each thread touches first the part of the memory it will work on.
void zero(const Backend& backend, void* memory, std::size_t bytes) {
    cpu::parallel_ranges(backend.threads(), static_cast<std::int64_t>(bytes), page,
                         [memory](std::int64_t begin, std::int64_t end) {
                             std::memset(static_cast<char*>(memory) + begin, 0,
                                         static_cast<std::size_t>(end - begin));
                         });
}

} // namespace

std::vector<InstructionSet> available_instruction_sets() {
    std::vector<InstructionSet> found;
    __builtin_cpu_init();
    if (SHADOW_HAS_SSE) found.push_back(InstructionSet::sse);
    if (SHADOW_HAS_AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        found.push_back(InstructionSet::avx2);
    if (SHADOW_HAS_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found.push_back(InstructionSet::avx512);
    if (found.empty())
        throw MachineError("this processor has no instruction set that was compiled (the build "
                           "chose some by SHADOW_INSTRUCTION_SETS); build with all of them");
    return found;
}

const char* name(InstructionSet isa) noexcept {
    switch (isa) {
    case InstructionSet::avx512:
        return "avx512";
    case InstructionSet::avx2:
        return "avx2";
    case InstructionSet::sse:
        break;
    }
    return "sse";
}

std::vector<std::string> cuda_devices() {
    return cuda::devices();
}

Backend::Backend(int device, int threads, InstructionSet isa)
    : device_(device), threads_(threads), isa_(isa),
      stream_(device >= 0 ? cuda::open_stream(device) : nullptr) {}

Backend::~Backend() {
    if (stream_) cuda::close_stream(stream_);
}

Backend Backend::cpu(int threads, std::optional<InstructionSet> isa) {
    if (threads < 0)
        throw InputError(
            fmt::format("{} threads (a count cannot be negative); give 0 for all cores "
                        "or a positive number",
                        threads));
    const auto available = available_instruction_sets();
    const InstructionSet chosen = isa.value_or(available.back());
    if (std::find(available.begin(), available.end(), chosen) == available.end())
        throw InputError(fmt::format("instruction set {} (this processor does not have it); use {}",
                                     shadow::name(chosen), shadow::name(available.back())));
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return {-1, threads == 0 ? cores : threads, chosen};
}

Backend Backend::cuda(int device) {
    const auto found = cuda_devices();
    if (device < 0 || static_cast<std::size_t>(device) >= found.size())
        throw MachineError(fmt::format("GPU {} asked for ({} found); use device = \"{}\"", device,
                                       found.empty()       ? "none was"
                                       : found.size() == 1 ? "only cuda:0 was"
                                                           : fmt::format("{} were", found.size()),
                                       found.empty() ? "cpu" : "cuda:0"));
    return {device, 1, available_instruction_sets().back()};
}

Backend Backend::named(const std::string& name, int threads, std::optional<InstructionSet> isa) {
    if (name == "cpu") return cpu(threads, isa);
    if (name == "auto") return cuda_devices().empty() ? cpu(threads, isa) : cuda(0);
    if (name == "cuda") return cuda(0);
    if (name.starts_with("cuda:")) {
        int device = 0;
        const char* end = name.data() + name.size();
        const auto [stop, error] = std::from_chars(name.data() + 5, end, device);
        if (error == std::errc{} && stop == end) return cuda(device);
    }
    throw InputError(fmt::format("device \"{}\" (not a device); use \"auto\", \"cpu\", \"cuda\" or "
                                 "\"cuda:N\"",
                                 name));
}

void Backend::synchronize() const {
    if (is_cuda()) cuda::synchronize(stream_);
}

void Backend::mark_step() const {
    if (is_cuda()) cuda::mark_step(stream_);
}

std::string Backend::description() const {
    if (is_cuda())
        return fmt::format("GPU {}, {}", device_,
                           cuda_devices()[static_cast<std::size_t>(device_)]);
    return fmt::format("CPU, {} thread{}, {}", threads_, threads_ == 1 ? "" : "s",
                       shadow::name(isa_));
}

namespace detail {

void* allocate(const Backend& backend, std::size_t bytes) {
    const std::size_t padded = (bytes + spare + alignment - 1) / alignment * alignment;
    if (backend.is_cuda()) return cuda::allocate(backend.stream(), padded);
    void* memory = std::aligned_alloc(alignment, padded);
    if (!memory)
        throw MachineError(fmt::format("cannot allocate {:.1f} MiB (not enough memory); use fewer "
                                       "particles or a larger machine",
                                       static_cast<double>(padded) / 1048576.0));
    zero(backend, memory, padded);
    return memory;
}

void deallocate(const Backend& backend, void* memory) noexcept {
    if (backend.is_cuda()) return cuda::deallocate(backend.stream(), memory);
    std::free(memory);
}

void copy_to_backend(const Backend& backend, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return; // an empty vector may have no address
    if (backend.is_cuda()) return cuda::copy_to_device(backend.stream(), to, from, bytes);
    std::memcpy(to, from, bytes);
}

void copy_to_host(const Backend& backend, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (backend.is_cuda()) return cuda::copy_to_host(backend.stream(), to, from, bytes);
    std::memcpy(to, from, bytes);
}

void copy_within(const Backend& backend, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (backend.is_cuda()) return cuda::copy_within(backend.stream(), to, from, bytes);
    std::memcpy(to, from, bytes);
}

void fill_zero(const Backend& backend, void* memory, std::size_t bytes) {
    if (bytes == 0) return;
    if (backend.is_cuda()) return cuda::fill_zero(backend.stream(), memory, bytes);
    zero(backend, memory, bytes);
}

} // namespace detail

} // namespace shadow
