// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace shadow {

/// Owns `size` elements in the memory of one backend. Never copies implicitly; elements start at
/// zero. `data()` is a pointer in that memory: on CUDA the host must not follow it.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Array() = default;
    Array(const Backend& backend, std::size_t size)
        : backend_(&backend), size_(size),
          data_(static_cast<T*>(detail::allocate(backend, size * sizeof(T)))) {}
    Array(const Backend& backend, std::span<const T> host) : Array(backend, host.size()) {
        assign(host);
    }
    Array(Array&& other) noexcept
        : backend_(other.backend_), size_(std::exchange(other.size_, 0)),
          data_(std::exchange(other.data_, nullptr)) {}
    Array& operator=(Array&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~Array() {
        if (data_) detail::deallocate(*backend_, data_);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

    /// Copies `host.size()` elements to the front; waits for the copy.
    void assign(std::span<const T> host) {
        detail::copy_to_backend(*backend_, data_, host.data(), host.size_bytes());
    }
    /// Copies `count` elements from `offset` to the host, after everything enqueued before.
    [[nodiscard]] std::vector<T> to_host(std::size_t offset, std::size_t count) const {
        std::vector<T> host(count);
        detail::copy_to_host(*backend_, host.data(), data_ + offset, count * sizeof(T));
        return host;
    }
    [[nodiscard]] std::vector<T> to_host() const { return to_host(0, size_); }
    /// One element, as `to_host`.
    [[nodiscard]] T get(std::size_t i) const { return to_host(i, 1)[0]; }
    void set(std::size_t i, const T& value) {
        detail::copy_to_backend(*backend_, data_ + i, &value, sizeof(T));
    }
    void fill_zero() { detail::fill_zero(*backend_, data_, bytes()); }

  private:
    const Backend* backend_ = nullptr;
    std::size_t size_ = 0;
    T* data_ = nullptr;
};

} // namespace shadow
