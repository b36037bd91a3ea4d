// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/screening.hpp"
#include "kernels/ops/density_modes.hpp"
#include "kernels/ops/shares.hpp"

/// The smooth part of the potential of periodic charges as a sum over wave vectors (Ewald 1921,
/// Ann. Phys. 369, 253): one of k and -k, for both.
namespace shadow {

template <int Dim>
struct EwaldSum {
    ParticlesView<Dim> particles;
    const BoxView<Dim>* box; ///< periodic in all directions
    Screening<Dim> screening;
    const double* charge;         ///< by species
    const WaveVector<Dim>* modes; ///< not 0
    const double* factor;         ///< by mode: k g(k) / V
    std::int64_t count;           ///< modes
    double *cosine, *sine;        ///< of all charges, by mode

    /// Cosine and sine of k.x.
    SHADOW_INLINE void phase(std::int64_t mode, std::int64_t i, double& c, double& s) const {
        double x[Dim], u[Dim], turns = 0.0;
        particles.place(i, x);
        box->fractions(x, u);
        for (int d = 0; d < Dim; ++d) turns += modes[mode].n[d] * u[d];
        turn(turns, c, s);
    }
    /// The wave vector, and its square.
    SHADOW_INLINE double wave_vector(std::int64_t mode, double (&k)[Dim]) const {
        double k2 = 0.0;
        box->wave_vector(modes[mode].n, k);
        for (int d = 0; d < Dim; ++d) k2 += k[d] * k[d];
        return k2;
    }
    SHADOW_INLINE void add_virial(std::int64_t mode, double energy,
                                  SymmetricTensor<Dim>& virial) const {
        double k[Dim];
        const double k2 = wave_vector(mode, k);
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                virial.component[tensor_index<Dim>(a, b)] += energy * screening.virial(k, k2, a, b);
    }
};

/// One thread per mode: its factor in the present box.
template <int Dim>
struct FillModeFactors {
    EwaldSum<Dim> sum;
    double coulomb;
    double* factor;

    SHADOW_FUNCTION void operator()(std::int64_t mode) const {
        double k[Dim];
        const double k2 = sum.wave_vector(mode, k);
        factor[mode] = coulomb / sum.box->volume() * sum.screening(k2);
    }
};

/// One thread per mode.
template <int Dim>
struct SumChargeModes {
    EwaldSum<Dim> sum;

    SHADOW_FUNCTION void operator()(std::int64_t mode) const {
        double real = 0.0, imaginary = 0.0;
        for (std::int64_t i = 0; i < sum.particles.size; ++i) {
            double c, s;
            sum.phase(mode, i, c, s);
            const double q = sum.charge[sum.particles.species[i]];
            real += q * c;
            imaginary += q * s;
        }
        sum.cosine[mode] = real;
        sum.sine[mode] = imaginary;
    }
};

/// Force and share of energy of each particle, in separate arrays; its virial if that is not null.
template <int Dim>
struct ApplyChargeModes {
    EwaldSum<Dim> sum;
    VectorView<Dim, double> force;
    double* energy;
    SymmetricTensor<Dim>* virial;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double f[Dim] = {}, u = 0.0;
        SymmetricTensor<Dim> w{};
        const double q = sum.charge[sum.particles.species[i]];
        for (std::int64_t mode = 0; mode < sum.count; ++mode) {
            double c, s, k[Dim];
            sum.phase(mode, i, c, s);
            sum.wave_vector(mode, k);
            const double real = sum.cosine[mode], imaginary = sum.sine[mode];
            const double slope = 2.0 * q * sum.factor[mode] * (s * real - c * imaginary);
            for (int d = 0; d < Dim; ++d) f[d] += slope * k[d];
            const double own = q * sum.factor[mode] * (c * real + s * imaginary);
            u += own;
            if (virial) sum.add_virial(mode, own, w);
        }
        for (int d = 0; d < Dim; ++d) force.component[d][i] = f[d];
        energy[i] = u;
        if (virial) virial[i] = w;
    }
};

/// Sum over modes, added to the present value.
template <int Dim>
struct SumModeVirial : TensorSum<Dim> {
    EwaldSum<Dim> sum;
    const SymmetricTensor<Dim>* so_far;

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t mode) const {
        SymmetricTensor<Dim> virial{};
        const double x = sum.cosine[mode], y = sum.sine[mode];
        sum.add_virial(mode, sum.factor[mode] * (x * x + y * y), virial);
        if (mode == 0) virial.add(*so_far);
        return virial;
    }
};

/// The share of each particle from arrays by particle.
template <int Dim>
struct ShareModes {
    const double* charge; ///< by species
    const std::uint16_t* species;
    const double* energy;
    const SymmetricTensor<Dim>* virial;
    double background; ///< energy of a charge of 1, and its virial along each direction
    bool accumulate;
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        Share<Dim> own{};
        if (accumulate) own = share[i];
        const double uniform = background * charge[species[i]];
        own.energy += energy[i] + uniform;
        own.virial.add(virial[i]);
        for (int d = 0; d < Dim; ++d) own.virial.component[d] += uniform;
        share[i] = own;
    }
};

} // namespace shadow
