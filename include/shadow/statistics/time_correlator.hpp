// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/lag_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Correlation functions over many decades of time in bounded memory: level l correlates averages
/// over m^l consecutive rows at lags j m^l, j below p, so that a lag is averaged over at most a
/// share m / p of itself (Ramírez, Sukumaran, Vorselaars and Likhtman 2010, J. Chem. Phys. 133,
/// 154103). A row costs at most p m / (m - 1) products a pair. Of one level it is the average over
/// origins alone, at every lag of a window (Allen and Tildesley 2017, section 8.3).
class TimeCorrelator {
  public:
    struct Settings {
        std::size_t channels = 1;
        std::size_t window = 16;   ///< p: lags of a level; of several a multiple of `averaging`
        std::size_t averaging = 2; ///< m: rows of a level that make one of the next
        std::size_t levels = 20;   ///< at most; the longest lag is (p - 1) m^(levels - 1)
        ChannelPairs pairs = {};   ///< empty: each channel with itself
        std::size_t spacing = 1;   ///< rows of a level between two origins

        bool operator==(const Settings&) const = default;
    };

    /// Throws InputError for settings that make no sense.
    explicit TimeCorrelator(Settings settings);

    /// One row: a number for each channel.
    void add(std::span<const double> row);
    /// All lags that there can be, in rows, ascending.
    [[nodiscard]] std::vector<std::size_t> lags() const;
    /// Those that are known so far. Above those of the first level a value is that of the averages.
    [[nodiscard]] Correlation result() const;
    /// Appends an independent series with equal settings; rows before and behind are not
    /// correlated. Throws InputError if settings differ.
    void merge(const TimeCorrelator& other);

    /// Everything, as numbers that survive a file: a restored one goes on with the same bits.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from one with equal settings.
    void restore(std::span<const double> state);

  private:
    struct Level {
        std::int64_t rows = 0;
        std::vector<double> history; ///< the last `window` rows, in a ring
        std::vector<double> sum;     ///< of rows for the next level
        std::int64_t summed = 0;
        LagSums sums;
    };

    [[nodiscard]] std::size_t first_lag(std::size_t level) const;
    void add_level();
    void push(std::size_t level, std::span<const double> row);

    Settings settings_;
    detail::ChannelMeans means_;
    std::vector<Level> levels_;
};

} // namespace shadow
