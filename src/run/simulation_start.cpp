// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/system/nearest_partner.hpp"
#include "shadow/system/net_motion.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

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

/// Excluded pairs of charges, scaled ones among them, whose own part ends with a jump.
template <int Dim>
std::int64_t excluded_beyond_cutoff(const ForcePlan& forces, const Setup<Dim>& setup) {
    const Snapshot<Dim>& start = setup.start;
    std::int64_t beyond = 0;
    for (const PairForceDescription& d : forces.descriptions) {
        const PairPotential& charges = d.electrostatic ? *d.electrostatic : d.potential;
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
        if (beyond > 0) break; // the slow part of a split has the same
    }
    return beyond;
}

/// What the charges of `force` are computed with, and how well at the start.
template <int Dim>
ChargesSummary describe_charges(const LongRangeDescription& force, const Setup<Dim>& setup,
                                const Units& units, bool pair_is_double) {
    const EwaldSplit& split = force.split;
    // Pairs in single precision are good to 4e-7 of k q_i q_j/r^2; in liquids 5e-7 was measured.
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

} // namespace

/// What of the start is known before forces are.
template <int Dim>
void Simulation<Dim>::describe_start(const Setup<Dim>& setup) {
    start_.dimension = Dim;
    start_.particles = static_cast<std::int64_t>(setup.start.size());
    for (const Species& s : setup.start.species_table)
        start_.species.push_back({s.name, 0, s.mass / units_.inertia, s.charge});
    for (const std::uint16_t s : setup.start.species) ++start_.species[s].particles;
    for (std::size_t d = 0; d < Dim; ++d)
        start_.lengths.push_back(setup.box.periodic()[d] ? setup.box.lengths()[d]
                                                         : std::numeric_limits<double>::infinity());
    if (setup.box.is_periodic())
        start_.density = static_cast<double>(start_.particles) / setup.box.volume();
    start_.degrees_of_freedom = stages_.front().degrees_of_freedom;
    const NetMotion<Dim> whole = net_motion(setup.start, stages_.front().conserved);
    const double thermal = whole.kinetic - whole.translation;
    if (start_.degrees_of_freedom > 0.0)
        start_.temperature = 2.0 * thermal / (units_.boltzmann * start_.degrees_of_freedom);
    start_.file_units = setup.file_units;
    start_.bonded = bonded_text(setup.topology);
    if (forces_.fourier)
        start_.charges = describe_charges(*forces_.fourier, setup, units_,
                                          plan_.compute.precision == Precision::double_precision);
    if (!start_.charges.mesh.empty() && !backend_.is_cuda())
        start_.charges.transforms = forces_.fourier->fftw ? "FFTW" : "own";
    start_.charges_act = forces_.charged();
    start_.charges_are_damped = forces_.damped();
    start_.charges_are_bare = forces_.bare_charges();
    start_.opposites_meet = opposites_meet(setup.start, setup.topology);
    const auto field = forces_.field_self(setup.start.species);
    if (forces_.damped() || field.c_rf != 0.0)
        start_.excluded_beyond = excluded_beyond_cutoff(forces_, setup);
    start_.c_rf = field.c_rf;
    start_.field_energy = field.energy / static_cast<double>(start_.particles);
}

/// How large its files become.
template <int Dim>
void Simulation<Dim>::estimate_files() {
    const auto n = static_cast<double>(start_.particles);
    for (const StageType& stage : stages_) {
        if (stage.plan.trajectory_every > 0)
            start_.frames += stage.plan.steps / stage.plan.trajectory_every + 1;
        for (const Quantity& q : stage.quantities()) // step, time, values
            start_.series_bytes +=
                8.0 * static_cast<double>(2 + q.width) *
                static_cast<double>(stage.plan.steps / stage.recorder->interval(q.name) + 1);
    }
    // Positions, momenta and references of lists, images, heat, species.
    start_.checkpoint_bytes = n * (28.0 * Dim + 10.0);
    for (const BondedGroup& group : topology_.groups)
        start_.checkpoint_bytes += 4.0 * static_cast<double>(group.members.size() + group.size());
    start_.checkpoint_bytes += 8.0 * static_cast<double>(topology_.excluded.size());
    start_.checkpoint_bytes += 24.0 * static_cast<double>(topology_.scaled.size());
    double frame = 0.0;
    for (const std::string& field : plan_.output.fields)
        if (field == "position" || field == "velocity" || field == "image")
            frame += (field == "image" ? 4.0 : 8.0) * Dim;
    std::vector<Quantity> extra = stages_.front().recorder->particle_quantities();
    for (const Quantity& q : field_quantities()) extra.push_back(q);
    for (const Quantity& q : extra) frame += 8.0 * static_cast<double>(q.width);
    start_.trajectory_bytes = n * frame * static_cast<double>(start_.frames);
}

template <int Dim>
std::vector<std::string> Simulation<Dim>::start_text() const {
    return start_lines(start_, units_);
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
