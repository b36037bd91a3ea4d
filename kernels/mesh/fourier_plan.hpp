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

/// Transforms of a mesh by a library: with exp(-ik.x) from real to complex numbers, of which each
/// line has the first half and one more; and back, without normalisation. Only the construction
/// allocates, so transforms may run in the step loop.
class FourierPlan {
  public:
    FourierPlan() = default;
    FourierPlan(const FourierPlan&) = delete;
    FourierPlan& operator=(const FourierPlan&) = delete;
    /// Waits until the transforms have finished.
    virtual ~FourierPlan() = default;

    /// Work memory of the transforms.
    [[nodiscard]] virtual std::size_t work_bytes() const = 0;
    virtual void use(void* work) = 0;
    /// The backward transform overwrites `spectrum`.
    virtual void transform(void* real, void* spectrum, bool back) const = 0;
};

/// Does this backend have its own transforms, unless FFTW is requested?
[[nodiscard]] inline bool has_own_transforms(const Backend& backend) {
    return !backend.is_cuda();
}

} // namespace shadow
