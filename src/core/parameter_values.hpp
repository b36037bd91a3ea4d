// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/core/parameter_node.hpp"

/// A node read as a value of one type. Another type is an InputError that gives its position, what
/// it is, and what to write for `key` instead.
namespace shadow {

[[noreturn]] void fail_at(const std::string& where, const std::string& message);
[[noreturn]] void wrong_type(const Parameters::Node& node, std::string_view key,
                             Parameters::Node::Kind expected);

/// Finite, except for +inf where it is allowed.
[[nodiscard]] double as_number(const Parameters::Node& node, std::string_view key,
                               bool allow_infinity);
[[nodiscard]] std::int64_t as_integer(const Parameters::Node& node, std::string_view key);
[[nodiscard]] bool as_boolean(const Parameters::Node& node, std::string_view key);
[[nodiscard]] std::string as_text(const Parameters::Node& node, std::string_view key);

} // namespace shadow
