// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What is averaged while a run goes on survives a restart as a row of numbers.
namespace shadow {

void append(std::vector<double>& state, std::span<const double> part);
/// Behind how many numbers it has, for StateReader::counted().
void append_counted(std::vector<double>& state, std::span<const double> part);

/// Takes the numbers of a state in the order in which they were appended.
class StateReader {
  public:
    /// `whose` state it is, such as "an average", for errors.
    StateReader(std::span<const double> numbers, std::string whose)
        : left_(numbers), whose_(std::move(whose)) {}

    [[nodiscard]] bool empty() const noexcept { return left_.empty(); }
    /// Each throws InputError if fewer numbers are left, count() also for what is not a count.
    std::span<const double> take(std::size_t numbers);
    double number() { return take(1)[0]; }
    std::int64_t count();
    std::span<const double> counted() { return take(static_cast<std::size_t>(count())); }
    /// As many numbers as it has.
    void fill(std::span<double> values);
    /// Throws InputError if anything is left.
    void finish() const;

  private:
    std::span<const double> left_;
    std::string whose_;
};

} // namespace shadow
