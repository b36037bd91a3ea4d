// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/blocking.hpp"

#include "kernels/ops/bond_correlation.hpp"

#include <vector>

namespace shadow {

/// Correlation of bond order in a periodic plane, g_m(r) = <psi_m*(i) psi_m(j)> over pairs at
/// distance r (Nelson and Halperin 1979, Phys. Rev. B 19, 2457; for m = 6 it is constant in a
/// crystal, decays as a power of r in a hexatic phase, and exponentially in a liquid). psi_m is
/// defined in BondOrderParameter. The array is named bond_correlation_m. Each measurement uses
/// about `max_origin_pairs` pairs.
class BondCorrelation final : public Observable<2> {
  public:
    struct Plan {
        int fold;       ///< m
        double radius;  ///< neighbours are closer than this
        double largest; ///< at most half the shortest length of the box
        int bins;       ///< of equal width, from 0
    };
    explicit BondCorrelation(Plan plan);

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return 2 * bins(); }
    [[nodiscard]] std::optional<double> list_radius() const override { return plan_.radius; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<2>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;
    /// The mean over all pairs of all measurements; its error is that of the means of measurements.
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
    [[nodiscard]] std::vector<double> state() const override;
    void restore(std::span<const double> state) override;

  private:
    template <class Self, class F>
    static void each(Self& self, F& f);
    [[nodiscard]] std::size_t bins() const { return static_cast<std::size_t>(plan_.bins); }

    Plan plan_;
    BondProducts op_{};
    int list_ = -1;
    std::int64_t measured_ = 0, accumulated_ = 0;
    std::vector<double> pairs_, products_;     ///< by bin, over all measurements
    std::vector<BlockingAverage> correlation_; ///< over measurements with pairs in the bin
    Array<double> order_, psi_;
    Array<std::int64_t> sums_;
};

} // namespace shadow
