// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace shadow {

/// The types of value that a key accepts; `|` joins several.
enum class KeyType : unsigned {
    none = 0,
    number = 1,
    integer = 2,
    boolean = 4,
    text = 8,
    table = 16,
    numbers = 32,
    integers = 64,
    booleans = 128,
    texts = 256,
    tables = 512,
    rows = 1024
};

[[nodiscard]] constexpr KeyType operator|(KeyType a, KeyType b) noexcept {
    return static_cast<KeyType>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

[[nodiscard]] constexpr bool includes(KeyType several, KeyType one) noexcept {
    return (static_cast<unsigned>(several) & static_cast<unsigned>(one)) != 0;
}

/// "number", "boolean or array of booleans" ...
[[nodiscard]] std::string name(KeyType type);

/// One key of a table of the input.
struct ParameterInfo {
    std::string name;
    KeyType type = KeyType::none;
    std::string unit; ///< in terms of system.units: "energy", "length", "1/time", "" ...
    std::string
        default_value; ///< a TOML value, or words where it depends on other keys; empty: required
    std::string meaning;
    std::string example = {};            ///< a TOML value; empty: the default
    std::vector<std::string> words = {}; ///< the only allowed texts; empty: any

    [[nodiscard]] bool required() const { return default_value.empty(); }
};

/// What `mdrun --list` and `--describe` show about a table of the input, or about a force,
/// integrator or observable.
struct Descriptor {
    std::string name;     ///< as written in the input; of a table its path, as "system.box"
    std::string summary;  ///< one sentence
    std::string equation; ///< plain text
    std::string reference;
    std::vector<ParameterInfo> parameters;
};

} // namespace shadow
