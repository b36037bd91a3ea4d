// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/exclusions.hpp"

/// At a rebuild: sorts data listed by id, such as the bonds of each particle, into memory order.
namespace shadow {

/// index[id] = memory index, the inverse of `ParticlesView::id`.
struct InvertIds {
    const std::uint32_t* id;
    std::int32_t* index;
    SHADOW_INLINE void operator()(std::int64_t i) const {
        index[id[i]] = static_cast<std::int32_t>(i);
    }
};

/// out[width * id] = the data of each particle, whatever its memory index.
template <class T>
struct PutById {
    const std::uint32_t* id;
    const T* in;
    std::int64_t width;
    T* out;
    SHADOW_INLINE void operator()(std::int64_t i) const { out[width * id[i]] = in[i]; }
};

/// The number of entries of each particle.
struct CountEntries {
    const std::uint32_t* id;   ///< of the particles
    const std::int32_t* begin; ///< by id, and the end
    std::int32_t* count;
    SHADOW_INLINE void operator()(std::int64_t i) const {
        count[i] = begin[id[i] + 1] - begin[id[i]];
    }
};

/// Copies the entries of each particle; their ids become memory indices.
struct PlaceEntries {
    const std::uint32_t* id;
    const std::int32_t* begin;    ///< by id
    const std::uint32_t* partner; ///< ids, `width` in each entry
    const std::int32_t* tag;      ///< of each entry; or null
    std::int32_t width;
    const std::int32_t* index;    ///< by id: memory indices of particles
    const std::int32_t* begin_to; ///< by memory index
    std::int32_t *partner_to, *tag_to;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        std::int32_t to = begin_to[i];
        for (std::int32_t e = begin[id[i]]; e < begin[id[i] + 1]; ++e, ++to) {
            for (std::int32_t k = 0; k < width; ++k)
                partner_to[to * width + k] = index[partner[e * width + k]];
            if (tag) tag_to[to] = tag[e];
        }
    }
};

} // namespace shadow
