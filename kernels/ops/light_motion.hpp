// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/light_motion.hpp"

/// The motion of light atoms of molecules (kernels/bonded/light_motion.hpp). On a GPU a thread
/// processes a molecule, on a CPU one loop a pack of molecules.
namespace shadow {

template <int Dim>
struct MeanLightForce;
template <int Dim>
struct MoveLight;

namespace cpu {
/// By loops of the backend's instruction set; bits do not depend on threads.
template <int Dim>
void mean_light_force(const Backend& backend, const MeanLightForce<Dim>& op);
template <int Dim>
void move_light(const Backend& backend, const MoveLight<Dim>& op);
} // namespace cpu

/// Common data of both.
template <int Dim>
struct LightMotionOp {
    MoleculeGroupsView<Dim> molecules;
    LightMotion how;
    double time;
    VectorView<Dim, double> position, momentum;
    double* scratch;          ///< on a GPU: `numbers` of all groups
    std::int64_t max_numbers; ///< needed by a molecule

    template <int lanes, int stride>
    [[nodiscard]] SHADOW_INLINE MoleculeLightMotion<Dim, lanes, stride>
    lanes_of(const MoleculeGroup& group, int lane, double* numbers) const {
        return {molecules, how, time, group, lane, numbers};
    }
    /// Calls use(lanes) for the molecule of a thread, if there is one.
    template <class Use>
    SHADOW_INLINE void of_thread(std::int64_t thread, const Use& use) const {
        const MoleculeGroup& group = molecules.group[thread / molecules_per_warp];
        const int lane = static_cast<int>(thread % molecules_per_warp);
        if (lane < group.count)
            use(lanes_of<1, molecules_per_warp>(group, lane, scratch + group.first_number));
    }
    [[nodiscard]] std::int64_t threads() const {
        return molecules.group_count * molecules_per_warp;
    }
};

/// mean <- the mean force on the heavier atoms, from `time` before now to `time` after.
template <int Dim>
struct MeanLightForce : LightMotionOp<Dim> {
    VectorView<Dim, double> mean;

    struct Use {
        const MeanLightForce& op;
        SHADOW_INLINE void
        operator()(const MoleculeLightMotion<Dim, 1, molecules_per_warp>& m) const {
            m.average(op.position, op.momentum, op.mean);
        }
    };
    SHADOW_INLINE void operator()(std::int64_t i) const { this->of_thread(i, Use{*this}); }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::mean_light_force(backend, *this);
    }
#endif
};

/// Moves atoms by `time`.
template <int Dim>
struct MoveLight : LightMotionOp<Dim> {
    struct Use {
        const MoveLight& op;
        SHADOW_INLINE void
        operator()(const MoleculeLightMotion<Dim, 1, molecules_per_warp>& m) const {
            m.move(op.position, op.momentum);
        }
    };
    SHADOW_INLINE void operator()(std::int64_t i) const { this->of_thread(i, Use{*this}); }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::move_light(backend, *this);
    }
#endif
};

} // namespace shadow
