// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"
#include "src/system/start.hpp"

#include "shadow/system/species.hpp"
#include "shadow/system/tilt.hpp"

#include <cmath>
#include <utility>

namespace shadow {

namespace {

/// Positions stay those of the file in any box.
template <int Dim>
void warn_of_other_lengths(const Box<Dim>& file, const std::array<double, Dim>& lengths,
                           const std::array<bool, Dim>& periodic,
                           std::vector<std::string>& warnings) {
    constexpr double rounding = 1e-6; // of lengths that are written with few digits
    for (std::size_t d = 0; d < Dim; ++d) {
        const double was = file.lengths()[d], is = lengths[d];
        if (!file.periodic()[d] || !periodic[d] || std::abs(is - was) <= rounding * was) continue;
        warnings.push_back(fmt::format(
            "box length {} along {}, where the file has {} (positions are not scaled, so that "
            "particles at the border {}); remove box.lengths where that is not meant",
            is, "xyz"[d], was, is > was ? "have a gap between them" : "overlap with others"));
    }
}

template <int Dim>
void warn_of_other_tilt(const Box<Dim>& file, const Box<Dim>& box,
                        std::vector<std::string>& warnings) {
    const auto said = [](const Box<Dim>& of) {
        std::string all;
        for (const NamedTilt& tilt : tilts_of(of))
            all += fmt::format("{}{} = {:.6g}", all.empty() ? "" : ", ", tilt.name, tilt.length);
        return all.empty() ? std::string("none") : all;
    };
    for (std::size_t edge = 0; edge < Dim; ++edge)
        for (std::size_t d = 0; d < Dim; ++d)
            if (d != edge && std::abs(file.edge(edge, d) - box.edge(edge, d)) >
                                 1e-6 * std::max(box.lengths()[d], file.lengths()[d])) {
                warnings.push_back(fmt::format(
                    "box.tilt {}, where the file has {} (positions are not sheared, so that "
                    "particles at the border may overlap with others); remove box.tilt where that "
                    "is not meant",
                    said(box), said(file)));
                return;
            }
}

/// In directions that the input opens, particles are where the file says. Images have no meaning
/// there and become 0; before, they are added to the positions of `bonded` particles, and of all
/// where the file gave none (they are due to wrapping alone).
template <int Dim>
void leave_images(const Box<Dim>& file, const Box<Dim>& box, bool has_images, bool bonded,
                  Snapshot<Dim>& start, std::vector<std::string>& warnings) {
    for (std::size_t d = 0; d < Dim; ++d) {
        if (!file.periodic()[d] || box.periodic()[d]) continue;
        std::size_t outside = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            std::int32_t& image = start.image[i][d];
            if (!has_images || bonded) start.position[i][d] += image * file.lengths()[d];
            outside += has_images && !bonded && image != 0;
            image = 0;
        }
        if (outside > 0)
            warnings.push_back(fmt::format(
                "{} particles have left the periodic box of the file along {}, which is open here "
                "(they are wrapped into that box, so molecules across a face are torn); shift the "
                "particles of the file where that is not meant",
                outside, "xyz"[d]));
    }
}

/// Throws for a bond through a face of the periodic box of the file that the input opens or
/// lengthens, unless images undo it.
template <int Dim>
void refuse_torn_bonds(const Parameters& table, const Box<Dim>& file, const Setup<Dim>& setup) {
    const Box<Dim>& box = setup.box;
    const auto refuse = [&](std::size_t d, const BondedGroup& group, std::uint32_t a,
                            std::uint32_t b, double apart) {
        const bool open = !box.periodic()[d];
        table.fail(open ? "periodic" : "lengths",
                   fmt::format("a {} torn along {}, where the box of the file is {:.6g} long and "
                               "this one {} (atoms {} and {} are {:.6g} apart: it goes through a "
                               "face of the box of the file); keep that box, or give a file with "
                               "{}whole molecules inside a box of more than twice their size",
                               name(group.kind), "xyz"[d], file.lengths()[d],
                               open ? "open" : fmt::format("{:.6g}", box.lengths()[d]),
                               setup.topology.called(a), setup.topology.called(b), apart,
                               open ? "images, or with " : ""));
    };
    for (const BondedGroup& group : setup.topology.groups)
        for (std::size_t k = 1; k < group.members.size(); ++k) {
            if (k % group.span() == 0) continue; // the first of a term
            const std::uint32_t a = group.members[k - 1], b = group.members[k];
            std::array<double, Dim> edge;
            for (std::size_t d = 0; d < Dim; ++d)
                edge[d] = setup.start.position[b][d] - setup.start.position[a][d];
            box.shorten(edge);
            for (std::size_t d = 0; d < Dim; ++d) {
                const double apart = std::abs(edge[d]);
                const double half = 0.5 * file.lengths()[d] * (1.0 + 1e-6); // and rounding
                if (file.periodic()[d] && apart > half) refuse(d, group, a, b, apart);
            }
        }
}

/// Bonds are those of the file, or of [[molecule]], or of both if these agree.
template <int Dim>
void read_topology(const Parameters& root, const Parameters& system, bool has_exclusions,
                   Setup<Dim>& setup) {
    const Topology of_file = std::exchange(setup.topology, {});
    setup.topology.file_ids = of_file.file_ids;
    bond_particles(root, setup);
    setup.topology.coefficients = of_file.coefficients;
    const bool tables = !root.tables("molecule").empty();
    if (tables && !of_file.empty() && !changed_terms(of_file, setup.topology).empty())
        root.fail("molecule",
                  "[[molecule]] that bonds other particles than the file does, or names "
                  "other types (both say what is bonded); correct it, or remove it");
    if (tables || of_file.empty()) {
        for (const char* key : {"exclude", "scale_14"})
            if (system.has(key))
                system.fail(
                    key,
                    fmt::format("`{}` {}; remove it", key,
                                tables ? "together with [[molecule]] (each of these has its own)"
                                       : "with a file that has no bonds (pairs are "
                                         "left out by the number of bonds between)"));
    } else {
        setup.topology = of_file;
        if (system.has("exclude") || system.has("scale_14") || !has_exclusions)
            read_exclusions(system, static_cast<std::int64_t>(setup.start.size()), setup.topology);
    }
    if (const std::string lost = lost_scaling(of_file, setup.topology); !lost.empty()) {
        const std::string problem =
            fmt::format("exclusions without the scaling of the file ({}); give `scale_14`, whose "
                        "factors may be 0, {}",
                        lost, tables ? "in [[molecule]]" : "or leave `exclude` to the file");
        tables ? root.fail("molecule", problem) : system.fail("exclude", problem);
    }
}

} // namespace

template <int Dim>
Setup<Dim> start_from_file(const Parameters& root, LoadedSystem<Dim>& loaded) {
    const Parameters system = root.table("system");
    if (loaded.snapshot.size() == 0)
        system.fail("file", "a file without particles (there is nothing to run); name another");
    const BoxInput<Dim> box = read_box<Dim>(system);
    if (box.density)
        box.table.fail(
            "density",
            "a density together with system.file (the positions of the file fix it); remove it");
    Setup<Dim> setup;
    setup.box = loaded.box;
    if (box.lengths || box.table.has("periodic")) {
        const auto& periodic = box.periodic;
        std::array<double, Dim> lengths = setup.box.lengths();
        if (box.lengths) lengths = *box.lengths;
        for (std::size_t d = 0; d < Dim; ++d)
            if (periodic[d] && !(lengths[d] > 0.0))
                box.table.fail("periodic", fmt::format("direction {} periodic (the file has no "
                                                       "length for it); give box.lengths",
                                                       d));
        warn_of_other_lengths<Dim>(setup.box, lengths, periodic, loaded.warnings);
        if (setup.box.is_tilted() && periodic != setup.box.periodic())
            box.table.fail("periodic",
                           "a direction opened in a file whose box is tilted (its images are "
                           "shifted along that direction); leave `periodic` out");
        if (setup.box.is_tilted() && box.lengths && !box.tilt)
            box.table.fail("lengths",
                           "box.lengths together with a file whose box is tilted (they do not give "
                           "the tilt); give box.tilt, too, or leave both out");
        setup.box = Box<Dim>(lengths, periodic, setup.box.origin());
    }
    for (const Species& species : loaded.snapshot.species_table)
        if (const std::string why = why_no_species_name(species.name); !why.empty())
            system.fail("file", why);
    override_species(root, loaded);
    setup.start = std::move(loaded.snapshot);
    tilt(box, setup);
    warn_of_other_tilt(loaded.box, setup.box, loaded.warnings);
    setup.topology = std::move(loaded.topology);
    read_topology(root, system, loaded.has_exclusions, setup);
    leave_images(loaded.box, setup.box, loaded.has_images, !setup.topology.empty(), setup.start,
                 loaded.warnings);
    refuse_torn_bonds(box.table, loaded.box, setup);
    if (loaded.has_velocities) setup.file_units = loaded.units;
    setup.notes = std::move(loaded.notes);
    setup.warnings = std::move(loaded.warnings);
    return setup;
}

template Setup<1> start_from_file(const Parameters&, LoadedSystem<1>&);
template Setup<2> start_from_file(const Parameters&, LoadedSystem<2>&);
template Setup<3> start_from_file(const Parameters&, LoadedSystem<3>&);

} // namespace shadow
