// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

char folded(char c) {
    if (c == '-') return '_';
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Does byte `c` continue a UTF-8 character?
bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char x = folded(a[i - 1]), y = folded(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0U : 1U)});
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && folded(a[i - 2]) == y)
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
    const std::string* best = nullptr;
    std::size_t least = 0;
    for (const std::string& name : names) {
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(word.size(), name.size()) / 3);
        const std::size_t longer = std::max(word.size(), name.size());
        if (longer - std::min(word.size(), name.size()) > allowed) continue;
        const std::size_t distance = edit_distance(word, name);
        // Without this any two single letters would be near.
        if (distance > allowed || distance >= name.size()) continue;
        if (best == nullptr || distance < least) {
            best = &name;
            least = distance;
        }
    }
    if (best == nullptr) return std::nullopt;
    return *best;
}

std::string quoted_list(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) list += i + 1 == names.size() ? " or " : ", ";
        list += in_quotes(names[i]);
    }
    return list;
}

std::string in_quotes(std::string_view text, std::size_t max_length) {
    const bool cut = text.size() > max_length;
    if (cut) {
        std::size_t end = max_length;
        while (end > 0 && continues(text[end])) --end;
        text = text.substr(0, end);
    }
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c == '\r') {
            result += "\\r";
        } else if (byte < 0x20 || byte == 0x7F) {
            result += fmt::format("\\u{:04X}", byte);
        } else {
            result += c;
        }
    }
    return result + (cut ? "...\"" : "\"");
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t k) {
            return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
        };
        const unsigned first = byte(0), second = byte(1);
        std::size_t length = 0;
        unsigned low = 0x80, high = 0xBF; // range of the second byte
        if (first < 0x80) length = 1;
        if (first >= 0xC2 && first <= 0xDF) length = 2;
        if (first >= 0xE0 && first <= 0xEF) length = 3;
        if (first >= 0xF0 && first <= 0xF4) length = 4;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
        if (length == 0 || (length > 1 && (second < low || second > high))) return false;
        for (std::size_t k = 2; k < length; ++k)
            if ((byte(k) & 0xC0U) != 0x80U) return false;
        i += length;
    }
    return true;
}

std::string digest(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return fmt::format("{:016x}", hash);
}

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, '_');
    return digits;
}

std::string float_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::string digits = fmt::format("{}", value);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits;
}

} // namespace shadow
