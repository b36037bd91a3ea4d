// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow {

/// A table of an input that a program builds instead of reading a file. Copies share one table.
///
///     InputTable input;
///     input.table("system").set("dimension", 3).table("box").set("density", 0.8);
///     input.add("force").set("type", "lennard-jones").set("cutoff", 2.5);
///
/// Messages name a key by its path, as `force[0].cutoff`. A key that is set again has its last
/// value. Throws InputError where a key is a table and not a value, or the other way round.
class InputTable {
  public:
    InputTable();

    InputTable& set(std::string_view key, bool value);
    InputTable& set(std::string_view key, double value);
    InputTable& set(std::string_view key, std::string_view value);
    InputTable& set(std::string_view key, const char* value) {
        return set(key, std::string_view(value));
    }
    /// Throws InputError for one beyond 2^63 - 1.
    InputTable& set(std::string_view key, std::integral auto value) {
        if (!std::in_range<std::int64_t>(value)) refuse_integer(key, std::to_string(value));
        return set_integer(key, static_cast<std::int64_t>(value));
    }
    InputTable& set(std::string_view key, const std::vector<bool>& values);
    InputTable& set(std::string_view key, const std::vector<double>& values);
    InputTable& set(std::string_view key, const std::vector<std::int64_t>& values);
    InputTable& set(std::string_view key, const std::vector<std::string>& values);
    InputTable& set(std::string_view key, const std::vector<std::vector<double>>& rows);

    /// The subtable of this name, created if absent.
    InputTable table(std::string_view key);
    /// Appends a table to an array of tables, such as `force`.
    InputTable add(std::string_view key);

    /// The table in the form in which all inputs are read.
    [[nodiscard]] Parameters parameters() const { return Parameters(node_); }

  private:
    explicit InputTable(std::shared_ptr<Parameters::Node> node) : node_(std::move(node)) {}
    InputTable& set_integer(std::string_view key, std::int64_t value);
    [[noreturn]] void refuse_integer(std::string_view key, const std::string& value) const;
    /// The value of a key, to be filled.
    Parameters::Node& value(std::string_view key);

    std::shared_ptr<Parameters::Node> node_;
};

} // namespace shadow
