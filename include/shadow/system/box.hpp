// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <array>
#include <cstdint>

namespace shadow {

/// Images that have slid by whole lengths may be off by this fraction of a length.
inline constexpr double slid_by_rounding = 1e-9;

/// The region of space: periodic or open in each direction. An open direction has no length.
template <int Dim>
class Box {
  public:
    /// Open in every direction.
    Box() = default;
    /// Throws InputError unless each periodic length is positive and finite.
    Box(const std::array<double, Dim>& lengths, const std::array<bool, Dim>& periodic,
        const std::array<double, Dim>& origin = {});

    [[nodiscard]] const std::array<double, Dim>& lengths() const noexcept { return lengths_; }
    [[nodiscard]] const std::array<bool, Dim>& periodic() const noexcept { return periodic_; }
    [[nodiscard]] const std::array<double, Dim>& origin() const noexcept { return origin_; }
    [[nodiscard]] bool is_periodic() const noexcept; ///< in every direction
    [[nodiscard]] bool is_open() const noexcept;     ///< in every direction
    /// How far its images along one direction have slid along another.
    [[nodiscard]] const SlidingImages& sliding() const noexcept { return sliding_; }
    void set_sliding(const SlidingImages& sliding) noexcept { sliding_ = sliding; }
    /// Is it not rectangular, because images have slid by a fraction of a length?
    [[nodiscard]] bool is_tilted() const noexcept;
    /// The same box with other periodic lengths; its images have slid by the same fraction of
    /// these.
    [[nodiscard]] Box with_lengths(const std::array<double, Dim>& lengths) const;
    /// Infinite unless periodic in every direction.
    [[nodiscard]] double volume() const noexcept;
    /// Infinite if open.
    [[nodiscard]] double shortest_periodic_length() const noexcept;
    [[nodiscard]] BoxView<Dim> view() const noexcept;
    /// The component along direction `d` of the edge along direction `edge`.
    [[nodiscard]] double edge(std::size_t edge, std::size_t d) const noexcept;
    [[nodiscard]] double edge_length(std::size_t edge) const noexcept;
    /// Replaces the vector between two particles by that between their nearest images.
    void shorten(std::array<double, Dim>& delta) const noexcept;
    /// Wraps a position into the box and counts the images crossed; beyond 1e9 lengths it stays.
    void bring_in(std::array<double, Dim>& place, std::array<std::int32_t, Dim>& image) const;

  private:
    std::array<double, Dim> lengths_{};
    std::array<bool, Dim> periodic_{};
    std::array<double, Dim> origin_{};
    SlidingImages sliding_{};
};

/// For each edge of a periodic box, the most periods of a wave whose wave number is at most
/// `longest`.
template <int Dim>
void max_turns(const Box<Dim>& box, double longest, std::int32_t (&turns)[Dim]);

} // namespace shadow
