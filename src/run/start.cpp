// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include "start_check.hpp"

#include "shadow/io/load.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// "12.3 MiB"
std::string size_text(double bytes) {
    constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t k = 0;
    for (; bytes >= 1024.0 && k + 1 < std::size(names); ++k) bytes /= 1024.0;
    return fmt::format("{:.{}f} {}", bytes, k == 0 ? 0 : 1, names[k]);
}

std::string species_line(const Start& start) {
    constexpr std::size_t most = 8; // a polydisperse glass has hundreds
    std::string text;
    for (std::size_t k = 0; k < std::min(most, start.species.size()); ++k) {
        const SpeciesSummary& s = start.species[k];
        text += fmt::format("{}{} {} (mass {:.8g}, charge {:.8g})", text.empty() ? "" : ", ",
                            s.particles, s.name, s.mass, s.charge);
    }
    if (start.species.size() > most)
        text += fmt::format(" and {} more species", start.species.size() - most);
    return text;
}

bool has_charges(const Start& start) {
    return std::any_of(start.species.begin(), start.species.end(),
                       [](const SpeciesSummary& s) { return s.particles > 0 && s.charge != 0.0; });
}

bool has_both_signs(const Start& start) {
    double low = 0.0, high = 0.0;
    for (const SpeciesSummary& s : start.species)
        if (s.particles > 0) {
            low = std::min(low, s.charge);
            high = std::max(high, s.charge);
        }
    return low < 0.0 && high > 0.0;
}

/// Temperatures of atomic simulations in K, with a wide margin; and plausible ones.
constexpr double coldest = 20.0, hottest = 20'000.0, cool = 50.0, hot = 5'000.0;

/// Warns if the start is too cold or too hot, and names other units that would give a plausible
/// temperature.
std::string unit_warning(const Start& start, const Units& units) {
    const double T = start.temperature;
    if (units.femtoseconds == 0.0 || start.file_units.empty() || T == 0.0) return "";
    if (T > coldest && T < hottest) return "";
    double time = 0.0;
    for (const FileUnits& u : file_units())
        if (start.file_units == u.name) time = u.femtoseconds;
    std::string others;
    for (const FileUnits& u : file_units()) {
        const double there = u.femtoseconds == 0.0 ? 0.0 : T * std::pow(time / u.femtoseconds, 2);
        if (there > cool && there < hot)
            others += fmt::format("{}\"{}\" it is {:.4g} K", others.empty() ? "" : ", by ", u.name,
                                  there);
    }
    return fmt::format("the velocities of the file have a temperature of {:.4g} K (read as {}{}); "
                       "say in which units they are by system.file_units, or draw new ones by "
                       "system.velocity",
                       T, start.file_units, others.empty() ? "" : "; by file_units = " + others);
}

} // namespace

double Start::charge() const {
    double sum = 0.0;
    for (const SpeciesSummary& s : species) sum += static_cast<double>(s.particles) * s.charge;
    return sum;
}

std::vector<std::string> start_lines(const Start& start, const Units& units) {
    std::string box;
    for (const double length : start.lengths)
        box += (box.empty() ? "" : " x ") +
               (std::isfinite(length) ? fmt::format("{:.8g}", length) : std::string("open"));
    std::string tilts;
    for (const NamedTilt& tilt : start.tilts)
        tilts += fmt::format("{} {} {:.8g}", tilts.empty() ? ", tilted by" : ",", tilt.name,
                             tilt.length);
    std::vector<std::string> lines = {
        fmt::format("start: {} particles: {}", start.particles, species_line(start)),
        fmt::format("start: box {} {}{}{}", box, units.length, tilts,
                    start.density > 0.0
                        ? fmt::format(", density {:.6g} {}", start.density,
                                      units.express(fmt::format("1/length^{}", start.dimension)))
                        : std::string()),
        fmt::format("start: T = {:.6g} {} of {:.10g} degrees of freedom, U/N = {:.6g} {}, largest "
                    "force {:.3g} {}",
                    start.temperature, units.temperature, start.degrees_of_freedom,
                    start.potential_energy, units.energy, start.largest_force,
                    units.express("energy/length"))};
    if (!start.bonded.empty()) lines.push_back("start: " + start.bonded);
    for (const std::string& step : start.steps) lines.push_back("start: " + step);
    if (!start.charges.method.empty())
        lines.push_back("start: periodic charges: " + charges_text(start.charges));
    if (start.c_rf > 0.0)
        lines.push_back(fmt::format(
            "start: reaction field: c_rf = {:.6g} {}; energies lack the -k c_rf q^2/2 of each "
            "charge, {:.6g} {} per particle, that GROMACS has",
            start.c_rf, units.express("1/length"), -start.field_energy, units.energy));
    if (has_charges(start))
        lines.push_back(fmt::format("start: total charge {:.6g} {}", start.charge(), units.charge));
    lines.push_back(fmt::format("files: {}series {}, checkpoint {}",
                                start.frames > 0
                                    ? fmt::format("trajectory {} in {} frames, ",
                                                  size_text(start.trajectory_bytes), start.frames)
                                    : std::string(),
                                size_text(start.series_bytes), size_text(start.checkpoint_bytes)));
    return lines;
}

std::vector<std::string> start_warnings(const Start& start, const Units& units) {
    std::vector<std::string> warnings;
    if (has_charges(start) && !start.charges_act)
        warnings.emplace_back("charges on which nothing acts (no force is a coulomb one); add such "
                              "a force, or set charge = 0 in [[species]]");
    if (start.charges.rounding > 0.25 * start.charges.accuracy)
        warnings.push_back(fmt::format(
            "accuracy = {:.2g} of periodic charges in mixed precision (pairs in single precision "
            "are good to {:.1g}); set compute.precision = \"double\", or ask for {:.0g}",
            start.charges.accuracy, start.charges.rounding, 4.0 * start.charges.rounding));
    else if (const ChargesSummary& c = start.charges;
             c.error.value_or(0.0) > 1.1 * c.accuracy &&
             std::hypot(c.pair_error, c.fourier_error, c.image_error) <= c.accuracy)
        warnings.push_back(fmt::format(
            "forces of periodic charges are good to {:.2g} at the start (accuracy = {:.2g} is for "
            "charges that stand evenly in the box); ask for {:.1g}",
            *c.error, c.accuracy, 0.9 * c.accuracy * c.accuracy / *c.error));
    if (start.charges_are_bare && has_both_signs(start) && start.opposites_meet)
        warnings.emplace_back("opposite charges and no force that keeps them apart (they fall into "
                              "each other, whatever dt is); add one, such as lennard-jones");
    if (start.excluded_beyond > 0)
        warnings.push_back(fmt::format(
            "{} excluded or scaled pairs of charges are beyond their cut-off at the start (they do "
            "not interact there, and their energy jumps at the cut-off); use a longer one",
            start.excluded_beyond));
    double largest = 0.0;
    for (const SpeciesSummary& s : start.species) largest = std::max(largest, std::abs(s.charge));
    // Rounded charges of molecules need not sum to zero exactly.
    if (start.charges_are_damped && std::abs(start.charge()) > 1e-3 * largest)
        warnings.push_back(fmt::format(
            "a total charge of {:.6g} {} (a damped force assumes that the charges within the "
            "cut-off neutralise each other; otherwise energy and pressure depend on the cut-off); "
            "check charge in [[species]] and the particles of each",
            start.charge(), units.charge));
    const auto is_periodic = [](double length) { return std::isfinite(length); };
    if (start.c_rf > 0.0 && std::abs(start.charge()) > 1e-3 * largest &&
        std::any_of(start.lengths.begin(), start.lengths.end(), is_periodic))
        warnings.push_back(
            fmt::format("a total charge of {:.6g} {} (a reaction field ignores charges beyond the "
                        "cut-off; energy and pressure depend on it where the sphere within is not "
                        "neutral); check charge in [[species]] and the particles of each",
                        start.charge(), units.charge));
    if (start.coarseness > coarse_enough_to_warn) warnings.push_back(far_apart(start.coarseness));
    if (std::string warning = unit_warning(start, units); !warning.empty())
        warnings.push_back(std::move(warning));
    return warnings;
}

} // namespace shadow
