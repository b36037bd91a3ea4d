// SPDX-License-Identifier: BSD-3-Clause
#include "endings.hpp"
#include "read_force.hpp"

#include "shadow/forces/registry.hpp"

#include "kernels/potentials/coulomb.hpp"
#include "kernels/potentials/list.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {

std::vector<std::string> ForcePlan::names() const {
    std::vector<std::string> all;
    each([&](const auto& force) {
        for (std::string& own : force.names()) all.push_back(std::move(own));
    });
    return all;
}

template <int Dim>
std::vector<ForceClaims<Dim>> ForcePlan::claims() const {
    std::vector<ForceClaims<Dim>> all;
    each([&](const auto& force) { all.push_back(force.template claims<Dim>()); });
    return all;
}
template std::vector<ForceClaims<1>> ForcePlan::claims() const;
template std::vector<ForceClaims<2>> ForcePlan::claims() const;
template std::vector<ForceClaims<3>> ForcePlan::claims() const;

bool ForcePlan::has(ForceLevel level) const {
    return find([level](const auto& force) { return force.level == level; });
}

double ForcePlan::steady_from() const {
    double last = -std::numeric_limits<double>::infinity();
    each([&](const auto& force) { last = std::max(last, force.steady_from()); });
    return last;
}

std::vector<std::string> ForcePlan::used_levels() const {
    std::vector<std::string> used;
    for (std::size_t k = 0; k < levels.size(); ++k)
        if (has(static_cast<ForceLevel>(k) + 1)) used.push_back(levels[k]);
    return used;
}

double ForcePlan::longest_cutoff() const {
    double longest = 0.0;
    for (const double cutoff : cutoffs())
        if (std::isfinite(cutoff)) longest = std::max(longest, cutoff);
    return longest;
}

bool ForcePlan::all_pairs() const {
    const std::vector<double> all = cutoffs();
    return std::any_of(all.begin(), all.end(), [](double cutoff) { return std::isinf(cutoff); });
}

std::vector<double> ForcePlan::cutoffs() const {
    std::vector<double> all;
    const auto add = [&](const auto& force) {
        const std::vector<double> own = force.list().cutoffs;
        all.insert(all.end(), own.begin(), own.end());
    };
    each(add);
    std::for_each(step_sums.begin(), step_sums.end(), add);
    return all;
}

double ForcePlan::default_skin() const {
    const double longest = longest_cutoff();
    return longest > 0.0 ? 0.12 * longest : 1.0;
}

bool ForcePlan::charged() const {
    return find([](const auto& force) { return force.acts_on_charges(); });
}

bool ForcePlan::damped() const {
    const auto pairs = of<PairForceDescription>();
    return !first<LongRangeDescription>() &&
           std::any_of(pairs.begin(), pairs.end(), [](const PairForceDescription& d) {
               return d.charges().potential == potential_index<DampedShiftedForce>;
           });
}

ForcePlan::FieldSelf ForcePlan::field_self(const std::vector<std::uint16_t>& species) const {
    FieldSelf self;
    for (const PairForceDescription& d : of<PairForceDescription>()) {
        const PairPotential& charges = d.charges();
        if (charges.potential != potential_index<Coulomb>) continue;
        const std::size_t count = species_of(charges);
        for (const std::uint16_t s : species) {
            const PairParameters& p = charges.pairs[s * count + s];
            const auto field = Coulomb<double>::from(p.numbers.data(), p.cutoff);
            self.energy += 0.5 * field.shift;
            if (field.shift != 0.0) self.c_rf = field.shift / field.strength;
        }
        if (self.c_rf > 0.0) break; // the slow part of a split has the same
    }
    return self;
}

bool ForcePlan::bare_charges() const {
    const auto pairs = of<PairForceDescription>();
    for (const PairForceDescription& d : pairs) {
        const PairPotential& charges = d.potential;
        if (!charges.charged || charges.potential == potential_index<Logarithmic>) return false;
        if (charges.potential == potential_index<Coulomb> &&
            charges.pairs.front().numbers.at(1) > 0.0)
            return false; // softened
    }
    return !pairs.empty();
}

std::vector<std::string> read_levels(const Parameters& root) {
    const std::vector<std::string> levels = root.texts("levels", {"fast", "slow"});
    if (levels.empty() || levels.size() > max_levels)
        root.fail("levels", fmt::format("{} levels of forces (there are 1 to {}); name so many",
                                        levels.size(), max_levels));
    for (auto level = levels.begin(); level != levels.end(); ++level) {
        const bool plain = std::all_of(level->begin(), level->end(), [](unsigned char c) {
            return std::isalnum(c) || c == '-' || c == '_';
        });
        if (level->empty() || !plain)
            root.fail("levels",
                      fmt::format("level \"{}\" (series are named after it); use letters, "
                                  "digits, - and _",
                                  *level));
        if (std::find(levels.begin(), level, *level) != level)
            root.fail(
                "levels",
                fmt::format("level \"{}\" twice (each has its own name); rename one", *level));
    }
    return levels;
}

ForceLevel read_level(const Parameters& table, const std::vector<std::string>& levels,
                      const std::string& otherwise, const char* key) {
    const std::string name = table.choice(key, levels, otherwise);
    return static_cast<ForceLevel>(std::find(levels.begin(), levels.end(), name) - levels.begin()) +
           1;
}

} // namespace shadow
