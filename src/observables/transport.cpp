// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/transport.hpp"

#include "shadow/statistics/state.hpp"

namespace shadow {

void TransportAverage::add(std::span<const double> flux, double temperature) {
    transport_.add(flux);
    temperature_ += temperature;
}

double TransportAverage::temperature() const {
    return transport_.rows() > 0 ? temperature_ / static_cast<double>(transport_.rows()) : 1.0;
}

std::vector<ArrayEstimate> TransportAverage::estimates(double factor,
                                                       const std::array<Name, 3>& names) const {
    const std::array<std::vector<GreenKubo::Lag>, 3> found{
        transport_.correlation(), transport_.integral(), transport_.half_slope()};
    std::vector<ArrayEstimate> all;
    for (std::size_t k = 0; k < names.size(); ++k) {
        ArrayEstimate& made = all.emplace_back();
        made = {names[k].name, names[k].unit, {{"lag", "time", {}}}, {}, {}, transport_.rows()};
        made.coefficient = k > 0; // the first is the correlation itself
        for (const GreenKubo::Lag& lag : found[k]) {
            made.axes[0].values.push_back(lag.time);
            made.value.push_back(factor * lag.value);
            made.error.push_back(factor * lag.error);
        }
    }
    return all;
}

std::vector<double> TransportAverage::state() const {
    std::vector<double> numbers{temperature_};
    append_counted(numbers, transport_.state());
    return numbers;
}

void TransportAverage::restore(std::span<const double> state) {
    StateReader reader(state, "a transport coefficient");
    temperature_ = reader.number();
    transport_.restore(reader.counted());
    reader.finish();
}

} // namespace shadow
