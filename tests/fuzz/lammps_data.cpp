// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/loaded_system.hpp"

#include <cstdint>
#include <string_view>

using namespace shadow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try_to_load(
        [&](const LoadOptions& options) { return load_lammps_data<3>(text, "file", options); });
    try_to_load(
        [&](const LoadOptions& options) { return load_lammps_data<2>(text, "file", options); });
    try_to_load([&](LoadOptions options) {
        options.coefficients = {bonded_kinds.begin(), bonded_kinds.end()};
        return load_lammps_data<3>(text, "file", options);
    });
    return 0;
}
