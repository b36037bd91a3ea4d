// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`: the optimal string
/// alignment distance (Damerau 1964, Commun. ACM 7, 171). Case, '-' and '_' count as equal.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `names` that `word` was probably meant to be (at most a third of it wrong), if any.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& names);

/// `a, b or c`, each one in double quotes.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

/// In double quotes, with quotes, backslashes and control characters escaped as TOML and JSON
/// both read them; what is longer than `max_length` bytes is cut and ends in "...".
[[nodiscard]] std::string in_quotes(std::string_view text,
                                    std::size_t max_length = std::string::npos);

/// 16 hexadecimal digits that tell texts apart: the hash FNV-1a of 64 bits (Fowler, Noll and Vo).
[[nodiscard]] std::string digest(std::string_view text);

/// Is it well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates)?
[[nodiscard]] bool is_utf8(std::string_view text);

/// 1234567 as "1_234_567", as TOML reads it.
[[nodiscard]] std::string grouped(std::int64_t value);

/// The shortest digits that read back as the same double, always with a '.', an exponent, or
/// inf/nan, so that TOML takes it for a float.
[[nodiscard]] std::string float_text(double value);

} // namespace shadow
