// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// One value of an input with its position in the file and, for a table, the keys that were read.
struct Parameters::Node {
    enum class Kind { table, array, integer, number, boolean, text };
    struct Entry {
        std::string key;
        std::string where; ///< of the key; the position of the value is in the node
        std::shared_ptr<Node> value;
    };

    Kind kind = Kind::table;
    std::string where; ///< "file:line:column", or "--set key"
    std::string path;  ///< "force[0].cutoff"; empty for the root
    std::int64_t integer = 0;
    double number = 0.0;
    bool boolean = false;
    std::string text;

    std::vector<Entry> entries; ///< of a table, in the order of the file
    std::vector<std::shared_ptr<Node>> elements;

    /// A key that was read: as which types, and the words to which it was limited.
    struct Asked {
        std::string key;
        KeyType type = KeyType::none;
        std::vector<std::string> words;
    };
    std::vector<Asked> asked;    ///< the valid keys of a table
    std::vector<Entry> defaults; ///< values used where the key was absent
    bool present = true;         ///< false: a table that was read but is not in the input

    [[nodiscard]] const Entry* find(std::string_view key) const;
    /// How a key was read; null if it was not.
    [[nodiscard]] const Asked* find_asked(std::string_view key) const;
    /// The path of a key of this table.
    [[nodiscard]] std::string path_of(std::string_view key) const;
    /// "[run]", "[force[0]]", "the top level": a table as a message names it.
    [[nodiscard]] std::string title() const;
};

/// A key that was not read.
struct UnknownKey {
    std::string where, message;
};

/// All unknown keys, depth first; not those inside an unknown table.
[[nodiscard]] std::vector<UnknownKey> unknown_keys(const Parameters::Node& table);

/// At most so many bytes of a user's text are repeated in a message.
constexpr std::size_t longest_echo = 60;

/// "a text", "an integer" ...
[[nodiscard]] std::string kind_name(Parameters::Node::Kind kind);
/// A value, human-readable: `the text "abc"`, `the number 0.5`, `a table`.
[[nodiscard]] std::string describe(const Parameters::Node& node);
/// A key as TOML requires it: bare where it can be, else quoted.
[[nodiscard]] std::string key_text(std::string_view key);

} // namespace shadow
