// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/bond_order.hpp"
#include "shadow/observables/choose_origins.hpp"
#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/global_order.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/origin_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {
namespace {

template <class Plan>
double slope_of(const Plan& plan) {
    return std::tan(std::numbers::pi / plan.fold);
}

/// Area of all strips from the centre, where they overlap, up to x; they end at a circle.
template <class Plan>
double area_up_to(const Plan& plan, double x) {
    const double half = 0.5 * plan.width, radius = plan.largest;
    const double apart = half / slope_of(plan), end = std::sqrt(radius * radius - half * half);
    const auto arc = [radius](double t) {
        return t * std::sqrt(std::max(radius * radius - t * t, 0.0)) +
               radius * radius * std::asin(std::min(t / radius, 1.0));
    };
    double area = slope_of(plan) * std::pow(std::min(x, apart), 2);
    if (x > apart) area += plan.width * (std::min(x, end) - apart);
    if (x > end) area += arc(x) - arc(end);
    return plan.fold * area;
}

/// Pair distribution of a periodic plane along the directions of its lattice, g(x, 0) with the axis
/// x along the phase of the global order Psi_m of the same configuration (Bernard and Krauth 2011,
/// Phys. Rev. Lett. 107, 155704): the number of particles in strips along the m directions of the
/// bonds, relative to the number without correlation. In a crystal it has maxima at the lattice
/// vectors that decay as a power of x, in hexatic and liquid phases exponentially. The array is
/// called positional_correlation_m.
class PositionalCorrelation final : public AveragingObservable<2> {
  public:
    struct Plan {
        int fold;       ///< m, from 2 to LatticeDirections::max_fold
        double radius;  ///< neighbours are closer than this
        double width;   ///< of a strip, less than 2 sin(pi / m) `largest`
        double largest; ///< at most half the shortest length of the box
        int bins;       ///< of equal width, from 0
    };
    PositionalCorrelation(const Box<2>& box, std::int64_t particles, Plan plan)
        : AveragingObservable<2>({{"positional_correlation_" + std::to_string(plan.fold)},
                                  "",
                                  {middles("x", "length", 0.0, plan.largest, plan.bins)}}),
          plan_(plan) {
        const auto n = static_cast<double>(particles);
        const double density =
            n * (n - 1.0) / static_cast<double>(origin_stride(particles)) / box.volume();
        for (int k = 0; k < plan.bins; ++k)
            uncorrelated_.push_back(density *
                                    (area_up_to(plan, (k + 1) * plan.largest / plan.bins) -
                                     area_up_to(plan, k * plan.largest / plan.bins)));
    }

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return bins(); }
    [[nodiscard]] std::optional<double> list_radius() const override { return plan_.radius; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<2>& system, double* row) override {
        const Backend& backend = system.backend();
        const auto n = static_cast<std::size_t>(system.size());
        const auto fold = static_cast<std::size_t>(plan_.fold);
        if (order_.size() == 0) {
            order_ = Array<double>(backend, n);
            psi_ = Array<double>(backend, 2 * n);
            directions_ = Array<double>(backend, 2 * fold);
            sum_ = Array<OrderSum>(backend, 1);
            counts_ = Array<std::int64_t>(backend, bins());
        }
        sweep_bond_order(system, list_, plan_.radius, {&plan_.fold, 1}, order_.data(), psi_.data());
        reduce(backend, SumOrder{psi_.data(), system.size()}, system.size(), sum_.data());
        launch(backend, LatticeDirections{sum_.data(), plan_.fold, directions_.data()}, plan_.fold);
        const CountOriginPairs<2, DirectionBins> op{choose_origins(system, this->measured_++),
                                                    {directions_.data(), plan_.fold, plan_.bins,
                                                     0.5 * plan_.width, plan_.largest,
                                                     plan_.bins / plan_.largest, slope_of(plan_)},
                                                    counts_.data()};
        count(backend, op, op.pairs.origins() * system.size(), plan_.bins);
        launch(backend, TakeCounts{counts_.data(), row}, plan_.bins);
    }

    void accumulate(double /*time*/, std::span<const double> row) override {
        std::vector<double> g;
        for (std::size_t k = 0; k < bins(); ++k) g.push_back(row[k] / uncorrelated_[k]);
        this->average_.add(g);
    }

  private:
    [[nodiscard]] std::size_t bins() const { return static_cast<std::size_t>(plan_.bins); }

    Plan plan_;
    std::vector<double> uncorrelated_; ///< pairs per bin without correlation
    int list_ = -1;
    Array<double> order_, psi_, directions_;
    Array<OrderSum> sum_;
    Array<std::int64_t> counts_;
};

template <int Dim>
Made<Dim> make_positional_correlation(const ObservableInput<Dim>& in) {
    if constexpr (Dim != 2) {
        refuse_off_plane(in, "positional-correlation", Dim);
    } else {
        if (!in.context.box.is_periodic())
            in.fail("type", "positional-correlation in an open box (it has no density to "
                            "compare with); make the box periodic");
        if (in.context.particles() < 2)
            in.fail("type", "positional-correlation of one particle (it has no pairs); remove "
                            "it");
        typename PositionalCorrelation::Plan plan{};
        const double apart =
            std::sqrt(in.context.box.volume() / static_cast<double>(in.context.particles()));
        plan.fold = read_fold(in, 2, LatticeDirections::max_fold);
        plan.radius = read_neighbour_radius(in, in.half_box());
        plan.largest = read_distance(in, "largest", in.half_box());
        plan.width = in.positive("width", 0.25 * apart);
        const double widest = 2.0 * plan.largest * std::sin(std::numbers::pi / plan.fold);
        if (plan.width >= widest)
            in.fail("width", fmt::format("width {} (strips of {} and more along {} directions "
                                         "fill the plane); lower it",
                                         plan.width, widest, plan.fold));
        plan.bins = read_bins(in);
        return std::make_unique<PositionalCorrelation>(in.context.box, in.context.particles(),
                                                       plan);
    }
}

} // namespace

ObservableEntry positional_correlation_entry() {
    using enum KeyType;
    return {{"positional-correlation",
             "Pair distribution along the lattice directions in two dimensions, from the global "
             "bond order of each configuration",
             "g(x, 0) = A n(x) / (N (N - 1) a(x)), n ordered pairs in strips of area a along the "
             "angles (arg Psi_m + 2 pi k) / m",
             "Bernard and Krauth 2011",
             {every_key(),
              {"fold", integer, "", "6", "m, at most 12"},
              neighbour_radius_key(),
              {"width", number, "length", "a quarter of the mean distance", "of a strip", "0.2"},
              {"largest", number, "length", "half the box", "distance", "2.0"},
              bins_key(200)}},
            SHADOW_EACH_DIMENSION(make_positional_correlation)};
}

} // namespace shadow
