// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// A table of the input, read key by key. The keys that are read are the valid ones: after reading,
/// `refuse_unused` throws for any key that was not read and names the nearest one that was. So the
/// code that reads a table is its schema. Copies share one table.
///
/// All reading functions throw InputError with file, line and column for a missing required key, a
/// value of the wrong type, or (numbers) NaN; only `number_or_infinity` accepts `inf`.
class Parameters {
  public:
    struct Node; ///< defined in src/core/parameter_node.hpp

    explicit Parameters(std::shared_ptr<Node> node) : node_(std::move(node)) {}

    [[nodiscard]] bool has(std::string_view key) const; ///< also makes the key valid

    [[nodiscard]] double number(std::string_view key) const;
    [[nodiscard]] double number(std::string_view key, double default_value) const;
    /// A number that may be "inf".
    [[nodiscard]] double number_or_infinity(std::string_view key,
                                            std::optional<double> default_value = {}) const;
    /// As `number`, and above zero.
    [[nodiscard]] double positive(std::string_view key) const;
    [[nodiscard]] double positive(std::string_view key, double default_value) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t default_value) const;
    [[nodiscard]] bool boolean(std::string_view key, bool default_value) const;
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key, std::string_view default_value) const;
    /// A text that must be one of `choices`; the error lists them and names the nearest.
    [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& choices,
                                     std::optional<std::string> default_value = {}) const;
    /// Arrays, here and below, hold values of one type; the ones without default are required.
    [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view key,
                                              const std::vector<double>& default_value) const;
    /// Is the value a table? Makes a table valid here; the key may have another type as well.
    [[nodiscard]] bool is_table(std::string_view key) const;
    /// Is the value an array of arrays?
    [[nodiscard]] bool holds_rows(std::string_view key) const;
    /// Rows of numbers such as [[0, 1.5], [1000, 0.7]]; a number alone is one row of one.
    [[nodiscard]] std::vector<std::vector<double>> number_or_rows(std::string_view key) const;
    /// The same; an array of numbers alone is one row.
    [[nodiscard]] std::vector<std::vector<double>> numbers_or_rows(std::string_view key) const;
    [[nodiscard]] std::vector<std::vector<double>> rows(std::string_view key) const;
    /// An integer alone is an array of one.
    [[nodiscard]] std::vector<std::int64_t> integer_or_integers(std::string_view key) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
    [[nodiscard]] std::vector<std::int64_t>
    integers(std::string_view key, const std::vector<std::int64_t>& default_value) const;
    [[nodiscard]] std::vector<bool> booleans(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
    [[nodiscard]] std::vector<std::string>
    texts(std::string_view key, const std::vector<std::string>& default_value) const;
    /// The keys of a table whose names are the user's.
    [[nodiscard]] std::vector<std::string> names() const;
    /// The type of a value: "table", "array", "number", "integer", "boolean", "text", or "" if
    /// absent. Makes the key valid.
    [[nodiscard]] std::string type(std::string_view key) const;
    /// A sub-table; an absent one reads as empty (required keys inside then fail).
    [[nodiscard]] Parameters table(std::string_view key) const;
    /// An array of tables; empty if absent.
    [[nodiscard]] std::vector<Parameters> tables(std::string_view key) const;

    /// Throws InputError for the first key (depth first) that was never read.
    void refuse_unused() const;
    /// "file:line:column" of a key, or of the table where the key is absent.
    [[nodiscard]] std::string where(std::string_view key = {}) const;
    /// Throws InputError "file:line:column: <message>" located at `key`.
    [[noreturn]] void fail(std::string_view key, const std::string& message) const;

    /// The table as TOML text, with the defaults that were used for absent keys. Reads back to the
    /// same values.
    [[nodiscard]] std::string resolved() const;

    /// The node it refers to, for a test that compares the keys read with the reference.
    [[nodiscard]] const Node& node() const { return *node_; }

  private:
    const Node* find(std::string_view key, KeyType type = KeyType::none,
                     const std::vector<std::string>& words = {}) const;
    const Node& require(std::string_view key, KeyType type, std::string_view expected,
                        std::string_view example) const;
    std::shared_ptr<Node> node_;
};

} // namespace shadow
