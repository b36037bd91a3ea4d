// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "read_force.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// The parameters of a potential for every pair of species, from a [[force]] table: those of the
/// table itself, of the entries of its `pairs`, by a mixing rule, or from charges or masses.
/// Entries of another list, `over`, replace those of `pairs`, number by number.
class GivenPairNumbers {
  public:
    /// Reads them; throws InputError for what is missing, out of range or given twice.
    GivenPairNumbers(const Parameters& table, const ForceSurroundings& around,
                     const PotentialInfo& info, const char* over = nullptr);

    /// Of all pairs (a * species + b), without cut-offs.
    [[nodiscard]] std::vector<PairParameters> pairs() const;
    /// Are there entries for pairs at all?
    [[nodiscard]] bool has_entries() const { return entries_ > 0; }
    /// The entry of a pair; null if it has none.
    [[nodiscard]] const Parameters* entry(std::size_t a, std::size_t b) const {
        const auto& table = input(a, b).table;
        return table ? &*table : nullptr;
    }

  private:
    struct Input {
        std::optional<Parameters> table; ///< the entry of `pairs`
        std::optional<Parameters> over;  ///< the entry of `over`, which replaces it
        std::vector<std::optional<double>> numbers;
    };
    [[nodiscard]] const Input& input(std::size_t a, std::size_t b) const {
        return pairs_[std::min(a, b) * species_ + std::max(a, b)];
    }
    [[nodiscard]] Input& input(std::size_t a, std::size_t b) {
        return pairs_[std::min(a, b) * species_ + std::max(a, b)];
    }
    [[nodiscard]] const std::string& name(std::size_t a) const { return around_.species[a].name; }

    void read_pairs();
    void read_over(const char* key);
    [[nodiscard]] Input& pair_of(const Parameters& entry);
    [[nodiscard]] std::optional<double> own_number(const Input& pair,
                                                   const PotentialParameter& p) const;
    void read_numbers();
    void read_strengths();
    [[nodiscard]] std::size_t find_species(const Parameters& entry, const std::string& name) const;
    [[nodiscard]] std::optional<double> number(const Parameters& from,
                                               const PotentialParameter& p) const;
    [[nodiscard]] double mixed(const PotentialParameter& p, double x, double y, std::size_t a,
                               std::size_t b) const;
    [[noreturn]] void fail_missing(const PotentialParameter& p, std::size_t a, std::size_t b) const;

    const Parameters& table_;
    const ForceSurroundings& around_;
    const PotentialInfo& info_;
    std::size_t species_;
    std::vector<Input> pairs_; ///< (a * species + b), a <= b
    std::string mixing_;
    int entries_ = 0;
};

} // namespace shadow
