// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"

namespace shadow {

/// A table of the input that is read according to its description: a key that is left out has the
/// default value that `--describe` shows, or is required if the description gives no value. A
/// default that depends on other keys is described in words, and is passed by the caller as with
/// Parameters.
class DescribedTable : public Parameters {
  public:
    /// `descriptor` must outlive it.
    DescribedTable(const Parameters& params, const Descriptor& descriptor)
        : Parameters(params), descriptor_(&descriptor) {}

    using Parameters::boolean, Parameters::choice, Parameters::integer, Parameters::integers,
        Parameters::numbers, Parameters::positive, Parameters::texts;

    /// Each throws InputError as the function of Parameters does, and std::logic_error for a key
    /// that is not described.
    [[nodiscard]] double positive(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    /// An integer from `least` to `most`; `problem` describes it in an error, with {} for the
    /// value.
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
