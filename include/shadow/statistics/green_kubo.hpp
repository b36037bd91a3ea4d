// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/ladder_averages.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <span>
#include <vector>

namespace shadow {

/// The transport coefficient of a flux J whose average is zero, given at equal distances in time.
/// Its components are equivalent by symmetry, and everything is an average over them.
///
/// By Green and Kubo the coefficient is the integral of <J(0) J(t)>, here by the trapezoidal rule
/// up to each lag of a window; by Einstein and Helfand (1960) half the slope of <(G(t) - G(0))^2>,
/// G being the integral of J over time, here over the second half of windows of growing length
/// (Allen and Tildesley 2017, section 2.7). Both up to the factor that belongs to the flux. Errors
/// come from the scatter of origins, blocked.
class GreenKubo {
  public:
    struct Settings {
        std::size_t components = 1;
        double interval = 1.0; ///< time between two rows
        LagLadder ladder{16, 1, 16};
    };
    using Lag = LagValue;

    explicit GreenKubo(Settings settings);

    /// One number for each component.
    void add(std::span<const double> flux);
    /// Rows so far.
    [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
    /// <J(0) J(t)> by a multiple-tau correlator, up to the longest lag of the ladder or somewhat
    /// beyond.
    [[nodiscard]] std::vector<Lag> correlation() const { return correlator_.curve(); }
    /// Its integral, by lag of a window.
    [[nodiscard]] std::vector<Lag> integral() const { return integrals_.values(); }
    /// Half the slope of <(G(t) - G(0))^2> over the second half of a window that ends at the lag.
    [[nodiscard]] std::vector<Lag> half_slope() const { return slopes_.values(); }

    /// Everything, as numbers that survive a file: a restored one goes on with the same bits.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from one with equal settings.
    void restore(std::span<const double> state);

  private:
    void compare(const LagLadder::Task& task, std::span<const double> flux);
    void renew(const LagLadder::Task& task, std::span<const double> flux);
    template <class Self, class F>
    static void each(Self& self, F& f);

    Settings settings_;
    TimeCorrelator correlator_;
    std::int64_t rows_ = 0;
    std::vector<double> last_, moment_;                            ///< J of the row before, G now
    std::vector<std::vector<double>> origin_flux_, origin_moment_; ///< J and G, by place
    OriginIntegrals integrals_;
    OriginSlopes slopes_;
};

} // namespace shadow
