// SPDX-License-Identifier: BSD-3-Clause
#include "describe_start.hpp"

#include "particle_fields.hpp"
#include "start_check.hpp"

#include "shadow/system/nearest_partner.hpp"
#include "shadow/system/net_motion.hpp"

#include "kernels/mesh/fourier_plan.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// "9800 bonds, 9600 angles; 9800 pairs excluded, 3000 of them scaled", or "".
std::string bonded_text(const Topology& topology) {
    std::string text;
    for (const BondedKind kind : bonded_kinds) {
        std::size_t count = 0;
        for (const BondedGroup& group : topology.groups)
            if (group.kind == kind) count += group.size();
        if (count > 0) text += fmt::format("{}{} {}s", text.empty() ? "" : ", ", count, name(kind));
    }
    if (text.empty()) return text;
    text += fmt::format("; {} pairs excluded", topology.excluded.size());
    return topology.scaled.empty()
               ? text
               : fmt::format("{}, {} of them scaled", text, topology.scaled.size());
}

/// Is there a pair of opposite charges that is not excluded?
template <int Dim>
bool opposites_meet(const Snapshot<Dim>& start, const Topology& topology) {
    const auto charge = [&](std::uint32_t id) {
        return start.species_table[start.species[id]].charge;
    };
    const auto are_opposite = [&](const auto& pair) {
        return charge(pair[0]) * charge(pair[1]) < 0.0;
    };
    double above = 0.0, below = 0.0;
    for (std::uint32_t id = 0; id < start.size(); ++id)
        (charge(id) > 0.0 ? above : below) += charge(id) == 0.0 ? 0.0 : 1.0;
    double pairs = above * below;
    for (const auto& pair : topology.excluded) pairs -= are_opposite(pair) ? 1.0 : 0.0;
    for (const ScaledPair& scaled : topology.scaled)
        pairs += scaled.coulomb > 0.0 && are_opposite(scaled.members) ? 1.0 : 0.0;
    return pairs > 0.0;
}

/// Number of excluded pairs of charges, including scaled ones, beyond the cut-off, where their
/// exclusion term jumps.
template <int Dim>
std::int64_t excluded_beyond_cutoff(const ForcePlan& forces, const Setup<Dim>& setup) {
    const Snapshot<Dim>& start = setup.start;
    std::int64_t beyond = 0;
    for (const PairForceDescription& d : forces.of<PairForceDescription>()) {
        const PairPotential& charges = d.charges();
        if (!charges.charged || charges.periodic) continue;
        const std::size_t count = start.species_table.size();
        for (const auto& [i, j] : setup.topology.excluded) {
            const PairParameters& pair = charges.pairs[start.species[i] * count + start.species[j]];
            const bool charged = start.species_table[start.species[i]].charge *
                                     start.species_table[start.species[j]].charge !=
                                 0.0;
            beyond += charged &&
                      distance<Dim>(start.position[i], start.position[j], setup.box) > pair.cutoff;
        }
        if (beyond > 0) break; // the slow part of a split force has the same pairs
    }
    return beyond;
}

/// The parameters with which the charges of `force` are computed, and their errors at the start.
template <int Dim>
ChargesSummary describe_charges(const LongRangeDescription& force, const Setup<Dim>& setup,
                                const Units& units, bool pair_is_double) {
    const EwaldSplit& split = force.split;
    // Pairs in single precision have errors of 4e-7 of k q_i q_j/r^2; in liquids 5e-7 was measured.
    const double rounding = pair_is_double ? 0.0 : 5e-7;
    std::optional<double> error = measured_error(force, setup.box, setup.start);
    if (error) error = std::hypot(*error, force.image_error, rounding);
    ChargesSummary charges{.method = force.type,
                           .accuracy = force.accuracy,
                           .cutoff = split.cutoff,
                           .alpha = split.alpha,
                           .mesh = split.count,
                           .order = split.order,
                           .longest = split.longest,
                           .images = {},
                           .pair_error = force.pair_error,
                           .fourier_error = force.fourier_error,
                           .image_error = force.image_error,
                           .rounding = rounding,
                           .error = error,
                           .scale = force.force_scale,
                           .length_unit = units.length,
                           .wave_unit = units.express("1/length"),
                           .force_unit = units.express("energy/length")};
    if (split.order == 0) charges.mesh.clear();
    if (force.slab)
        charges.images = fmt::format("layers of height {:.6g} {}, {:.6g}", force.slab->height,
                                     units.length, force.slab->length);
    if (force.wire)
        charges.images =
            fmt::format("wires of height {:.6g} {}, moments up to order {}, {:.6g}",
                        force.wire->height, units.length, force.wire->order, force.wire->length);
    if (!charges.images.empty())
        charges.images += fmt::format(" {} from image to image", units.length);
    return charges;
}

template <int Dim>
void describe_system(Run<Dim>& run, const Setup<Dim>& setup) {
    Start& start = run.start;
    const ForcePlan& forces = run.model.forces;
    start.dimension = Dim;
    start.particles = static_cast<std::int64_t>(setup.start.size());
    for (const Species& s : setup.start.species_table)
        start.species.push_back({s.name, 0, s.mass / run.model.units.inertia, s.charge});
    for (const std::uint16_t s : setup.start.species) ++start.species[s].particles;
    start.lengths = lengths_of(setup.box);
    start.tilts = tilts_of(setup.box);
    if (setup.box.is_periodic())
        start.density = static_cast<double>(start.particles) / setup.box.volume();
    start.degrees_of_freedom = run.stages.front().degrees_of_freedom;
    const NetMotion<Dim> whole = net_motion(setup.start, run.stages.front().conserved);
    const double thermal = whole.kinetic - whole.translation;
    if (start.degrees_of_freedom > 0.0)
        start.temperature = 2.0 * thermal / (run.model.units.boltzmann * start.degrees_of_freedom);
    start.file_units = setup.file_units;
    start.bonded = bonded_text(setup.topology);
    const auto* const fourier = forces.first<LongRangeDescription>();
    if (fourier)
        start.charges = describe_charges(*fourier, setup, run.model.units,
                                         run.plan.compute.precision == Precision::double_precision);
    if (!start.charges.mesh.empty() && has_own_transforms(run.backend))
        start.charges.transforms = fourier->fftw ? "FFTW" : "own";
    if (forces.all_pairs() && run.plan.compute.precision == Precision::mixed)
        start.coarseness = coarseness(setup.start, setup.box);
    start.charges_act = forces.charged() || run.model.is_magnetic();
    start.charges_are_damped = forces.damped();
    start.charges_are_bare = forces.bare_charges();
    start.opposites_meet = opposites_meet(setup.start, setup.topology);
    const auto field = forces.field_self(setup.start.species);
    if (forces.damped() || field.c_rf != 0.0)
        start.excluded_beyond = excluded_beyond_cutoff(forces, setup);
    start.c_rf = field.c_rf;
    start.field_energy = field.energy / static_cast<double>(start.particles);
}

/// Estimates the sizes of the files.
template <int Dim>
void estimate_files(Run<Dim>& run) {
    Start& start = run.start;
    const auto n = static_cast<double>(start.particles);
    for (const Stage<Dim>& stage : run.stages) {
        if (stage.plan.trajectory_every > 0)
            start.frames += stage.plan.steps / stage.plan.trajectory_every + 1;
        for (const Quantity& q : stage.quantities()) // step, time, values
            start.series_bytes +=
                8.0 * static_cast<double>(2 + q.width) *
                static_cast<double>(stage.plan.steps / stage.recorder->interval(q.name) + 1);
    }
    // Positions, momenta and references of lists, images, heat, species.
    start.checkpoint_bytes = n * (28.0 * Dim + 10.0);
    for (const BondedGroup& group : run.model.topology.groups)
        start.checkpoint_bytes += 4.0 * static_cast<double>(group.members.size() + group.size());
    start.checkpoint_bytes += 8.0 * static_cast<double>(run.model.topology.excluded.size());
    start.checkpoint_bytes += 24.0 * static_cast<double>(run.model.topology.scaled.size());
    double frame = 0.0;
    for (const std::string& field : run.plan.output.fields)
        if (field == "position" || field == "velocity" || field == "image")
            frame += (field == "image" ? 4.0 : 8.0) * Dim;
    std::vector<Quantity> extra = run.stages.front().recorder->particle_quantities();
    for (const Quantity& q : field_quantities<Dim>(run.plan.output.fields)) extra.push_back(q);
    for (const Quantity& q : extra) frame += 8.0 * static_cast<double>(q.width);
    start.trajectory_bytes = n * frame * static_cast<double>(start.frames);
}

} // namespace

template <int Dim>
void describe_start(Run<Dim>& run, const Setup<Dim>& setup) {
    run.start.steps = run.report_steps(setup.box, setup.start, run.stages.data());
    describe_system(run, setup);
    estimate_files(run);
}

template <int Dim>
std::string memory_text(const Run<Dim>& run) {
    const double bytes = static_cast<double>(run.system->bytes());
    return fmt::format("{:.1f} MiB on {} ({:.0f} bytes per particle)", bytes / 1048576.0,
                       run.backend.description(), bytes / static_cast<double>(run.system->size()));
}

template void describe_start(Run<1>&, const Setup<1>&);
template std::string memory_text(const Run<1>&);
template void describe_start(Run<2>&, const Setup<2>&);
template std::string memory_text(const Run<2>&);
template void describe_start(Run<3>&, const Setup<3>&);
template std::string memory_text(const Run<3>&);

} // namespace shadow
