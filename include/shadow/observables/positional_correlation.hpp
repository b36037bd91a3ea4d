// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/ops/global_order.hpp"
#include "kernels/ops/origin_pairs.hpp"

namespace shadow {

/// Pair distribution of a periodic plane along the directions of its lattice, g(x, 0) with the axis
/// x along the phase of the global order Psi_m of the same configuration (Bernard and Krauth 2011,
/// Phys. Rev. Lett. 107, 155704): particles in strips of some width along the m directions of the
/// bonds, over what there would be of them without correlation. In a crystal it has maxima at the
/// lattice vectors which fall as a power of x, in hexatic and liquid phases exponentially. It is
/// called positional_correlation_m.
class PositionalCorrelation final : public AveragingObservable<2> {
  public:
    struct Plan {
        int fold;       ///< m, from 2 to LatticeDirections::max_fold
        double radius;  ///< nearer than this is a neighbour
        double width;   ///< of a strip, less than 2 sin(pi / m) `largest`
        double largest; ///< at most half the shortest length of the box
        int bins;       ///< of equal width, from 0
    };
    PositionalCorrelation(const Box<2>& box, std::int64_t particles, Plan plan);

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return bins(); }
    [[nodiscard]] std::optional<double> list_radius() const override { return plan_.radius; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<2>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    [[nodiscard]] std::size_t bins() const { return static_cast<std::size_t>(plan_.bins); }

    Plan plan_;
    std::vector<double> uncorrelated_; ///< pairs that a bin would have without correlation
    int list_ = -1;
    Array<double> order_, psi_, directions_;
    Array<OrderSum> sum_;
    Array<std::int64_t> counts_;
};

} // namespace shadow
