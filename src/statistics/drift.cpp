// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/drift.hpp"

#include "shadow/statistics/correlated_error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

void LinearDrift::add(double time, double value) {
    if (count_ == 0.0) first_ = value;
    last_ = value;
    count_ += 1.0;
    const double dt = time - mean_time_, dv = value - mean_value_;
    mean_time_ += dt / count_;
    mean_value_ += dv / count_;
    time_time_ += dt * (time - mean_time_);
    time_value_ += dt * (value - mean_value_);
    value_value_ += dv * (value - mean_value_);

    // Block sums are of distances from the first value, which is large against the drift.
    open_.time += time;
    open_.value += value - first_;
    open_count_ += 1.0;
    if (open_count_ == block_length_) close_block();
}

void LinearDrift::close_block() {
    blocks_.push_back({open_.time / open_count_, open_.value / open_count_});
    open_ = {};
    open_count_ = 0.0;
    if (blocks_.size() < capacity) return;
    for (std::size_t k = 0; k < capacity / 2; ++k)
        blocks_[k] = {0.5 * (blocks_[2 * k].time + blocks_[2 * k + 1].time),
                      0.5 * (blocks_[2 * k].value + blocks_[2 * k + 1].value)};
    blocks_.resize(capacity / 2);
    block_length_ *= 2.0;
}

/// Of the slope through `blocks`, as if their residuals were independent.
double LinearDrift::squared_error(const std::vector<Block>& blocks) {
    const auto n = static_cast<double>(blocks.size());
    double time = 0.0, value = 0.0;
    for (const Block& b : blocks) {
        time += b.time / n;
        value += b.value / n;
    }
    double tt = 0.0, tv = 0.0;
    for (const Block& b : blocks) {
        tt += (b.time - time) * (b.time - time);
        tv += (b.time - time) * (b.value - value);
    }
    if (!(tt > 0.0)) return std::numeric_limits<double>::infinity();
    double residual = 0.0;
    for (const Block& b : blocks) {
        const double r = b.value - value - tv / tt * (b.time - time);
        residual += r * r;
    }
    return residual / ((n - 2.0) * tt);
}

Drift LinearDrift::estimate() const {
    Drift result;
    result.samples = static_cast<std::int64_t>(count_);
    result.first = first_;
    result.last = last_;
    result.error = std::numeric_limits<double>::infinity();
    if (!(time_time_ > 0.0)) return result;
    result.slope = time_value_ / time_time_;
    result.fluctuation =
        std::sqrt(std::max(0.0, value_value_ - result.slope * time_value_) / count_);
    if (blocks_.size() < 3) return result;

    std::vector<double> errors;
    std::vector<Block> blocks = blocks_;
    while (blocks.size() >= 3) {
        errors.push_back(squared_error(blocks));
        for (std::size_t k = 0; k < blocks.size() / 2; ++k)
            blocks[k] = {0.5 * (blocks[2 * k].time + blocks[2 * k + 1].time),
                         0.5 * (blocks[2 * k].value + blocks[2 * k + 1].value)};
        blocks.resize(blocks.size() / 2);
    }
    std::size_t level = 0;
    if (errors[0] > 0.0)
        level = blocking_level(errors, errors[0], 1.0, static_cast<double>(blocks_.size())).level;
    result.error = std::sqrt(errors[level]);
    return result;
}

std::vector<double> LinearDrift::state() const {
    std::vector<double> numbers{count_,        mean_time_,   mean_value_, time_time_,
                                time_value_,   value_value_, first_,      last_,
                                block_length_, open_count_,  open_.time,  open_.value};
    for (const Block& b : blocks_) numbers.insert(numbers.end(), {b.time, b.value});
    return numbers;
}

void LinearDrift::restore(std::span<const double> state) {
    StateReader reader(state, "a drift");
    for (double* field :
         {&count_, &mean_time_, &mean_value_, &time_time_, &time_value_, &value_value_, &first_,
          &last_, &block_length_, &open_count_, &open_.time, &open_.value})
        *field = reader.number();
    blocks_.clear();
    while (!reader.empty()) {
        if (blocks_.size() == capacity) reader.finish();
        const auto block = reader.take(2);
        blocks_.push_back({block[0], block[1]});
    }
}

} // namespace shadow
