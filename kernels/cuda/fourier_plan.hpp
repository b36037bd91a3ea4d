// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace shadow::cuda {

/// Real numbers of a mesh, in lines along the last direction.
struct MeshShape {
    int dimensions;
    std::int32_t count[3];
    std::int32_t line; ///< numbers from line to line
    bool is_double;
};

/// Transforms of a mesh by a library: with exp(-ik.x) from real numbers to complex ones, of which
/// each line has the first half and one; and back, not divided by anything. Nothing but making one
/// allocates, so that transforms may stand in the step loop.
class FourierPlan {
    struct Library;

  public:
    /// Null, and `why`, where there is no library, or it cannot.
    static std::unique_ptr<FourierPlan> make(const Backend& backend, const MeshShape& shape,
                                             std::string& why);
    explicit FourierPlan(std::unique_ptr<Library> library);
    FourierPlan(const FourierPlan&) = delete;
    FourierPlan& operator=(const FourierPlan&) = delete;
    /// Waits for what it is used for.
    ~FourierPlan();

    /// Memory that transforms need beside their numbers.
    [[nodiscard]] std::size_t work_bytes() const;
    void use(void* work);
    /// Back spoils `spectrum`.
    void transform(void* real, void* spectrum, bool back) const;

  private:
    std::unique_ptr<Library> library_;
};

} // namespace shadow::cuda
