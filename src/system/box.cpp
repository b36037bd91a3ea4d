// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/box.hpp"

#include "shadow/core/error.hpp"

#include "kernels/ops/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace shadow {

template <int Dim>
Box<Dim>::Box(const std::array<double, Dim>& lengths, const std::array<bool, Dim>& periodic,
              const std::array<double, Dim>& origin)
    : lengths_(lengths), periodic_(periodic), origin_(origin) {
    for (std::size_t d = 0; d < Dim; ++d) {
        if (!periodic[d]) {
            lengths_[d] = 0.0;
        } else if (!(lengths[d] > 0.0) || !std::isfinite(lengths[d])) {
            throw InputError(fmt::format("box length {} in direction {} (a periodic length must be "
                                         "positive and finite); give another length",
                                         lengths[d], d));
        }
    }
}

template <int Dim>
bool Box<Dim>::is_periodic() const noexcept {
    return std::all_of(periodic_.begin(), periodic_.end(), [](bool p) { return p; });
}

template <int Dim>
bool Box<Dim>::is_open() const noexcept {
    return std::none_of(periodic_.begin(), periodic_.end(), [](bool p) { return p; });
}

template <int Dim>
double Box<Dim>::volume() const noexcept {
    if (!is_periodic()) return std::numeric_limits<double>::infinity();
    double product = 1.0;
    for (const double length : lengths_) product *= length;
    return product;
}

template <int Dim>
double Box<Dim>::shortest_periodic_length() const noexcept {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < Dim; ++d)
        if (periodic_[d]) shortest = std::min(shortest, lengths_[d]);
    return shortest;
}

template <int Dim>
bool Box<Dim>::is_tilted() const noexcept {
    if (!sliding_.any()) return false;
    const double length = lengths_[static_cast<std::size_t>(sliding_.flow)];
    return sliding_.third_is_tilted() ||
           std::abs(sliding_.reduced(length).slide) > slid_by_rounding * length;
}

template <int Dim>
Box<Dim> Box<Dim>::with_lengths(const std::array<double, Dim>& lengths) const {
    Box changed(lengths, periodic_, origin_);
    changed.sliding_ = sliding_;
    for (std::size_t d = 0; d < Dim; ++d)
        if (periodic_[d])
            changed.sliding_.scale(static_cast<std::int32_t>(d), lengths[d] / lengths_[d]);
    return changed;
}

template <int Dim>
BoxView<Dim> Box<Dim>::view() const noexcept {
    BoxView<Dim> view{};
    for (std::size_t d = 0; d < Dim; ++d) {
        view.origin[d] = origin_[d];
        view.length[d] = lengths_[d];
        view.inverse_length[d] = periodic_[d] ? 1.0 / lengths_[d] : 0.0;
        view.periodic[d] = periodic_[d];
    }
    view.sliding = sliding_;
    return view;
}

template <int Dim>
void Box<Dim>::shorten(std::array<double, Dim>& delta) const noexcept {
    sliding_.unslide(delta, view().inverse_length);
    for (std::size_t d = 0; d < Dim; ++d)
        if (periodic_[d]) delta[d] -= lengths_[d] * std::nearbyint(delta[d] / lengths_[d]);
}

template <int Dim>
double Box<Dim>::edge(std::size_t edge, std::size_t d) const noexcept {
    if (edge == d) return lengths_[d];
    if (!sliding_.any()) return 0.0;
    return sliding_.lean(static_cast<std::int32_t>(edge), static_cast<std::int32_t>(d));
}

template <int Dim>
double Box<Dim>::edge_length(std::size_t of) const noexcept {
    double square = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) square += edge(of, d) * edge(of, d);
    return std::sqrt(square);
}

template <int Dim>
void Box<Dim>::bring_in(std::array<double, Dim>& place,
                        std::array<std::int32_t, Dim>& image) const {
    const BoxView<Dim> box = view();
    WrapPositions<Dim> wrap{&box, {}, {}};
    for (std::size_t d = 0; d < Dim; ++d) {
        wrap.position.component[d] = &place[d];
        wrap.image.component[d] = &image[d];
    }
    wrap(0);
}

/// The scalar product of a wave vector and an edge is at most the product of their lengths.
template <int Dim>
void max_turns(const Box<Dim>& box, double longest, std::int32_t (&turns)[Dim]) {
    for (int d = 0; d < Dim; ++d)
        turns[d] = static_cast<std::int32_t>(
            longest * box.edge_length(static_cast<std::size_t>(d)) / (2.0 * std::numbers::pi));
}

template void max_turns(const Box<1>&, double, std::int32_t (&)[1]);
template void max_turns(const Box<2>&, double, std::int32_t (&)[2]);
template void max_turns(const Box<3>&, double, std::int32_t (&)[3]);
template class Box<1>;
template class Box<2>;
template class Box<3>;

} // namespace shadow
