// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/lag_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Correlation functions at every lag of a window, from origins at equal distances (Allen and
/// Tildesley 2017, section 8.3): no average but the one over origins. A row costs window / spacing
/// products a pair.
class LinearCorrelator {
  public:
    struct Settings {
        std::size_t channels = 1;
        std::size_t window = 100; ///< lags, from 0, in samples
        std::size_t spacing = 1;  ///< samples between two origins
        ChannelPairs pairs = {};  ///< empty: each channel with itself
    };

    /// As of MultipleTauCorrelator, all of these.
    explicit LinearCorrelator(Settings settings);
    void add(std::span<const double> row);
    [[nodiscard]] Correlation result() const;
    void merge(const LinearCorrelator& other);
    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    /// Rows of origins within the window, a ring.
    [[nodiscard]] std::size_t origins_kept() const {
        return (settings_.window + settings_.spacing - 1) / settings_.spacing;
    }

    Settings settings_;
    detail::ChannelMeans means_;
    std::int64_t rows_ = 0;
    std::vector<double> origins_;
    LagSums sums_;
};

} // namespace shadow
