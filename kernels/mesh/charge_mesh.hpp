// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/fourier.hpp"
#include "kernels/mesh/screening.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cstdint>
#include <type_traits>

/// The smooth part of the potential of periodic charges on a mesh: charges are assigned to it by
/// B-splines, transformed, multiplied by an influence function, transformed back, and the potential
/// is interpolated by the same splines, whose derivatives give the forces (Essmann et al. 1995, J.
/// Chem. Phys. 103, 8577). The influence function is the one with the smallest error of energies
/// (Ballenegger, Cerda and Holm 2012, J. Chem. Theory Comput. 8, 936).
namespace shadow {

/// Of the spectrum on a GPU, and by libraries.
template <class T>
struct alignas(2 * sizeof(T)) Mode {
    T real, imaginary;
};

/// What a charge of 1 has in its own field on a mesh, by direction: energy and virial are these
/// times cos(2 pi u), u being its coordinate in units of the mesh.
template <int Dim>
struct MeshSelf {
    double energy[Dim];
    SymmetricTensor<Dim> virial[Dim];
};

/// Views into backend memory. `T` is the type of the potential: float or double.
template <int Dim, class T>
struct ChargeMesh {
    static constexpr int max_order = 8;
    /// Splines are written and read along the last direction `max_order` points at a time.
    static constexpr std::int32_t padding = max_order;
    /// Charges are sums of integers, in any order the same.
    using Cell = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    /// Lanes side by side in `influence`.
    static constexpr std::int32_t row_block = 16;

    std::int32_t count[Dim]; ///< points, even
    std::int32_t order;      ///< of the splines
    std::int32_t line;       ///< points from line to line of `cells` and `potential`
    std::int32_t copies;     ///< of `cells`: each thread of a CPU has its own
    /// Modes of the last direction: all in loops of a CPU, which have the first half and one of
    /// direction 0; elsewhere the first half and one of these, so `real` and `imaginary` are one
    /// array of `Mode`.
    std::int32_t kept;
    const BoxView<Dim>* box; ///< periodic in all directions
    double unit;             ///< charge of 1 in a cell
    Screening<Dim> screening;
    Cell* cells;
    T* potential;       ///< energy per charge
    T* real;            ///< the spectrum
    T* imaginary;       ///< likewise
    T* scratch;         ///< of a GPU: see convolve.hpp; of a CPU see cpu::scratch_size
    const T* influence; ///< see `influence_index`
    const MeshSelf<Dim>* self;
    const double* charge; ///< by species
    FourierAxis<T> axis[Dim];
    FourierAxis<T> pairs; ///< of a line of the last direction whose numbers are taken in pairs

    [[nodiscard]] SHADOW_INLINE std::int64_t lines() const {
        std::int64_t n = 1;
        for (int d = 0; d + 1 < Dim; ++d) n *= count[d];
        return n;
    }
    [[nodiscard]] SHADOW_INLINE std::int64_t cell_count() const { return lines() * line; }
    /// Where half of them are kept.
    [[nodiscard]] SHADOW_INLINE Mode<T>* modes() const { return reinterpret_cast<Mode<T>*>(real); }
    [[nodiscard]] SHADOW_INLINE std::int64_t mode_count() const { return lines() * kept; }
    /// The indices of mode number `i` of these.
    SHADOW_INLINE void find_mode(std::int64_t i, std::int32_t (&m)[Dim]) const {
        for (int d = Dim - 1; d >= 0; --d) {
            const std::int32_t n = d + 1 < Dim ? count[d] : kept;
            m[d] = static_cast<std::int32_t>(i % n);
            i /= n;
        }
    }
    /// The mode behind it.
    SHADOW_INLINE void next_mode(std::int32_t (&m)[Dim]) const {
        for (int d = Dim - 1; d >= 0; --d) {
            if (++m[d] < (d + 1 < Dim ? count[d] : kept)) return;
            m[d] = 0;
        }
    }
    /// Of mode m: its number; in loops of a CPU rows of the last direction but one (in 2D the
    /// first), in blocks.
    [[nodiscard]] SHADOW_INLINE std::int64_t influence_index(const std::int32_t (&m)[Dim]) const {
        if (kept < count[Dim - 1]) {
            std::int64_t number = 0;
            for (int d = 0; d < Dim; ++d) number = number * (d + 1 < Dim ? count[d] : kept) + m[d];
            return number;
        }
        const std::int64_t row = m[Dim - 2];
        const std::int64_t blocks = (count[Dim - 2] + row_block - 1) / row_block;
        const std::int64_t slab = Dim == 3 ? m[0] * blocks : 0;
        return ((slab + row / row_block) * count[Dim - 1] + m[Dim - 1]) * row_block +
               row % row_block;
    }
    /// Numbers in `influence`; those of rows that only fill a block are 0.
    [[nodiscard]] std::int64_t influence_size() const {
        if (kept < count[Dim - 1]) return mode_count();
        const std::int64_t rows = count[Dim - 2];
        return mode_count() / rows * ((rows + row_block - 1) / row_block * row_block);
    }
    /// The wave vector of mode m, those above half the count being negative.
    SHADOW_INLINE void wave_vector(const std::int32_t (&m)[Dim], double (&k)[Dim]) const {
        std::int32_t turns[Dim];
        for (int d = 0; d < Dim; ++d) turns[d] = 2 * m[d] > count[d] ? m[d] - count[d] : m[d];
        box->wave_vector(turns, k);
    }
    /// Do indices of mode m stand for wave vectors of different length, as the highest ones along
    /// edges of a tilted box do?
    [[nodiscard]] SHADOW_INLINE bool is_ambiguous(const std::int32_t (&m)[Dim]) const {
        bool highest = false;
        for (int d = 0; d < Dim; ++d)
            highest = highest ||
                      (2 * m[d] == count[d] && (box->sliding.along(d) || box->sliding.across(d)));
        return highest;
    }
    /// What the energy of mode m has of component (a, b) of the virial; `slope`: that of the
    /// screening. One off the diagonal has none of the highest index, which stands for both signs.
    [[nodiscard]] SHADOW_INLINE double virial_factor(const std::int32_t (&m)[Dim],
                                                     const double (&k)[Dim], double slope, int a,
                                                     int b) const {
        const bool highest = 2 * m[a] == count[a] || 2 * m[b] == count[b];
        return a == b ? 1.0 + slope * k[a] * k[a] : highest ? 0.0 : slope * k[a] * k[b];
    }
    /// The same of component `component`; 0 where k is.
    [[nodiscard]] SHADOW_INLINE double virial_factor(const std::int32_t (&m)[Dim],
                                                     int component) const {
        SymmetricTensor<Dim> all{};
        add_virial(m, 1.0, all);
        return all.component[component];
    }
    /// What so much energy of mode m has of the virial; nothing where k is 0.
    SHADOW_INLINE void add_virial(const std::int32_t (&m)[Dim], double energy,
                                  SymmetricTensor<Dim>& virial) const {
        double k[Dim], k2 = 0.0;
        wave_vector(m, k);
        for (int d = 0; d < Dim; ++d) k2 += k[d] * k[d];
        if (k2 == 0.0) return;
        const double slope = screening.slope(k2);
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                virial.component[tensor_index<Dim>(a, b)] +=
                    energy * virial_factor(m, k, slope, a, b);
    }
    /// Coordinates in units of the mesh, in [0, count).
    SHADOW_INLINE void coordinates(const double (&x)[Dim], double (&u)[Dim]) const {
        box->fractions(x, u);
        for (int d = 0; d < Dim; ++d) {
            u[d] = (u[d] - floor(u[d])) * count[d];
            if (!(u[d] < count[d])) u[d] = 0.0;
        }
    }
};

} // namespace shadow
