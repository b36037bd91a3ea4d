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

/// A mode of the spectrum, on a GPU and of libraries.
template <class T>
struct alignas(2 * sizeof(T)) Mode {
    T real, imaginary;
};

/// Energy and virial of a unit charge in its own field on a mesh, by direction, to be multiplied by
/// cos(2 pi u), where u is its coordinate in units of the mesh.
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
    /// Charges are sums of integers, which do not depend on their order.
    using Cell = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    /// Number of consecutive lanes in `influence`.
    static constexpr std::int32_t row_block = 16;

    std::int32_t count[Dim]; ///< points, even
    std::int32_t order;      ///< of the splines
    std::int32_t line;       ///< points from line to line of `cells` and `potential`
    std::int32_t copies;     ///< of `cells`: one for each thread of a CPU
    /// Number of modes of the last direction: all in CPU loops, which have the first half and one
    /// more of direction 0; otherwise the first half and one more, and then `real` and `imaginary`
    /// are one array of `Mode`.
    std::int32_t kept;
    const BoxView<Dim>* box; ///< periodic in all directions
    double unit;             ///< value of a unit charge in a cell
    Screening<Dim> screening;
    Cell* cells;
    T* potential;       ///< energy per charge
    T* real;            ///< the spectrum
    T* imaginary;       ///< likewise
    T* scratch;         ///< on a GPU see convolve.hpp, on a CPU cpu::scratch_size
    const T* influence; ///< see `influence_index`
    const MeshSelf<Dim>* self;
    const double* charge; ///< by species
    FourierAxis<T> axis[Dim];
    FourierAxis<T> pairs; ///< of a line of the last direction as complex pairs of numbers

    [[nodiscard]] SHADOW_INLINE std::int64_t lines() const {
        std::int64_t n = 1;
        for (int d = 0; d + 1 < Dim; ++d) n *= count[d];
        return n;
    }
    [[nodiscard]] SHADOW_INLINE std::int64_t cell_count() const { return lines() * line; }
    /// The spectrum as modes, if half of them are kept.
    [[nodiscard]] SHADOW_INLINE Mode<T>* modes() const { return reinterpret_cast<Mode<T>*>(real); }
    [[nodiscard]] SHADOW_INLINE std::int64_t mode_count() const { return lines() * kept; }
    /// The indices of mode number `i`.
    SHADOW_INLINE void find_mode(std::int64_t i, std::int32_t (&m)[Dim]) const {
        for (int d = Dim - 1; d >= 0; --d) {
            const std::int32_t n = d + 1 < Dim ? count[d] : kept;
            m[d] = static_cast<std::int32_t>(i % n);
            i /= n;
        }
    }
    /// The next mode.
    SHADOW_INLINE void next_mode(std::int32_t (&m)[Dim]) const {
        for (int d = Dim - 1; d >= 0; --d) {
            if (++m[d] < (d + 1 < Dim ? count[d] : kept)) return;
            m[d] = 0;
        }
    }
    /// Index of mode m in `influence`: its number; in CPU loops blocks of rows of the last
    /// direction but one (in 2D the first).
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
    /// Size of `influence`; the numbers of rows that only pad a block are 0.
    [[nodiscard]] std::int64_t influence_size() const {
        if (kept < count[Dim - 1]) return mode_count();
        const std::int64_t rows = count[Dim - 2];
        return mode_count() / rows * ((rows + row_block - 1) / row_block * row_block);
    }
    /// The wave vector of mode m; indices above half the count are negative.
    SHADOW_INLINE void wave_vector(const std::int32_t (&m)[Dim], double (&k)[Dim]) const {
        std::int32_t turns[Dim];
        for (int d = 0; d < Dim; ++d) turns[d] = 2 * m[d] > count[d] ? m[d] - count[d] : m[d];
        box->wave_vector(turns, k);
    }
    /// Do the indices of mode m stand for wave vectors of different length, as the highest ones
    /// along the edges of a tilted box do?
    [[nodiscard]] SHADOW_INLINE bool is_ambiguous(const std::int32_t (&m)[Dim]) const {
        bool highest = false;
        for (int d = 0; d < Dim; ++d)
            highest = highest ||
                      (2 * m[d] == count[d] && (box->sliding.along(d) || box->sliding.across(d)));
        return highest;
    }
    /// Component (a, b) of the virial per energy of mode m; `slope` is that of the screening.
    /// Off-diagonal components of the highest index are 0, since it stands for both signs.
    [[nodiscard]] SHADOW_INLINE double virial_factor(const std::int32_t (&m)[Dim],
                                                     const double (&k)[Dim], double slope, int a,
                                                     int b) const {
        const bool highest = 2 * m[a] == count[a] || 2 * m[b] == count[b];
        return a == b ? 1.0 + slope * k[a] * k[a] : highest ? 0.0 : slope * k[a] * k[b];
    }
    /// The same for component `component`; 0 for k = 0.
    [[nodiscard]] SHADOW_INLINE double virial_factor(const std::int32_t (&m)[Dim],
                                                     int component) const {
        SymmetricTensor<Dim> all{};
        add_virial(m, 1.0, all);
        return all.component[component];
    }
    /// Adds the virial of mode m with this energy; 0 for k = 0.
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
