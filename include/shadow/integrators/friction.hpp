// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/ramp.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

/// The rate of a bath, 1/time: one for all particles, or one for each species.
class Friction {
  public:
    struct OfSpecies {
        std::string species;
        Ramp rate;
    };

    Friction(double rate = 0.0) : all_(rate) {}
    Friction(Ramp rate) : all_(std::move(rate)) {}
    explicit Friction(std::vector<OfSpecies> rates) : by_species_(std::move(rates)) {}

    [[nodiscard]] bool is_by_species() const { return !by_species_.empty(); }
    /// The names of the species; none where there is one rate for all.
    [[nodiscard]] std::vector<std::string> species() const;
    /// The rate of all particles, at a step of the stage.
    [[nodiscard]] double at(double step) const { return all_.at(step); }
    /// The rates in the order of the species of a system. Throws std::logic_error for a species
    /// without a rate.
    [[nodiscard]] std::vector<double> at(double step,
                                         const std::vector<std::string>& species) const;
    /// The rate from `steady_from` on; by species the smallest rate above zero.
    [[nodiscard]] double last() const;
    /// Is the rate zero at all steps?
    [[nodiscard]] bool is_zero() const;
    [[nodiscard]] std::int64_t steady_from() const;

  private:
    Ramp all_;
    std::vector<OfSpecies> by_species_;
};

} // namespace shadow
