// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/mesh_fourier.hpp"
#include "kernels/cpu/mesh_particles.hpp"

namespace shadow::SHADOW_ISA {

template <int Dim, class T>
void convolve_pass(const ChargeMesh<Dim, T>& mesh, T* memory, cpu::ConvolutionPass pass,
                   std::int64_t part, std::int64_t parts, int component,
                   SymmetricTensor<Dim>* virial) {
    MeshConvolution<Dim, T> convolution(mesh, memory);
    const bool middle = pass == cpu::ConvolutionPass::middle;
    const std::int64_t n = middle ? convolution.slabs() : convolution.pairs();
    for (std::int64_t k = n * part / parts; k < n * (part + 1) / parts; ++k) {
        if (pass == cpu::ConvolutionPass::forward) convolution.forward(k);
        if (middle) convolution.middle(k, component, virial ? virial + k : nullptr);
        if (pass == cpu::ConvolutionPass::backward) convolution.backward(k);
    }
}

#define SHADOW_INSTANTIATE(Dim, T)                                                                 \
    template void spread_range(const ChargeMesh<Dim, T>&, const ParticlesView<Dim>&, std::int64_t, \
                               std::int64_t, ChargeMesh<Dim, T>::Cell*);                           \
    template void gather_range(const GatherForces<Dim, T>&, std::int64_t, std::int64_t);           \
    template void convolve_pass(const ChargeMesh<Dim, T>&, T*, cpu::ConvolutionPass, std::int64_t, \
                                std::int64_t, int, SymmetricTensor<Dim>*);
SHADOW_INSTANTIATE(2, float)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, float)
SHADOW_INSTANTIATE(3, double)

} // namespace shadow::SHADOW_ISA
