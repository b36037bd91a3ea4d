// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/ladder_averages.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <span>
#include <vector>

namespace shadow {

/// The transport coefficient of a flux J whose average is zero, sampled at equal time intervals.
/// Its components are equivalent by symmetry, and all results are averages over them.
///
/// By Green and Kubo the coefficient is the integral of <J(0) J(t)>, here by the trapezoidal rule
/// up to each lag of a window; by Einstein and Helfand (1960) it is half the slope of <(G(t) -
/// G(0))^2>, G being the integral of J over time, here over the second half of windows of growing
/// length (Allen and Tildesley 2017, section 2.7). Both are without the prefactor of the flux.
/// Errors come from the scatter of origins, blocked.
class GreenKubo {
  public:
    struct Settings {
        std::size_t components = 1;
        double interval = 1.0; ///< time between two rows
        LagLadder ladder{16, 1, 16};
    };
    using Lag = LagValue;

    explicit GreenKubo(Settings settings);

    /// Adds a row: one number for each component.
    void add(std::span<const double> flux);
    /// Number of rows so far.
    [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
    /// <J(0) J(t)> by a multiple-tau correlator, up to the longest lag of the ladder or slightly
    /// beyond.
    [[nodiscard]] std::vector<Lag> correlation() const { return correlator_.curve(); }
    /// Its integral, at the lags of a window.
    [[nodiscard]] std::vector<Lag> integral() const { return integrals_.values(); }
    /// Half the slope of <(G(t) - G(0))^2> over the second half of a window that ends at the lag.
    [[nodiscard]] std::vector<Lag> half_slope() const { return slopes_.values(); }

    /// The complete state as numbers for a file: a restored object continues bitwise.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from an object with equal settings.
    void restore(std::span<const double> state);

  private:
    void compare(const LagLadder::Task& task, std::span<const double> flux);
    void renew(const LagLadder::Task& task, std::span<const double> flux);
    template <class Self, class F>
    static void each(Self& self, F& f);

    Settings settings_;
    TimeCorrelator correlator_;
    std::int64_t rows_ = 0;
    std::vector<double> last_, moment_;                            ///< previous J, current G
    std::vector<std::vector<double>> origin_flux_, origin_moment_; ///< J and G, by origin
    OriginIntegrals integrals_;
    OriginSlopes slopes_;
};

} // namespace shadow
