// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/implicit_kick.hpp"

namespace shadow {

template <int Dim>
struct ImplicitKick;

namespace cpu {
/// By loops of the backend's instruction set; bits do not depend on threads.
template <int Dim>
void implicit_kick(const Backend& backend, const ImplicitKick<Dim>& op);
} // namespace cpu

/// Kicks molecules by the forces at the positions that the kicked motion reaches
/// (kernels/bonded/implicit_kick.hpp). On a GPU a thread processes a molecule, on a CPU one loop a
/// pack of molecules.
template <int Dim>
struct ImplicitKick {
    MoleculeGroupsView<Dim> molecules;
    ImplicitTimes times;
    VectorView<Dim, double> position, momentum;
    TotalForce<Dim> given;
    double* scratch;          ///< on a GPU: `numbers` of all groups
    std::int64_t max_numbers; ///< needed by a molecule

    SHADOW_INLINE void operator()(std::int64_t i) const {
        const MoleculeGroup& group = molecules.group[i / molecules_per_warp];
        const int lane = static_cast<int>(i % molecules_per_warp);
        if (lane < group.count)
            MoleculeImplicitKick<Dim, 1, molecules_per_warp>(molecules, times, group, lane,
                                                             scratch + group.first_number)
                .kick(position, momentum, given);
    }
    [[nodiscard]] std::int64_t threads() const {
        return molecules.group_count * molecules_per_warp;
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::implicit_kick(backend, *this);
    }
#endif
};

} // namespace shadow
