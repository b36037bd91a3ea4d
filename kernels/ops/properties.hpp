// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/macros.hpp"

#include <cstdint>

/// Sorts the properties of particles, of any type, in one pass.
namespace shadow {

/// A property of all particles: a number, or a few adjacent ones.
struct Property {
    std::int32_t bytes; ///< of one particle: 2, 4 or a multiple of 8
    void* data;
    void* sorted; ///< buffer for the new order

    template <class Word>
    SHADOW_INLINE void copy(const void* from, std::int64_t i, void* to, std::int64_t k) const {
        const std::int64_t words = bytes / static_cast<std::int32_t>(sizeof(Word));
        for (std::int64_t w = 0; w < words; ++w)
            static_cast<Word*>(to)[k * words + w] = static_cast<const Word*>(from)[i * words + w];
    }
    /// Calls `take` with a word of the size in which it is copied.
    template <class Take>
    SHADOW_INLINE void by_word(const Take& take) const {
        if (bytes == 2)
            take(std::uint16_t{});
        else if (bytes == 4)
            take(std::uint32_t{});
        else
            take(std::uint64_t{});
    }
};

/// Whether as many properties as possible are sorted by one pass. Otherwise they are sorted one
/// after another, so that they fit into the cache.
[[nodiscard]] inline bool sorts_in_one_pass(const Backend& backend) {
    return backend.is_cuda();
}

/// Properties that are sorted together.
struct PropertyTable {
    static constexpr int capacity = 24;
    std::int32_t count = 0;
    Property of[capacity] = {};
};

/// Copies to the new order.
struct SortProperties {
    const std::int32_t* order; ///< old index of each new one
    PropertyTable properties;

    SHADOW_INLINE void operator()(std::int64_t k) const { range(k, k + 1); }
    SHADOW_INLINE void range(std::int64_t begin, std::int64_t end) const {
        for (std::int32_t q = 0; q < properties.count; ++q)
            properties.of[q].by_word(Gather{properties.of[q], order, begin, end});
    }

  private:
    struct Gather {
        const Property& property;
        const std::int32_t* order;
        std::int64_t begin, end;

        template <class Word>
        SHADOW_INLINE void operator()(Word) const {
            for (std::int64_t k = begin; k < end; ++k)
                property.copy<Word>(property.data, order[k], property.sorted, k);
        }
    };
};

/// Copies them back.
struct StoreProperties {
    PropertyTable properties;

    SHADOW_INLINE void operator()(std::int64_t k) const { range(k, k + 1); }
    SHADOW_INLINE void range(std::int64_t begin, std::int64_t end) const {
        for (std::int32_t q = 0; q < properties.count; ++q)
            properties.of[q].by_word(Store{properties.of[q], begin, end});
    }

  private:
    struct Store {
        const Property& property;
        std::int64_t begin, end;

        template <class Word>
        SHADOW_INLINE void operator()(Word) const {
            for (std::int64_t k = begin; k < end; ++k)
                property.copy<Word>(property.sorted, k, property.data, k);
        }
    };
};

} // namespace shadow
