// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>

namespace shadow::cuda {

/// The memory of an emulated device: one range of addresses of this process which cannot be read or
/// written but while the device is at work, so that host code which reads memory of the device
/// fails as it would on a machine with a GPU.
class EmulatedHeap {
  public:
    /// The content of each byte that is free: as numbers of either precision beyond
    /// -10^36, as indices below zero.
    static constexpr int garbage = 0xFB;

    /// Throws MachineError where addresses cannot be had.
    EmulatedHeap();
    ~EmulatedHeap();
    EmulatedHeap(const EmulatedHeap&) = delete;
    EmulatedHeap& operator=(const EmulatedHeap&) = delete;

    /// Zeroed; throws MachineError where there is none left.
    [[nodiscard]] std::byte* allocate(std::size_t bytes);
    void deallocate(void* memory);

    /// While one of these lives, the device is at work.
    class AtWork {
      public:
        explicit AtWork(EmulatedHeap& heap);
        ~AtWork();
        AtWork(const AtWork&) = delete;
        AtWork& operator=(const AtWork&) = delete;

      private:
        EmulatedHeap& heap_;
    };

  private:
    void protect(bool open) const;

    std::byte* base_ = nullptr;
    std::size_t used_ = 0;                   ///< pages up to here were given away once
    std::map<std::byte*, std::size_t> free_; ///< below `used_`, by address
    std::map<std::byte*, std::size_t> taken_;
    int at_work_ = 0;
};

} // namespace shadow::cuda
