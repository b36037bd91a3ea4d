// SPDX-License-Identifier: BSD-3-Clause
#include "endings.hpp"
#include "potential_visit.hpp"
#include "read_force.hpp"

#include "shadow/forces/registry.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {

std::vector<std::string> ForcePlan::names() const {
    std::vector<std::string> all;
    for (const PairForceDescription& force : descriptions)
        for (const PairForceDescription& part : parts_of(force)) all.push_back(part.name);
    for (const BondedDescription& force : bonded) all.push_back(force.name);
    if (fourier) all.push_back(fourier->name);
    for (const FieldDescription& field : fields) all.emplace_back(field.info->name);
    return all;
}

template <int Dim>
std::vector<ForceClaims<Dim>> ForcePlan::claims() const {
    std::vector<ForceClaims<Dim>> all;
    for (const PairForceDescription& force : descriptions) all.push_back(claims_of<Dim>(force));
    for (const BondedDescription& force : bonded) all.push_back(claims_of<Dim>(force));
    if (fourier) all.push_back(claims_of<Dim>(*fourier));
    for (const FieldDescription& field : fields) all.push_back(claims_of<Dim>(field));
    return all;
}
template std::vector<ForceClaims<1>> ForcePlan::claims() const;
template std::vector<ForceClaims<2>> ForcePlan::claims() const;
template std::vector<ForceClaims<3>> ForcePlan::claims() const;

std::vector<BondedDescription> ForcePlan::bonded_of(ForceLevel level) const {
    std::vector<BondedDescription> all;
    for (const BondedDescription& force : bonded)
        if (force.level == level) all.push_back(force);
    return all;
}

std::vector<FieldDescription> ForcePlan::fields_of(ForceLevel level) const {
    std::vector<FieldDescription> all;
    for (const FieldDescription& field : fields)
        if (field.level == level) all.push_back(field);
    return all;
}

bool ForcePlan::has(ForceLevel level) const {
    const auto is = [level](const auto& f) { return f.level == level; };
    return (fourier && fourier->level == level) ||
           std::any_of(descriptions.begin(), descriptions.end(), is) ||
           std::any_of(bonded.begin(), bonded.end(), is) ||
           std::any_of(fields.begin(), fields.end(), is);
}

double ForcePlan::steady_from() const {
    double last = -std::numeric_limits<double>::infinity();
    for (const FieldDescription& field : fields)
        last = std::max(last, field.modulation.steady_from());
    return last;
}

std::vector<std::string> ForcePlan::used_levels() const {
    std::vector<std::string> used;
    for (std::size_t k = 0; k < levels.size(); ++k)
        if (has(static_cast<ForceLevel>(k) + 1)) used.push_back(levels[k]);
    return used;
}

bool ForcePlan::charged() const {
    const auto couples = [](const FieldDescription& field) { return field.couples_to_charge; };
    if (std::any_of(fields.begin(), fields.end(), couples)) return true;
    return std::any_of(descriptions.begin(), descriptions.end(), [](const auto& d) {
        return d.potential.charged || (d.electrostatic && d.electrostatic->charged);
    });
}

bool ForcePlan::damped() const {
    return !fourier && std::any_of(descriptions.begin(), descriptions.end(), [](const auto& d) {
        return (d.electrostatic ? *d.electrostatic : d.potential).potential ==
               potential_index<DampedShiftedForce>;
    });
}

ForcePlan::FieldSelf ForcePlan::field_self(const std::vector<std::uint16_t>& species) const {
    FieldSelf self;
    for (const PairForceDescription& d : descriptions) {
        const PairPotential& charges = d.electrostatic ? *d.electrostatic : d.potential;
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
    for (const PairForceDescription& d : descriptions) {
        const PairPotential& charges = d.potential;
        if (!charges.charged || charges.potential == potential_index<Logarithmic>) return false;
        if (charges.potential == potential_index<Coulomb> &&
            charges.pairs.front().numbers.at(1) > 0.0)
            return false; // softened
    }
    return !descriptions.empty();
}

std::string ForcePlan::jumping() const {
    constexpr double nothing = 1e-9;
    const auto jumps = [](const PairPotential& potential) {
        if (potential.truncation != Truncation::none || potential.tail) return false;
        return std::any_of(potential.pairs.begin(), potential.pairs.end(),
                           [&](const PairParameters& p) {
                               return std::isfinite(p.cutoff) &&
                                      std::abs(curve_of(potential, p)(p.cutoff).u) > nothing;
                           });
    };
    for (const PairForceDescription& d : descriptions)
        if (jumps(d.potential) || (d.electrostatic && jumps(*d.electrostatic))) return d.name;
    return "";
}

double ForcePlan::longest_cutoff() const {
    double longest = 0.0;
    for (const auto* pairs : {&descriptions, &step_sums})
        for (const PairForceDescription& d : *pairs)
            for (const PairParameters& p : d.potential.pairs)
                if (std::isfinite(p.cutoff)) longest = std::max(longest, p.cutoff);
    return longest;
}

bool ForcePlan::all_pairs() const {
    for (const auto* pairs : {&descriptions, &step_sums})
        for (const PairForceDescription& d : *pairs)
            for (const PairParameters& p : d.potential.pairs)
                if (std::isinf(p.cutoff)) return true;
    return false;
}

double ForcePlan::default_skin() const {
    const double longest = longest_cutoff();
    return longest > 0.0 ? 0.12 * longest : 1.0;
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
