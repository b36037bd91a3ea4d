// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/id_order.hpp"

#include "shadow/core/array.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/entries.hpp"
#include "kernels/ops/shares.hpp"

namespace shadow {

template <class T>
void copy_by_id(const Backend& backend, const std::uint32_t* id, std::int64_t n,
                std::span<const T* const> components, T* out) {
    const auto width = static_cast<std::int64_t>(components.size());
    if (!backend.has_own_memory()) {
        // One pass for all components, since particles near each other in memory are far apart by
        // id.
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k < width; ++k)
                out[width * id[i] + k] = components[static_cast<std::size_t>(k)][i];
        return;
    }
    Array<T> all(backend, static_cast<std::size_t>(n * width));
    for (std::int64_t k = 0; k < width; ++k)
        launch(backend,
               PutById<T>{id, components[static_cast<std::size_t>(k)], width, all.data() + k}, n);
    detail::copy_to_host(backend, out, all.data(), all.bytes());
}

#define SHADOW_INSTANTIATE(T)                                                                      \
    template void copy_by_id<T>(const Backend&, const std::uint32_t*, std::int64_t,                \
                                std::span<const T* const>, T*);
SHADOW_INSTANTIATE(double)
SHADOW_INSTANTIATE(std::int32_t)
SHADOW_INSTANTIATE(std::uint16_t)
SHADOW_INSTANTIATE(Share<1>)
SHADOW_INSTANTIATE(Share<2>)
SHADOW_INSTANTIATE(Share<3>)
#undef SHADOW_INSTANTIATE

} // namespace shadow
