// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Averages of a run are saved for a restart as sequences of numbers.
namespace shadow {

void append(std::vector<double>& state, std::span<const double> part);
/// Appends the length, then the numbers, for StateReader::counted().
void append_counted(std::vector<double>& state, std::span<const double> part);

/// Builds a state. A class that visits its parts in one function, `each(self, f)`, is saved and
/// restored by it: `f` is a StateWriter or a StateReader.
class StateWriter {
  public:
    void operator()(double x) { numbers_.push_back(x); }
    void operator()(std::int64_t x) { numbers_.push_back(static_cast<double>(x)); }
    /// Numbers of a length that the reader knows.
    void operator()(const std::vector<double>& x) { append(numbers_, x); }
    /// An object with its own `state()`.
    template <class T>
    void operator()(const T& part) {
        append_counted(numbers_, part.state());
    }
    template <class T>
    void operator()(const std::vector<T>& parts) {
        for (const T& part : parts) (*this)(part);
    }
    [[nodiscard]] const std::vector<double>& numbers() const noexcept { return numbers_; }

  private:
    std::vector<double> numbers_;
};

/// Reads the numbers of a state in the order in which they were appended.
class StateReader {
  public:
    /// `whose`: the owner of the state, such as "an average", for errors.
    StateReader(std::span<const double> numbers, std::string whose)
        : left_(numbers), whose_(std::move(whose)) {}

    [[nodiscard]] bool empty() const noexcept { return left_.empty(); }
    /// Each throws InputError if too few numbers are left, and count() also if the number is not a
    /// count.
    std::span<const double> take(std::size_t numbers);
    double number() { return take(1)[0]; }
    std::int64_t count();
    std::span<const double> counted() { return take(static_cast<std::size_t>(count())); }
    /// Reads as many numbers as `values` has.
    void fill(std::span<double> values);
    void operator()(double& x) { x = number(); }
    void operator()(std::int64_t& x) { x = count(); }
    void operator()(std::vector<double>& x) { fill(x); }
    template <class T>
    void operator()(T& part) {
        part.restore(counted());
    }
    template <class T>
    void operator()(std::vector<T>& parts) {
        for (T& part : parts) (*this)(part);
    }
    /// All remaining numbers.
    std::span<const double> rest() { return take(left_.size()); }
    /// Throws InputError if any numbers are left.
    void finish() const;

  private:
    std::span<const double> left_;
    std::string whose_;
};

} // namespace shadow
