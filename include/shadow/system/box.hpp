// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <array>
#include <cstdint>

namespace shadow {

/// By so much of a length images that have slid by whole ones may be off.
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
    /// How its images along one direction have slid along another.
    [[nodiscard]] const SlidingImages& sliding() const noexcept { return sliding_; }
    void set_sliding(const SlidingImages& sliding) noexcept { sliding_ = sliding; }
    /// Is it no rectangular one, as images have slid by a part of a length?
    [[nodiscard]] bool is_tilted() const noexcept;
    /// The same with other periodic lengths, its images slid by the same part of theirs.
    [[nodiscard]] Box with_lengths(const std::array<double, Dim>& lengths) const;
    /// Infinite unless periodic in every direction.
    [[nodiscard]] double volume() const noexcept;
    /// Infinite if open.
    [[nodiscard]] double shortest_periodic_length() const noexcept;
    [[nodiscard]] BoxView<Dim> view() const noexcept;
    /// What the edge along direction `edge` has along direction `d`.
    [[nodiscard]] double edge(std::size_t edge, std::size_t d) const noexcept;
    [[nodiscard]] double edge_length(std::size_t edge) const noexcept;
    /// Of a vector between two particles to that of their nearest images.
    void shorten(std::array<double, Dim>& delta) const noexcept;
    /// A place into the box, and the images it has crossed; beyond 1e9 lengths it stays.
    void bring_in(std::array<double, Dim>& place, std::array<std::int32_t, Dim>& image) const;

  private:
    std::array<double, Dim> lengths_{};
    std::array<bool, Dim> periodic_{};
    std::array<double, Dim> origin_{};
    SlidingImages sliding_{};
};

/// Turns along each edge of a periodic box that a wave vector of this length has at most.
template <int Dim>
void max_turns(const Box<Dim>& box, double longest, std::int32_t (&turns)[Dim]);

} // namespace shadow
