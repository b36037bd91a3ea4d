// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/toml_guard.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string>

namespace shadow {
namespace {

/// The parser recurses over the parts of a dotted key when it frees them, so their number is
/// limited.
constexpr std::size_t max_dots = 32;

/// The parser does not check all bytes, so bytes that are not text are refused first.
void refuse_binary(std::string_view text, std::string_view name) {
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\n') {
            if (!is_utf8(text.substr(start, i - start))) break;
            ++line;
            start = i + 1;
        } else if ((byte < 0x20 && byte != '\t' && byte != '\r') || byte == 0x7F) {
            throw InputError(fmt::format("{}:{}:{}: the control character 0x{:02x} (it does not "
                                         "belong in a text); give a TOML file in UTF-8",
                                         name, line, i - start + 1, byte));
        }
    }
    if (!is_utf8(text.substr(start)))
        throw InputError(
            fmt::format("{}:{}:1: bytes that are not UTF-8 (the input is a text); save "
                        "it as UTF-8",
                        name, line));
}

bool is_one_of(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

bool is_beyond_ascii(char c) {
    return (static_cast<unsigned char>(c) & 0x80U) != 0;
}

[[noreturn]] void fail_at(std::string_view text, std::size_t i, std::string_view name,
                          std::string_view message) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(i), '\n');
    const std::size_t before = i == 0 ? std::string_view::npos : text.rfind('\n', i - 1);
    const std::size_t column = before == std::string_view::npos ? i + 1 : i - before;
    throw InputError(fmt::format("{}:{}:{}: {}", name, line, column, message));
}

/// Skips a string that starts at `i`; returns the position after it.
std::size_t skip_string(std::string_view text, std::size_t i, std::string_view name) {
    const char quote = text[i];
    const std::string triple(3, quote);
    const bool multiline = text.substr(i, 3) == triple;
    for (i += multiline ? 3 : 1; i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            // The parser skips white space after a backslash, and misreads letters after it.
            const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
            if (next != std::string_view::npos && is_beyond_ascii(text[next]))
                fail_at(text, next, name,
                        "a letter beyond ASCII after a backslash (an escape such as \\n is plain); "
                        "remove the backslash");
            ++i;
        } else if (multiline ? text.substr(i, 3) == triple : text[i] == quote) {
            i += multiline ? 3 : 1;
            // A multiline text may end in quotes of its own: up to five in a row.
            for (int k = 0; multiline && k < 2 && i < text.size() && text[i] == quote; ++k) ++i;
            return i;
        } else if (!multiline && text[i] == '\n') {
            return i;
        }
    }
    return text.size();
}

/// Does a date such as 2024-12-31 start at `i`?
bool starts_date(std::string_view text, std::size_t i) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_'))
        return false;
    const std::string_view head = text.substr(i, 5);
    return head.size() == 5 && head[4] == '-' &&
           std::all_of(head.begin(), head.begin() + 4, is_digit);
}

/// Refuses, outside texts and comments, what the parser does not handle: keys of many parts (it
/// recurses over them), letters beyond ASCII, and dates (its assertions fail).
void refuse_odd_syntax(std::string_view text, std::string_view name) {
    std::size_t dots = 0;
    const std::size_t begin = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; // byte order mark
    std::size_t word = begin; // start of the current word
    for (std::size_t i = begin; i < text.size();) {
        const char c = text[i];
        // The parser reads a number to its end, including quotes.
        const bool in_number = word < i && is_one_of(text[word], "0123456789+-");
        if (is_one_of(c, in_number ? " \t\r\n,]}" : " \t\r\n,]}=[{")) word = i + 1;
        if (c == '"' || c == '\'') {
            if (in_number)
                fail_at(text, i, name,
                        "a quote in a number (a text begins with its quote); separate the two");
            i = skip_string(text, i, name);
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (is_beyond_ascii(c))
            fail_at(text, i, name,
                    "a letter beyond ASCII outside a text (keys and values are plain); put it in "
                    "double quotes");
        if (c == ':' || starts_date(text, i))
            fail_at(text, i, name,
                    "a colon or a date outside a text (an input holds no dates and times); put it "
                    "in double quotes");
        if (c == '\n' || c == '=' || c == ',') dots = 0;
        if (c == '.' && ++dots > max_dots)
            fail_at(text, i, name,
                    fmt::format("a key has more than {} parts (no key of an input is nested so "
                                "deep); shorten it",
                                max_dots));
        ++i;
    }
}

} // namespace

void refuse_odd_text(std::string_view text, std::string_view name) {
    refuse_binary(text, name);
    refuse_odd_syntax(text, name);
}

} // namespace shadow
