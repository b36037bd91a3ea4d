// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/state.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {
[[noreturn]] void refuse(const std::string& whose, const char* why) {
    throw InputError(fmt::format("state of {} ({}); resume with the input and the version of the "
                                 "program that the checkpoint was written by",
                                 whose, why));
}
} // namespace

void append(std::vector<double>& state, std::span<const double> part) {
    state.insert(state.end(), part.begin(), part.end());
}

void append_counted(std::vector<double>& state, std::span<const double> part) {
    state.push_back(static_cast<double>(part.size()));
    append(state, part);
}

std::span<const double> StateReader::take(std::size_t numbers) {
    if (numbers > left_.size()) refuse(whose_, "it is too short");
    const std::span<const double> taken = left_.first(numbers);
    left_ = left_.subspan(numbers);
    return taken;
}

std::int64_t StateReader::count() {
    const double value = number();
    if (!(value >= 0.0 && value < 0x1p53) || value != std::floor(value))
        refuse(whose_, "it has no count where one belongs");
    return static_cast<std::int64_t>(value);
}

void StateReader::fill(std::span<double> values) {
    std::ranges::copy(take(values.size()), values.begin());
}

void StateReader::finish() const {
    if (!left_.empty()) refuse(whose_, "it is too long");
}

} // namespace shadow
