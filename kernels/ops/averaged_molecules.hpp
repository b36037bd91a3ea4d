// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/projection.hpp"
#include "kernels/bonded/time_average.hpp"

#include <type_traits>

/// Moves molecules to their averages and back: time averages (kernels/bonded/time_average.hpp) or
/// projections to rest lengths (kernels/bonded/projection.hpp). On a GPU a thread processes a
/// molecule, on a CPU one loop a pack of molecules.
namespace shadow {

enum class Averaging { in_time, at_rest };

template <int Dim, Averaging averaging>
struct AverageMolecules;
template <int Dim, Averaging averaging>
struct TransposeAverage;

namespace cpu {
/// By loops of the backend's instruction set; bits do not depend on threads.
template <int Dim, Averaging averaging>
void average_molecules(const Backend& backend, const AverageMolecules<Dim, averaging>& op);
template <int Dim, Averaging averaging>
void transpose_average(const Backend& backend, const TransposeAverage<Dim, averaging>& op);
} // namespace cpu

/// Common data of both.
template <int Dim, Averaging averaging>
struct MoleculeOp {
    MoleculeGroupsView<Dim> molecules;
    TimeAverageView average; ///< for time averages
    VectorView<Dim, double> position;
    double* scratch;          ///< on a GPU: `numbers` of all groups
    std::int64_t max_numbers; ///< needed by a molecule

    template <int lanes, int stride>
    using Lanes =
        std::conditional_t<averaging == Averaging::in_time, MoleculeSweep<Dim, lanes, stride>,
                           MoleculeProjection<Dim, lanes, stride>>;

    [[nodiscard]] SHADOW_INLINE const MoleculeGroup& group(std::int64_t thread) const {
        return molecules.group[thread / molecules_per_warp];
    }
    [[nodiscard]] SHADOW_INLINE static int lane(std::int64_t thread) {
        return static_cast<int>(thread % molecules_per_warp);
    }
    template <int lanes, int stride>
    [[nodiscard]] SHADOW_INLINE Lanes<lanes, stride> lanes_of(const MoleculeGroup& group, int lane,
                                                              double* numbers) const {
        if constexpr (averaging == Averaging::in_time)
            return {molecules, average, group, lane, numbers};
        else
            return {molecules, group, lane, numbers};
    }
    [[nodiscard]] SHADOW_INLINE Lanes<1, molecules_per_warp> of_thread(std::int64_t thread) const {
        const MoleculeGroup& own = group(thread);
        const std::int64_t first =
            averaging == Averaging::in_time ? own.first * Dim * average.arrays() : own.first_number;
        return lanes_of<1, molecules_per_warp>(own, lane(thread), scratch + first);
    }
    [[nodiscard]] std::int64_t threads() const {
        return molecules.group_count * molecules_per_warp;
    }
};

/// Moves atoms to their averages.
template <int Dim, Averaging averaging>
struct AverageMolecules : MoleculeOp<Dim, averaging> {
    SHADOW_INLINE void operator()(std::int64_t i) const {
        if (this->lane(i) < this->group(i).count) this->of_thread(i).average(this->position);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::average_molecules(backend, *this);
    }
#endif
};

/// Transforms forces on the averages to those on the atoms at `position`.
template <int Dim, Averaging averaging>
struct TransposeAverage : MoleculeOp<Dim, averaging> {
    VectorView<Dim, double> force;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        if (this->lane(i) < this->group(i).count)
            this->of_thread(i).transpose(this->position, force);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::transpose_average(backend, *this);
    }
#endif
};

} // namespace shadow
