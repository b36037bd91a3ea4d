// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The HDF5 C library with owned handles and exceptions; no other part of the program uses that
/// library. Reading throws InputError (not an HDF5 file, truncated, no such dataset, wrong type or
/// rank), writing throws MachineError (disk full). One thread at a time.
namespace shadow::hdf5 {

using Shape = std::vector<std::uint64_t>;

enum class Type { float64, float32, int64, uint64, int32, uint32, uint16, uint8 };

template <class T>
constexpr Type type_of() {
    if constexpr (std::is_same_v<T, double>)
        return Type::float64;
    else if constexpr (std::is_same_v<T, float>)
        return Type::float32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return Type::int64;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return Type::uint64;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return Type::int32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return Type::uint32;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return Type::uint16;
    else {
        static_assert(std::is_same_v<T, std::uint8_t>, "no HDF5 type for this");
        return Type::uint8;
    }
}

/// To be called first in any thread except the one that opens the first file. Errors are
/// exceptions, so HDF5 must not print them; a thread-safe build of HDF5 has this setting per
/// thread.
void enter_thread();

/// Owns an HDF5 identifier.
class Handle {
  public:
    Handle() = default;
    explicit Handle(std::int64_t id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Handle();
    [[nodiscard]] std::int64_t get() const noexcept { return id_; }
    std::int64_t release() noexcept {
        const std::int64_t id = id_;
        id_ = -1;
        return id;
    }

  private:
    std::int64_t id_ = -1;
};

/// The common part of groups and datasets: a location, for messages, and attributes.
class Object {
  public:
    void set_attribute(const std::string& name, const std::string& text);
    void set_attribute(const std::string& name, std::span<const std::string> texts);
    void set_attribute(const std::string& name, std::span<const double> numbers);
    void set_attribute(const std::string& name, std::span<const std::int64_t> numbers);
    [[nodiscard]] bool has_attribute(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> text_attribute(const std::string& name) const;
    [[nodiscard]] std::vector<double> number_attribute(const std::string& name) const;
    /// "FILE: /path" for messages.
    [[nodiscard]] const std::string& place() const noexcept { return place_; }

  protected:
    Object() = default;
    Object(Handle handle, std::string place)
        : handle_(std::move(handle)), place_(std::move(place)) {}
    Handle handle_;
    std::string place_;
};

/// An array; its first dimension counts rows.
class Dataset : public Object {
  public:
    Dataset() = default; ///< no dataset
    [[nodiscard]] bool is_open() const noexcept { return handle_.get() >= 0; }
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] std::uint64_t rows() const; ///< 1 for a scalar
    [[nodiscard]] bool is_number() const;
    /// Reads all rows, or `count` rows from `first`, converted to T.
    template <class T>
    [[nodiscard]] std::vector<T> read() const {
        return read_rows<T>(0, rows());
    }
    template <class T>
    [[nodiscard]] std::vector<T> read_rows(std::uint64_t first, std::uint64_t count) const {
        std::vector<T> values(allocatable(first, count, sizeof(T)));
        read_raw(values.data(), type_of<T>(), first, count);
        return values;
    }
    /// Adds rows at the end.
    template <class T>
    void append(std::span<const T> values) {
        append_raw(values.data(), type_of<T>(), values.size());
    }
    /// Truncates, or fills with zeros.
    void resize_rows(std::uint64_t count);

  private:
    friend class Group;
    using Object::Object;
    [[nodiscard]] std::size_t allocatable(std::uint64_t first, std::uint64_t count,
                                          std::size_t element) const;
    void read_raw(void* to, Type type, std::uint64_t first, std::uint64_t count) const;
    void append_raw(const void* from, Type type, std::uint64_t count);
};

class Group : public Object {
  public:
    [[nodiscard]] bool has(const std::string& path) const;
    [[nodiscard]] bool has_group(const std::string& path) const;
    [[nodiscard]] bool has_dataset(const std::string& path) const;
    [[nodiscard]] std::vector<std::string> names() const; ///< alphabetical
    [[nodiscard]] Group group(const std::string& path) const;
    [[nodiscard]] Dataset dataset(const std::string& path) const;
    /// Opens the group, or creates it and its parents.
    Group make_group(const std::string& path);

    /// A dataset of fixed size, stored in the type of the values.
    template <class T>
    Dataset write(const std::string& path, std::span<const T> values, const Shape& shape) {
        return write_raw(path, values.data(), type_of<T>(), values.size(), shape);
    }
    template <class T>
    Dataset write(const std::string& path, const std::vector<T>& values) {
        return write<T>(path, values, {values.size()});
    }
    template <class T>
    requires std::is_arithmetic_v<T> Dataset write_scalar(const std::string& path, T value) {
        return write_raw(path, &value, type_of<T>(), 1, {});
    }
    /// A dataset of zero rows of shape `row`, extended by `append`; stored in chunks of shape
    /// `chunk` (rank of `row` plus one).
    Dataset write_appendable(const std::string& path, Type stored, const Shape& row,
                             const Shape& chunk);
    void write_text(const std::string& path, const std::string& text);
    /// A one-dimensional array of texts, also for a single text.
    void write_texts(const std::string& path, std::span<const std::string> texts);
    [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
    /// Another name for an existing object.
    void link(const std::string& existing, const std::string& path);
    void remove(const std::string& path);

  protected:
    using Object::Object;

  private:
    void put_texts(const std::string& path, std::span<const std::string> texts, const Shape& shape);
    Dataset write_raw(const std::string& path, const void* from, Type type, std::size_t count,
                      const Shape& shape);
};

class File : public Group {
  public:
    File() = default;
    /// Creates a file, replacing an existing one.
    [[nodiscard]] static File create(const std::filesystem::path& path);
    [[nodiscard]] static File open(const std::filesystem::path& path);
    [[nodiscard]] static File open_for_writing(const std::filesystem::path& path);
    File(File&&) = default;
    File& operator=(File&&) = default;
    /// Closes without reporting a failure; `close` reports it.
    ~File() = default;

    /// Passes all data to the operating system.
    void flush();
    void close();
    [[nodiscard]] bool is_open() const noexcept { return handle_.get() >= 0; }

  private:
    using Group::Group;
};

} // namespace shadow::hdf5
