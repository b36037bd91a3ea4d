// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/emulated/heap.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace shadow::cuda {

namespace {
constexpr std::size_t page = 4096;
constexpr std::size_t reserved = std::size_t{1} << 34;

[[noreturn]] void none_left() {
    throw MachineError("the emulated device has no memory left (it is for tests of small systems); "
                       "use fewer particles");
}
} // namespace

EmulatedHeap::EmulatedHeap() {
    void* memory =
        mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) none_left();
    base_ = static_cast<std::byte*>(memory);
}

EmulatedHeap::~EmulatedHeap() {
    munmap(base_, reserved);
}

std::byte* EmulatedHeap::allocate(std::size_t bytes) {
    bytes = std::max(page, (bytes + page - 1) / page * page);
    auto found = std::find_if(free_.begin(), free_.end(),
                              [bytes](const auto& block) { return block.second >= bytes; });
    std::byte* memory = nullptr;
    if (found != free_.end()) {
        memory = found->first;
        const std::size_t left = found->second - bytes;
        free_.erase(found);
        if (left > 0) free_[memory + bytes] = left;
    } else {
        if (used_ + bytes > reserved) none_left();
        memory = base_ + used_;
        used_ += bytes;
        if (at_work_ > 0) protect(true);
    }
    taken_[memory] = bytes;
    const AtWork at_work(*this);
    std::memset(memory, 0, bytes);
    return memory;
}

void EmulatedHeap::deallocate(void* memory) {
    const auto taken = taken_.find(static_cast<std::byte*>(memory));
    if (taken == taken_.end()) return;
    auto [begin, bytes] = *taken;
    taken_.erase(taken);
    {
        // A read after this must not find the old content.
        const AtWork at_work(*this);
        std::memset(begin, garbage, bytes);
    }
    const auto next = free_.find(begin + bytes);
    if (next != free_.end()) {
        bytes += next->second;
        free_.erase(next);
    }
    const auto behind = free_.lower_bound(begin);
    if (behind != free_.begin()) {
        const auto before = std::prev(behind);
        if (before->first + before->second == begin) {
            before->second += bytes;
            return;
        }
    }
    free_[begin] = bytes;
}

void EmulatedHeap::protect(bool open) const {
    if (used_ > 0) mprotect(base_, used_, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

EmulatedHeap::AtWork::AtWork(EmulatedHeap& heap) : heap_(heap) {
    if (heap_.at_work_++ == 0) heap_.protect(true);
}

EmulatedHeap::AtWork::~AtWork() {
    if (--heap_.at_work_ == 0) heap_.protect(false);
}

} // namespace shadow::cuda
