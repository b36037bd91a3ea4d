// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/shells.hpp"

#include "kernels/ops/bins.hpp"

#include <span>
#include <string>
#include <vector>

/// Functions shared by histograms over equal bins.
namespace shadow {

inline Bins equal_bins(double low, double high, int count) {
    return {low, count / (high - low), count};
}

/// Counts by species and bin times a factor; the total over species comes first.
inline std::vector<double> scaled(std::span<const double> row, std::size_t species,
                                  const std::vector<double>& factor) {
    const std::size_t bins = row.size() / species;
    std::vector<double> all(bins);
    for (std::size_t k = 0; k < row.size(); ++k) all[k % bins] += factor[0] * row[k];
    for (std::size_t k = 0; k < row.size(); ++k) all.push_back(factor[1 + k / bins] * row[k]);
    return all;
}

/// Factors that convert counts to probability densities: for all, and for each population.
inline std::vector<double> densities(const std::vector<Population>& populations, int values,
                                     const Bins& bins) {
    std::vector<double> factor{0.0};
    for (const Population& p : populations) {
        const auto number = static_cast<double>(values * p.particles);
        factor[0] += number;
        factor.push_back(number > 0.0 ? bins.inverse_width / number : 0.0);
    }
    factor[0] = bins.inverse_width / factor[0];
    return factor;
}

} // namespace shadow
