// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/charge_mesh.hpp"
#include "kernels/pack_transpose.hpp"

namespace shadow::SHADOW_ISA {

/// Lines side by side, one in each lane, and their transforms.
template <class T>
class LineBatch {
  public:
    static constexpr int size = lanes<T>;
    using P = pack<T, size>;
    using C = ComplexNumber<P>;

    /// `memory`: four times `quarter`, which is at least `size` times the longest count.
    SHADOW_PACK LineBatch(T* memory, std::int64_t quarter)
        : real_(memory), imaginary_(memory + quarter), other_real_(memory + 2 * quarter),
          other_imaginary_(memory + 3 * quarter) {}
    [[nodiscard]] SHADOW_PACK C get(std::int32_t n) const {
        return {P::load(real_ + n * size), P::load(imaginary_ + n * size)};
    }
    SHADOW_PACK void set(std::int32_t n, C x) {
        x.real.store(real_ + n * size);
        x.imaginary.store(imaginary_ + n * size);
    }
    [[nodiscard]] SHADOW_PACK T* real(std::int32_t n) { return real_ + n * size; }
    [[nodiscard]] SHADOW_PACK T* imaginary(std::int32_t n) { return imaginary_ + n * size; }

    /// From `size` numbers of each of the first `used` rows to as many numbers of all lines.
    static SHADOW_PACK void load_rows(const T* from, std::int64_t stride, int used, T* to) {
        P row[size];
        for (int l = 0; l < size; ++l) row[l] = P::load(from + (l < used ? l : 0) * stride);
        transpose(row);
        for (int k = 0; k < size; ++k) row[k].store(to + k * size);
    }
    static SHADOW_PACK void store_rows(const T* from, T* to, std::int64_t stride, int used) {
        P row[size];
        for (int k = 0; k < size; ++k) row[k] = P::load(from + k * size);
        transpose(row);
        for (int l = 0; l < used; ++l) row[l].store(to + l * stride);
    }

    void transform(const FourierAxis<T>& axis) {
        std::int32_t stride = 1;
        for (std::int32_t s = 0; s < axis.stages; stride *= axis.radix[s++]) {
            const std::int32_t radix = axis.radix[s];
            if (radix == 2) stage<2>(axis, stride);
            if (radix == 3) stage<3>(axis, stride);
            if (radix == 4) stage<4>(axis, stride);
            if (radix == 5) stage<5>(axis, stride);
            exchange(real_, other_real_);
            exchange(imaginary_, other_imaginary_);
        }
    }
    /// Backward transform: real and imaginary parts are exchanged before and after.
    void transform_back(const FourierAxis<T>& axis) {
        exchange(real_, imaginary_);
        exchange(other_real_, other_imaginary_);
        transform(axis);
        exchange(real_, imaginary_);
        exchange(other_real_, other_imaginary_);
    }

  private:
    static SHADOW_PACK void exchange(T*& a, T*& b) {
        T* const c = a;
        a = b;
        b = c;
    }
    struct Load {
        const LineBatch& lines;
        SHADOW_PACK C operator()(std::int32_t n) const { return lines.get(n); }
    };
    struct Store {
        T *real, *imaginary;
        SHADOW_PACK void operator()(std::int32_t n, C x) const {
            x.real.store(real + n * size);
            x.imaginary.store(imaginary + n * size);
        }
    };
    template <int radix>
    void stage(const FourierAxis<T>& axis, std::int32_t stride) {
        const Load load{*this};
        const Store store{other_real_, other_imaginary_};
        for (std::int32_t p = 0; p < axis.count / (radix * stride); ++p)
            for (std::int32_t q = 0; q < stride; ++q)
                fourier_stage<radix, P>(axis, stride, p, q, load, store);
    }

    T *real_, *imaginary_, *other_real_, *other_imaginary_;
};

/// From cells to the potential. The spectrum is [first half of direction 0][1][2], each line of the
/// last direction padded to whole blocks.
template <int Dim, class T>
class MeshConvolution {
  public:
    static constexpr int size = lanes<T>;
    using Lines = LineBatch<T>;
    using P = typename Lines::P;
    using C = typename Lines::C;

    SHADOW_PACK MeshConvolution(const ChargeMesh<Dim, T>& mesh, T* memory)
        : mesh_(mesh), lines_(memory, cpu::scratch_size(mesh) / 4),
          columns_(cpu::spectrum_columns(mesh)) {}
    /// Pairs of blocks of columns along direction 0.
    [[nodiscard]] SHADOW_PACK std::int64_t pairs() const { return columns_ / (2 * size); }

    /// Direction 0: real columns, two of them as one complex column.
    void forward(std::int64_t pair) {
        const std::int32_t n = mesh_.count[0], half = n / 2;
        const std::int64_t a = cell_index(2 * pair), b = cell_index(2 * pair + 1);
        const std::int64_t slab = mesh_.cell_count() / n;
        const std::int64_t ahead = cell_index(2 * pair + 2) - a;
        for (std::int32_t x = 0; x < n; ++x) {
            __builtin_prefetch(mesh_.cells + x * slab + a + ahead);
            __builtin_prefetch(mesh_.cells + x * slab + b + ahead);
            const auto *from_a = mesh_.cells + x * slab + a, *from_b = mesh_.cells + x * slab + b;
            T *to_a = lines_.real(x), *to_b = lines_.imaginary(x);
            for (int l = 0; l < size; ++l) to_a[l] = static_cast<T>(from_a[l]);
            for (int l = 0; l < size; ++l) to_b[l] = static_cast<T>(from_b[l]);
        }
        lines_.transform(mesh_.axis[0]);
        const P middle(0.5);
        for (std::int32_t k = 0; k <= half; ++k) {
            const C x = lines_.get(k), y = lines_.get(k == 0 ? 0 : n - k);
            store(k, 2 * pair, {middle * (x.real + y.real), middle * (x.imaginary - y.imaginary)});
            store(k, 2 * pair + 1,
                  {middle * (x.imaginary + y.imaginary), middle * (y.real - x.real)});
        }
    }
    void backward(std::int64_t pair) {
        const std::int32_t n = mesh_.count[0], half = n / 2;
        for (std::int32_t k = 0; k <= half; ++k) {
            const C x = load(k, 2 * pair), y = load(k, 2 * pair + 1);
            lines_.set(k, {x.real - y.imaginary, x.imaginary + y.real});
            if (k > 0 && k < half) lines_.set(n - k, {x.real + y.imaginary, y.real - x.imaginary});
        }
        lines_.transform_back(mesh_.axis[0]);
        const std::int64_t slab = mesh_.cell_count() / n;
        T* const to = mesh_.potential;
        for (std::int32_t x = 0; x < n; ++x) {
            const C both = lines_.get(x);
            both.real.store(to + x * slab + cell_index(2 * pair));
            both.imaginary.store(to + x * slab + cell_index(2 * pair + 1));
        }
    }

    /// The other directions, for one index of direction 0; in 2D for a block of rows.
    [[nodiscard]] SHADOW_PACK std::int64_t slabs() const {
        const std::int32_t first = mesh_.count[0] / 2 + 1;
        return Dim == 3 ? first : (first + size - 1) / size;
    }
    void middle(std::int64_t slab, int component, SymmetricTensor<Dim>* virial) {
        if constexpr (Dim == 3) {
            for (std::int64_t b = 0; b < columns_ / mesh_.count[1] / size; ++b)
                across(slab, b, false);
            for (std::int32_t row = 0; row < mesh_.count[1]; row += size)
                along(slab, row, mesh_.count[1], component, virial);
            for (std::int64_t b = 0; b < columns_ / mesh_.count[1] / size; ++b)
                across(slab, b, true);
        } else {
            along(0, static_cast<std::int32_t>(slab) * size, mesh_.count[0] / 2 + 1, component,
                  virial);
        }
    }

  private:
    /// Index of a block of columns in `cells` and `potential`, at the first index of direction 0.
    [[nodiscard]] SHADOW_PACK std::int64_t cell_index(std::int64_t block) const {
        if constexpr (Dim == 2) return block * size;
        const std::int64_t blocks = columns_ / mesh_.count[1] / size;
        return block / blocks * mesh_.line + block % blocks * size;
    }
    [[nodiscard]] SHADOW_PACK C load(std::int64_t k, std::int64_t block) const {
        const std::int64_t at = k * columns_ + block * size;
        return {P::load(mesh_.real + at), P::load(mesh_.imaginary + at)};
    }
    SHADOW_PACK void store(std::int64_t k, std::int64_t block, C x) const {
        const std::int64_t at = k * columns_ + block * size;
        x.real.store(mesh_.real + at);
        x.imaginary.store(mesh_.imaginary + at);
    }

    /// Direction 1 of three.
    void across(std::int64_t k, std::int64_t block, bool back) {
        const std::int32_t n = mesh_.count[1];
        const std::int64_t blocks = columns_ / n / size;
        for (std::int32_t y = 0; y < n; ++y) lines_.set(y, load(k, y * blocks + block));
        back ? lines_.transform_back(mesh_.axis[1]) : lines_.transform(mesh_.axis[1]);
        for (std::int32_t y = 0; y < n; ++y) store(k, y * blocks + block, lines_.get(y));
    }

    /// The last direction, forward and backward, for up to `size` rows from `row` on, below `rows`.
    void along(std::int64_t k, std::int32_t row, std::int32_t rows, int component,
               SymmetricTensor<Dim>* virial) {
        const std::int32_t n = mesh_.count[Dim - 1];
        const int used = rows - row < size ? rows - row : size;
        const std::int64_t width = Dim == 3 ? columns_ / mesh_.count[1] : columns_;
        const std::int64_t at = (Dim == 3 ? k * columns_ : 0) + row * width;
        for (std::int32_t z = 0; z < n; z += size) {
            lines_.load_rows(mesh_.real + at + z, width, used, lines_.real(z));
            lines_.load_rows(mesh_.imaginary + at + z, width, used, lines_.imaginary(z));
        }
        lines_.transform(mesh_.axis[Dim - 1]);
        std::int32_t m[Dim] = {};
        if (Dim == 3) m[0] = static_cast<std::int32_t>(k);
        m[Dim - 2] = row;
        if (virial) add_virial(m, used, *virial);
        const T* influence = mesh_.influence + mesh_.influence_index(m);
        for (std::int32_t z = 0; z < n; ++z) {
            const C x = lines_.get(z);
            lines_.set(z, x.times(P::load(influence + z * mesh_.row_block)));
        }
        if (component >= 0) weigh(m, used, component);
        lines_.transform_back(mesh_.axis[Dim - 1]);
        for (std::int32_t z = n; z % size != 0; ++z) lines_.set(z, {P(0), P(0)});
        for (std::int32_t z = 0; z < n; z += size) {
            lines_.store_rows(lines_.real(z), mesh_.real + at + z, width, used);
            lines_.store_rows(lines_.imaginary(z), mesh_.imaginary + at + z, width, used);
        }
    }
    /// Adds the virial of modes before the influence function is applied; all indices of direction
    /// 0 but the first and the middle one stand for two modes.
    void add_virial(const std::int32_t (&first)[Dim], int used, SymmetricTensor<Dim>& virial) {
        std::int32_t m[Dim];
        for (int d = 0; d < Dim; ++d) m[d] = first[d];
        for (m[Dim - 1] = 0; m[Dim - 1] < mesh_.count[Dim - 1]; ++m[Dim - 1])
            for (int l = 0; l < used; ++l) {
                m[Dim - 2] = first[Dim - 2] + l;
                const double weight = m[0] == 0 || 2 * m[0] == mesh_.count[0] ? 0.5 : 1.0;
                const double x = lines_.real(m[Dim - 1])[l], y = lines_.imaginary(m[Dim - 1])[l];
                const double energy = weight * (x * x + y * y) / mesh_.unit *
                                      mesh_.influence[mesh_.influence_index(m)];
                if (energy == 0.0) continue;
                mesh_.add_virial(m, energy, virial);
            }
    }
    void weigh(const std::int32_t (&first)[Dim], int used, int component) {
        std::int32_t m[Dim];
        for (int d = 0; d < Dim; ++d) m[d] = first[d];
        for (m[Dim - 1] = 0; m[Dim - 1] < mesh_.count[Dim - 1]; ++m[Dim - 1])
            for (int l = 0; l < used; ++l) {
                m[Dim - 2] = first[Dim - 2] + l;
                const T factor = static_cast<T>(mesh_.virial_factor(m, component));
                lines_.real(m[Dim - 1])[l] *= factor;
                lines_.imaginary(m[Dim - 1])[l] *= factor;
            }
    }

    const ChargeMesh<Dim, T>& mesh_;
    Lines lines_;
    std::int64_t columns_;
};

} // namespace shadow::SHADOW_ISA
