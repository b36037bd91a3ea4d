// SPDX-License-Identifier: BSD-3-Clause
#include "standard_output.hpp"

#include "shadow/core/error.hpp"

#include <cstdio>

namespace shadow {

void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw MachineError("cannot write to standard output (the disk is full or the reader is "
                           "gone); give it somewhere to go");
}

} // namespace shadow
