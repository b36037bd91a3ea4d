// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/transport.hpp"

namespace shadow {

void TransportAverage::add(std::span<const double> flux, double temperature) {
    transport_.add(flux);
    temperature_ += temperature;
}

double TransportAverage::temperature() const {
    return transport_.rows() > 0 ? temperature_ / static_cast<double>(transport_.rows()) : 1.0;
}

std::vector<ArrayEstimate> TransportAverage::estimates(double factor, const Names& names) const {
    const auto curve = [&](const Name& name, const std::vector<LagValue>& values) {
        return lag_curve(name.name, name.unit, transport_.rows(), values, factor);
    };
    std::vector<ArrayEstimate> all{curve(names[0], transport_.correlation()),
                                   curve(names[1], transport_.integral()),
                                   curve(names[2], transport_.half_slope())};
    all[1].coefficient = all[2].coefficient = true;
    all[1].window = all[2].window = all[1].axes[0].values.back();
    return all;
}

std::vector<double> TransportAverage::state() const {
    StateWriter writer;
    writer(temperature_);
    writer(transport_);
    return writer.numbers();
}

void TransportAverage::restore(std::span<const double> state) {
    StateReader reader(state, "a transport coefficient");
    reader(temperature_);
    reader(transport_);
    reader.finish();
}

} // namespace shadow
