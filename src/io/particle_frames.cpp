// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/particle_frames.hpp"

#include "shadow/core/error.hpp"
#include "shadow/system/units.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace shadow {
namespace {

/// Units of particle fields as MDAnalysis spells them; it rejects unknown units, so reduced units,
/// which it does not have, are omitted.
std::string particle_unit(const std::string& units, const std::string& quantity) {
    if (units == "lj") return "";
    if (units == "akma" && quantity == "time") return "AKMA";
    if (units == "akma" && quantity == "velocity") return "Angstrom AKMA-1";
    const Units& named = units_named(units);
    if (quantity == "velocity") return fmt::format("{} {}-1", named.length, named.time);
    if (quantity == "energy/length") return fmt::format("{} {}-1", named.energy, named.length);
    return named.express(quantity);
}

/// Small systems: several frames in 64 KiB; large ones: pieces of a frame of 1 MiB.
hdf5::Shape frame_chunk(const hdf5::Shape& row) {
    const std::uint64_t width = row.size() > 1 ? row[1] : 1;
    const std::uint64_t particles = std::clamp<std::uint64_t>((std::uint64_t{1} << 17) / width, 1,
                                                              std::max<std::uint64_t>(row[0], 1));
    const std::uint64_t frames = std::clamp<std::uint64_t>(8192 / (particles * width), 1, 64);
    hdf5::Shape chunk{frames, particles};
    if (row.size() > 1) chunk.push_back(width);
    return chunk;
}

/// The same box with images slid by at most half a length, as readers of triclinic boxes expect.
template <int Dim>
Box<Dim> reduced(const Box<Dim>& box) {
    Box<Dim> same = box;
    if (const SlidingImages& sliding = box.sliding(); sliding.any())
        same.set_sliding(sliding.reduced(box.lengths()[static_cast<std::size_t>(sliding.flow)]));
    return same;
}

/// Positions inside the box, and images, including full turns of the slide, that give the unwrapped
/// positions.
template <int Dim>
void wrap(const Box<Dim>& box, const Snapshot<Dim>& frame, std::vector<double>& position,
          std::vector<std::int32_t>& image) {
    const Box<Dim> here = reduced(box);
    const SlidingImages& sliding = here.sliding();
    for (std::size_t i = 0; i < frame.size(); ++i) {
        std::array<double, Dim> place = frame.position[i];
        std::array<std::int32_t, Dim> crossed = frame.image[i];
        here.bring_in(place, crossed);
        if (sliding.any())
            crossed[static_cast<std::size_t>(sliding.flow)] +=
                crossed[static_cast<std::size_t>(sliding.gradient)] *
                static_cast<std::int32_t>(sliding.turns);
        position.insert(position.end(), place.begin(), place.end());
        image.insert(image.end(), crossed.begin(), crossed.end());
    }
}

} // namespace

void ParticleFrames::set_quantity(hdf5::Dataset& dataset, const std::string& quantity) const {
    if (quantity.empty()) return;
    dataset.set_attribute("quantity", quantity);
    const std::string unit = particle_unit(units_, quantity);
    if (!unit.empty()) dataset.set_attribute("unit", unit);
}

void ParticleFrames::add_element(hdf5::File& file, const std::string& name, const hdf5::Shape& row,
                                 hdf5::Type type, const std::string& quantity) {
    const std::string group = group_ + "/" + name;
    if (file.has(group)) {
        hdf5::Dataset value = file.dataset(group + "/value");
        const hdf5::Shape shape = value.shape();
        if (shape.empty() || hdf5::Shape(shape.begin() + 1, shape.end()) != row)
            throw InputError(fmt::format("{} has rows of another shape (it belongs to another "
                                         "system); give another `output.prefix`",
                                         value.place()));
        step_ = file.dataset(group + "/step");
        time_ = file.dataset(group + "/time");
        elements_[name] = std::move(value);
        return;
    }
    if (step_.is_open() && step_.rows() > 0)
        throw InputError(fmt::format("field '{}' is missing from the frames so far (all frames of "
                                     "a file have the same fields); leave "
                                     "`output.trajectory.fields` as it was, or give another "
                                     "`output.prefix`",
                                     name));
    if (!step_.is_open()) {
        step_ = file.write_appendable(group + "/step", hdf5::Type::int64, {}, {512});
        time_ = file.write_appendable(group + "/time", hdf5::Type::float64, {}, {512});
        set_quantity(time_, "time");
        first_element_ = group;
    } else {
        file.link(first_element_ + "/step", group + "/step");
        file.link(first_element_ + "/time", group + "/time");
    }
    hdf5::Dataset value = file.write_appendable(
        group + "/value", type, row,
        name == "box/edges" ? hdf5::Shape{128, row[0], row[1]} : frame_chunk(row));
    set_quantity(value, quantity);
    elements_[name] = std::move(value);
}

/// All fields share their steps, so a field that existed before cannot be omitted now.
void ParticleFrames::refuse_missing_fields(hdf5::Group& all) const {
    for (const std::string& name : all.names()) {
        if (elements_.contains(name) || !all.has_dataset(name + "/value")) continue;
        if (all.dataset(name + "/value").rows() > 0)
            throw InputError(fmt::format("field '{}' of the frames so far in {} is left out now "
                                         "(all frames have the same fields); leave "
                                         "`output.trajectory` as it was or give another "
                                         "`output.prefix`",
                                         name, all.place()));
        all.remove(name);
    }
}

template <int Dim>
void ParticleFrames::describe(hdf5::File& file, const std::string& units, const Box<Dim>& box,
                              const Snapshot<Dim>& system, const TrajectoryFields& fields) {
    units_ = units;
    fields_ = fields;
    particles_ = system.size();
    elements_.clear();
    step_ = {};
    time_ = {};
    first_element_.clear();
    const bool fresh = !file.has(group_);
    hdf5::Group all = file.make_group(group_);
    const hdf5::Type real = hdf5::Type::float64;
    if (fields.position) add_element(file, "position", {particles_, Dim}, real, "length");
    if (fields.velocity) add_element(file, "velocity", {particles_, Dim}, real, "velocity");
    if (fields.image) add_element(file, "image", {particles_, Dim}, hdf5::Type::int32, "");
    for (const ParticleSeries& extra : fields.extra)
        add_element(file, extra.name,
                    extra.width == 1 && !extra.vector ? hdf5::Shape{particles_}
                                                      : hdf5::Shape{particles_, extra.width},
                    real, extra.unit);
    // As a matrix: H5MD also allows a vector, but some readers do not (MDAnalysis 2.4).
    if (!box.is_open()) add_element(file, "box/edges", {Dim, Dim}, hdf5::Type::float64, "length");
    find_last_frame();
    if (fresh)
        write_constants(file, all, box, system);
    else
        refuse_missing_fields(all);
}

/// Writes the data that are the same in all frames.
template <int Dim>
void ParticleFrames::write_constants(hdf5::File& file, hdf5::Group& all, const Box<Dim>& box,
                                     const Snapshot<Dim>& system) const {
    hdf5::Group box_group = all.make_group("box");
    std::vector<std::string> boundary;
    for (const bool periodic : box.periodic())
        boundary.emplace_back(periodic ? "periodic" : "none");
    const std::vector<std::int64_t> dimension{Dim};
    box_group.set_attribute("dimension", dimension);
    box_group.set_attribute("boundary", boundary);
    box_group.set_attribute("origin", std::span<const double>(box.origin()));

    std::vector<std::int64_t> id(particles_);
    std::iota(id.begin(), id.end(), std::int64_t{0});
    all.write("id", id);
    all.write("species", std::vector<std::int32_t>(system.species.begin(), system.species.end()));
    const double inertia = units_named(units_).inertia;
    std::vector<double> mass, charge;
    for (const std::uint16_t kind : system.species) {
        mass.push_back(system.species_table.at(kind).mass / inertia);
        charge.push_back(system.species_table.at(kind).charge);
    }
    all.write("mass", mass).set_attribute("quantity", std::string("mass"));
    all.write("charge", charge).set_attribute("quantity", std::string("charge"));
    if (file.has("parameters/species")) return;
    std::vector<std::string> names;
    for (const Species& kind : system.species_table) names.push_back(kind.name);
    hdf5::Group table = file.make_group("parameters/species");
    table.write_texts("name", names);
    std::vector<double> masses, charges;
    for (const Species& kind : system.species_table) {
        masses.push_back(kind.mass / inertia);
        charges.push_back(kind.charge);
    }
    table.write("mass", masses);
    table.write("charge", charges);
}

template <int Dim>
void ParticleFrames::append(const Box<Dim>& box, const Snapshot<Dim>& frame,
                            std::span<const std::vector<double>> extra) {
    if (elements_.empty() || frame.size() != particles_ || extra.size() != fields_.extra.size())
        throw MachineError(fmt::format("{}: a frame of {} particles and {} extra fields does not "
                                       "fit (described: {} and {}); report this as a fault",
                                       group_, frame.size(), extra.size(), particles_,
                                       fields_.extra.size()));
    if (last_frame_ && frame.step <= *last_frame_) return;
    std::vector<double> position, velocity;
    std::vector<std::int32_t> image;
    if (fields_.position || fields_.image) wrap(box, frame, position, image);
    if (fields_.position) elements_["position"].append<double>(position);
    if (fields_.image) elements_["image"].append<std::int32_t>(image);
    if (fields_.velocity) {
        velocity.reserve(frame.size() * Dim);
        for (std::size_t i = 0; i < frame.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) velocity.push_back(frame.velocity(i, d));
        elements_["velocity"].append<double>(velocity);
    }
    for (std::size_t i = 0; i < extra.size(); ++i)
        elements_[fields_.extra[i].name].append<double>(extra[i]);
    if (!box.is_open()) {
        std::array<double, Dim * Dim> edges{};
        const Box<Dim> here = reduced(box);
        for (std::size_t k = 0; k < edges.size(); ++k) edges[k] = here.edge(k / Dim, k % Dim);
        elements_["box/edges"].append<double>(edges);
    }
    step_.append<std::int64_t>({&frame.step, 1});
    time_.append<double>({&frame.time, 1});
    last_frame_ = frame.step;
    ++frames_;
}

void ParticleFrames::find_last_frame() {
    frames_ = step_.is_open() ? step_.rows() : 0;
    last_frame_.reset();
    if (frames_ > 0) last_frame_ = step_.read_rows<std::int64_t>(frames_ - 1, 1)[0];
}

void ParticleFrames::keep(std::span<const std::int64_t> steps) {
    if (frames_ == 0) return;
    const std::vector<std::int64_t> there = step_.read<std::int64_t>();
    const auto end = std::find_if(there.begin(), there.end(), [steps](std::int64_t step) {
        return std::find(steps.begin(), steps.end(), step) == steps.end();
    });
    const auto rows = static_cast<std::uint64_t>(end - there.begin());
    for (auto& [name, value] : elements_) value.resize_rows(rows);
    step_.resize_rows(rows);
    time_.resize_rows(rows);
    find_last_frame();
}

void ParticleFrames::close() {
    elements_.clear();
    step_ = {};
    time_ = {};
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void ParticleFrames::describe(hdf5::File&, const std::string&, const Box<Dim>&,       \
                                           const Snapshot<Dim>&, const TrajectoryFields&);         \
    template void ParticleFrames::append(const Box<Dim>&, const Snapshot<Dim>&,                    \
                                         std::span<const std::vector<double>>);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
