// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Fourier components of the density, rho(k) = sum exp(i k.x), at wave vectors of a periodic box.
namespace shadow {

/// A wave vector by its number of turns along each edge of the box.
template <int Dim>
struct WaveVector {
    std::int32_t n[Dim];
};

/// Cosine and sine of 2 pi t.
SHADOW_INLINE void turn(double t, double& cosine, double& sine) {
#if defined(__CUDA_ARCH__)
    sincospi(2.0 * t, &sine, &cosine);
#else
    t -= std::floor(t + 0.5);
    cosine = std::cos(6.283185307179586477 * t);
    sine = std::sin(6.283185307179586477 * t);
#endif
}

template <int Dim>
struct DensityModes {
    VectorView<Dim, double> position;
    const std::uint16_t* species; ///< null: one species
    BoxView<Dim> box;             ///< a constant box
    std::int64_t particles;
    const WaveVector<Dim>* k;  ///< memory of the backend
    const std::int32_t* begin; ///< by shell, and the end
    std::int32_t count;        ///< shells
    std::int64_t turn;         ///< each shell uses its vectors in turn

    [[nodiscard]] SHADOW_INLINE const WaveVector<Dim>& vector(std::int32_t shell) const {
        return k[begin[shell] + turn % (begin[shell + 1] - begin[shell])];
    }
};

/// For as many wave vectors as one pass over the particles takes.
struct SomeModes {
    static constexpr std::int32_t max_modes = 16;
    double cosine[max_modes], sine[max_modes];
};
/// For one species (-1: all), from wave vector `first` on.
template <int Dim>
struct SumModes {
    using Value = SomeModes;
    DensityModes<Dim> modes;
    std::int32_t first, of;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int k = 0; k < SomeModes::max_modes; ++k) {
            sum.cosine[k] = a.cosine[k] + b.cosine[k];
            sum.sine[k] = a.sine[k] + b.sine[k];
        }
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value{};
        if (of >= 0 && modes.species[i] != of) return value;
        double place[Dim], x[Dim];
        for (int d = 0; d < Dim; ++d) place[d] = modes.position.component[d][i];
        modes.box.fractions(place, x);
        for (int k = 0; k < SomeModes::max_modes && first + k < modes.count; ++k) {
            const WaveVector<Dim>& vector = modes.vector(first + k);
            double t = 0.0;
            for (int d = 0; d < Dim; ++d) t += vector.n[d] * x[d];
            turn(t, value.cosine[k], value.sine[k]);
        }
        return value;
    }
};

/// Writes the sums of all species and wave vectors into a row: real parts, then imaginary ones.
struct TakeModes {
    const SomeModes* sums; ///< by species and pass
    std::int32_t count, species;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t at) const {
        const std::int64_t s = at / count, k = at % count;
        constexpr std::int32_t size = SomeModes::max_modes;
        const SomeModes& some = sums[s * ((count + size - 1) / size) + k / size];
        row[at] = some.cosine[k % size];
        row[std::int64_t{species} * count + at] = some.sine[k % size];
    }
};

} // namespace shadow
