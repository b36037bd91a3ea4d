// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/time_average.hpp"

/// Molecules at their averages in time and back (kernels/bonded/time_average.hpp): on a GPU a
/// thread goes through a molecule, on a CPU a pack of molecules is one loop.
namespace shadow {

/// Of a group; and the numbers that a GPU needs for so many coordinates of all groups.
[[nodiscard]] inline int molecules_side_by_side(const Backend& backend) {
    return backend.is_cuda() ? molecules_per_warp : molecules_per_pack;
}
[[nodiscard]] inline std::size_t sweep_scratch(const Backend& backend, std::size_t coordinates,
                                               const TimeAverageView& average) {
    return backend.is_cuda() ? coordinates * static_cast<std::size_t>(average.arrays()) : 0;
}

template <int Dim>
struct AverageMolecules;
template <int Dim>
struct TransposeAverage;

namespace cpu {
/// By loops of the backend's instruction set; bits do not depend on threads.
template <int Dim>
void average_molecules(const Backend& backend, const AverageMolecules<Dim>& op);
template <int Dim>
void transpose_average(const Backend& backend, const TransposeAverage<Dim>& op);
} // namespace cpu

/// What both have. `scratch` is that of a GPU: as many numbers as coordinates in
/// `MoleculeGroupsView::id`, times `TimeAverageView::arrays`.
template <int Dim>
struct MoleculeOp {
    MoleculeGroupsView<Dim> molecules;
    TimeAverageView average;
    VectorView<Dim, double> position;
    double* scratch;

    [[nodiscard]] SHADOW_INLINE const MoleculeGroup& group(std::int64_t thread) const {
        return molecules.group[thread / molecules_per_warp];
    }
    [[nodiscard]] SHADOW_INLINE static int lane(std::int64_t thread) {
        return static_cast<int>(thread % molecules_per_warp);
    }
    using Sweep = MoleculeSweep<Dim, 1, molecules_per_warp>;
    [[nodiscard]] SHADOW_INLINE Sweep sweep(std::int64_t thread) const {
        return {molecules, average, group(thread), lane(thread),
                scratch + group(thread).first * Dim * average.arrays()};
    }
    [[nodiscard]] std::int64_t threads() const {
        return molecules.group_count * molecules_per_warp;
    }
};

/// Atoms to their averages.
template <int Dim>
struct AverageMolecules : MoleculeOp<Dim> {
    SHADOW_INLINE void operator()(std::int64_t i) const {
        if (this->lane(i) < this->group(i).count) this->sweep(i).average(this->position);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::average_molecules(backend, *this);
    }
#endif
};

/// Forces on averages to those on the atoms at `position`.
template <int Dim>
struct TransposeAverage : MoleculeOp<Dim> {
    VectorView<Dim, double> force;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        if (this->lane(i) < this->group(i).count) this->sweep(i).transpose(this->position, force);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::transpose_average(backend, *this);
    }
#endif
};

/// to <- from
template <int Dim>
struct KeepPositions {
    VectorView<Dim, double> from, to;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) to.component[d][i] = from.component[d][i];
    }
};

/// Particles back to where they were, in the image of the box in which they are now.
template <int Dim>
struct RestorePositions {
    BoxView<Dim> box;
    VectorView<Dim, double> kept, position;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) {
            double& x = position.component[d][i];
            const double before = kept.component[d][i];
            x = box.periodic[d] ? before + box.length[d] * nearbyint((x - before) / box.length[d])
                                : before;
        }
    }
};

} // namespace shadow
