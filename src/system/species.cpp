// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/species.hpp"

#include "shadow/core/text.hpp"
#include "shadow/system/setup.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace shadow {

std::vector<std::int64_t> species_counts(std::int64_t count, std::span<const double> fractions) {
    const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
    std::vector<std::int64_t> counts;
    std::vector<double> remainder;
    std::int64_t missing = count;
    for (const double fraction : fractions) {
        const double exact = fraction / sum * static_cast<double>(count);
        counts.push_back(static_cast<std::int64_t>(std::floor(exact)));
        remainder.push_back(exact - std::floor(exact));
        missing -= counts.back();
    }
    // Rounding may lose or raise an exact integer: then `missing` is larger than expected, or
    // negative.
    for (; missing > 0; --missing) {
        const auto largest = std::max_element(remainder.begin(), remainder.end());
        ++counts[static_cast<std::size_t>(largest - remainder.begin())];
        *largest -= 1.0;
    }
    for (; missing < 0; ++missing) --*std::max_element(counts.begin(), counts.end());
    return counts;
}

std::vector<std::uint16_t> shuffled_species(std::int64_t count, std::span<const double> fractions,
                                            std::uint64_t seed) {
    std::vector<std::uint16_t> species;
    species.reserve(static_cast<std::size_t>(count));
    std::uint16_t kind = 0;
    for (const std::int64_t n : species_counts(count, fractions))
        species.insert(species.end(), static_cast<std::size_t>(n), kind++);
    if (fractions.size() < 2) return species;
    const auto stream = static_cast<std::uint32_t>(RandomStream::species);
    for (std::size_t i = species.size(); i-- > 1;) { // Fisher and Yates
        const Philox draw(seed, stream, static_cast<std::uint32_t>(i), 0);
        const auto j = static_cast<std::size_t>(draw.uniform(0) * static_cast<double>(i + 1));
        std::swap(species[i], species[std::min(i, j)]);
    }
    return species;
}

std::string why_no_species_name(const std::string& name) {
    const auto wrong = [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7F; };
    if (std::none_of(name.begin(), name.end(), wrong)) return "";
    return fmt::format("species {} (results are named after species, and \"/\" or a control "
                       "character cannot stand in these names); rename it, for example with \"_\"",
                       in_quotes(name, 40));
}

namespace {

/// Of the inertia of all particles the third power is a number, too.
constexpr double highest_mass = 1e60;

/// Reads one `[[species]]` table; `known` are the names before it.
Species read_one(const Parameters& table, const Species& defaults,
                 const std::vector<Species>& known) {
    Species species;
    species.name = table.text("name", defaults.name);
    if (species.name.empty())
        table.fail("name", "a species without a name (forces refer to species by name); name it");
    if (const std::string why = why_no_species_name(species.name); !why.empty())
        table.fail("name", why);
    for (const Species& other : known)
        if (other.name == species.name)
            table.fail("name", fmt::format("species \"{}\" twice (forces refer to species by "
                                           "name); rename one",
                                           species.name));
    species.mass = table.positive("mass", defaults.mass);
    if (!(species.mass < highest_mass))
        table.fail("mass", fmt::format("mass {} (numbers overflow where particles are so heavy); "
                                       "give less than {}",
                                       species.mass, highest_mass));
    species.charge = table.number("charge", defaults.charge);
    return species;
}

} // namespace

SpeciesInput read_species(const Parameters& root, bool ordered) {
    SpeciesInput input;
    const auto tables = root.tables("species");
    if (tables.empty()) return {{Species{}}, {1.0}};
    if (tables.size() > 0xFFFF)
        root.fail("species", fmt::format("{} species (at most 65535 are possible); merge some",
                                         tables.size()));
    double sum = 0.0;
    for (const Parameters& table : tables) {
        if (tables.size() > 1 && !table.has("name"))
            table.fail("", "a species without a name (forces refer to species by name); name it");
        input.table.push_back(read_one(table, Species{}, input.table));
        if (ordered && table.has("fraction"))
            table.fail("fraction", "a fraction on a lattice of several sublattices (they say which "
                                   "particle is of which species); remove it");
        if (ordered) continue;
        const double fraction =
            tables.size() == 1 ? table.number("fraction", 1.0) : table.number("fraction");
        if (!(fraction >= 0.0) || fraction > 1.0)
            table.fail("fraction", fmt::format("fraction {} (it is a share of all particles); give "
                                               "a number from 0 to 1",
                                               fraction));
        input.fractions.push_back(fraction);
        sum += fraction;
    }
    if (!ordered && std::abs(sum - 1.0) > 1e-6)
        tables.back().fail("fraction", fmt::format("fractions that sum to {} (every particle has "
                                                   "one species); make them sum to 1",
                                                   sum));
    return input;
}

namespace {

/// Another mass changes kinetic energies, as velocities, or momenta, stay those of the file.
template <int Dim>
void warn_of_mass(const Parameters& root, LoadedSystem<Dim>& loaded, const Species& species,
                  double in_file) {
    const std::string problem =
        fmt::format("mass {} of {}, where the file has {}", species.mass, species.name, in_file);
    if (!loaded.has_velocities || root.table("system").has("velocity"))
        return loaded.notes.push_back(problem);
    loaded.warnings.push_back(fmt::format(
        "{} ({} are those of the file, so that the kinetic energy of these particles is {:.6g} "
        "times as large); remove the mass, or give system.velocity, where that is not meant",
        problem, loaded.has_momenta ? "momenta" : "velocities",
        loaded.has_momenta ? in_file / species.mass : species.mass / in_file));
}

} // namespace

template <int Dim>
void override_species(const Parameters& root, LoadedSystem<Dim>& loaded) {
    Snapshot<Dim>& snapshot = loaded.snapshot;
    std::vector<Species> seen;
    std::vector<double> factor(snapshot.species_table.size(), 1.0);
    std::vector<bool> has_mass(snapshot.species_table.size(), loaded.has_masses);
    for (const Parameters& table : root.tables("species")) {
        const std::string name = table.text("name");
        const auto own =
            std::find_if(snapshot.species_table.begin(), snapshot.species_table.end(),
                         [&name](const Species& species) { return species.name == name; });
        if (own == snapshot.species_table.end()) {
            std::vector<std::string> names;
            for (const Species& species : snapshot.species_table) names.push_back(species.name);
            table.fail("name", fmt::format("species \"{}\" (the file of the particles does not "
                                           "have it); its species are \"{}\"",
                                           name, fmt::join(names, "\", \"")));
        }
        if (table.has("fraction"))
            table.fail("fraction", "a fraction together with system.file (the file says which "
                                   "particle is of which species); remove it");
        const auto k = static_cast<std::size_t>(own - snapshot.species_table.begin());
        has_mass[k] = has_mass[k] || table.has("mass");
        const double mass = own->mass;
        seen.push_back(read_one(table, *own, seen));
        *own = seen.back();
        if (!loaded.has_momenta) factor[k] = own->mass / mass;
        const bool differs = std::abs(own->mass - mass) > 1e-12 * mass; // more than by a conversion
        if (loaded.has_masses && differs) warn_of_mass(root, loaded, *own, mass);
    }
    for (std::size_t i = 0; i < snapshot.momentum.size(); ++i)
        for (double& p : snapshot.momentum[i]) p *= factor[snapshot.species[i]];
    for (std::size_t k = 0; k < has_mass.size(); ++k) {
        if (has_mass[k]) continue;
        const std::string& name = snapshot.species_table[k].name;
        if (loaded.has_momenta)
            root.table("system").fail("file",
                                      fmt::format("momenta without the mass of {} (which converts "
                                                  "them to velocities); give it in [[species]]",
                                                  name));
        (loaded.units == "lj" ? loaded.notes : loaded.warnings)
            .push_back(fmt::format(
                "the file has no mass of {} (it is 1 now); give it in [[species]]", name));
    }
}

template void override_species(const Parameters&, LoadedSystem<1>&);
template void override_species(const Parameters&, LoadedSystem<2>&);
template void override_species(const Parameters&, LoadedSystem<3>&);

} // namespace shadow
