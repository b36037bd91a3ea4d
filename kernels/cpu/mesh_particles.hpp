// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/spline.hpp"
#include "kernels/ops/charge_mesh.hpp"
#include "kernels/pack_turn.hpp"

namespace shadow::SHADOW_ISA {

/// Points of a line that are written and read at once; `cells` rounds numbers to the nearest
/// integers.
template <class T>
struct LinePart;
template <>
struct LinePart<float> {
    typedef float Numbers __attribute__((vector_size(32)));
    typedef std::int32_t Cells __attribute__((vector_size(32)));
    static SHADOW_PACK Cells cells(Numbers x) {
#if defined(__AVX2__)
        return reinterpret_cast<Cells>(_mm256_cvtps_epi32(reinterpret_cast<__m256>(x)));
#else
        struct Halves {
            __m128 low, high;
        };
        const auto halves = __builtin_bit_cast(Halves, x);
        struct Whole {
            __m128i low, high;
        };
        return __builtin_bit_cast(Cells,
                                  Whole{_mm_cvtps_epi32(halves.low), _mm_cvtps_epi32(halves.high)});
#endif
    }
};
template <>
struct LinePart<double> {
    typedef double Numbers __attribute__((vector_size(64)));
    typedef std::int64_t Cells __attribute__((vector_size(64)));
    /// Rounded by the sum with 1.5 * 2^52, whose last bits are then the integer.
    static SHADOW_PACK Cells cells(Numbers x) {
        const Numbers magic = Numbers{} + 6755399441055744.0;
        return reinterpret_cast<Cells>(x + magic) - reinterpret_cast<Cells>(magic);
    }
};

/// The sum of all numbers, by halving.
template <class Numbers>
SHADOW_PACK auto total(Numbers x) {
    constexpr int size = static_cast<int>(sizeof(Numbers) / sizeof(x[0]));
    std::remove_cvref_t<decltype(x[0])> all[size];
    __builtin_memcpy(all, &x, sizeof x);
    for (int half = size / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) all[k] += all[k + half];
    return all[0];
}

/// Splines of several particles at once: those that fill a vector.
template <int Dim, class T, int fixed_order>
class SplineBatch {
  public:
    static constexpr int max_order = ChargeMesh<Dim, T>::max_order;
    static constexpr int size = lanes<T>;
    using Part = typename LinePart<T>::Numbers;

    SHADOW_PACK explicit SplineBatch(const ChargeMesh<Dim, T>& mesh) : mesh_(mesh) {}

    /// Order of the splines: a compile-time constant unless `fixed_order` is 0.
    [[nodiscard]] SHADOW_PACK int order() const {
        return fixed_order > 0 ? fixed_order : mesh_.order;
    }

    /// Computes the splines of particles begin .. begin + count.
    SHADOW_PACK void fill(const ParticlesView<Dim>& particles, std::int64_t begin, int count) {
        for (int l = 0; l < size; ++l) {
            double x[Dim] = {}, u[Dim];
            if (l < count) particles.place(begin + l, x);
            mesh_.coordinates(x, u);
            for (int d = 0; d < Dim; ++d) u_[d][l] = u[d];
        }
        for (int d = 0; d < Dim; ++d) {
            T fraction[size];
            for (int l = 0; l < size; ++l) {
                first_[d][l] = static_cast<std::int32_t>(u_[d][l]);
                fraction[l] = static_cast<T>(u_[d][l] - first_[d][l]);
            }
            using P = pack<T, size>;
            const SplineWeights<max_order, P> weights(order(), P::load(fraction));
            for (int j = 0; j < order(); ++j) {
                weights.weight[j].store(weight_[d][j]);
                weights.slope[j].store(slope_[d][j]);
            }
        }
    }
    [[nodiscard]] SHADOW_PACK T weight(int d, int j, int lane) const { return weight_[d][j][lane]; }
    [[nodiscard]] SHADOW_PACK T slope(int d, int j, int lane) const { return slope_[d][j][lane]; }
    /// Cosine and sine of 2 pi u.
    SHADOW_PACK void turns(int d, double (&cosine)[size], double (&sine)[size]) const {
        using P = pack<double, lanes<double>>;
        for (int l = 0; l < size; l += P::size) {
            P c, s;
            turn(P::load(u_[d] + l), c, s);
            c.store(cosine + l);
            s.store(sine + l);
        }
    }
    /// Weights or slopes along the last direction; zero beyond the order.
    [[nodiscard]] SHADOW_PACK Part last_weights(int lane) const { return part(weight_, lane); }
    [[nodiscard]] SHADOW_PACK Part last_slopes(int lane) const { return part(slope_, lane); }
    /// Indices of the first points of lines: for each direction but the last one term per weight,
    /// to be summed.
    SHADOW_PACK void lines(int lane, std::int64_t (&at)[2][max_order]) const {
        std::int64_t stride = mesh_.line;
        for (int d = Dim - 2; d >= 0; stride *= mesh_.count[d--])
            for (int j = 0; j < order(); ++j) {
                const std::int32_t k = first_[d][lane] + j;
                at[d][j] = stride * (k < mesh_.count[d] ? k : k - mesh_.count[d]);
            }
        for (int j = 0; j < order(); ++j) at[0][j] += first_[Dim - 1][lane];
    }

  private:
    [[nodiscard]] SHADOW_PACK Part part(const T (&of)[Dim][max_order][size], int lane) const {
        T all[max_order] = {};
        for (int j = 0; j < order(); ++j) all[j] = of[Dim - 1][j][lane];
        Part x;
        __builtin_memcpy(&x, all, sizeof x);
        return x;
    }

    const ChargeMesh<Dim, T>& mesh_;
    T weight_[Dim][max_order][size], slope_[Dim][max_order][size];
    double u_[Dim][size];
    std::int32_t first_[Dim][size];
};

template <int fixed_order, int Dim, class T>
void spread_order(const ChargeMesh<Dim, T>& mesh, const ParticlesView<Dim>& particles,
                  std::int64_t begin, std::int64_t end, typename ChargeMesh<Dim, T>::Cell* cells) {
    using Part = LinePart<T>;
    using Batch = SplineBatch<Dim, T, fixed_order>;
    Batch batch(mesh);
    for (std::int64_t i = begin; i < end; i += Batch::size) {
        const int count = end - i < Batch::size ? static_cast<int>(end - i) : Batch::size;
        batch.fill(particles, i, count);
        for (int lane = 0; lane < count; ++lane) {
            const T charge = static_cast<T>(mesh.charge[particles.species[i + lane]] * mesh.unit);
            if (charge == T(0)) continue;
            const typename Part::Numbers last = batch.last_weights(lane) * charge;
            std::int64_t line[2][Batch::max_order] = {};
            batch.lines(lane, line);
            for (int j = 0; j < batch.order(); ++j)
                for (int k = 0; k < (Dim == 3 ? batch.order() : 1); ++k) {
                    T factor = batch.weight(0, j, lane);
                    if constexpr (Dim == 3) factor *= batch.weight(1, k, lane);
                    auto* at = cells + line[0][j] + line[1][k];
                    typename Part::Cells sum;
                    __builtin_memcpy(&sum, at, sizeof sum);
                    sum += Part::cells(last * factor);
                    __builtin_memcpy(at, &sum, sizeof sum);
                }
        }
    }
}

template <int fixed_order, int Dim, class T>
void gather_order(const GatherForces<Dim, T>& op, std::int64_t begin, std::int64_t end) {
    const ChargeMesh<Dim, T>& mesh = op.mesh;
    using Part = typename LinePart<T>::Numbers;
    using Batch = SplineBatch<Dim, T, fixed_order>;
    Batch batch(mesh);
    for (std::int64_t i = begin; i < end; i += Batch::size) {
        const int count = end - i < Batch::size ? static_cast<int>(end - i) : Batch::size;
        batch.fill(op.particles, i, count);
        double cosine[Dim][Batch::size], sine[Dim][Batch::size];
        for (int d = 0; d < Dim; ++d) batch.turns(d, cosine[d], sine[d]);
        for (int lane = 0; lane < count; ++lane) {
            Part parts[Dim] = {}; // with the slope along a direction; last: weights only
            std::int64_t line[2][Batch::max_order] = {};
            batch.lines(lane, line);
            for (int j = 0; j < batch.order(); ++j)
                for (int k = 0; k < (Dim == 3 ? batch.order() : 1); ++k) {
                    Part potential;
                    __builtin_memcpy(&potential, mesh.potential + line[0][j] + line[1][k],
                                     sizeof potential);
                    const T w0 = batch.weight(0, j, lane), s0 = batch.slope(0, j, lane);
                    if constexpr (Dim == 3) {
                        const T w1 = batch.weight(1, k, lane), s1 = batch.slope(1, k, lane);
                        parts[0] += potential * (s0 * w1);
                        parts[1] += potential * (w0 * s1);
                        parts[2] += potential * (w0 * w1);
                    } else {
                        parts[0] += potential * s0;
                        parts[1] += potential * w0;
                    }
                }
            const Part weights = batch.last_weights(lane), slopes = batch.last_slopes(lane);
            T sum[Dim + 1] = {};
            for (int d = 0; d + 1 < Dim; ++d) sum[d] = total(parts[d] * weights);
            sum[Dim - 1] = total(parts[Dim - 1] * slopes);
            sum[Dim] = total(parts[Dim - 1] * weights);
            double c[Dim], s[Dim];
            for (int d = 0; d < Dim; ++d) c[d] = cosine[d][lane], s[d] = sine[d][lane];
            op.store(i + lane, sum, c, s);
        }
    }
}

template <int Dim, class T>
void spread_range(const ChargeMesh<Dim, T>& mesh, const ParticlesView<Dim>& particles,
                  std::int64_t begin, std::int64_t end, typename ChargeMesh<Dim, T>::Cell* cells) {
    if constexpr (Dim == 3) {
        if (mesh.order == 4) return spread_order<4>(mesh, particles, begin, end, cells);
        if (mesh.order == 5) return spread_order<5>(mesh, particles, begin, end, cells);
        if (mesh.order == 6) return spread_order<6>(mesh, particles, begin, end, cells);
        if (mesh.order == 7) return spread_order<7>(mesh, particles, begin, end, cells);
        return spread_order<8>(mesh, particles, begin, end, cells);
    } else {
        spread_order<0>(mesh, particles, begin, end, cells);
    }
}

template <int Dim, class T>
void gather_range(const GatherForces<Dim, T>& op, std::int64_t begin, std::int64_t end) {
    if constexpr (Dim == 3) {
        if (op.mesh.order == 4) return gather_order<4>(op, begin, end);
        if (op.mesh.order == 5) return gather_order<5>(op, begin, end);
        if (op.mesh.order == 6) return gather_order<6>(op, begin, end);
        if (op.mesh.order == 7) return gather_order<7>(op, begin, end);
        return gather_order<8>(op, begin, end);
    } else {
        gather_order<0>(op, begin, end);
    }
}

} // namespace shadow::SHADOW_ISA
