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
/// consecutive rows at lags j m^l, j below p, so that averaging blurs a lag by at most a fraction m
/// / p of it (Ramírez, Sukumaran, Vorselaars and Likhtman 2010, J. Chem. Phys. 133, 154103). A row
/// costs at most p m / (m - 1) products per pair. With one level it is the average over origins
/// alone, at every lag of a window (Allen and Tildesley 2017, section 8.3). Errors are by blocking,
/// with blocks at least as long as the lag; memory grows with the logarithm of the number of rows.
class TimeCorrelator {
  public:
    /// Pairs of channels (A, B) for which <A(t) B(t + lag)> is the same by symmetry: a curve is the
    /// average over them.
    using Curve = std::vector<std::pair<std::size_t, std::size_t>>;
    struct Settings {
        std::size_t channels = 1;
        std::size_t window = 16;   ///< p: lags per level; with several levels a multiple of m
        std::size_t averaging = 2; ///< m: rows of a level that are averaged to one row of the next
        std::size_t levels = 20;   ///< at most; the longest lag is (p - 1) m^(levels - 1)
        std::vector<Curve> curves = {}; ///< empty: one, averaged over all autocorrelations
        std::size_t spacing = 1;        ///< rows of a level between two origins
        double interval = 1.0;          ///< time between two rows
        bool fluctuations = false;      ///< of deviations from means that are not known beforehand
    };

    /// Throws InputError for inconsistent settings.
    explicit TimeCorrelator(Settings settings);

    /// Adds a row: a number for each channel. For fluctuations the residual of the row is
    /// correlated: its deviation from the mean of the n previous rows, times sqrt(n / (n + 1)); the
    /// first row has none (Helmert 1876; Brown, Durbin and Evans 1975, J. R. Stat. Soc. B 37, 149).
    /// Residuals of independent rows are independent and have the same variance, and the
    /// uncertainty of the mean enters their errors. For correlated rows values at short lags are
    /// too small by a fraction of about one over the number of independent rows, the square of
    /// their relative error.
    void add(std::span<const double> row);
    /// At all possible lags, ascending. Above those of the first level a value is that of averages
    /// of rows.
    [[nodiscard]] std::vector<LagValue> curve(std::size_t number = 0) const;

    /// The complete state as numbers for a file: a restored correlator continues bitwise.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from a correlator with equal settings.
    void restore(std::span<const double> state);

  private:
    struct Level {
        std::int64_t rows = 0, summed = 0;
        std::vector<double> history;           ///< the last `window` rows, in a ring
        std::vector<double> sum;               ///< of `summed` rows, for the next level
        std::vector<BlockingAverage> products; ///< by lag, one number per curve
    };

    [[nodiscard]] std::size_t first_lag(std::size_t level) const;
    void add_level();
    void push(std::size_t level, std::span<const double> row);
    /// Returns the residual of a row and adds the row to the means.
    [[nodiscard]] std::vector<double> residual(std::span<const double> row);
    template <class Self, class F>
    static void each(Self& level, F& f);

    Settings settings_;
    std::vector<Level> levels_;
    std::vector<double> means_; ///< of the products of a row with an origin, by curve
    std::int64_t rows_ = 0;     ///< rows of fluctuations; `mean_` is their mean
    std::vector<double> mean_;
};

} // namespace shadow
