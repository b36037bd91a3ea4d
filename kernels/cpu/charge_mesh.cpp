// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/charge_mesh.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/ops/charge_mesh.hpp"

#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class T>                                                                    \
    void spread_range(const ChargeMesh<Dim, T>&, const ParticlesView<Dim>&, std::int64_t,          \
                      std::int64_t, typename ChargeMesh<Dim, T>::Cell*);                           \
    template <int Dim, class T>                                                                    \
    void gather_range(const GatherForces<Dim, T>&, std::int64_t, std::int64_t);                    \
    template <int Dim, class T>                                                                    \
    void convolve_pass(const ChargeMesh<Dim, T>&, T*, cpu::ConvolutionPass, std::int64_t,          \
                       std::int64_t, int, SymmetricTensor<Dim>*);                                  \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {
namespace {

/// Adds the charges spread by all threads, and adds points past the end of a line to its front.
template <int Dim, class T>
void add_copies(const Backend& backend, const ChargeMesh<Dim, T>& mesh) {
    parallel_ranges(backend.threads(), mesh.lines(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t l = begin; l < end; ++l) {
            auto* const to = mesh.cells + l * mesh.line;
            for (std::int32_t copy = 1; copy < mesh.copies; ++copy) {
                const auto* from = to + copy * mesh.cell_count();
                for (std::int32_t k = 0; k < mesh.line; ++k) to[k] += from[k];
            }
            // The points past the end must be 0: a transform combines two columns in one.
            for (std::int32_t k = 0; k < mesh.padding; ++k) {
                to[k] += to[mesh.count[Dim - 1] + k];
                to[mesh.count[Dim - 1] + k] = 0;
            }
        }
    });
}

} // namespace

template <int Dim, class T>
void spread_charges(const Backend& backend, const ChargeMesh<Dim, T>& mesh,
                    const ParticlesView<Dim>& particles) {
    const std::int64_t n = particles.size;
    parallel_ranges(mesh.copies, mesh.copies, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t copy = first; copy < last; ++copy) {
            auto* const cells = mesh.cells + copy * mesh.cell_count();
            std::fill_n(cells, mesh.cell_count(), 0);
            SHADOW_DISPATCH(backend, spread_range, mesh, particles, n * copy / mesh.copies,
                            n * (copy + 1) / mesh.copies, cells);
        }
    });
    add_copies(backend, mesh);
}

template <int Dim, class T>
void repeat_fronts(const Backend& backend, const ChargeMesh<Dim, T>& mesh) {
    parallel_ranges(backend.threads(), mesh.lines(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t l = begin; l < end; ++l) {
            T* const line = mesh.potential + l * mesh.line;
            for (std::int32_t k = 0; k < mesh.padding; ++k) line[mesh.count[Dim - 1] + k] = line[k];
        }
    });
}

template <int Dim, class T>
void convolve(const Backend& backend, const ChargeMesh<Dim, T>& mesh, int component,
              SymmetricTensor<Dim>* virial) {
    std::vector<SymmetricTensor<Dim>> parts(virial ? static_cast<std::size_t>(mesh.count[0] / 2 + 1)
                                                   : 0);
    const std::int64_t threads = mesh.copies;
    const auto run = [&](ConvolutionPass pass) {
        parallel_ranges(mesh.copies, threads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t t = begin; t < end; ++t)
                SHADOW_DISPATCH(backend, convolve_pass, mesh, mesh.scratch + t * scratch_size(mesh),
                                pass, t, threads, component, virial ? parts.data() : nullptr);
        });
    };
    run(ConvolutionPass::forward);
    run(ConvolutionPass::middle);
    run(ConvolutionPass::backward);
    repeat_fronts(backend, mesh);
    for (const SymmetricTensor<Dim>& part : parts) virial->add(part);
}

template <int Dim, class T>
void gather_forces(const Backend& backend, const GatherForces<Dim, T>& op, std::int64_t begin,
                   std::int64_t end) {
    SHADOW_DISPATCH(backend, gather_range, op, begin, end);
}

#define SHADOW_INSTANTIATE(Dim, T)                                                                 \
    template void spread_charges(const Backend&, const ChargeMesh<Dim, T>&,                        \
                                 const ParticlesView<Dim>&);                                       \
    template void convolve(const Backend&, const ChargeMesh<Dim, T>&, int, SymmetricTensor<Dim>*); \
    template void repeat_fronts(const Backend&, const ChargeMesh<Dim, T>&);                        \
    template void gather_forces(const Backend&, const GatherForces<Dim, T>&, std::int64_t,         \
                                std::int64_t);
SHADOW_INSTANTIATE(2, float)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, float)
SHADOW_INSTANTIATE(3, double)

} // namespace cpu
} // namespace shadow
