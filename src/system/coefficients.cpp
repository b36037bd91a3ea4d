// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/topology.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

const std::vector<std::string>& coefficient_styles(BondedKind kind) {
    static const std::array<std::vector<std::string>, bonded_kinds.size()> all = {
        {{"harmonic", "morse"},
         {"harmonic", "charmm", "cosine"},
         {"harmonic", "charmm", "fourier", "multi/harmonic", "nharmonic", "opls"},
         {"harmonic"}}};
    return all[static_cast<std::size_t>(kind)];
}

std::string changed_coefficients(const Topology& before, const Topology& now) {
    const auto first_without = [](const Topology& some, const Topology& others) {
        return std::find_if(some.coefficients.begin(), some.coefficients.end(), [&](const auto& a) {
            return std::none_of(
                others.coefficients.begin(), others.coefficients.end(),
                [&](const auto& b) { return a.kind == b.kind && a.type == b.type && a.same(b); });
        });
    };
    if (const auto lost = first_without(before, now); lost != before.coefficients.end())
        return fmt::format("{} type \"{}\" had other coefficients", name(lost->kind), lost->type);
    if (const auto found = first_without(now, before); found != now.coefficients.end())
        return fmt::format("{} type \"{}\" had no coefficients", name(found->kind), found->type);
    return "";
}

} // namespace shadow
