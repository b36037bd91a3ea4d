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

    /// For kernels and the code that launches them; other code uses one of the questions below.
    [[nodiscard]] bool is_cuda() const noexcept { return device_ >= 0; }
    /// Do launches return before their work is done? Then reading a result waits for all of them.
    [[nodiscard]] bool is_asynchronous() const noexcept { return is_cuda(); }
    /// Is its memory separate, so that the host must copy what it reads?
    [[nodiscard]] bool has_own_memory() const noexcept { return is_cuda(); }
    /// Are repeated steps replayed from recorded launches (`mark_step`)?
    [[nodiscard]] bool replays_steps() const noexcept { return is_cuda(); }
    /// Does a number of CPU threads apply? A GPU chooses its own.
    [[nodiscard]] bool takes_threads() const noexcept { return !is_cuda(); }
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] int threads() const noexcept { return threads_; }
    /// The number of CPU threads for later launches; results do not depend on it.
    void set_threads(int threads) noexcept { threads_ = threads; }
    [[nodiscard]] InstructionSet instruction_set() const noexcept { return isa_; }
    /// The CUDA stream as an opaque pointer; null on the CPU.
    [[nodiscard]] void* stream() const noexcept { return stream_; }
    /// Waits until everything enqueued is done; throws MachineError if the device failed.
    void synchronize() const;
    /// Marks the end of an enqueued step. A GPU collects identical steps and runs many of them at
    /// once, at the latest when a result is waited for; the CPU ignores it.
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
/// Memory of a backend, zeroed, aligned to 64 bytes, with 256 spare bytes after the end so that
/// vector loads may read past it. Throws MachineError when there is not enough.
void* allocate(const Backend& backend, std::size_t bytes);
void deallocate(const Backend& backend, void* memory) noexcept;
void copy_to_backend(const Backend& backend, void* to, const void* from, std::size_t bytes);
void copy_to_host(const Backend& backend, void* to, const void* from, std::size_t bytes);
void fill_zero(const Backend& backend, void* memory, std::size_t bytes);
} // namespace detail

} // namespace shadow
