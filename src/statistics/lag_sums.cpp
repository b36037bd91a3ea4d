// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/lag_sums.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/correlated_error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
LagSums::LagSums(std::size_t lags, std::size_t width)
    : lags_(lags), stride_(width + 1), sums_(capacity * lags * (width + 1)) {}

double* LagSums::at(std::int64_t origin, std::size_t lag) {
    while ((origin + offset_) / length_ >= static_cast<std::int64_t>(capacity)) join_neighbours();
    const auto b = static_cast<std::size_t>((origin + offset_) / length_);
    used_ = std::max(used_, b + 1);
    double* const entry = sums_.data() + (b * lags_ + lag) * stride_;
    entry[0] += 1.0;
    return entry + 1;
}

void LagSums::join_neighbours() {
    const std::size_t size = lags_ * stride_;
    for (std::size_t b = 0; b < capacity / 2; ++b)
        for (std::size_t k = 0; k < size; ++k)
            sums_[b * size + k] = sums_[2 * b * size + k] + sums_[(2 * b + 1) * size + k];
    std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(capacity / 2 * size), sums_.end(), 0.0);
    used_ = (used_ + 1) / 2;
    length_ *= 2;
}

/// Of the average at one lag, from means over `group` blocks at a time, weighted by their origins.
double LagSums::squared_error(std::size_t lag, std::size_t k, std::size_t group) const {
    std::vector<double> counts, sums;
    for (std::size_t first = 0; first + group <= used_; first += group) {
        double count = 0.0, sum = 0.0;
        for (std::size_t b = first; b < first + group; ++b) {
            count += block(b, lag)[0];
            sum += block(b, lag)[1 + k];
        }
        if (count == 0.0) continue;
        counts.push_back(count);
        sums.push_back(sum);
    }
    const auto groups = static_cast<double>(counts.size());
    if (groups < min_blocks) return std::numeric_limits<double>::infinity();
    double count = 0.0, sum = 0.0, square = 0.0;
    for (std::size_t g = 0; g < counts.size(); ++g) {
        count += counts[g];
        sum += sums[g];
    }
    for (std::size_t g = 0; g < counts.size(); ++g) {
        const double distance = sums[g] - counts[g] * sum / count;
        square += distance * distance;
    }
    return square / (count * count) * groups / (groups - 1.0);
}

void LagSums::append_to(Correlation& result, double first, double unit, double spacing) const {
    for (std::size_t lag = 0; lag < lags_; ++lag) {
        double count = 0.0;
        std::vector<double> sums(stride_ - 1);
        for (std::size_t b = 0; b < used_; ++b) {
            count += block(b, lag)[0];
            for (std::size_t k = 0; k + 1 < stride_; ++k) sums[k] += block(b, lag)[1 + k];
        }
        if (count == 0.0) continue;
        const double time = (first + static_cast<double>(lag)) * unit;
        const double blocks = time / (static_cast<double>(length_) * spacing);
        const auto group = static_cast<std::size_t>(std::max(1.0, std::ceil(blocks)));
        result.lag.push_back(time);
        result.samples.push_back(static_cast<std::int64_t>(count));
        for (std::size_t k = 0; k < sums.size(); ++k) {
            result.value.push_back(sums[k] / count);
            result.error.push_back(std::sqrt(squared_error(lag, k, group)));
        }
    }
}

void LagSums::merge(const LagSums& other) {
    if (other.lags_ != lags_ || other.stride_ != stride_)
        throw InputError("two correlation functions with different lags or pairs (they have no "
                         "common average); merge those of equal settings");
    LagSums second = other;
    while (length_ < second.length_) join_neighbours();
    while (second.length_ < length_) second.join_neighbours();
    while (used_ + second.used_ > capacity) {
        join_neighbours();
        second.join_neighbours();
    }
    const std::size_t size = lags_ * stride_;
    std::copy_n(second.sums_.begin(), second.used_ * size,
                sums_.begin() + static_cast<std::ptrdiff_t>(used_ * size));
    used_ += second.used_;
    offset_ = static_cast<std::int64_t>(used_) * length_;
}

void LagSums::append_state(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {static_cast<double>(used_), static_cast<double>(length_),
                                   static_cast<double>(offset_)});
    numbers.insert(numbers.end(), sums_.begin(), sums_.end());
}

void LagSums::assign(std::span<const double> numbers) {
    used_ = static_cast<std::size_t>(numbers[0]);
    length_ = static_cast<std::int64_t>(numbers[1]);
    offset_ = static_cast<std::int64_t>(numbers[2]);
    std::copy_n(numbers.begin() + 3, sums_.size(), sums_.begin());
}

namespace detail {

ChannelPairs checked_pairs(ChannelPairs pairs, std::size_t channels) {
    if (channels == 0)
        throw InputError("a correlation of no channels (there is nothing to correlate); give at "
                         "least one");
    if (pairs.empty())
        for (std::size_t k = 0; k < channels; ++k) pairs.emplace_back(k, k);
    for (const auto& [a, b] : pairs)
        if (std::max(a, b) >= channels)
            throw InputError(fmt::format("a correlation with channel {} (there are {}, from 0); "
                                         "give one that is there",
                                         std::max(a, b), channels));
    return pairs;
}

void ChannelMeans::add(std::span<const double> row) {
    count += 1.0;
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += (row[k] - mean[k]) / count;
}

void ChannelMeans::merge(const ChannelMeans& other) {
    if (other.count == 0.0) return;
    count += other.count;
    for (std::size_t k = 0; k < mean.size(); ++k)
        mean[k] += other.count / count * (other.mean[k] - mean[k]);
}

} // namespace detail
} // namespace shadow
