// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace shadow {

/// A time correlation function of one or more pairs of channels.
struct Correlation {
    std::size_t width = 0;             ///< pairs
    std::vector<double> lag;           ///< in samples
    std::vector<std::int64_t> samples; ///< products in each average
    /// <A(t) B(t + lag)>, `width` numbers a lag, and its standard error from blocks of origins
    /// which are at least as long as the lag; infinite where fewer than eight of them are full.
    std::vector<double> value, error;
    std::vector<double> mean; ///< of each channel, to be subtracted where it is not zero
};

/// Channels whose products are averaged, (A, B) for <A(t) B(t + lag)>.
using ChannelPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Sums over origins, for every lag, in at most 32 blocks of consecutive origins: when they are
/// full, neighbours are joined.
class LagSums {
  public:
    static constexpr std::size_t capacity = 32;

    LagSums(std::size_t lags, std::size_t width);

    /// Where the products of one more origin are to be added, `width` numbers. Origins count from 0
    /// in steps of one; those that are still open may come in any order.
    [[nodiscard]] double* at(std::int64_t origin, std::size_t lag);
    /// Appends lags `index`, each as long as `unit` samples times its index plus `first`, where
    /// there are any; origins stand `spacing` samples apart.
    void append_to(Correlation& result, double first, double unit, double spacing) const;
    /// Appends the origins of an independent series. Origins count from 0 again.
    void merge(const LagSums& other);

    [[nodiscard]] std::size_t numbers() const noexcept { return 3 + capacity * lags_ * stride_; }
    void append_state(std::vector<double>& numbers) const;
    void assign(std::span<const double> numbers);

  private:
    void join_neighbours();
    [[nodiscard]] double squared_error(std::size_t lag, std::size_t k, std::size_t group) const;
    [[nodiscard]] const double* block(std::size_t b, std::size_t lag) const {
        return sums_.data() + (b * lags_ + lag) * stride_;
    }

    std::size_t lags_, stride_; ///< of one lag: its count, then the sums
    std::size_t used_ = 0;
    std::int64_t length_ = 1, offset_ = 0;
    std::vector<double> sums_;
};

namespace detail {
/// `pairs`, or each channel with itself. Throws InputError for a channel that is not there.
[[nodiscard]] ChannelPairs checked_pairs(ChannelPairs pairs, std::size_t channels);

/// Running means of channels.
struct ChannelMeans {
    double count = 0.0;
    std::vector<double> mean;

    void add(std::span<const double> row);
    void merge(const ChannelMeans& other);
};
} // namespace detail

} // namespace shadow
