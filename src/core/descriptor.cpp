// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/descriptor.hpp"

namespace shadow {

std::string name(KeyType type) {
    constexpr const char* names[] = {
        "number",         "integer",          "true or false",           "text",
        "table",          "array of numbers", "array of integers",       "array of booleans",
        "array of texts", "array of tables",  "array of rows of numbers"};
    std::string all;
    for (unsigned bit = 0; bit < std::size(names); ++bit)
        if (static_cast<unsigned>(type) >> bit & 1U)
            all += std::string(all.empty() ? "" : " or ") + names[bit];
    return all;
}

} // namespace shadow
