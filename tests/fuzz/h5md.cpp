// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/loaded_system.hpp"

#include "shadow/io/hdf5.hpp"

#include <cstdint>
#include <filesystem>
#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

using namespace shadow;

namespace {

/// Arrays of any type, shape and value under a name of H5MD. (Bytes are not given to the HDF5
/// library as they are: it has faults of its own with damaged files. They choose what a
/// well-formed HDF5 file holds.)
class Builder {
  public:
    Builder(hdf5::File& file, FuzzedDataProvider& bytes) : file_(file), bytes_(bytes) {}

    void build() {
        const std::string group =
            bytes_.ConsumeBool() ? "particles/all" : "particles/" + std::string(1, letter());
        if (bytes_.ConsumeBool()) file_.make_group("particles/other");
        file_.make_group(group);
        // Most files agree about the number of particles, so that the reader gets far.
        particles_ = bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 4);
        dimension_ = bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 4);
        frames_ = bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 3);
        for (const char* name : {"position", "velocity", "image"})
            element(group + "/" + name, {particles_, dimension_});
        for (const char* name : {"species", "id", "mass", "charge"})
            element(group + "/" + name, {particles_});
        if (bytes_.ConsumeBool()) box(group + "/box");
        if (bytes_.ConsumeBool()) table();
    }

  private:
    char letter() { return static_cast<char>('a' + bytes_.ConsumeIntegralInRange(0, 25)); }

    double number() {
        constexpr double special[] = {0.0, 1.0, 2.0, -1.0, 1e-300, 1e300, 1e20, 0.5};
        return bytes_.ConsumeBool() ? special[bytes_.ConsumeIntegralInRange<std::size_t>(0, 7)]
                                    : bytes_.ConsumeFloatingPoint<double>();
    }

    hdf5::Shape shape(hdf5::Shape usual) {
        if (bytes_.ConsumeIntegralInRange(0, 7) > 0) return usual;
        hdf5::Shape other(bytes_.ConsumeIntegralInRange<std::size_t>(0, 4));
        for (std::uint64_t& size : other) size = bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 5);
        return other;
    }

    template <class T>
    void values(const std::string& path, const hdf5::Shape& shape) {
        std::uint64_t count = 1;
        for (const std::uint64_t size : shape) count *= size;
        std::vector<T> numbers(count);
        for (T& x : numbers)
            if constexpr (std::is_floating_point_v<T>)
                x = static_cast<T>(number());
            else
                x = bytes_.ConsumeIntegral<T>();
        file_.write<T>(path, numbers, shape);
    }

    void array(const std::string& path, const hdf5::Shape& usual) {
        const hdf5::Shape s = shape(usual);
        switch (bytes_.ConsumeIntegralInRange(0, 6)) {
        case 0:
            return values<float>(path, s);
        case 1:
            return values<std::int64_t>(path, s);
        case 2:
            return values<std::uint8_t>(path, s);
        case 3:
            return values<std::uint64_t>(path, s);
        case 4:
            return file_.write_text(path, bytes_.ConsumeRandomLengthString(10));
        case 5: {
            hdf5::Shape row = s, chunk(s.size() + 1, 1);
            for (std::uint64_t& size : row) size = bytes_.ConsumeIntegral<std::uint32_t>() | 1;
            file_.write_appendable(path, hdf5::Type::float64, row, chunk).resize_rows(2);
            return;
        }
        default:
            return values<double>(path, s);
        }
    }

    void element(const std::string& path, hdf5::Shape row) {
        if (bytes_.ConsumeIntegralInRange(0, 3) == 0) return;
        if (bytes_.ConsumeBool()) return array(path, row);
        row.insert(row.begin(), frames_);
        array(path + "/value", row);
        if (bytes_.ConsumeBool()) array(path + "/step", {frames_});
    }

    void box(const std::string& path) {
        hdf5::Group group = file_.make_group(path);
        if (bytes_.ConsumeBool()) {
            std::vector<std::string> boundary(bytes_.ConsumeIntegralInRange<std::size_t>(0, 4));
            for (std::string& word : boundary)
                word = bytes_.ConsumeIntegralInRange(0, 7) == 0
                           ? bytes_.ConsumeRandomLengthString(9)
                       : bytes_.ConsumeBool() ? "periodic"
                                              : "none";
            group.set_attribute("boundary", boundary);
        }
        if (bytes_.ConsumeBool())
            group.set_attribute(
                "origin",
                std::vector<double>(bytes_.ConsumeIntegralInRange<std::size_t>(0, 4), number()));
        element(path + "/edges", bytes_.ConsumeBool() ? hdf5::Shape{dimension_}
                                                      : hdf5::Shape{dimension_, dimension_});
    }

    void table() {
        std::vector<std::string> names(bytes_.ConsumeIntegralInRange<std::size_t>(0, 3));
        for (std::string& name : names) name = std::string(1, letter());
        file_.write_texts("parameters/species/name", names);
        array("parameters/species/mass", {names.size()});
        array("parameters/species/charge", {names.size()});
    }

    hdf5::File& file_;
    FuzzedDataProvider& bytes_;
    std::uint64_t particles_ = 0, dimension_ = 0, frames_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto path = std::filesystem::temp_directory_path() /
                             ("shadow-fuzz-" + std::to_string(::getpid()) + ".h5");
    FuzzedDataProvider bytes(data, size);
    try {
        hdf5::File file = hdf5::File::create(path);
        Builder(file, bytes).build();
        file.close();
    } catch (const MachineError&) { // such a file cannot be made
        return 0;
    }
    try_to_load([&](const LoadOptions& options) { return load_system<3>(path, options); });
    try_to_load([&](const LoadOptions& options) { return load_system<2>(path, options); });
    std::filesystem::remove(path);
    return 0;
}
