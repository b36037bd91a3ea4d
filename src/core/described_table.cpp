// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/described_table.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

namespace shadow {

namespace {

/// The elements of a TOML array, or a value alone, without quotes; none of our texts contains a
/// comma or a space.
std::vector<std::string> items(std::string text) {
    std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == '"' || c == ' '; });
    std::vector<std::string> all;
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = std::min(text.find(',', first), text.size());
        all.push_back(text.substr(first, end - first));
        first = end + 1;
    }
    return all;
}

/// The number that a whole text is; nothing if it is not one.
template <class T>
std::optional<T> value(const std::string& text) {
    T number{};
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return number;
}

/// The default as an array; nothing where it is described in words.
template <class T>
std::optional<std::vector<T>> values(const ParameterInfo& info) {
    if (!info.default_value.starts_with('[')) return std::nullopt;
    std::vector<T> all;
    for (const std::string& item : items(info.default_value))
        if constexpr (std::is_same_v<T, std::string>)
            all.push_back(item);
        else
            all.push_back(value<T>(item).value());
    return all;
}

} // namespace

const ParameterInfo& DescribedTable::info(std::string_view key) const {
    const auto& all = descriptor_->parameters;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [key](const ParameterInfo& one) { return one.name == key; });
    if (found == all.end())
        throw std::logic_error(
            fmt::format("key {} of {} is not described", key, descriptor_->name));
    return *found;
}

double DescribedTable::positive(std::string_view key) const {
    const auto usual = value<double>(info(key).default_value);
    return usual ? positive(key, *usual) : Parameters::positive(key);
}

std::int64_t DescribedTable::integer(std::string_view key) const {
    const auto usual = value<std::int64_t>(info(key).default_value);
    return usual ? integer(key, *usual) : Parameters::integer(key);
}

std::int64_t DescribedTable::integer_within(std::string_view key, std::int64_t least,
                                            std::int64_t most, std::string_view problem) const {
    const std::int64_t found = integer(key);
    if (found < least || found > most)
        fail(key, fmt::format("{}; give {} to {}", fmt::format(fmt::runtime(problem), found), least,
                              most));
    return found;
}

bool DescribedTable::boolean(std::string_view key) const {
    return boolean(key, info(key).default_value == "true");
}

std::string DescribedTable::choice(std::string_view key) const {
    const ParameterInfo& one = info(key);
    const std::vector<std::string> usual = items(one.default_value);
    return choice(key, one.words, usual.empty() ? std::nullopt : std::optional(usual[0]));
}

std::vector<double> DescribedTable::numbers(std::string_view key) const {
    const auto usual = values<double>(info(key));
    return usual ? numbers(key, *usual) : Parameters::numbers(key);
}

std::vector<std::int64_t> DescribedTable::integers(std::string_view key) const {
    const auto usual = values<std::int64_t>(info(key));
    return usual ? integers(key, *usual) : Parameters::integers(key);
}

std::vector<std::string> DescribedTable::texts(std::string_view key) const {
    const auto usual = values<std::string>(info(key));
    return usual ? texts(key, *usual) : Parameters::texts(key);
}

} // namespace shadow
