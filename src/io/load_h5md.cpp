// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"
#include "src/io/topology_file.hpp"

#include "shadow/io/hdf5.hpp"
#include "shadow/io/load.hpp"

#include <algorithm>
#include <limits>

namespace shadow {
namespace {

/// The group of particles to read: for the last frame the final configuration of a run, which may
/// be later than the trajectory.
hdf5::Group particles_of(const hdf5::File& file, const std::string& name, std::int64_t frame) {
    if (!file.has_group("particles"))
        refuse_file(name, "there are no particles", "the file has no group `particles`",
                    "give an H5MD file with a trajectory");
    const hdf5::Group particles = file.group("particles");
    if (frame == -1 && particles.has_dataset("final/position/value") &&
        particles.dataset("final/position/value").rows() > 0)
        return particles.group("final");
    if (particles.has_group("all")) return particles.group("all");
    std::vector<std::string> groups;
    for (const std::string& group : particles.names())
        if (particles.has_group(group)) groups.push_back(group);
    if (groups.size() != 1)
        refuse_file(name, fmt::format("the file has {} groups of particles", groups.size()),
                    "one, or one of the name `all`, is read", "give another file");
    return particles.group(groups[0]);
}

/// The units of the run, if the file has results of Shadow; else "".
std::string units_of(const hdf5::File& file) {
    if (!file.has_group("parameters") || !file.group("parameters").has_dataset("units")) return "";
    const std::vector<std::string> texts = file.group("parameters").texts("units");
    return texts.size() == 1 ? units_called(texts[0]) : "";
}

/// One field: an array over particles, or an H5MD element (step, time, value) of several frames.
struct Element {
    hdf5::Dataset value;
    bool in_time = false;
    std::vector<std::int64_t> steps; ///< empty: unknown

    [[nodiscard]] hdf5::Shape row_shape() const {
        hdf5::Shape shape = value.shape();
        if (in_time && !shape.empty()) shape.erase(shape.begin());
        return shape;
    }
    [[nodiscard]] std::uint64_t frames() const { return in_time ? value.rows() : 1; }
    template <class T>
    [[nodiscard]] std::vector<T> read(std::uint64_t frame) const {
        return in_time ? value.read_rows<T>(frame, 1) : value.read<T>();
    }
};

Element element_of(const hdf5::Group& group, const std::string& name) {
    Element element;
    element.in_time = group.has_group(name);
    element.value = group.dataset(element.in_time ? name + "/value" : name);
    if (element.in_time && group.has_dataset(name + "/step")) {
        const hdf5::Dataset step = group.dataset(name + "/step");
        // A single number instead of an array: a constant increment (H5MD 1.1).
        if (step.shape().size() == 1) element.steps = step.read<std::int64_t>();
    }
    return element;
}

/// The frame of `other` that belongs to frame `frame` of the positions: of the same step, else in
/// the same row.
std::uint64_t matching(const Element& positions, std::uint64_t frame, const Element& other) {
    if (!other.in_time) return 0;
    if (frame < positions.steps.size() && !other.steps.empty()) {
        const auto found =
            std::find(other.steps.begin(), other.steps.end(), positions.steps[frame]);
        if (found != other.steps.end() &&
            static_cast<std::uint64_t>(found - other.steps.begin()) < other.frames())
            return static_cast<std::uint64_t>(found - other.steps.begin());
    } else if (frame < other.frames()) {
        return frame;
    }
    refuse_file(other.value.place(), fmt::format("frame {} is missing", frame),
                "the positions have it", "give another frame or file");
}

/// Vectors of `dimension` numbers for `n` particles, extended to three.
template <class T>
std::vector<std::array<T, 3>> read_vectors(const Element& element, std::uint64_t frame,
                                           std::uint64_t n, std::size_t dimension) {
    if (element.row_shape() != hdf5::Shape{n, dimension})
        refuse_file(element.value.place(), "the array has a wrong shape",
                    fmt::format("it should be {} particles by {}", n, dimension),
                    "correct the file");
    const std::vector<T> numbers = element.read<T>(frame);
    std::vector<std::array<T, 3>> vectors(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < dimension; ++d) vectors[i][d] = numbers[i * dimension + d];
    return vectors;
}

template <class T>
std::vector<T> read_numbers(const hdf5::Group& all, const char* name, const Element& positions,
                            std::uint64_t frame, std::uint64_t n) {
    const Element element = element_of(all, name);
    if (element.row_shape() != hdf5::Shape{n})
        refuse_file(element.value.place(), "the array has a wrong shape",
                    fmt::format("it should be {} particles", n), "correct the file");
    return element.read<T>(matching(positions, frame, element));
}

/// Reads edges given as a vector or a matrix.
void read_edges(const hdf5::Group& box, const Element& positions, std::uint64_t frame,
                RawSystem& raw) {
    const Element edges = element_of(box, "edges");
    const std::uint64_t dim = raw.dimension;
    const hdf5::Shape shape = edges.row_shape();
    const bool matrix = shape == hdf5::Shape{dim, dim};
    if (!matrix && shape != hdf5::Shape{dim})
        refuse_file(edges.value.place(), "the edges have a wrong shape",
                    fmt::format("the box has {} dimensions", dim), "correct the file");
    const std::vector<double> numbers = edges.read<double>(matching(positions, frame, edges));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool diagonal = !matrix || i % (dim + 1) == 0;
        (diagonal ? raw.lengths[matrix ? i / dim : i] : raw.tilt[i / dim][i % dim]) = numbers[i];
    }
}

void read_box(const hdf5::Group& all, const Element& positions, std::uint64_t frame,
              RawSystem& raw) {
    if (!all.has_group("box")) return;
    const hdf5::Group box = all.group("box");
    if (box.has_attribute("boundary")) {
        std::vector<std::string> boundary = box.text_attribute("boundary");
        if (boundary.size() == 1) boundary.resize(raw.dimension, boundary[0]);
        for (std::size_t d = 0; d < raw.dimension; ++d) {
            const std::string word = d < boundary.size() ? boundary[d] : "missing";
            raw.periodic[d] = word == "periodic";
            if (word != "periodic" && word != "none")
                refuse_file(box.place(), fmt::format("a boundary is {}", in_quotes(word, 40)),
                            "it is \"periodic\" or \"none\" in each direction", "correct the file");
        }
    }
    if (box.has("edges")) read_edges(box, positions, frame, raw);
    for (const char* name : {"origin", "offset"}) {
        if (!box.has_attribute(name)) continue;
        const std::vector<double> origin = box.number_attribute(name);
        if (origin.size() != raw.dimension)
            refuse_file(box.place(), fmt::format("the {} has {} numbers", name, origin.size()),
                        fmt::format("the box has {} dimensions", raw.dimension),
                        "correct the file");
        std::copy(origin.begin(), origin.end(), raw.origin.begin());
    }
}

/// Names, masses and charges of species as Shadow writes them.
void read_species_table(const hdf5::File& file, RawSystem& raw) {
    if (!file.has_group("parameters/species")) return;
    const hdf5::Group table = file.group("parameters/species");
    raw.names = table.texts("name");
    const auto mass = table.dataset("mass").read<double>();
    const auto charge = table.dataset("charge").read<double>();
    if (mass.size() != raw.names.size() || charge.size() != raw.names.size())
        refuse_file(table.place(), "names, masses and charges differ in number",
                    "each species has one of each", "correct the file");
    for (std::size_t k = 0; k < raw.names.size(); ++k)
        raw.table.push_back({raw.names[k], mass[k], charge[k]});
}

void read_species(const hdf5::File& file, const hdf5::Group& all, const Element& positions,
                  std::uint64_t frame, std::uint64_t n, RawSystem& raw) {
    if (!all.has("species")) {
        raw.names = {"A"};
        raw.species.assign(n, 0);
        return;
    }
    read_species_table(file, raw);
    const auto numbers = read_numbers<std::int64_t>(all, "species", positions, frame, n);
    if (!raw.names.empty()) {
        for (const std::int64_t k : numbers) {
            if (k < 0 || static_cast<std::uint64_t>(k) >= raw.names.size())
                refuse_file(all.place() + "/species", fmt::format("there is no species {}", k),
                            fmt::format("the table has {}", raw.names.size()), "correct the file");
            raw.species.push_back(static_cast<std::size_t>(k));
        }
        return;
    }
    // Without a table the numbers are the names, in ascending order.
    std::vector<std::int64_t> kinds = numbers;
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    if (kinds.size() > 65'535)
        refuse_file(all.place() + "/species", fmt::format("there are {} species", kinds.size()),
                    "there may be 65535", "correct the file");
    for (const std::int64_t k : kinds) raw.names.push_back(std::to_string(k));
    for (const std::int64_t k : numbers)
        raw.species.push_back(static_cast<std::size_t>(
            std::lower_bound(kinds.begin(), kinds.end(), k) - kinds.begin()));
    raw.first_number = 0;
}

} // namespace

template <int Dim>
LoadedSystem<Dim> load_h5md(const std::filesystem::path& path, const LoadOptions& options) {
    const hdf5::File file = hdf5::File::open(path);
    RawSystem raw;
    raw.name = path.string();
    raw.units = units_of(file);
    const hdf5::Group all = particles_of(file, raw.name, options.frame);
    if (!all.has("position"))
        refuse_file(all.place(), "there are no positions", "the trajectory left them out",
                    "give another file");
    const Element positions = element_of(all, "position");
    const auto frames = static_cast<std::int64_t>(positions.frames());
    const std::int64_t frame = options.frame < 0 ? frames + options.frame : options.frame;
    if (frame < 0 || frame >= frames)
        refuse_file(raw.name, fmt::format("there is no frame {}", options.frame),
                    fmt::format("the file has {}", frames), "give another file or frame");
    const auto at = static_cast<std::uint64_t>(frame);
    const hdf5::Shape shape = positions.row_shape();
    if (shape.size() != 2 || shape[1] < 1 || shape[1] > 3)
        refuse_file(positions.value.place(), "the array has a wrong shape",
                    "it should be frames by particles by 1, 2 or 3", "correct the file");
    const std::uint64_t n = shape[0];
    if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
        refuse_file(positions.value.place(), fmt::format("there are {} particles", n),
                    "up to 2147483647 can be", "correct the file");
    raw.dimension = shape[1];
    raw.position = read_vectors<double>(positions, at, n, raw.dimension);
    if (all.has("velocity")) {
        const Element velocity = element_of(all, "velocity");
        raw.velocity =
            read_vectors<double>(velocity, matching(positions, at, velocity), n, raw.dimension);
    }
    if (all.has("image")) {
        const Element image = element_of(all, "image");
        raw.image =
            read_vectors<std::int32_t>(image, matching(positions, at, image), n, raw.dimension);
    }
    read_box(all, positions, at, raw);
    read_species(file, all, positions, at, n, raw);
    if (all.has("mass")) raw.mass = read_numbers<double>(all, "mass", positions, at, n);
    if (all.has("charge")) raw.charge = read_numbers<double>(all, "charge", positions, at, n);
    if (file.has_group("parameters")) raw.topology = read_topology(file.group("parameters"));
    raw.has_exclusions = true;
    if (all.has("id")) raw.id = read_numbers<std::int64_t>(all, "id", positions, at, n);
    return finish<Dim>(std::move(raw), options);
}

template LoadedSystem<1> load_h5md(const std::filesystem::path&, const LoadOptions&);
template LoadedSystem<2> load_h5md(const std::filesystem::path&, const LoadOptions&);
template LoadedSystem<3> load_h5md(const std::filesystem::path&, const LoadOptions&);

} // namespace shadow
