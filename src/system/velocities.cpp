// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/velocities.hpp"

#include "shadow/core/error.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

template <int Dim>
void draw(Snapshot<Dim>& s, double kT, std::uint64_t seed, std::uint64_t occasion) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::velocities);
    for (std::size_t i = 0; i < s.size(); ++i) {
        const double width = std::sqrt(s.mass(i) * kT);
        for (std::size_t d = 0; d < Dim; d += 2) {
            double a, b;
            Philox(seed, stream, static_cast<std::uint32_t>(i), occasion,
                   static_cast<std::uint32_t>(d / 2))
                .normal(a, b);
            s.momentum[i][d] = width * a;
            if (d + 1 < Dim) s.momentum[i][d + 1] = width * b;
        }
    }
}

} // namespace

template <int Dim>
double degrees_of_freedom(std::int64_t count, const ConservedMomenta<Dim>& conserved) {
    const auto& [linear, angular] = conserved;
    const std::int64_t turns = std::count(angular.begin(), angular.end(), true);
    std::int64_t lost = std::count(linear.begin(), linear.end(), true);
    if (count > 1) lost += count == 2 ? std::min<std::int64_t>(Dim - 1, turns) : turns;
    return static_cast<double>(std::max<std::int64_t>(0, count * Dim - lost));
}

template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const ConservedMomenta<Dim>& conserved,
                           double kT, std::uint64_t seed, std::uint64_t occasion) {
    snapshot.momentum.assign(snapshot.size(), {});
    if (kT == 0.0) return;
    const auto count = static_cast<std::int64_t>(snapshot.size());
    const double freedom = degrees_of_freedom(count, conserved);
    if (!(freedom > 0.0))
        throw InputError(fmt::format(
            "a temperature for {} particle{} (the total momentum is removed and no motion is "
            "left); set velocity.temperature = 0 or add particles",
            count, count == 1 ? "" : "s"));
    draw(snapshot, kT, seed, occasion);
    remove_net_motion(snapshot, conserved);
    const double scale = std::sqrt(freedom * kT / (2.0 * net_motion(snapshot, conserved).kinetic));
    for (auto& p : snapshot.momentum)
        for (double& component : p) component *= scale;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template double degrees_of_freedom(std::int64_t, const ConservedMomenta<Dim>&);                \
    template void set_maxwell_boltzmann(Snapshot<Dim>&, const ConservedMomenta<Dim>&, double,      \
                                        std::uint64_t, std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
