// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"

namespace shadow {

/// A table of the input that is read as it is described: a key that is left out has the default
/// value that `--describe` tells, or is required if that is no value. Where a default depends on
/// something it is said in words there, and is given as with Parameters.
class DescribedTable : public Parameters {
  public:
    /// `descriptor` must outlive it.
    DescribedTable(const Parameters& params, const Descriptor& descriptor)
        : Parameters(params), descriptor_(&descriptor) {}

    using Parameters::boolean, Parameters::choice, Parameters::integer, Parameters::integers,
        Parameters::numbers, Parameters::positive, Parameters::texts;

    /// Each throws InputError as that of Parameters does, and std::logic_error for a key that is
    /// not described.
    [[nodiscard]] double positive(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    /// From `least` to `most`; `problem` says in an error what is wrong, with {} for the value.
    [[nodiscard]] std::int64_t integer_within(std::string_view key, std::int64_t least,
                                              std::int64_t most, std::string_view problem) const;
    [[nodiscard]] bool boolean(std::string_view key) const;
    /// One of the words of the description.
    [[nodiscard]] std::string choice(std::string_view key) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;

  private:
    [[nodiscard]] const ParameterInfo& info(std::string_view key) const;

    const Descriptor* descriptor_;
};

} // namespace shadow
