// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"
#include "shadow/statistics/lag_value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace shadow {

/// Correlation functions over many decades of time: level l correlates averages over m^l
/// consecutive rows at lags j m^l, j below p, so that a lag is averaged over at most a share m / p
/// of itself (Ramírez, Sukumaran, Vorselaars and Likhtman 2010, J. Chem. Phys. 133, 154103). A row
/// costs at most p m / (m - 1) products a pair. Of one level it is the average over origins alone,
/// at every lag of a window (Allen and Tildesley 2017, section 8.3). Errors are by blocking, blocks
/// at least as long as the lag; memory grows with the logarithm of the rows.
class TimeCorrelator {
  public:
    /// Pairs of channels (A, B) of which <A(t) B(t + lag)> is the same by symmetry: a curve is the
    /// average over them.
    using Curve = std::vector<std::pair<std::size_t, std::size_t>>;
    struct Settings {
        std::size_t channels = 1;
        std::size_t window = 16;   ///< p: lags of a level; of several a multiple of `averaging`
        std::size_t averaging = 2; ///< m: rows of a level that make one of the next
        std::size_t levels = 20;   ///< at most; the longest lag is (p - 1) m^(levels - 1)
        std::vector<Curve> curves = {}; ///< empty: one, of each channel with itself
        std::size_t spacing = 1;        ///< rows of a level between two origins
        double interval = 1.0;          ///< time between two rows
        bool fluctuations = false;      ///< of rows about their means, which are not known
    };

    /// Throws InputError for settings that make no sense.
    explicit TimeCorrelator(Settings settings);

    /// One row: a number for each channel. Of fluctuations the residual of a row is correlated: its
    /// distance from the mean of the n rows before, times sqrt(n / (n + 1)); the first has none
    /// (Helmert 1876; Brown, Durbin and Evans 1975, J. R. Stat. Soc. B 37, 149). Residuals of
    /// independent rows are independent, of the same variance, and what is not known of the mean is
    /// in their errors. Of correlated rows values at short lags are too small by a part of about
    /// one over the number of independent ones, the square of their relative error.
    void add(std::span<const double> row);
    /// At all lags that there can be, ascending. Above those of the first level a value is that of
    /// averages of rows.
    [[nodiscard]] std::vector<LagValue> curve(std::size_t number = 0) const;

    /// Everything, as numbers that survive a file: a restored one goes on with the same bits.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from one with equal settings.
    void restore(std::span<const double> state);

  private:
    struct Level {
        std::int64_t rows = 0, summed = 0;
        std::vector<double> history;           ///< the last `window` rows, in a ring
        std::vector<double> sum;               ///< of `summed` rows, for the next level
        std::vector<BlockingAverage> products; ///< by lag, a number for each curve
    };

    [[nodiscard]] std::size_t first_lag(std::size_t level) const;
    void add_level();
    void push(std::size_t level, std::span<const double> row);
    /// Takes the row into the means.
    [[nodiscard]] std::vector<double> residual(std::span<const double> row);
    template <class Self, class F>
    static void each(Self& level, F& f);

    Settings settings_;
    std::vector<Level> levels_;
    std::vector<double> means_; ///< of the products of a row with an origin, by curve
    std::int64_t rows_ = 0;     ///< of fluctuations, and their mean
    std::vector<double> mean_;
};

} // namespace shadow
