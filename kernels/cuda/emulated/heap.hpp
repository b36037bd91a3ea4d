// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>

namespace shadow::cuda {

/// The memory of an emulated device: one range of addresses of this process which can be read and
/// written only while the device is at work, so that host code which reads device memory fails as
/// on a machine with a GPU.
class EmulatedHeap {
  public:
    /// The content of each free byte: as numbers of either precision beyond -10^36, as indices
    /// below zero.
    static constexpr int garbage = 0xFB;

    /// Throws MachineError if addresses cannot be reserved.
    EmulatedHeap();
    ~EmulatedHeap();
    EmulatedHeap(const EmulatedHeap&) = delete;
    EmulatedHeap& operator=(const EmulatedHeap&) = delete;

    /// Zeroed; throws MachineError if there is none left.
    [[nodiscard]] std::byte* allocate(std::size_t bytes);
    void deallocate(void* memory);

    /// While an object of this class exists, the device is at work.
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
    std::size_t used_ = 0;                   ///< pages up to here have been allocated once
    std::map<std::byte*, std::size_t> free_; ///< below `used_`, by address
    std::map<std::byte*, std::size_t> taken_;
    int at_work_ = 0;
};

} // namespace shadow::cuda
