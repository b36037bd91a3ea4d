// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/hdf5_calls.hpp"

#include "shadow/io/hdf5.hpp"

#include <limits>

/// Attributes and arrays.
namespace shadow::hdf5 {
namespace {

void set_attribute_raw(hid_t object, const std::string& place, const std::string& name, hid_t type,
                       const Handle& space, const void* data) {
    if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
    const Handle attribute =
        writing(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                place, fmt::format("attribute '{}' cannot be written", name));
    if (H5Awrite(attribute.get(), type, data) < 0)
        fail_writing(place, fmt::format("attribute '{}' cannot be written", name));
}

} // namespace

void Object::set_attribute(const std::string& name, const std::string& text) {
    const char* pointer = text.c_str();
    set_attribute_raw(handle_.get(), place_, name, text_type().get(), space_of({}), &pointer);
}

void Object::set_attribute(const std::string& name, std::span<const std::string> texts) {
    set_attribute_raw(handle_.get(), place_, name, text_type().get(), space_of({texts.size()}),
                      pointers(texts).data());
}

void Object::set_attribute(const std::string& name, std::span<const double> numbers) {
    set_attribute_raw(handle_.get(), place_, name, H5T_NATIVE_DOUBLE, space_of({numbers.size()}),
                      numbers.data());
}

void Object::set_attribute(const std::string& name, std::span<const std::int64_t> numbers) {
    set_attribute_raw(handle_.get(), place_, name, H5T_NATIVE_INT64, space_of({numbers.size()}),
                      numbers.data());
}

bool Object::has_attribute(const std::string& name) const {
    return H5Aexists(handle_.get(), name.c_str()) > 0;
}

std::vector<std::string> Object::text_attribute(const std::string& name) const {
    const std::string what = fmt::format("attribute '{}' cannot be read", name);
    const Handle attribute =
        reading(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), place_, what);
    const Handle type = reading(H5Aget_type(attribute.get()), place_, what);
    const Handle space = reading(H5Aget_space(attribute.get()), place_, what);
    if (H5Tget_class(type.get()) != H5T_STRING)
        fail_reading(place_, fmt::format("attribute '{}' is not text", name),
                     "it holds another type");
    return read_texts(
        type, space, [&](hid_t as, void* to) { return H5Aread(attribute.get(), as, to); }, place_);
}

std::vector<double> Object::number_attribute(const std::string& name) const {
    const std::string what = fmt::format("attribute '{}' cannot be read as numbers", name);
    const Handle attribute =
        reading(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), place_, what);
    const Handle space = reading(H5Aget_space(attribute.get()), place_, what);
    const hssize_t points = H5Sget_simple_extent_npoints(space.get());
    if (points < 0 || points > 100'000) fail_reading(place_, what);
    std::vector<double> numbers(static_cast<std::size_t>(points));
    if (!numbers.empty() && H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, numbers.data()) < 0)
        fail_reading(place_, what);
    return numbers;
}

Shape Dataset::shape() const {
    const Handle space = reading(H5Dget_space(handle_.get()), place_, "the array has no shape");
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank < 0) fail_reading(place_, "the array has no shape");
    std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
    return {sizes.begin(), sizes.end()};
}

std::uint64_t Dataset::rows() const {
    const Shape sizes = shape();
    return sizes.empty() ? 1 : sizes[0];
}

bool Dataset::is_number() const {
    const Handle type(H5Dget_type(handle_.get()));
    const H5T_class_t kind = H5Tget_class(type.get());
    return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;
}

std::size_t Dataset::allocatable(std::uint64_t first, std::uint64_t count,
                                 std::size_t element) const {
    Shape sizes = shape();
    if (first > rows() || count > rows() - first)
        fail_reading(place_, fmt::format("rows {} to {} do not exist", first, first + count),
                     fmt::format("there are {}", rows()));
    if (!sizes.empty()) sizes[0] = count;
    std::uint64_t total = 1;
    for (const std::uint64_t size : sizes)
        if (__builtin_mul_overflow(total, size, &total)) total = ~std::uint64_t{0} / 2;
    if (total > std::numeric_limits<std::ptrdiff_t>::max() / element)
        fail_reading(place_, "the array is larger than any memory", "its shape is damaged");
    // No filter of HDF5 compresses by a factor of a thousand; such an array was never written.
    if (total > (std::uint64_t{1} << 20) && H5Dget_storage_size(handle_.get()) < total / 2000)
        fail_reading(place_, "most of the array is absent", "it was never written");
    return total;
}

void Dataset::read_raw(void* to, Type type, std::uint64_t first, std::uint64_t count) const {
    if (!is_number())
        fail_reading(place_, "the array does not hold numbers", "it holds another type");
    const Shape sizes = shape();
    const Handle file(H5Dget_space(handle_.get()));
    if (H5Sget_simple_extent_npoints(file.get()) == 0 || count == 0) return;
    Handle memory(H5Scopy(file.get()));
    if (!sizes.empty() && count != sizes[0]) {
        std::vector<hsize_t> start(sizes.size(), 0), extent(sizes.begin(), sizes.end());
        start[0] = first;
        extent[0] = count;
        H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                            nullptr);
        memory = Handle(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
    }
    if (H5Dread(handle_.get(), native(type), memory.get(), file.get(), H5P_DEFAULT, to) < 0)
        fail_reading(place_, "the array cannot be read");
}

void Dataset::append_raw(const void* from, Type type, std::uint64_t count) {
    Shape sizes = shape();
    std::uint64_t per_row = 1;
    for (std::size_t d = 1; d < sizes.size(); ++d) per_row *= sizes[d];
    if (count == 0 || per_row == 0) return;
    const std::uint64_t added = count / per_row;
    std::vector<hsize_t> start(sizes.size(), 0), extent(sizes.begin(), sizes.end());
    start[0] = sizes[0];
    extent[0] = added;
    resize_rows(sizes[0] + added);
    const Handle file(H5Dget_space(handle_.get()));
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
    const Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
    if (H5Dwrite(handle_.get(), native(type), memory.get(), file.get(), H5P_DEFAULT, from) < 0)
        fail_writing(place_, "rows cannot be written");
}

void Dataset::resize_rows(std::uint64_t count) {
    const Shape sizes = shape();
    std::vector<hsize_t> extent(sizes.begin(), sizes.end());
    if (extent.empty()) fail_writing(place_, "a single number has no rows to add or cut off");
    extent[0] = count;
    if (H5Dset_extent(handle_.get(), extent.data()) < 0)
        fail_writing(place_, "the number of rows cannot be changed");
}

} // namespace shadow::hdf5
