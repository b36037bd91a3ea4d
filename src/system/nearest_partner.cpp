// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/nearest_partner.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {

namespace {

/// Is its position known? Not after a jump over more than a billion boxes.
template <int Dim>
bool has_place(const Snapshot<Dim>& snapshot, const Box<Dim>& box, std::size_t i) {
    constexpr double far = 1e9;
    for (std::size_t d = 0; d < Dim; ++d) {
        const double x = snapshot.position[i][d];
        if (!std::isfinite(x)) return false;
        if (!box.periodic()[d]) continue;
        if (std::abs(x) > far * box.lengths()[d]) return false;
        if (!snapshot.image.empty() && std::abs(static_cast<double>(snapshot.image[i][d])) > far)
            return false;
    }
    return true;
}

} // namespace

template <int Dim>
double distance(const std::array<double, Dim>& a, const std::array<double, Dim>& b,
                const Box<Dim>& box) {
    std::array<double, Dim> delta;
    for (std::size_t d = 0; d < Dim; ++d) delta[d] = b[d] - a[d];
    box.shorten(delta);
    double square = 0.0;
    for (const double component : delta) square += component * component;
    return std::sqrt(square);
}

template <int Dim>
Partner nearest_partner(const Snapshot<Dim>& snapshot, const Box<Dim>& box, std::uint32_t id) {
    Partner best{id, std::numeric_limits<double>::infinity()};
    if (!has_place(snapshot, box, id)) return best;
    for (std::size_t j = 0; j < snapshot.size(); ++j) {
        if (j == id || !has_place(snapshot, box, j)) continue;
        const double apart = distance<Dim>(snapshot.position[id], snapshot.position[j], box);
        if (apart < best.distance) best = {static_cast<std::uint32_t>(j), apart};
    }
    return best;
}

template <int Dim>
std::string surroundings(const Snapshot<Dim>& snapshot, const Box<Dim>& box, std::uint32_t id) {
    std::size_t lost = 0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) lost += !has_place(snapshot, box, i);
    const Partner partner = nearest_partner(snapshot, box, id);
    if (std::isfinite(partner.distance))
        return fmt::format("its nearest partner is particle {} at distance {:.6g}", partner.id,
                           partner.distance);
    if (lost > 0)
        return fmt::format("{} of {} particles have no place any more, so which of them collided "
                           "is not known",
                           lost, snapshot.size());
    return "it has no partner";
}

template double distance<1>(const std::array<double, 1>&, const std::array<double, 1>&,
                            const Box<1>&);
template double distance<2>(const std::array<double, 2>&, const std::array<double, 2>&,
                            const Box<2>&);
template double distance<3>(const std::array<double, 3>&, const std::array<double, 3>&,
                            const Box<3>&);
template Partner nearest_partner(const Snapshot<1>&, const Box<1>&, std::uint32_t);
template std::string surroundings(const Snapshot<1>&, const Box<1>&, std::uint32_t);
template Partner nearest_partner(const Snapshot<2>&, const Box<2>&, std::uint32_t);
template std::string surroundings(const Snapshot<2>&, const Box<2>&, std::uint32_t);
template Partner nearest_partner(const Snapshot<3>&, const Box<3>&, std::uint32_t);
template std::string surroundings(const Snapshot<3>&, const Box<3>&, std::uint32_t);

} // namespace shadow
