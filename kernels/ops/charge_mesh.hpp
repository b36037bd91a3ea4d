// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/cpu/charge_mesh.hpp"
#include "kernels/lane_sum.hpp"
#include "kernels/mesh/charge_mesh.hpp"
#include "kernels/mesh/spline.hpp"
#include "kernels/ops/density_modes.hpp"
#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/shares.hpp"

#include <utility>

/// Charges on a mesh (kernels/mesh/charge_mesh.hpp): the work for each particle, and, on a GPU, for
/// each point. CPUs have separate loops.
namespace shadow {

/// On a GPU this many adjacent threads share a particle, and each has the points of its spline with
/// one number along the last direction: neighbouring threads have neighbouring points.
inline constexpr int spline_lanes = 8;

/// The part of a thread in the spline of a particle.
template <int Dim, class T, int order>
struct SplineLane {
    SplineWeights<order, T> weights[Dim];
    std::int64_t row[order];  ///< first point of its lines by number along direction 0
    std::int32_t line[order]; ///< in 3D, added by number along direction 1
    T weight, slope;          ///< along the last direction; zero beyond the order

    template <std::size_t... d>
    SHADOW_INLINE SplineLane(const ChargeMesh<Dim, T>& mesh, const double (&u)[Dim], int lane,
                             std::index_sequence<d...>)
        : weights{SplineWeights<order, T>(order, static_cast<T>(u[d] - floor(u[d])))...}, weight(0),
          slope(0) {
        SHADOW_UNROLL_ALL
        for (int j = 0; j < order; ++j) {
            if (j == lane) weight = weights[Dim - 1].weight[j], slope = weights[Dim - 1].slope[j];
            const std::int64_t first = wrapped(mesh, 0, static_cast<std::int32_t>(u[0]) + j);
            row[j] = first * (Dim == 3 ? mesh.count[1] : 1) * mesh.line +
                     wrapped(mesh, Dim - 1, static_cast<std::int32_t>(u[Dim - 1]) + lane);
            line[j] =
                Dim == 3 ? mesh.line * wrapped(mesh, 1, static_cast<std::int32_t>(u[1]) + j) : 0;
        }
    }
    SHADOW_INLINE SplineLane(const ChargeMesh<Dim, T>& mesh, const double (&u)[Dim], int lane)
        : SplineLane(mesh, u, lane, std::make_index_sequence<Dim>{}) {}

  private:
    static SHADOW_INLINE std::int32_t wrapped(const ChargeMesh<Dim, T>& mesh, int d,
                                              std::int32_t k) {
        return k < mesh.count[d] ? k : k - mesh.count[d];
    }
};

/// Calls f.template run<order>(args...).
template <class F, class... Args>
SHADOW_INLINE void for_order(int order, const F& f, const Args&... args) {
    if (order == 4) f.template run<4>(args...);
    if (order == 5) f.template run<5>(args...);
    if (order == 6) f.template run<6>(args...);
    if (order == 7) f.template run<7>(args...);
    if (order == 8) f.template run<8>(args...);
}

/// Adds the charges of particles to `cells`: on a GPU with `spline_lanes` threads per particle.
template <int Dim, class T>
struct SpreadCharges {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim> particles;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const auto lane = static_cast<int>(i % spline_lanes);
        if (lane < mesh.order) for_order(mesh.order, *this, i / spline_lanes, lane);
    }
    template <int order>
    SHADOW_INLINE void run(std::int64_t i, int lane) const {
        double x[Dim], u[Dim];
        particles.place(i, x);
        mesh.coordinates(x, u);
        const SplineLane<Dim, T, order> spline(mesh, u, lane);
        const T charge = static_cast<T>(mesh.charge[particles.species[i]] * mesh.unit);
        SHADOW_UNROLL_ALL
        for (int j = 0; j < order; ++j) {
            auto* const row = mesh.cells + spline.row[j];
            const T share = charge * spline.weight * spline.weights[0].weight[j];
            SHADOW_UNROLL_ALL
            for (int k = 0; k < (Dim == 3 ? order : 1); ++k) {
                const T all = Dim == 3 ? share * spline.weights[1].weight[k] : share;
                using Cell = typename ChargeMesh<Dim, T>::Cell;
                atomic_add(row + spline.line[k], static_cast<Cell>(rint(all)));
            }
        }
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::spread_charges(backend, mesh, particles);
    }
#endif
};

/// Forces on particles, and their energies on request, in separate arrays: on a GPU with
/// `spline_lanes` threads per particle.
template <int Dim, class T>
struct GatherForces {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim> particles;
    VectorView<Dim, double> force;
    double* energy; ///< may be null

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        for_order(mesh.order, *this, i / spline_lanes, static_cast<int>(i % spline_lanes));
    }
    template <int order>
    SHADOW_INLINE void run(std::int64_t i, int lane) const {
        double x[Dim], u[Dim];
        particles.place(i, x);
        mesh.coordinates(x, u);
        sum_over_lanes<spline_lanes, Dim + 1, T>(lane, Part<order>{*this, u}, Done{*this, u, i});
    }
#if !defined(__CUDACC__)
    void range(const Backend& backend, std::int64_t begin, std::int64_t end) const {
        cpu::gather_forces(backend, *this, begin, end);
    }
#endif

    /// `sum`: derivatives of the potential by the coordinates u, and the potential; cosine and sine
    /// of 2 pi u.
    SHADOW_INLINE void store(std::int64_t i, const T (&sum)[Dim + 1], const double (&cosine)[Dim],
                             const double (&sine)[Dim]) const {
        const double charge = mesh.charge[particles.species[i]];
        double self = 0.0;
        SHADOW_UNROLL_ALL
        for (int d = 0; d < Dim; ++d) {
            self += charge * mesh.self->energy[d] * cosine[d];
        }
        double along[Dim];
        find_force(charge, sum, sine, along);
        for (int d = 0; d < Dim; ++d) force.component[d][i] = along[d];
        if (energy) energy[i] = charge * (0.5 * static_cast<double>(sum[Dim]) - self);
    }

  private:
    SHADOW_INLINE void find_force(double charge, const T (&sum)[Dim + 1], const double (&sine)[Dim],
                                  double (&along)[Dim]) const {
        double by_edge[Dim];
        SHADOW_UNROLL_ALL
        for (int d = 0; d < Dim; ++d) {
            const double own = charge * mesh.self->energy[d];
            by_edge[d] = -charge *
                         (static_cast<double>(sum[d]) + 6.283185307179586477 * own * sine[d]) *
                         mesh.count[d];
        }
        mesh.box->from_products(by_edge, along);
    }
    /// Sums over the points of a lane.
    template <int order>
    struct Part {
        const GatherForces& op;
        const double (&u)[Dim];

        SHADOW_INLINE void operator()(int lane, T (&sum)[Dim + 1]) const {
            if (lane >= order) return;
            const SplineLane<Dim, T, order> spline(op.mesh, u, lane);
            T plain = T(0), slope[2] = {};
            SHADOW_UNROLL_ALL
            for (int j = 0; j < order; ++j) {
                const T* const row = op.mesh.potential + spline.row[j];
                T potential = T(0), derivative = T(0);
                if constexpr (Dim == 3) {
                    SHADOW_UNROLL_ALL
                    for (int k = 0; k < order; ++k) {
                        const T x = row[spline.line[k]];
                        potential = std::fma(x, spline.weights[1].weight[k], potential);
                        derivative = std::fma(x, spline.weights[1].slope[k], derivative);
                    }
                } else {
                    potential = *row;
                }
                const T weight = spline.weights[0].weight[j];
                plain = std::fma(potential, weight, plain);
                slope[0] = std::fma(potential, spline.weights[0].slope[j], slope[0]);
                slope[1] = std::fma(derivative, weight, slope[1]);
            }
            SHADOW_UNROLL_ALL
            for (int d = 0; d + 1 < Dim; ++d) sum[d] = spline.weight * slope[d];
            sum[Dim - 1] = spline.slope * plain;
            sum[Dim] = spline.weight * plain;
        }
    };
    /// Each of the first lanes processes a direction, if no energy is requested.
    struct Done {
        const GatherForces& op;
        const double (&u)[Dim];
        std::int64_t i;

        SHADOW_INLINE void operator()(int lane, const T (&sum)[Dim + 1]) const {
            double cosine[Dim], sine[Dim];
            if (op.energy) {
                if (lane > 0) return;
                SHADOW_UNROLL_ALL
                for (int d = 0; d < Dim; ++d) turn(u[d], cosine[d], sine[d]);
                return op.store(i, sum, cosine, sine);
            }
            if (lane >= Dim) return;
            const bool tilted = op.mesh.box->sliding.any();
            SHADOW_UNROLL_ALL
            for (int d = 0; d < Dim; ++d) {
                sine[d] = 0.0;
                if (lane == d || tilted) turn(u[d], cosine[d], sine[d]);
            }
            double along[Dim];
            op.find_force(op.mesh.charge[op.particles.species[i]], sum, sine, along);
            SHADOW_UNROLL_ALL
            for (int d = 0; d < Dim; ++d)
                if (lane == d) op.force.component[d][i] = along[d];
        }
    };
};

/// One thread per cell.
template <int Dim, class T>
struct ClearCells {
    ChargeMesh<Dim, T> mesh;
    SHADOW_FUNCTION void operator()(std::int64_t i) const { mesh.cells[i] = 0; }
};
/// Moves charges to the array that is transformed; the potential returns there.
template <int Dim, class T>
struct LoadCells {
    ChargeMesh<Dim, T> mesh;
    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        mesh.potential[i] = static_cast<T>(mesh.cells[i]);
    }
};

/// One thread per mode: times the influence function, and times component `component` of the virial
/// (-1: of the energy).
template <int Dim, class T>
struct ApplyInfluence {
    ChargeMesh<Dim, T> mesh;
    std::int32_t component;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        T factor = mesh.influence[i];
        if (component >= 0) {
            std::int32_t m[Dim];
            mesh.find_mode(i, m);
            factor *= static_cast<T>(mesh.virial_factor(m, component));
        }
        const Mode<T> mode = mesh.modes()[i];
        mesh.modes()[i] = {mode.real * factor, mode.imaginary * factor};
    }
};

/// Minus the energy of a particle in its own field.
template <int Dim, class T>
SHADOW_INLINE SymmetricTensor<Dim> mesh_self_virial(const ChargeMesh<Dim, T>& mesh,
                                                    const ParticlesView<Dim>& particles,
                                                    std::int64_t i) {
    SymmetricTensor<Dim> virial{};
    const double charge = mesh.charge[particles.species[i]];
    double x[Dim], u[Dim];
    particles.place(i, x);
    mesh.coordinates(x, u);
    for (int d = 0; d < Dim; ++d) {
        double cosine, sine;
        turn(u[d], cosine, sine);
        for (int c = 0; c < tensor_size<Dim>; ++c)
            virial.component[c] -= charge * charge * mesh.self->virial[d].component[c] * cosine;
    }
    return virial;
}

/// The virial of modes, before the influence function is applied; except for the first and the
/// middle index of the last direction a mode counts twice.
template <int Dim, class T>
struct SumMeshVirial : TensorSum<Dim> {
    ChargeMesh<Dim, T> mesh;
    const SymmetricTensor<Dim>* so_far; ///< added; null: nothing

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        std::int32_t m[Dim];
        mesh.find_mode(i, m);
        const std::int32_t last = m[Dim - 1];
        const double weight = last == 0 || 2 * last == mesh.count[Dim - 1] ? 0.5 : 1.0;
        const auto x = static_cast<double>(mesh.modes()[i].real),
                   y = static_cast<double>(mesh.modes()[i].imaginary);
        const double energy =
            weight * (x * x + y * y) / mesh.unit * static_cast<double>(mesh.influence[i]);
        SymmetricTensor<Dim> virial{};
        mesh.add_virial(m, energy, virial);
        if (i == 0 && so_far) virial.add(*so_far);
        return virial;
    }
};

/// The energies of particles in their own fields, which are subtracted from the virial.
template <int Dim, class T>
struct SumMeshSelf : TensorSum<Dim> {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim> particles;
    const SymmetricTensor<Dim>* so_far; ///< added

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        SymmetricTensor<Dim> virial = mesh_self_virial(mesh, particles, i);
        if (i == 0) virial.add(*so_far);
        return virial;
    }
};

/// The share of each particle: of its energy if `component` is -1, else a component of its virial.
template <int Dim, class T>
struct ShareMesh {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim> particles;
    const double* energy; ///< as from GatherForces, from the potential or a component of the virial
    double background;    ///< energy of a charge of 1, and its virial along each direction
    std::int32_t component;
    bool accumulate; ///< add to the present values
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        Share<Dim>& own = share[i];
        if (component < 0) {
            if (!accumulate) own = Share<Dim>{};
            const double uniform = background * mesh.charge[particles.species[i]];
            own.energy += energy[i] + uniform;
            for (int d = 0; d < Dim; ++d) own.virial.component[d] += uniform;
            own.virial.add(mesh_self_virial(mesh, particles, i));
        } else {
            own.virial.component[component] += energy[i] + self_energy(i);
        }
    }

  private:
    /// The self energy that GatherForces subtracted.
    [[nodiscard]] SHADOW_INLINE double self_energy(std::int64_t i) const {
        const double charge = mesh.charge[particles.species[i]];
        double x[Dim], u[Dim], sum = 0.0;
        particles.place(i, x);
        mesh.coordinates(x, u);
        for (int d = 0; d < Dim; ++d) {
            double cosine, sine;
            turn(u[d], cosine, sine);
            sum += charge * charge * mesh.self->energy[d] * cosine;
        }
        return sum;
    }
};

} // namespace shadow
