// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/checkpoint.hpp"

#include "src/io/scalar_file.hpp"
#include "src/io/topology_file.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/hdf5.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace shadow {
namespace {

namespace fs = std::filesystem;

/// Follows the last byte of the HDF5 file, where HDF5 ignores it. A damaged file is thus detected
/// before it is read by the HDF5 library, which does not check its files.
struct Trailer {
    char mark[8] = {'S', 'H', 'A', 'D', 'O', 'W', 'C', 'K'};
    std::uint64_t bytes = 0;  ///< of the HDF5 file
    std::uint32_t crc = 0;    ///< of the HDF5 file
    std::uint32_t format = 2; ///< 1: variables of the ensemble have no names
};

[[noreturn]] void refuse(const fs::path& path, const std::string& problem, const std::string& why) {
    throw InputError(
        fmt::format("{}: {} ({}); restore it, or start without it", path.string(), problem, why));
}

template <class T, std::size_t Dim>
void write_vectors(hdf5::Group& group, const std::string& name,
                   const std::vector<std::array<T, Dim>>& vectors) {
    const T* numbers = vectors.empty() ? nullptr : vectors.front().data();
    group.write<T>(name, {numbers, vectors.size() * Dim}, {vectors.size(), Dim});
}

template <class T, std::size_t Dim>
void read_vectors(const hdf5::Group& group, const std::string& name,
                  std::vector<std::array<T, Dim>>& vectors) {
    const hdf5::Dataset dataset = group.dataset(name);
    const hdf5::Shape shape = dataset.shape();
    if (shape.size() != 2 || shape[1] != Dim)
        refuse(dataset.place(), "the array has a wrong shape", "the checkpoint is damaged");
    const std::vector<T> numbers = dataset.read<T>();
    vectors.resize(shape[0]);
    if (!numbers.empty()) std::memcpy(vectors.data(), numbers.data(), numbers.size() * sizeof(T));
}

/// Calls `read(name)` for everything in a group; names with slashes are groups in HDF5.
template <class Read>
void for_each_name(const hdf5::Group& group, const std::string& prefix, Read read) {
    for (const std::string& name : group.names()) {
        if (group.has_group(name))
            for_each_name(group.group(name), prefix + name + "/", read);
        else
            read(prefix + name);
    }
}

template <int Dim>
void write_motion(hdf5::Group& group, const Snapshot<Dim>& snapshot) {
    write_vectors(group, "position", snapshot.position);
    write_vectors(group, "momentum", snapshot.momentum);
    write_vectors(group, "image", snapshot.image);
}

template <int Dim>
void read_motion(const hdf5::Group& group, Snapshot<Dim>& snapshot) {
    read_vectors(group, "position", snapshot.position);
    read_vectors(group, "momentum", snapshot.momentum);
    read_vectors(group, "image", snapshot.image);
}

template <int Dim>
void write_state(hdf5::Group group, const SystemState<Dim>& state) {
    const Snapshot<Dim>& snapshot = state.snapshot;
    write_motion(group, snapshot);
    group.write("species", snapshot.species);
    write_vectors(group, "reference", state.reference);
    group.write("reference_lengths", state.reference_lengths);
    group.write("box_lengths", state.ensemble.lengths);
    group.write("box_sliding",
                std::vector{state.ensemble.slide, state.ensemble.turns, state.reference_slide});
    group.write("box_third_edge", std::vector{state.ensemble.third[0], state.ensemble.third[1],
                                              state.reference_third[0], state.reference_third[1]});
    write_scalars(group, state.ensemble.scalars);
    group.write("bath_heat", state.bath_heat);
    std::vector<std::string> names;
    std::vector<double> masses, charges;
    for (const Species& kind : snapshot.species_table) {
        names.push_back(kind.name);
        masses.push_back(kind.mass);
        charges.push_back(kind.charge);
    }
    group.write_texts("species_name", names);
    group.write("species_mass", masses);
    group.write("species_charge", charges);
    group.write_scalar("step", snapshot.step);
    group.write_scalar("time", snapshot.time);
    group.write_scalar("rebuilds", state.rebuilds);
    group.write_scalar("time_base", state.ensemble.time_base);
    group.write_scalar("steps_since_base", state.ensemble.steps_since_base);
    group.write_scalar("dt", state.ensemble.dt);
    group.write<std::int32_t>("evaluated", state.evaluated, {state.evaluated.size()});
}

template <int Dim>
void write_box(hdf5::Group group, const Box<Dim>& box) {
    std::vector<std::int32_t> periodic(box.periodic().begin(), box.periodic().end());
    group.write<double>("lengths", box.lengths(), {Dim});
    group.write<double>("origin", box.origin(), {Dim});
    group.write("periodic", periodic);
    const SlidingImages& sliding = box.sliding();
    group.write("sliding",
                std::vector<double>{static_cast<double>(sliding.flow),
                                    static_cast<double>(sliding.gradient), sliding.slide,
                                    sliding.turns, sliding.third_flow, sliding.third_gradient});
}

template <int Dim>
Box<Dim> read_box(const hdf5::Group& group) {
    const auto lengths = group.dataset("lengths").read<double>();
    const auto origin = group.dataset("origin").read<double>();
    const auto periodic = group.dataset("periodic").read<std::int32_t>();
    std::array<double, Dim> length{}, from{};
    std::array<bool, Dim> closed{};
    for (std::size_t d = 0; d < Dim; ++d) {
        length[d] = lengths.at(d);
        from[d] = origin.at(d);
        closed[d] = periodic.at(d) != 0;
    }
    Box<Dim> box(length, closed, from);
    if (group.has_dataset("sliding")) {
        const auto sliding = group.dataset("sliding").read<double>();
        const auto direction = [&](std::size_t k) {
            return std::clamp(static_cast<std::int32_t>(sliding.at(k)), 0, Dim - 1);
        };
        box.set_sliding({direction(0), direction(1), sliding.at(2), sliding.at(3), sliding.at(4),
                         sliding.at(5)});
    }
    return box;
}

template <class T>
T read_scalar(const hdf5::Group& group, const std::string& name) {
    return group.dataset(name).read<T>().at(0);
}

template <int Dim>
SystemState<Dim> read_state(const hdf5::Group& group) {
    SystemState<Dim> state;
    Snapshot<Dim>& snapshot = state.snapshot;
    read_motion(group, snapshot);
    snapshot.species = group.dataset("species").read<std::uint16_t>();
    read_vectors(group, "reference", state.reference);
    if (group.has_dataset("box_lengths")) {
        state.reference_lengths = group.dataset("reference_lengths").read<double>();
        state.ensemble.lengths = group.dataset("box_lengths").read<double>();
    }
    if (group.has_dataset("box_sliding")) {
        const auto sliding = group.dataset("box_sliding").read<double>();
        state.ensemble.slide = sliding.at(0);
        state.ensemble.turns = sliding.at(1);
        state.reference_slide = sliding.at(2);
    }
    if (group.has_dataset("box_third_edge")) {
        const auto third = group.dataset("box_third_edge").read<double>();
        state.ensemble.third = {third.at(0), third.at(1)};
        state.reference_third = {third.at(2), third.at(3)};
    }
    state.ensemble.scalars = read_scalars(group);
    snapshot.s = state.ensemble.scalars.at(Scalar::s);
    state.bath_heat = group.dataset("bath_heat").read<double>();
    const std::vector<std::string> names = group.texts("species_name");
    const auto masses = group.dataset("species_mass").read<double>();
    const auto charges = group.dataset("species_charge").read<double>();
    for (std::size_t i = 0; i < names.size(); ++i)
        snapshot.species_table.push_back({names[i], masses.at(i), charges.at(i)});
    snapshot.step = read_scalar<std::int64_t>(group, "step");
    state.ensemble.step = snapshot.step;
    snapshot.time = read_scalar<double>(group, "time");
    state.rebuilds = read_scalar<std::int64_t>(group, "rebuilds");
    state.ensemble.time_base = read_scalar<double>(group, "time_base");
    state.ensemble.steps_since_base = read_scalar<std::int64_t>(group, "steps_since_base");
    state.ensemble.dt = read_scalar<double>(group, "dt");
    const auto evaluated = group.dataset("evaluated").read<std::int32_t>();
    if (evaluated.size() != state.evaluated.size())
        refuse(group.place(), "the state of the forces has a wrong shape",
               "it was written by another version");
    std::copy(evaluated.begin(), evaluated.end(), state.evaluated.begin());
    return state;
}

/// Throws unless the file ends with a trailer that matches the bytes before it.
void verify(const fs::path& path) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    if (error == std::errc::no_such_file_or_directory)
        throw InputError(fmt::format("{}: there is no checkpoint to continue from ({}); start "
                                     "without --resume, and where there are results already "
                                     "with `output.overwrite = true`",
                                     path.string(), error.message()));
    if (error) refuse(path, "the checkpoint cannot be read", error.message());
    Trailer trailer;
    const Trailer good;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw InputError(fmt::format("{}: the checkpoint cannot be read ({}); make it readable",
                                     path.string(), std::strerror(errno)));
    file.seekg(static_cast<std::streamoff>(size) - static_cast<std::streamoff>(sizeof trailer));
    if (size < sizeof trailer || !file.read(reinterpret_cast<char*>(&trailer), sizeof trailer) ||
        std::memcmp(trailer.mark, good.mark, sizeof good.mark) != 0 ||
        trailer.bytes != size - sizeof trailer)
        refuse(path, "this is not a whole checkpoint",
               "it is truncated, or another program wrote it");
    if (trailer.format < 1 || trailer.format > good.format)
        refuse(path, "the checkpoint has another format",
               fmt::format("its number is {}, those that are known are 1 to {}", trailer.format,
                           good.format));
    if (file_crc32(path, trailer.bytes) != trailer.crc)
        refuse(path, "the checkpoint is damaged", "its CRC-32 is wrong");
}

} // namespace

template <int Dim>
void write_checkpoint(const fs::path& path, const Checkpoint<Dim>& checkpoint) {
    const fs::path temporary = path.string() + ".tmp";
    remove_file(temporary); // left by a run that was killed
    try {
        hdf5::File file = hdf5::File::create(temporary);
        file.write_scalar("dimension", std::int64_t{Dim});
        file.write_scalar("particles", static_cast<std::int64_t>(checkpoint.state.snapshot.size()));
        file.write_text("input", checkpoint.input);
        file.write_text("precision", checkpoint.precision);
        file.write_text("version", checkpoint.version);
        write_state(file.make_group("state"), checkpoint.state);
        if (checkpoint.output) {
            hdf5::Group output = file.make_group("output");
            write_motion(output, *checkpoint.output);
            output.write_scalar("time", checkpoint.output->time);
            output.write_scalar("s", checkpoint.output->s);
        }
        if (checkpoint.box) write_box(file.make_group("box"), *checkpoint.box);
        write_topology(file, checkpoint.topology);
        hdf5::Group numbers = file.make_group("numbers");
        for (const auto& [name, values] : checkpoint.numbers) numbers.write(name, values);
        hdf5::Group integers = file.make_group("integers");
        for (const auto& [name, values] : checkpoint.integers) integers.write(name, values);
        hdf5::Group texts = file.make_group("texts");
        for (const auto& [name, values] : checkpoint.texts) texts.write_texts(name, values);
        file.close();

        Trailer trailer;
        trailer.bytes = fs::file_size(temporary);
        trailer.crc = file_crc32(temporary, trailer.bytes);
        append_to_file(temporary, {reinterpret_cast<const char*>(&trailer), sizeof trailer});
        replace_file(temporary, path);
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

bool is_checkpoint(const fs::path& path) {
    Trailer trailer;
    const Trailer good;
    std::ifstream file(path, std::ios::binary);
    file.seekg(-static_cast<std::streamoff>(sizeof trailer), std::ios::end);
    return file.read(reinterpret_cast<char*>(&trailer), sizeof trailer) &&
           std::memcmp(trailer.mark, good.mark, sizeof good.mark) == 0;
}

template <int Dim>
Checkpoint<Dim> read_checkpoint(const fs::path& path, const std::string& precision) {
    verify(path);
    const hdf5::File file = hdf5::File::open(path);
    const auto dimension = read_scalar<std::int64_t>(file, "dimension");
    if (dimension != Dim)
        refuse(path, "this is the checkpoint of another system",
               fmt::format("it has dimension {}, the input {}", dimension, Dim));
    Checkpoint<Dim> checkpoint;
    checkpoint.input = file.texts("input").at(0);
    checkpoint.precision = file.texts("precision").at(0);
    checkpoint.version = file.texts("version").at(0);
    if (!precision.empty() && checkpoint.precision != precision)
        refuse(path, "the checkpoint has another precision",
               fmt::format("it was written in {}, the input says {}", checkpoint.precision,
                           precision));
    checkpoint.state = read_state<Dim>(file.group("state"));
    if (file.has_group("output")) {
        const hdf5::Group output = file.group("output");
        checkpoint.output = checkpoint.state.snapshot;
        read_motion(output, *checkpoint.output);
        checkpoint.output->time = read_scalar<double>(output, "time");
        if (output.has_dataset("s")) checkpoint.output->s = read_scalar<double>(output, "s");
    }
    if (file.has_group("box")) checkpoint.box = read_box<Dim>(file.group("box"));
    checkpoint.topology = read_topology(file);
    const hdf5::Group numbers = file.group("numbers");
    for_each_name(numbers, "", [&](const std::string& name) {
        checkpoint.numbers[name] = numbers.dataset(name).read<double>();
    });
    const hdf5::Group integers = file.group("integers");
    for_each_name(integers, "", [&](const std::string& name) {
        checkpoint.integers[name] = integers.dataset(name).read<std::int64_t>();
    });
    const hdf5::Group texts = file.group("texts");
    for_each_name(texts, "",
                  [&](const std::string& name) { checkpoint.texts[name] = texts.texts(name); });
    return checkpoint;
}

template void write_checkpoint(const fs::path&, const Checkpoint<1>&);
template void write_checkpoint(const fs::path&, const Checkpoint<2>&);
template void write_checkpoint(const fs::path&, const Checkpoint<3>&);
template Checkpoint<1> read_checkpoint(const fs::path&, const std::string&);
template Checkpoint<2> read_checkpoint(const fs::path&, const std::string&);
template Checkpoint<3> read_checkpoint(const fs::path&, const std::string&);

} // namespace shadow
