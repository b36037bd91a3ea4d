// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/jackknife.hpp"

#include "shadow/statistics/correlated_error.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace shadow {
namespace {

/// The function of all blocks but one, for each block.
std::vector<double> without_each(std::span<const Moments> blocks,
                                 const FunctionOfMoments& function) {
    const std::size_t channels = blocks.front().channels();
    std::vector<Moments> behind(blocks.size(), Moments(channels));
    for (std::size_t k = blocks.size() - 1; k-- > 0;) {
        behind[k] = behind[k + 1];
        behind[k].add(blocks[k + 1]);
    }
    std::vector<double> values;
    values.reserve(blocks.size());
    Moments before(channels);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        Moments rest = before;
        rest.add(behind[k]);
        values.push_back(function(rest));
        before.add(blocks[k]);
    }
    return values;
}

} // namespace

DerivedEstimate jackknife(const BlockedSeries& series, const FunctionOfMoments& function,
                          std::int64_t discard) {
    const std::size_t first = series.blocks_for(discard);
    const std::span<const Moments> blocks = std::span(series.blocks()).subspan(first);
    DerivedEstimate result;
    result.blocks = static_cast<std::int64_t>(blocks.size());
    result.error = std::numeric_limits<double>::infinity();
    Moments all(series.channels());
    for (const Moments& block : blocks) all.add(block);
    result.value = function(all);
    const auto n = static_cast<double>(blocks.size());
    if (n < min_blocks) return result;

    std::vector<double> values = without_each(blocks, function);
    double mean = 0.0;
    for (const double value : values) mean += value / n;
    const double bias = (n - 1.0) * (mean - result.value);
    for (double& value : values) value = (n - 1.0) * (result.value - value);
    const AutocorrelationError error = autocorrelation_error(values);
    result.inefficiency = error.inefficiency;
    result.bias = bias * error.inefficiency;
    result.value -= result.bias;
    result.error = std::sqrt(error.squared);
    result.reliable = error.closed && n > 50.0 * error.inefficiency;
    return result;
}

} // namespace shadow
