// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/load.hpp"

#include "src/io/raw_system.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>
#include <numeric>

namespace shadow {

namespace fs = std::filesystem;

namespace {

/// Coordinates beyond Dim must have no effect: equal positions, no velocity.
template <int Dim>
void refuse_hidden_directions(const RawSystem& raw) {
    if (raw.dimension < Dim)
        refuse_file(raw.name, fmt::format("the file has {} dimensions", raw.dimension),
                    fmt::format("the input says `dimension = {}`", Dim), "give another file");
    for (std::size_t d = Dim; d < 3; ++d) {
        for (std::size_t i = 0; i < raw.position.size(); ++i) {
            if (raw.position[i][d] != raw.position[0][d])
                refuse_file(raw.name,
                            fmt::format("particle {} has {} = {}, particle {} has {}",
                                        raw.called(i), "xyz"[d], raw.position[i][d], raw.called(0),
                                        raw.position[0][d]),
                            fmt::format("the input says `dimension = {}`", Dim),
                            fmt::format("give a flat system or `dimension = {}`", d + 1));
            if (!raw.velocity.empty() && raw.velocity[i][d] != 0.0)
                refuse_file(
                    raw.name, fmt::format("particle {} moves along {}", raw.called(i), "xyz"[d]),
                    fmt::format("the input says `dimension = {}`", Dim), "set that velocity to 0");
        }
    }
}

/// Masses and charges by species from those by particle.
std::vector<Species> table_of(const RawSystem& raw) {
    std::vector<Species> table(raw.names.size());
    std::vector<bool> seen(raw.names.size(), false);
    for (std::size_t k = 0; k < table.size(); ++k) {
        if (!raw.table.empty()) table[k] = raw.table[k];
        table[k].name = raw.names[k];
    }
    for (std::size_t i = 0; i < raw.species.size(); ++i) {
        Species& kind = table[raw.species[i]];
        const bool first = !seen[raw.species[i]];
        seen[raw.species[i]] = true;
        const auto take = [&](const std::vector<double>& values, double& common, const char* what) {
            if (values.empty()) return;
            if (first) common = values[i];
            if (common != values[i])
                refuse_file(raw.name,
                            fmt::format("particle {} of species '{}' has {} {}, another has {}",
                                        raw.called(i), kind.name, what, values[i], common),
                            "particles of one species are alike", "give them different species");
        };
        take(raw.mass, kind.mass, "mass");
        take(raw.charge, kind.charge, "charge");
    }
    for (const Species& kind : table)
        if (!(kind.mass > 0.0) || !std::isfinite(kind.mass) || !std::isfinite(kind.charge))
            refuse_file(raw.name,
                        fmt::format("species '{}' has mass {} and charge {}", kind.name, kind.mass,
                                    kind.charge),
                        "a mass is positive, both are finite", "correct the file");
    return table;
}

/// For each species of the file its index among the declared ones.
std::vector<std::size_t> match_species(const RawSystem& raw, const std::vector<Species>& declared) {
    std::vector<std::size_t> match;
    for (const std::string& name : raw.names) {
        const auto found = std::find_if(declared.begin(), declared.end(),
                                        [&](const Species& kind) { return kind.name == name; });
        if (found != declared.end()) {
            match.push_back(static_cast<std::size_t>(found - declared.begin()));
            continue;
        }
        std::size_t number = declared.size();
        if (raw.first_number) {
            std::int64_t value = -1;
            std::from_chars(name.data(), name.data() + name.size(), value);
            if (value >= *raw.first_number)
                number = static_cast<std::size_t>(value - *raw.first_number);
        }
        if (number >= declared.size()) {
            std::string known;
            for (const Species& kind : declared)
                known += (known.empty() ? "'" : ", '") + kind.name + "'";
            refuse_file(raw.name, fmt::format("species {} is not declared", in_quotes(name, 40)),
                        fmt::format("the input declares {}", known),
                        "add a [[species]] table for it or leave all of them out");
        }
        match.push_back(number);
    }
    return match;
}

/// Wraps a position into the box in periodic directions; images count the boxes.
template <int Dim>
void wrap_into(const Box<Dim>& box, const RawSystem& raw, std::size_t from, std::size_t i,
               Snapshot<Dim>& snapshot) {
    box.bring_in(snapshot.position[i], snapshot.image[i]);
    for (std::size_t d = 0; d < Dim; ++d) {
        const double x = snapshot.position[i][d], origin = box.origin()[d],
                     length = box.lengths()[d];
        const bool inside = x >= origin && x < origin + length;
        if (box.periodic()[d] && !inside)
            refuse_file(raw.name,
                        fmt::format("particle {} is at {} = {}", raw.called(from), "xyz"[d],
                                    raw.position[from][d]),
                        fmt::format("the box is {} long", length), "correct the file");
    }
}

/// The topology with members renumbered to the new order of particles.
Topology ordered_topology(const RawSystem& raw, const std::vector<std::size_t>& order) {
    std::vector<std::uint32_t> id(order.size());
    for (std::size_t i = 0; i < id.size(); ++i) id[order[i]] = static_cast<std::uint32_t>(i);
    const auto move = [&](std::uint32_t& member) {
        if (member >= id.size())
            refuse_file(raw.name, fmt::format("particle {} is bonded or excluded", member),
                        fmt::format("there are {}, counted from 0", id.size()), "correct the file");
        member = id[member];
    };
    Topology topology = raw.topology;
    for (BondedGroup& group : topology.groups)
        for (std::uint32_t& member : group.members) move(member);
    for (auto& pair : topology.excluded)
        for (std::uint32_t& member : pair) move(member);
    for (ScaledPair& pair : topology.scaled)
        for (std::uint32_t& member : pair.members) move(member);
    if (!raw.id.empty())
        for (const std::size_t from : order) topology.file_ids.push_back(raw.id[from]);
    if (const std::string why = why_no_topology(topology, static_cast<std::int64_t>(id.size()));
        !why.empty())
        throw InputError(fmt::format("{}: {}", raw.name, why));
    return topology;
}

bool has_extension(const fs::path& path, std::initializer_list<const char*> extensions) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const char* e) { return path.extension() == e; });
}

std::string text_of(const fs::path& path) {
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    std::ifstream file(path, std::ios::binary);
    if (!file || folder)
        refuse_file(path.string(), "the file cannot be read",
                    folder ? "it is a folder" : std::strerror(errno), "check `system.file`");
    file.seekg(0, std::ios::end);
    const auto size = std::max<std::streamoff>(file.tellg(), 0);
    file.seekg(0);
    std::string text(static_cast<std::size_t>(size), ' ');
    file.read(text.data(), size);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

} // namespace

template <int Dim>
LoadedSystem<Dim> finish(RawSystem raw, const LoadOptions& options) {
    const std::size_t n = raw.position.size();
    if (n == 0)
        refuse_file(raw.name, "there are no particles", "a system has at least one",
                    "give another file");
    refuse_hidden_directions<Dim>(raw);
    convert_units(raw, options);
    LoadedSystem<Dim> loaded;
    loaded.notes = raw.notes;
    loaded.has_velocities = !raw.velocity.empty();
    loaded.has_images = !raw.image.empty();
    loaded.has_momenta = raw.velocity_is_momentum;
    loaded.has_masses = !raw.mass.empty() || !raw.table.empty() || !options.species.empty();
    loaded.units = raw.units;
    Snapshot<Dim>& snapshot = loaded.snapshot;
    std::vector<std::size_t> match(raw.names.size());
    if (options.species.empty()) {
        snapshot.species_table = table_of(raw);
        std::iota(match.begin(), match.end(), std::size_t{0});
    } else {
        snapshot.species_table = options.species;
        match = match_species(raw, options.species);
    }

    std::array<double, Dim> lengths{}, origin{};
    std::array<bool, Dim> periodic{};
    for (std::size_t d = 0; d < Dim; ++d) {
        lengths[d] = raw.lengths[d];
        origin[d] = raw.origin[d];
        periodic[d] = raw.periodic[d];
        const bool leans = std::any_of(raw.tilt[d].begin(), raw.tilt[d].end(),
                                       [](double part) { return part != 0.0; });
        if (periodic[d] && lengths[d] <= 0.0 && leans)
            refuse_file(raw.name,
                        fmt::format("edge {} of the box does not point along {}", d + 1, "xyz"[d]),
                        "each edge has a length along its own axis", "turn box and particles");
        if (periodic[d] && !(lengths[d] > 0.0 && std::isfinite(lengths[d] + std::abs(origin[d]))))
            refuse_file(raw.name, fmt::format("the box is {} long along {}", lengths[d], "xyz"[d]),
                        "a periodic length is positive and finite", "correct the file");
    }
    loaded.box = tilted_box(Box<Dim>(lengths, periodic, origin), raw);

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!raw.id.empty()) {
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return raw.id[a] < raw.id[b]; });
        for (std::size_t i = 1; i < n; ++i)
            if (raw.id[order[i]] == raw.id[order[i - 1]])
                refuse_file(raw.name, fmt::format("two particles have id {}", raw.id[order[i]]),
                            "ids are unique", "correct the file");
    }
    snapshot.position.resize(n);
    snapshot.momentum.resize(n);
    snapshot.image.resize(n);
    snapshot.species.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t from = order[i];
        const std::size_t kind = match[raw.species[from]];
        snapshot.species[i] = static_cast<std::uint16_t>(kind);
        for (std::size_t d = 0; d < Dim; ++d) {
            snapshot.position[i][d] = raw.position[from][d];
            if (!raw.image.empty()) snapshot.image[i][d] = raw.image[from][d];
            if (!raw.velocity.empty())
                snapshot.momentum[i][d] =
                    raw.velocity[from][d] *
                    (raw.velocity_is_momentum ? 1.0 : snapshot.species_table[kind].mass);
            if (!std::isfinite(snapshot.position[i][d] + snapshot.momentum[i][d]))
                refuse_file(raw.name,
                            fmt::format("particle {} has position {} and velocity {} along {}",
                                        raw.called(from), raw.position[from][d],
                                        raw.velocity.empty() ? 0.0 : raw.velocity[from][d],
                                        "xyz"[d]),
                            "both must be finite numbers", "correct the file");
        }
        wrap_into(loaded.box, raw, from, i, snapshot);
    }
    loaded.topology = ordered_topology(raw, order);
    loaded.has_exclusions = raw.has_exclusions;
    return loaded;
}

template <int Dim>
LoadedSystem<Dim> load_system(const fs::path& path, const LoadOptions& options) {
    try {
        if (is_checkpoint(path)) return load_checkpoint<Dim>(path, options);
        if (has_extension(path, {".h5", ".hdf5", ".h5md"})) return load_h5md<Dim>(path, options);
        const std::string text = text_of(path);
        if (text.starts_with("\x89HDF\r\n")) return load_h5md<Dim>(path, options);
        if (text.find('\0') != std::string::npos)
            refuse_file(path.string(), "this is a binary file", "it has zero bytes",
                        "give an H5MD file, extended XYZ, or a LAMMPS data file");
        const auto first = words_of(std::string_view(text).substr(0, text.find('\n')));
        const bool counts =
            first.size() == 1 && first[0].find_first_not_of("0123456789") == std::string_view::npos;
        if (has_extension(path, {".xyz", ".extxyz"}) ||
            (counts && !has_extension(path, {".data", ".lmp"})))
            return load_extxyz<Dim>(text, path.string(), options);
        return load_lammps_data<Dim>(text, path.string(), options);
    } catch (const std::bad_alloc&) {
        throw MachineError(fmt::format("{} does not fit into memory (it is larger than the free "
                                       "memory); use a machine with more",
                                       path.string()));
    }
}

template LoadedSystem<1> finish(RawSystem, const LoadOptions&);
template LoadedSystem<2> finish(RawSystem, const LoadOptions&);
template LoadedSystem<3> finish(RawSystem, const LoadOptions&);
template LoadedSystem<1> load_system(const fs::path&, const LoadOptions&);
template LoadedSystem<2> load_system(const fs::path&, const LoadOptions&);
template LoadedSystem<3> load_system(const fs::path&, const LoadOptions&);

} // namespace shadow
