// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/box.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

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
    const auto images = [&](std::size_t d) { return std::nearbyint(delta[d] / lengths_[d]); };
    if (sliding_.any())
        delta[static_cast<std::size_t>(sliding_.flow)] -=
            sliding_.slide * images(static_cast<std::size_t>(sliding_.gradient));
    for (std::size_t d = 0; d < Dim; ++d)
        if (periodic_[d]) delta[d] -= lengths_[d] * images(d);
}

template class Box<1>;
template class Box<2>;
template class Box<3>;

} // namespace shadow
