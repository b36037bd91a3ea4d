// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow::test {

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace shadow::test
