// SPDX-License-Identifier: BSD-3-Clause
#include "src/core/parameter_values.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

using Node = Parameters::Node;
using Kind = Node::Kind;

namespace {

/// What reading all of `text` as a number gives: no error, or why it is none.
template <class Number>
std::errc read_error(std::string text) {
    std::erase(text, '_');
    Number value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return stop == end ? error : std::errc::invalid_argument;
}

/// What to write instead of `node`, where `expected` was needed.
std::string remedy(const Node& node, std::string_view key, Kind expected) {
    const bool numeric = expected == Kind::integer || expected == Kind::number;
    if (expected == Kind::integer && node.kind == Kind::text &&
        read_error<std::int64_t>(node.text) == std::errc::result_out_of_range)
        return "integers have 64 bits, so give one of at most 9223372036854775807";
    if (numeric && node.kind == Kind::text && read_error<double>(node.text) == std::errc())
        return fmt::format("remove the quotes: {} = {}", key, node.text);
    if (expected == Kind::integer && node.kind == Kind::number) {
        if (std::abs(node.number) < 9e18 && node.number == std::trunc(node.number))
            return fmt::format("write {} = {}", key,
                               grouped(static_cast<std::int64_t>(node.number)));
        return "give a whole number";
    }
    if (expected == Kind::boolean) return fmt::format("write {} = true or {} = false", key, key);
    if (expected == Kind::text) {
        if (node.kind == Kind::array || node.kind == Kind::table)
            return fmt::format("write {} = \"...\"", key);
        return "put it in double quotes";
    }
    if (expected == Kind::table)
        return fmt::format("write {} = {{ ... }} or a section [{}]", key, node.path);
    if (expected == Kind::array) return fmt::format("write {} = [ ... ]", key);
    return fmt::format("write {} = {}", key, expected == Kind::integer ? "10" : "0.1");
}

} // namespace

void fail_at(const std::string& where, const std::string& message) {
    throw InputError(where + ": " + message);
}

void wrong_type(const Node& node, std::string_view key, Kind expected) {
    fail_at(node.where, fmt::format("{} is {} (it must be {}); {}", node.path, describe(node),
                                    kind_name(expected), remedy(node, key, expected)));
}

double as_number(const Node& node, std::string_view key, bool allow_infinity) {
    if (node.kind == Kind::integer) return static_cast<double>(node.integer);
    if (node.kind != Kind::number) wrong_type(node, key, Kind::number);
    if (std::isnan(node.number))
        fail_at(node.where,
                fmt::format("{} is nan (a number is needed); give its value", node.path));
    if (std::isinf(node.number) && !(allow_infinity && node.number > 0.0))
        fail_at(node.where, fmt::format("{} is {} (it must be {}); give its value", node.path,
                                        float_text(node.number),
                                        allow_infinity ? "a number or inf" : "finite"));
    return node.number;
}

std::int64_t as_integer(const Node& node, std::string_view key) {
    if (node.kind != Kind::integer) wrong_type(node, key, Kind::integer);
    return node.integer;
}

bool as_boolean(const Node& node, std::string_view key) {
    if (node.kind != Kind::boolean) wrong_type(node, key, Kind::boolean);
    return node.boolean;
}

std::string as_text(const Node& node, std::string_view key) {
    if (node.kind != Kind::text) wrong_type(node, key, Kind::text);
    return node.text;
}

} // namespace shadow
