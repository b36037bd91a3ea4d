// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/backend.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/gpus.hpp"
#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"

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

/// In parallel, so that each thread is the first to touch the memory on which it will work.
void zero(const Backend& backend, void* memory, std::size_t bytes) {
    cpu::parallel_ranges(backend.threads(), static_cast<std::int64_t>(bytes), page,
                         [memory](std::int64_t begin, std::int64_t end) {
                             std::memset(static_cast<char*>(memory) + begin, 0,
                                         static_cast<std::size_t>(end - begin));
                         });
}

/// SHADOW_REPLAY: how a GPU runs repeated steps, to find out which way is at fault.
cuda::ReplayMode wanted_replay() {
    const char* const text = std::getenv("SHADOW_REPLAY");
    const std::string wanted = text ? text : "steps";
    if (wanted == "launches") return cuda::ReplayMode::launches;
    if (wanted == "graphs") return cuda::ReplayMode::graphs;
    if (wanted == "steps") return cuda::ReplayMode::steps;
    throw MachineError(
        fmt::format("SHADOW_REPLAY is {} in the environment (it says how a GPU does steps: "
                    "launches, graphs or steps); set one of these, or unset it",
                    in_quotes(wanted, 60)));
}

void* open_stream(int device) {
    const cuda::ReplayMode replay = wanted_replay();
    void* const stream = cuda::open_stream(device);
    cuda::set_replay(stream, replay);
    return stream;
}

std::string name_of(const Gpus& found, int device) {
    return fmt::format("GPU {}, {}", device, found.all[static_cast<std::size_t>(device)].name);
}

/// The device to use instead of a GPU that cannot be used.
std::string instead(const Gpus& found) {
    const auto first = found.first();
    return fmt::format("use device = \"{}\"", first ? fmt::format("cuda:{}", *first) : "cpu");
}

/// The first GPU that works; else the CPU, with a warning if there is a GPU that does not work.
Backend automatic(int threads, std::optional<InstructionSet> isa) {
    const Gpus found = find_gpus();
    std::string why = found.complaint();
    static_cast<void>(wanted_replay()); // throws if it is misspelt
    for (std::size_t k = 0; k < found.all.size(); ++k) {
        if (!found.all[k].unusable.empty()) continue;
        try {
            return Backend::cuda(static_cast<int>(k));
        } catch (const MachineError& error) {
            why = fmt::format("{}: {}", name_of(found, static_cast<int>(k)), error.what());
        }
    }
    if (!why.empty())
        log::warning(fmt::format("no GPU is used ({}); correct that, or set device = \"cpu\" if "
                                 "the CPU is what you want",
                                 why));
    return Backend::cpu(threads, isa);
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
                           "chose some by SHADOW_INSTRUCTION_SETS); build for all of them: "
                           "SHADOW_INSTRUCTION_SETS=all ./bootstrap build");
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

Gpus find_gpus() {
    return cuda::devices();
}

std::string Gpus::complaint() const {
    if (!problem.empty() || first()) return problem;
    return all.empty() ? "" : fmt::format("{}: {}", name_of(*this, 0), all.front().unusable);
}

Backend::Backend(int device, int threads, InstructionSet isa)
    : device_(device), threads_(threads), isa_(isa),
      stream_(device >= 0 ? open_stream(device) : nullptr) {}

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
        throw InputError(fmt::format(
            "instruction set {} (this processor or this build does not have it); use {}",
            shadow::name(chosen), shadow::name(available.back())));
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return {-1, threads == 0 ? cores : threads, chosen};
}

Backend Backend::cuda(int device) {
    const Gpus found = find_gpus();
    const std::size_t count = found.all.size();
    if (device < 0 || static_cast<std::size_t>(device) >= count) {
        const std::string none =
            found.problem.empty() ? "none was found" : "none can be used: " + found.problem;
        throw MachineError(fmt::format("GPU {} cannot be used ({}); {}", device,
                                       count == 0   ? none
                                       : count == 1 ? "only cuda:0 was found"
                                                    : fmt::format("{} were found", count),
                                       instead(found)));
    }
    const std::string& unusable = found.all[static_cast<std::size_t>(device)].unusable;
    if (!unusable.empty())
        throw MachineError(fmt::format("{} cannot be used ({}); {}", name_of(found, device),
                                       unusable, instead(found)));
    return {device, 1, available_instruction_sets().back()};
}

Backend Backend::named(const std::string& name, int threads, std::optional<InstructionSet> isa) {
    if (name == "cpu") return cpu(threads, isa);
    if (name == "auto") return automatic(threads, isa);
    if (name == "cuda") return cuda(find_gpus().first().value_or(0));
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
    if (is_cuda()) return name_of(find_gpus(), device_);
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

void fill_zero(const Backend& backend, void* memory, std::size_t bytes) {
    if (bytes == 0) return;
    if (backend.is_cuda()) return cuda::fill_zero(backend.stream(), memory, bytes);
    zero(backend, memory, bytes);
}

} // namespace detail

} // namespace shadow
