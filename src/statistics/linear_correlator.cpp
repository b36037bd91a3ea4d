// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/linear_correlator.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

LinearCorrelator::Settings checked(LinearCorrelator::Settings settings) {
    settings.pairs = detail::checked_pairs(std::move(settings.pairs), settings.channels);
    if (settings.window == 0 || settings.spacing == 0)
        throw InputError(fmt::format("a correlator with window {} and spacing {} (both count "
                                     "samples); give 1 or more",
                                     settings.window, settings.spacing));
    return settings;
}

} // namespace

LinearCorrelator::LinearCorrelator(Settings settings)
    : settings_(checked(std::move(settings))), origins_(origins_kept() * settings_.channels),
      sums_(settings_.window, settings_.pairs.size()) {
    means_.mean.resize(settings_.channels);
}

void LinearCorrelator::add(std::span<const double> row) {
    means_.add(row);
    const auto spacing = static_cast<std::int64_t>(settings_.spacing);
    const auto kept = static_cast<std::int64_t>(origins_kept());
    const auto place = [&](std::int64_t origin) {
        return origins_.data() + static_cast<std::size_t>(origin % kept) * settings_.channels;
    };
    const std::int64_t last = rows_ / spacing;
    if (rows_ % spacing == 0) std::copy_n(row.begin(), settings_.channels, place(last));
    for (std::int64_t origin = std::max<std::int64_t>(0, last - kept + 1); origin <= last;
         ++origin) {
        const auto lag = static_cast<std::size_t>(rows_ - origin * spacing);
        if (lag >= settings_.window) continue;
        const double* const then = place(origin);
        double* sum = sums_.at(origin, lag);
        for (const auto& [a, b] : settings_.pairs) *sum++ += then[a] * row[b];
    }
    ++rows_;
}

Correlation LinearCorrelator::result() const {
    Correlation result;
    result.width = settings_.pairs.size();
    result.mean = means_.mean;
    sums_.append_to(result, 0.0, 1.0, static_cast<double>(settings_.spacing));
    return result;
}

void LinearCorrelator::merge(const LinearCorrelator& other) {
    const Settings &own = settings_, &its = other.settings_;
    if (own.channels != its.channels || own.window != its.window || own.spacing != its.spacing ||
        own.pairs != its.pairs)
        throw InputError("two correlators with different settings (their lags are not the same); "
                         "merge those of equal settings");
    sums_.merge(other.sums_);
    means_.merge(other.means_);
    rows_ = 0;
}

std::vector<double> LinearCorrelator::state() const {
    std::vector<double> numbers{static_cast<double>(rows_), means_.count};
    append(numbers, means_.mean);
    append(numbers, origins_);
    sums_.append_state(numbers);
    return numbers;
}

void LinearCorrelator::restore(std::span<const double> state) {
    StateReader reader(state, "a correlator");
    rows_ = reader.count();
    means_.count = reader.number();
    reader.fill(means_.mean);
    reader.fill(origins_);
    sums_.assign(reader.take(sums_.numbers()));
    reader.finish();
}

} // namespace shadow
