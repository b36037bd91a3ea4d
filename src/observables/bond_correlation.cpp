// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/bond_correlation.hpp"

#include "keys.hpp"

#include "shadow/observables/bond_order.hpp"
#include "shadow/observables/choose_origins.hpp"
#include "shadow/observables/shells.hpp"
#include "shadow/statistics/state.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"

#include <limits>

namespace shadow {

BondCorrelation::BondCorrelation(Plan plan)
    : plan_(plan), pairs_(bins()), products_(bins()), correlation_(bins()) {
    op_.largest2 = plan.largest * plan.largest;
    op_.inverse_width = plan.bins / plan.largest;
    op_.bins = plan.bins;
}

void BondCorrelation::enqueue(ParticleSystem<2>& system, double* row) {
    const Backend& backend = system.backend();
    const auto n = static_cast<std::size_t>(system.size());
    if (order_.size() == 0) {
        order_ = Array<double>(backend, n);
        psi_ = Array<double>(backend, 2 * n);
        sums_ = Array<std::int64_t>(backend, width());
    }
    sweep_bond_order(system, list_, plan_.radius, {&plan_.fold, 1}, order_.data(), psi_.data());
    op_.pairs = choose_origins(system, measured_++);
    op_.psi = psi_.data();
    op_.sums = sums_.data();
    launch(backend, op_, op_.pairs.origins() * system.size());
    launch(backend, TakeCounts{sums_.data(), row}, static_cast<std::int64_t>(width()));
}

void BondCorrelation::accumulate(double /*time*/, std::span<const double> row) {
    ++accumulated_;
    for (std::size_t k = 0; k < bins(); ++k) {
        const double pairs = row[k], product = row[bins() + k] / BondProducts::one;
        if (pairs == 0.0) continue;
        pairs_[k] += pairs;
        products_[k] += product;
        correlation_[k].add(product / pairs);
    }
}

std::vector<ArrayEstimate> BondCorrelation::estimates() const {
    const Axis r = middles("r", "length", 0.0, plan_.largest, plan_.bins);
    std::vector<double> value, error;
    for (std::size_t k = 0; k < bins(); ++k) {
        value.push_back(pairs_[k] > 0.0 ? products_[k] / pairs_[k] : 0.0);
        error.push_back(correlation_[k].samples() > 1 ? correlation_[k].estimate().error
                                                      : std::numeric_limits<double>::infinity());
    }
    return {
        {"bond_correlation_" + std::to_string(plan_.fold), "", {r}, value, error, accumulated_}};
}

template <class Self, class F>
void BondCorrelation::each(Self& self, F& f) {
    f(self.accumulated_);
    for (auto* sums : {&self.pairs_, &self.products_}) f(*sums);
    f(self.correlation_);
}

std::vector<double> BondCorrelation::state() const {
    StateWriter writer;
    each(*this, writer);
    return writer.numbers();
}

void BondCorrelation::restore(std::span<const double> state) {
    StateReader reader(state, "a bond correlation");
    each(*this, reader);
    reader.finish();
    measured_ = accumulated_;
}

namespace {

template <int Dim>
Made<Dim> make_bond_correlation(const ObservableInput<Dim>& in) {
    if constexpr (Dim != 2) {
        refuse_off_plane(in, "bond-correlation", Dim);
    } else {
        if (!in.context.box.is_periodic())
            in.fail("type", "bond-correlation in an open box (pairs near its edges have half "
                            "their neighbours); make the box periodic");
        typename BondCorrelation::Plan plan{};
        plan.fold = read_fold(in, 1, 64);
        plan.radius = read_neighbour_radius(in, in.half_box());
        plan.largest = read_distance(in, "largest", in.half_box());
        plan.bins = read_bins(in);
        return std::make_unique<BondCorrelation>(plan);
    }
}

} // namespace

ObservableEntry bond_correlation_entry() {
    using enum KeyType;
    return {{"bond-correlation",
             "Correlation of bond order g_6(r) in two dimensions",
             "g_m(r) = <psi_m*(i) psi_m(j)> over pairs at distance r, psi_m of each particle as of "
             "bond-order",
             "Nelson and Halperin 1979",
             {every_key(),
              {"fold", integer, "", "6", "m"},
              neighbour_radius_key(),
              {"largest", number, "length", "half the box", "distance", "2.0"},
              bins_key(200)}},
            SHADOW_EACH_DIMENSION(make_bond_correlation)};
}

} // namespace shadow
