// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/estimate.hpp"

#include "shadow/statistics/correlated_error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// Block means as a series whose unweighted mean is the weighted one and whose error is that of the
/// ratio sum(w x) / sum(w), to first order.
std::vector<double> linearised(std::span<const Moments> blocks) {
    Moments all;
    for (const Moments& block : blocks) all.add(block);
    const double usual = all.weight() / static_cast<double>(blocks.size());
    std::vector<double> values;
    values.reserve(blocks.size());
    for (const Moments& block : blocks)
        values.push_back(all.mean() + block.weight() / usual * (block.mean() - all.mean()));
    return values;
}

/// Squared error of the mean as if values were independent.
double squared_error(const std::vector<double>& values) {
    Moments moments;
    for (const double value : values) moments.add({&value, 1});
    return moments.variance() / static_cast<double>(values.size() - 1);
}

struct BlockingError {
    double squared = 0.0;     ///< of the mean
    double uncertainty = 0.0; ///< relative
    bool plateau = false;
};

/// The error from means of blocks of `length` samples; `single` is the squared error if the samples
/// were independent.
BlockingError blocking_error(std::vector<double> values, double single, double length,
                             double memory) {
    const double samples = length * static_cast<double>(values.size());
    std::vector<double> errors, blocks;
    while (values.size() >= 2) {
        errors.push_back(squared_error(values));
        blocks.push_back(static_cast<double>(values.size()));
        for (std::size_t k = 0; k < values.size() / 2; ++k)
            values[k] = 0.5 * (values[2 * k] + values[2 * k + 1]);
        values.resize(values.size() / 2);
    }
    const auto [level, found] = blocking_level(errors, single, length, samples, memory);
    return {errors[level], std::sqrt(2.0 / (blocks[level] - 1.0)), found};
}

/// The first block within three standard deviations of the later half of a series: blocks before it
/// are not of the same ensemble, although they may not reduce the number of independent samples.
std::size_t arrival(std::span<const Moments> blocks, const Moments& later) {
    const double reach = 3.0 * std::sqrt(later.variance());
    std::size_t first = 0;
    while (2 * first < blocks.size() && std::abs(blocks[first].mean() - later.mean()) > reach)
        ++first;
    return first;
}

/// The next candidate for the start of the rest: every block at first, then in steps of a sixteenth
/// of the discarded part, which is as good.
std::size_t next_start(std::size_t start) {
    return start + std::max<std::size_t>(1, start / 16);
}

/// Samples to discard at the start of a series, for which the rest is worth most, and those before
/// its arrival.
struct Start {
    std::int64_t discard = 0, arrival = 0;
};

Start find_start(const BlockedSeries& series) {
    BlockedSeries coarse(1, 512);
    coarse.merge(series);
    const std::vector<Moments>& blocks = coarse.blocks();
    if (blocks.size() < 16) return {};
    std::vector<Moments> rest(blocks.size() + 1);
    for (std::size_t k = blocks.size(); k-- > 0;) {
        rest[k] = blocks[k];
        rest[k].add(rest[k + 1]);
    }
    if (!(rest[0].variance() > 0.0)) return {};
    const std::size_t first = arrival(blocks, rest[blocks.size() / 2]);
    std::size_t best = first;
    double most = 0.0;
    for (std::size_t start = first; 10 * start < 9 * blocks.size(); start = next_start(start)) {
        const std::vector<double> values = linearised(std::span(blocks).subspan(start));
        const AutocorrelationError error = autocorrelation_error(values);
        // The best of many starts may have blocks that are anticorrelated by luck.
        const double squared = std::max(error.squared, squared_error(values));
        const double worth = squared > 0.0 ? rest[start].variance() / squared
                                           : static_cast<double>(rest[start].samples());
        // The gain must exceed its uncertainty; otherwise a lucky end of the series would be
        // chosen.
        if (start == first) most = worth * (1.0 + error.uncertainty);
        if (worth <= most) continue;
        most = worth;
        best = start;
    }
    return {static_cast<std::int64_t>(best) * coarse.block_length(),
            static_cast<std::int64_t>(first) * coarse.block_length()};
}

/// Independent samples in the rest from which its own errors are right although it was chosen.
constexpr double min_settled = 150.0;

/// Errors of `rest` not below those of the `whole`, of which it was chosen, for as many samples.
void widen(Estimate& rest, const Estimate& whole) {
    const double variance = rest.deviation * rest.deviation;
    if (!(variance > 0.0)) return;
    const auto samples = static_cast<double>(rest.samples);
    const double scale = std::sqrt(static_cast<double>(whole.samples) / samples);
    rest.error = std::max(rest.error, scale * whole.error);
    rest.autocorrelation_error =
        std::max(rest.autocorrelation_error, scale * whole.autocorrelation_error);
    rest.error_uncertainty = std::max(rest.error_uncertainty, whole.error_uncertainty);
    rest.inefficiency = std::max(rest.error * rest.error * samples / variance, 1.0 / samples);
    rest.independent_samples = samples / rest.inefficiency;
}

} // namespace

bool Estimate::errors_agree() const {
    if (!(error > 0.0) || !(autocorrelation_error > 0.0)) return true;
    // If a series oscillates about its mean, the sum of the autocovariance ends within a period,
    // and blocks shorter than a period make the error too large.
    if (inefficiency < 0.5) return true;
    // A quarter is the difference expected from the estimators themselves: each omits some of the
    // correlation, blocking by its shortest sufficient block.
    const double tolerance = 0.25 + 3.0 * error_uncertainty;
    return std::abs(std::log(autocorrelation_error / error)) < tolerance;
}

bool Estimate::enough() const {
    // Too few samples remain too few even if they appear anticorrelated.
    return error == 0.0 || (independent_samples >= min_independent && samples >= 50);
}

bool Estimate::reliable() const {
    return samples > 1 && plateau && enough() && errors_agree();
}

std::string Estimate::warning() const {
    if (!std::isfinite(mean)) return "some of its values are infinite or no numbers";
    if (samples < 2) return "too few samples for an error";
    if (!enough()) return "too few independent samples: the error is probably too small";
    if (!plateau)
        return "its error still grows with the length of blocks: it is probably too small";
    if (!errors_agree())
        return fmt::format("the errors by blocking and by autocorrelation time differ by a factor "
                           "of {:.2g}: trust neither",
                           std::max(error / autocorrelation_error, autocorrelation_error / error));
    if (discarded > samples)
        return fmt::format("not in equilibrium for the first {:.0f}% of the samples: the rest may "
                           "not be, either",
                           100.0 * static_cast<double>(discarded) /
                               static_cast<double>(discarded + samples));
    return "";
}

Estimate estimate(const BlockedSeries& series, std::int64_t discard, double memory) {
    const std::size_t first = series.blocks_for(discard);
    const std::span<const Moments> blocks = std::span(series.blocks()).subspan(first);
    Moments closed;
    for (const Moments& block : blocks) closed.add(block);
    Moments all = closed;
    all.add(series.open());
    Estimate result;
    result.samples = all.samples();
    result.discarded = series.total().samples() - all.samples();
    result.mean = all.mean();
    result.error = result.autocorrelation_error = std::numeric_limits<double>::infinity();
    const auto samples = static_cast<double>(all.samples());
    result.independent_samples = samples;
    if (all.samples() > 0 && !(all.weight() > 0.0)) { // all rows were before
        result.mean = std::numeric_limits<double>::quiet_NaN();
        result.independent_samples = 0.0;
        return result;
    }
    if (all.samples() < 2) return result;
    const double variance = all.variance() * samples / (samples - 1.0);
    result.deviation = std::sqrt(variance);
    if (variance == 0.0) { // a constant has no error, however few values there are
        result.error = result.autocorrelation_error = 0.0;
        result.plateau = true;
        return result;
    }
    if (blocks.size() < 2) return result;

    // The rows in the open block reduce the error by this factor.
    const double covered = closed.weight() / all.weight();
    const std::vector<double> values = linearised(blocks);
    const auto length = static_cast<double>(series.block_length());
    const BlockingError blocking =
        blocking_error(values, variance / static_cast<double>(closed.samples()), length, memory);
    const AutocorrelationError other = autocorrelation_error(values, memory / length);
    result.plateau = blocking.plateau && other.closed;
    result.error = std::sqrt(blocking.squared * covered);
    result.autocorrelation_error = std::sqrt(other.squared * covered);
    // Errors are square roots, so half of the relative uncertainty of their squares.
    result.error_uncertainty = 0.5 * std::hypot(blocking.uncertainty, other.uncertainty);
    // Anticorrelated series can be better than independent ones; less than one sample in total is
    // noise of the estimate.
    result.inefficiency = std::max(result.error * result.error * samples / variance, 1.0 / samples);
    result.independent_samples = samples / result.inefficiency;
    return result;
}

std::int64_t equilibration(const BlockedSeries& series) {
    return find_start(series).discard;
}

Estimate settled_estimate(const BlockedSeries& series, std::int64_t least, double memory) {
    const Start start = find_start(series);
    Estimate rest = estimate(series, std::max(least, start.discard), memory);
    const std::int64_t arrival = std::max(least, start.arrival);
    if (rest.discarded > arrival && rest.independent_samples < min_settled)
        widen(rest, estimate(series, arrival, memory));
    return rest;
}

} // namespace shadow
