// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/input_errors.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace shadow {
namespace {

/// Line and column of "file:line:column: ..."; the largest numbers where there are none, to be
/// sorted last.
std::pair<long, long> place_of(std::string_view message) {
    constexpr long last = std::numeric_limits<long>::max();
    for (std::size_t at = message.find(':'); at < message.size(); at = message.find(':', at + 1)) {
        long line = 0, column = 0;
        const char* const end = message.data() + message.size();
        const auto first = std::from_chars(message.data() + at + 1, end, line);
        if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') continue;
        const auto second = std::from_chars(first.ptr + 1, end, column);
        if (second.ec == std::errc() && second.ptr != end && *second.ptr == ':')
            return {line, column};
    }
    return {last, last};
}

} // namespace

void InputErrors::add(std::string_view messages) {
    while (!messages.empty()) {
        const std::size_t end = std::min(messages.find('\n'), messages.size());
        const std::string_view one = messages.substr(0, end);
        if (std::find(messages_.begin(), messages_.end(), one) == messages_.end())
            messages_.emplace_back(one);
        messages.remove_prefix(std::min(end + 1, messages.size()));
    }
}

bool InputErrors::has_place(const std::string& where) const {
    return std::any_of(messages_.begin(), messages_.end(),
                       [&](const std::string& m) { return m.starts_with(where + ": "); });
}

void InputErrors::raise() const {
    if (messages_.empty()) return;
    std::vector<std::string> sorted = messages_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return place_of(a) < place_of(b); });
    std::string all;
    for (const std::string& message : sorted) all += (all.empty() ? "" : "\n") + message;
    throw InputError(all);
}

} // namespace shadow
