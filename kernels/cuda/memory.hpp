// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

/// Memory of a device that belongs to launches, not to the arrays of a Backend.
namespace shadow::cuda {

struct FreeDeviceMemory {
    void operator()(std::byte* memory) const noexcept;
};
using DeviceMemory = std::unique_ptr<std::byte, FreeDeviceMemory>;

/// Null if there is none left.
[[nodiscard]] DeviceMemory reserve_device_memory(std::size_t bytes);

} // namespace shadow::cuda
