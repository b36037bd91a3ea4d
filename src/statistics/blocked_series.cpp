// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/blocked_series.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shadow {
namespace {

/// Numbers of moments: rows, weight, means, comoments.
std::size_t numbers_of(std::size_t channels) {
    return 2 + channels + channels * (channels + 1) / 2;
}

} // namespace

Moments::Moments(std::size_t channels) : channels_(channels), numbers_(numbers_of(channels)) {}

void Moments::add(const double* mean, double weight) {
    const double total = numbers_[1] + weight, share = weight / total;
    double* const own = numbers_.data() + 2;
    double* comoment = own + channels_;
    for (std::size_t i = 0; i < channels_; ++i)
        for (std::size_t j = i; j < channels_; ++j)
            *comoment++ += numbers_[1] * share * (mean[i] - own[i]) * (mean[j] - own[j]);
    for (std::size_t i = 0; i < channels_; ++i) own[i] += share * (mean[i] - own[i]);
    numbers_[1] = total;
}

void Moments::add(std::span<const double> row, double weight) {
    numbers_[0] += 1.0;
    if (weight > 0.0) add(row.data(), weight);
}

void Moments::add(const Moments& other) {
    numbers_[0] += other.numbers_[0];
    if (!(other.weight() > 0.0)) return;
    add(other.numbers_.data() + 2, other.weight());
    for (std::size_t k = 2 + channels_; k < numbers_.size(); ++k) numbers_[k] += other.numbers_[k];
}

void Moments::scale_weights(double factor) {
    if (!(weight() > 0.0)) return;
    numbers_[1] *= factor;
    for (std::size_t k = 2 + channels_; k < numbers_.size(); ++k) numbers_[k] *= factor;
}

double Moments::covariance(std::size_t i, std::size_t j) const {
    if (i > j) std::swap(i, j);
    const std::size_t place = i * channels_ - i * (i + 1) / 2 + j; // index in the upper triangle
    return weight() > 0.0 ? numbers_[2 + channels_ + place] / weight() : 0.0;
}

BlockedSeries::BlockedSeries(std::size_t channels, std::size_t capacity)
    : capacity_(std::max<std::size_t>(capacity, 2)), open_(channels) {}

void BlockedSeries::add(std::span<const double> row, double weight) {
    open_.add(row, weight);
    if (++open_rows_ < length_) return;
    close();
    if (blocks_.size() == capacity_) join_neighbours();
}

void BlockedSeries::add_by_log(std::span<const double> row, double log_weight) {
    constexpr double most = 200.0; // above the unit: squares of weights must not overflow
    const bool far = empty() && log_weight < log_unit_ - most;
    if (std::isfinite(log_weight) && (far || log_weight > log_unit_ + most)) set_unit(log_weight);
    add(row, std::exp(log_weight - log_unit_));
}

void BlockedSeries::set_unit(double log_unit) {
    scale_weights(std::exp(log_unit_ - log_unit));
    log_unit_ = log_unit;
}

void BlockedSeries::scale_weights(double factor) {
    if (factor == 1.0) return;
    open_.scale_weights(factor);
    for (Moments& block : blocks_) block.scale_weights(factor);
}

void BlockedSeries::close() {
    blocks_.push_back(std::exchange(open_, Moments(channels())));
    open_rows_ = 0;
}

/// Joins each block with the next; a last block without a partner stays as a short block.
void BlockedSeries::join_neighbours() {
    const std::size_t half = (blocks_.size() + 1) / 2;
    for (std::size_t k = 0; k < half; ++k) {
        if (k > 0) blocks_[k] = std::move(blocks_[2 * k]);
        if (2 * k + 1 < blocks_.size()) blocks_[k].add(blocks_[2 * k + 1]);
    }
    blocks_.resize(half, Moments(channels()));
    length_ *= 2;
}

Moments BlockedSeries::total() const {
    Moments all(channels());
    for (const Moments& block : blocks_) all.add(block);
    all.add(open_);
    return all;
}

BlockedSeries BlockedSeries::after(std::size_t blocks) const {
    BlockedSeries rest(channels(), capacity_);
    rest.length_ = length_;
    rest.open_rows_ = open_rows_;
    rest.open_ = open_;
    rest.blocks_.assign(blocks_.begin() +
                            static_cast<std::ptrdiff_t>(std::min(blocks, blocks_.size())),
                        blocks_.end());
    // Weights that are small relative to those of the start would underflow when squared.
    double largest = open_.weight();
    for (const Moments& block : rest.blocks_) largest = std::max(largest, block.weight());
    if (largest > 0.0 && largest < 1e-50) rest.scale_weights(1.0 / largest);
    return rest;
}

std::size_t BlockedSeries::blocks_for(std::int64_t samples) const {
    const std::int64_t blocks = (std::max<std::int64_t>(samples, 0) + length_ - 1) / length_;
    return std::min(static_cast<std::size_t>(blocks), blocks_.size());
}

void BlockedSeries::merge(const BlockedSeries& other) {
    if (other.channels() != channels())
        throw InputError("two series with different numbers of channels (they have no common "
                         "average); merge series of the same quantities");
    BlockedSeries second = other;
    if (second.log_unit_ > log_unit_)
        set_unit(second.log_unit_);
    else
        second.set_unit(log_unit_);
    for (BlockedSeries* part : {this, &second})
        if (part->open_rows_ > 0) part->close();
    while (length_ < second.length_) join_neighbours();
    while (second.length_ < length_) second.join_neighbours();
    blocks_.insert(blocks_.end(), second.blocks_.begin(), second.blocks_.end());
    while (blocks_.size() >= capacity_) join_neighbours();
}

std::vector<double> BlockedSeries::state() const {
    std::vector<double> numbers{static_cast<double>(length_), static_cast<double>(open_rows_)};
    if (log_unit_ != 0.0) numbers.push_back(log_unit_);
    append(numbers, open_.numbers());
    for (const Moments& block : blocks_) append(numbers, block.numbers());
    return numbers;
}

void BlockedSeries::restore(std::span<const double> state) {
    StateReader reader(state, "an average");
    const std::size_t each = numbers_of(channels());
    length_ = reader.count();
    open_rows_ = reader.count();
    log_unit_ = (state.size() - 2) % each == 1 ? reader.take(1)[0] : 0.0;
    open_.assign(reader.take(each));
    blocks_.clear();
    while (!reader.empty()) {
        if (blocks_.size() + 1 == capacity_) reader.finish(); // throws, since numbers are left
        blocks_.emplace_back(channels()).assign(reader.take(each));
    }
}

} // namespace shadow
