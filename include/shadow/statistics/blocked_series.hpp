// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Weight, means and comoments of rows of numbers, one number per channel; the moments of two sets
/// of rows add up to those of all rows, without cancellation (Chan, Golub and LeVeque 1983, Am.
/// Stat. 37, 242).
class Moments {
  public:
    explicit Moments(std::size_t channels = 1);

    void add(std::span<const double> row, double weight = 1.0);
    void add(const Moments& other);
    /// Multiplies every weight by a factor.
    void scale_weights(double factor);

    [[nodiscard]] std::size_t channels() const noexcept { return channels_; }
    /// Number of rows, and the sum of their weights.
    [[nodiscard]] std::int64_t samples() const { return static_cast<std::int64_t>(numbers_[0]); }
    [[nodiscard]] double weight() const { return numbers_[1]; }
    [[nodiscard]] double mean(std::size_t i = 0) const { return numbers_[2 + i]; }
    /// Of the rows themselves: the comoment over the weight, not over n - 1.
    [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
    [[nodiscard]] double variance(std::size_t i = 0) const { return covariance(i, i); }

    /// All numbers: rows, weight, means, comoments of channels i <= j.
    [[nodiscard]] std::span<const double> numbers() const noexcept { return numbers_; }
    void assign(std::span<const double> numbers) {
        numbers_.assign(numbers.begin(), numbers.end());
    }

  private:
    void add(const double* mean, double weight);

    std::size_t channels_;
    std::vector<double> numbers_;
};

/// A series of rows in bounded memory: the moments of consecutive blocks with equal numbers of
/// rows. When `capacity` blocks are full, neighbouring blocks are joined, which doubles their
/// length; a series shorter than `capacity` is stored unchanged. Errors, equilibration and
/// fluctuations are computed from it.
class BlockedSeries {
  public:
    static constexpr std::size_t default_capacity = 4096;

    explicit BlockedSeries(std::size_t channels = 1, std::size_t capacity = default_capacity);

    /// Adds a row: a number for each channel. Weights are those of a ratio estimate, the mean of x
    /// being sum(w x) / sum(w): time steps of an adaptive method, factors of a reweighting. A row
    /// with a weight that is not positive is counted, but does not contribute.
    void add(std::span<const double> row, double weight = 1.0);
    void add(double value, double weight = 1.0) { add({&value, 1}, weight); }
    /// The same with the logarithm of a weight, however large or small: weights are relative to the
    /// largest ones so far, and a row whose relative weight underflows does not contribute.
    void add_by_log(std::span<const double> row, double log_weight);
    void add_by_log(double value, double log_weight) { add_by_log({&value, 1}, log_weight); }

    [[nodiscard]] std::size_t channels() const noexcept { return open_.channels(); }
    [[nodiscard]] bool empty() const { return blocks_.empty() && open_rows_ == 0; }
    /// Rows in a block, the full blocks, and the block that is being filled.
    [[nodiscard]] std::int64_t block_length() const noexcept { return length_; }
    [[nodiscard]] const std::vector<Moments>& blocks() const noexcept { return blocks_; }
    [[nodiscard]] const Moments& open() const noexcept { return open_; }
    /// The moments of all rows.
    [[nodiscard]] Moments total() const;
    /// The series without the first `blocks`; its weights are rescaled if they are tiny.
    [[nodiscard]] BlockedSeries after(std::size_t blocks) const;
    /// The number of blocks that hold the first `samples` rows.
    [[nodiscard]] std::size_t blocks_for(std::int64_t samples) const;

    /// Appends an independent series of the same channels. Totals are then those of one series of
    /// all rows, to rounding; the block that was being filled becomes a short block. Throws
    /// InputError if the numbers of channels differ.
    void merge(const BlockedSeries& other);

    /// The complete state as numbers for a file: a restored series continues bitwise.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from `state()` of a series with the same number of
    /// channels.
    void restore(std::span<const double> state);

  private:
    void close();
    void join_neighbours();
    void scale_weights(double factor);
    /// Changes the unit of weights to exp(log_unit).
    void set_unit(double log_unit);

    std::size_t capacity_;
    std::int64_t length_ = 1, open_rows_ = 0;
    double log_unit_ = 0.0; ///< logarithm of the unit of weights
    Moments open_;
    std::vector<Moments> blocks_;
};

} // namespace shadow
