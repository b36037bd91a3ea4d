// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace shadow {

/// Real numbers of a mesh, in lines along the last direction.
struct MeshShape {
    int dimensions;
    std::int32_t count[3];
    std::int32_t line; ///< numbers from line to line
    bool is_double;

    template <class Mesh>
    static MeshShape of(const Mesh& mesh) {
        constexpr int dimensions = sizeof(mesh.count) / sizeof(mesh.count[0]);
        MeshShape shape{dimensions, {}, mesh.line, sizeof(*mesh.potential) == 8};
        std::copy_n(mesh.count, dimensions, shape.count);
        return shape;
    }
};

/// Transforms of a mesh by a library: with exp(-ik.x) from real numbers to complex ones, of which
/// each line has the first half and one; and back, not divided by anything. Nothing but making one
/// allocates, so that transforms may stand in the step loop.
class FourierPlan {
  public:
    FourierPlan() = default;
    FourierPlan(const FourierPlan&) = delete;
    FourierPlan& operator=(const FourierPlan&) = delete;
    /// Waits for what it is used for.
    virtual ~FourierPlan() = default;

    /// Memory that transforms need beside their numbers.
    [[nodiscard]] virtual std::size_t work_bytes() const = 0;
    virtual void use(void* work) = 0;
    /// Back spoils `spectrum`.
    virtual void transform(void* real, void* spectrum, bool back) const = 0;
};

/// Does this backend transform in loops of its own unless FFTW is asked for?
[[nodiscard]] inline bool has_own_transforms(const Backend& backend) {
    return !backend.is_cuda();
}

} // namespace shadow
