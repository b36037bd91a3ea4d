// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Instruction sets for which the CPU pair kernels are compiled; the best one present is chosen.
enum class InstructionSet { sse, avx2, avx512 };

/// Where arrays live and kernels run: the cores of the CPU, or one stream of one NVIDIA GPU.
/// Arrays keep a pointer to their backend, so it must outlive them; it is neither copied nor moved.
class Backend {
  public:
    /// The CPU with `threads` threads (0: all cores) and the given or best instruction set.
    /// Throws InputError if this processor lacks the instruction set.
    static Backend cpu(int threads = 0, std::optional<InstructionSet> isa = std::nullopt);
    /// The GPU number `device`; throws MachineError if there is none or the build has no CUDA.
    static Backend cuda(int device = 0);
    /// "auto", "cpu", "cuda" or "cuda:N", as in `[compute] device`.
    static Backend named(const std::string& name, int threads = 0,
                         std::optional<InstructionSet> isa = std::nullopt);

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    ~Backend();

    /// For kernels and what launches them; others ask one of the questions below.
    [[nodiscard]] bool is_cuda() const noexcept { return device_ >= 0; }
    /// Is what is launched done later? Then each look at a result waits for all that was launched.
    [[nodiscard]] bool is_asynchronous() const noexcept { return is_cuda(); }
    /// Must the host copy what it reads?
    [[nodiscard]] bool has_own_memory() const noexcept { return is_cuda(); }
    /// Are steps that repeat done by recorded launches (`mark_step`)?
    [[nodiscard]] bool replays_steps() const noexcept { return is_cuda(); }
    /// Do as many threads as there are cores help? The number of those of a GPU is its own.
    [[nodiscard]] bool takes_threads() const noexcept { return !is_cuda(); }
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] int threads() const noexcept { return threads_; }
    /// For what is launched from now on, on the CPU; results do not depend on it.
    void set_threads(int threads) noexcept { threads_ = threads; }
    [[nodiscard]] InstructionSet instruction_set() const noexcept { return isa_; }
    /// The CUDA stream as an opaque pointer; null on the CPU.
    [[nodiscard]] void* stream() const noexcept { return stream_; }
    /// Waits until everything enqueued is done; throws MachineError if the device failed.
    void synchronize() const;
    /// Says that a step is enqueued. A GPU holds back steps that do the same and has many of them
    /// done at once, until results are waited for; the CPU ignores it.
    void mark_step() const;
    /// Human-readable: "CPU, 2 threads, avx512" or the GPU's name.
    [[nodiscard]] std::string description() const;

  private:
    Backend(int device, int threads, InstructionSet isa);
    int device_ = -1;
    int threads_ = 1;
    InstructionSet isa_ = InstructionSet::sse;
    void* stream_ = nullptr;
};

/// The instruction sets of this processor, worst first.
[[nodiscard]] std::vector<InstructionSet> available_instruction_sets();
[[nodiscard]] const char* name(InstructionSet isa) noexcept;

namespace detail {
/// Memory of a backend, zeroed, aligned to 64 bytes, with 256 bytes to spare behind the end so that
/// vector loads may run over it. Throws MachineError when there is not enough.
void* allocate(const Backend& backend, std::size_t bytes);
void deallocate(const Backend& backend, void* memory) noexcept;
void copy_to_backend(const Backend& backend, void* to, const void* from, std::size_t bytes);
void copy_to_host(const Backend& backend, void* to, const void* from, std::size_t bytes);
void fill_zero(const Backend& backend, void* memory, std::size_t bytes);
} // namespace detail

} // namespace shadow
