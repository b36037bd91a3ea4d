// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/error.hpp"
#include "shadow/io/hdf5.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <hdf5.h>

/// Functions shared by the two files that call the HDF5 library.
namespace shadow::hdf5 {

/// The innermost message of HDF5's error stack; clears the stack.
inline std::string reason() {
    std::string text;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* error, void* data) -> herr_t {
            if (n == 0 && error->desc) *static_cast<std::string*>(data) = error->desc;
            return 0;
        },
        &text);
    H5Eclear2(H5E_DEFAULT);
    // HDF5 puts the system's message between quotes, among addresses that mean nothing to a user.
    if (const auto begin = text.find("error message = '"); begin != std::string::npos) {
        const auto from = begin + std::strlen("error message = '");
        text = text.substr(from, text.find('\'', from) - from);
    }
    return text.empty() ? "no reason given by HDF5" : text;
}

[[noreturn]] inline void fail_reading(const std::string& place, const std::string& what,
                                      const std::string& why = reason()) {
    throw InputError(fmt::format("{}: {} ({}); give a complete file with the expected contents",
                                 place, what, why));
}

[[noreturn]] inline void fail_writing(const std::string& place, const std::string& what) {
    const std::string why = reason();
    throw MachineError(
        fmt::format("{}: {} ({}); {}", place, what, why,
                    why.find("o space left") != std::string::npos
                        ? "make room on this disk, then continue from the last checkpoint"
                        : "check the disk, then continue from the last checkpoint"));
}

inline Handle reading(hid_t id, const std::string& place, const std::string& what) {
    if (id < 0) fail_reading(place, what);
    return Handle(id);
}

inline Handle writing(hid_t id, const std::string& place, const std::string& what) {
    if (id < 0) fail_writing(place, what);
    return Handle(id);
}

inline hid_t native(Type type) {
    switch (type) {
    case Type::float64:
        return H5T_NATIVE_DOUBLE;
    case Type::float32:
        return H5T_NATIVE_FLOAT;
    case Type::int64:
        return H5T_NATIVE_INT64;
    case Type::uint64:
        return H5T_NATIVE_UINT64;
    case Type::int32:
        return H5T_NATIVE_INT32;
    case Type::uint32:
        return H5T_NATIVE_UINT32;
    case Type::uint16:
        return H5T_NATIVE_UINT16;
    case Type::uint8:
        return H5T_NATIVE_UINT8;
    }
    return -1;
}

inline Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

inline Handle space_of(const Shape& shape) {
    if (shape.empty()) return Handle(H5Screate(H5S_SCALAR));
    const std::vector<hsize_t> sizes(shape.begin(), shape.end());
    return Handle(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr));
}

inline std::vector<const char*> pointers(std::span<const std::string> texts) {
    std::vector<const char*> result;
    for (const std::string& text : texts) result.push_back(text.c_str());
    return result;
}

/// Reads all texts of a dataset or attribute of any string type; `read(type, memory)` is H5Dread or
/// H5Aread.
template <class Read>
std::vector<std::string> read_texts(const Handle& type, const Handle& space, Read read,
                                    const std::string& place) {
    const hssize_t points = H5Sget_simple_extent_npoints(space.get());
    if (points < 0 || points > 1'000'000)
        fail_reading(place, "the text has no usable size", "its shape is damaged or far too large");
    const auto count = static_cast<std::size_t>(points);
    std::vector<std::string> texts;
    if (count == 0) return texts;
    if (H5Tis_variable_str(type.get()) > 0) {
        std::vector<char*> memory(count, nullptr);
        const Handle as(H5Tcopy(type.get()));
        if (read(as.get(), memory.data()) < 0) fail_reading(place, "the text cannot be read");
        for (const char* text : memory) texts.emplace_back(text ? text : "");
        H5Dvlen_reclaim(as.get(), space.get(), H5P_DEFAULT, memory.data());
        return texts;
    }
    const std::size_t size = H5Tget_size(type.get());
    if (size == 0 || size > (std::size_t{1} << 30) / count)
        fail_reading(place, "the text has no usable size", "its shape is damaged or far too large");
    std::vector<char> memory(count * size);
    if (read(type.get(), memory.data()) < 0) fail_reading(place, "the text cannot be read");
    for (std::size_t i = 0; i < count; ++i) {
        const char* begin = memory.data() + i * size;
        texts.emplace_back(begin, std::find(begin, begin + size, '\0'));
    }
    return texts;
}

} // namespace shadow::hdf5
