// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/cpu/charge_mesh.hpp"
#include "kernels/mesh/charge_mesh.hpp"
#include "kernels/mesh/spline.hpp"
#include "kernels/ops/density_modes.hpp"
#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/shares.hpp"

#include <utility>

/// Charges on a mesh (kernels/mesh/charge_mesh.hpp): what is done particle by particle, and, on a
/// GPU, point by point. CPUs have loops of their own.
namespace shadow {

/// Where the spline of a particle is: its lowest point and weights, by direction.
template <int Dim, class T>
struct SplinePlace {
    static constexpr int max_order = ChargeMesh<Dim, T>::max_order;
    SplineWeights<max_order, T> weights[Dim];
    std::int32_t first[Dim];

    template <std::size_t... d>
    SHADOW_INLINE SplinePlace(const ChargeMesh<Dim, T>& mesh, const double (&u)[Dim],
                              std::index_sequence<d...>)
        : weights{SplineWeights<max_order, T>(mesh.order, static_cast<T>(u[d] - floor(u[d])))...},
          first{static_cast<std::int32_t>(u[d])...} {}
    SHADOW_INLINE SplinePlace(const ChargeMesh<Dim, T>& mesh, const double (&u)[Dim])
        : SplinePlace(mesh, u, std::make_index_sequence<Dim>{}) {}

    /// Calls f(index of the point, weights' numbers j) for all points.
    template <class F>
    SHADOW_INLINE void each(const ChargeMesh<Dim, T>& mesh, const F& f) const {
        int j[3] = {};
        for (j[0] = 0; j[0] < mesh.order; ++j[0])
            for (j[1] = 0; j[1] < mesh.order; ++j[1])
                for (j[2] = 0; j[2] < (Dim == 3 ? mesh.order : 1); ++j[2]) {
                    std::int64_t at = 0;
                    for (int d = 0; d < Dim; ++d) {
                        const std::int32_t k = first[d] + j[d];
                        at = at * (d + 1 < Dim ? mesh.count[d] : mesh.line) +
                             (k < mesh.count[d] ? k : k - mesh.count[d]);
                    }
                    f(at, j);
                }
    }
    /// Product of the weights, with the slope along `along` (-1: along none).
    [[nodiscard]] SHADOW_INLINE T product(const int (&j)[3], int along) const {
        T all(1);
        for (int d = 0; d < Dim; ++d)
            all *= d == along ? weights[d].slope[j[d]] : weights[d].weight[j[d]];
        return all;
    }
};

/// Adds the charges of particles to `cells`.
template <int Dim, class T>
struct SpreadCharges {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim, double> particles;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double u[Dim];
        for (int d = 0; d < Dim; ++d) u[d] = mesh.coordinate(particles.position.component[d][i], d);
        const SplinePlace<Dim, T> place(mesh, u);
        const T charge = static_cast<T>(mesh.charge[particles.species[i]] * mesh.unit);
        place.each(mesh, Add{*this, place, charge});
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const {
        cpu::spread_charges(backend, mesh, particles);
    }
#endif

  private:
    struct Add {
        const SpreadCharges& op;
        const SplinePlace<Dim, T>& place;
        T charge;

        SHADOW_INLINE void operator()(std::int64_t at, const int (&j)[3]) const {
            using Cell = typename ChargeMesh<Dim, T>::Cell;
            atomic_add(op.mesh.cells + at, static_cast<Cell>(rint(charge * place.product(j, -1))));
        }
    };
};

/// Forces on particles, and their energies where asked for, in arrays of their own.
template <int Dim, class T>
struct GatherForces {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim, double> particles;
    VectorView<Dim, double> force;
    double* energy; ///< may be null

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double u[Dim];
        for (int d = 0; d < Dim; ++d) u[d] = mesh.coordinate(particles.position.component[d][i], d);
        const SplinePlace<Dim, T> place(mesh, u);
        T sum[Dim + 1] = {};
        place.each(mesh, Add{*this, place, sum});
        double cosine[Dim], sine[Dim];
        for (int d = 0; d < Dim; ++d) turn(u[d], cosine[d], sine[d]);
        store(i, sum, cosine, sine);
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
        for (int d = 0; d < Dim; ++d) {
            const double own = charge * mesh.self_energy[d];
            const double slope = static_cast<double>(sum[d]) + 6.283185307179586477 * own * sine[d];
            force.component[d][i] = -charge * slope * mesh.count[d] * mesh.inverse_length[d];
            self += own * cosine[d];
        }
        if (energy) energy[i] = charge * (0.5 * static_cast<double>(sum[Dim]) - self);
    }

  private:
    struct Add {
        const GatherForces& op;
        const SplinePlace<Dim, T>& place;
        T (&sum)[Dim + 1];

        SHADOW_INLINE void operator()(std::int64_t at, const int (&j)[3]) const {
            const T potential = op.mesh.potential[at];
            for (int d = 0; d < Dim; ++d) sum[d] += potential * place.product(j, d);
            sum[Dim] += potential * place.product(j, -1);
        }
    };
};

/// One thread a cell.
template <int Dim, class T>
struct ClearCells {
    ChargeMesh<Dim, T> mesh;
    SHADOW_FUNCTION void operator()(std::int64_t i) const { mesh.cells[i] = 0; }
};
/// Charges to where they are transformed, and the potential comes back to.
template <int Dim, class T>
struct LoadCells {
    ChargeMesh<Dim, T> mesh;
    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        mesh.potential[i] = static_cast<T>(mesh.cells[i]);
    }
};

/// One thread a mode: times the influence function, and times component `component` of the virial
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

/// What a particle has in its own field, with the other sign.
template <int Dim, class T>
SHADOW_INLINE SymmetricTensor<Dim> mesh_self_virial(const ChargeMesh<Dim, T>& mesh,
                                                    const ParticlesView<Dim, double>& particles,
                                                    std::int64_t i) {
    SymmetricTensor<Dim> virial{};
    const double charge = mesh.charge[particles.species[i]];
    for (int d = 0; d < Dim; ++d) {
        double cosine, sine;
        turn(mesh.coordinate(particles.position.component[d][i], d), cosine, sine);
        for (int c = 0; c < tensor_size<Dim>; ++c)
            virial.component[c] -= charge * charge * mesh.self_virial[d][c] * cosine;
    }
    return virial;
}

/// The virial of modes, before the influence function is applied; all but the first and the middle
/// index of the last direction stand for two.
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
        SymmetricTensor<Dim> virial;
        for (int c = 0; c < tensor_size<Dim>; ++c)
            virial.component[c] = energy * mesh.virial_factor(m, c);
        if (i == 0 && so_far) virial.add(*so_far);
        return virial;
    }
};

/// What particles have in their own fields, which is taken off the virial.
template <int Dim, class T>
struct SumMeshSelf : TensorSum<Dim> {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim, double> particles;
    const SymmetricTensor<Dim>* so_far; ///< added

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        SymmetricTensor<Dim> virial = mesh_self_virial(mesh, particles, i);
        if (i == 0) virial.add(*so_far);
        return virial;
    }
};

/// The share of each particle: of its energy where `component` is -1, else component of its virial.
template <int Dim, class T>
struct ShareMesh {
    ChargeMesh<Dim, T> mesh;
    ParticlesView<Dim, double> particles;
    const double* energy; ///< as of GatherForces, from the potential or a component of the virial
    double background;    ///< energy of a charge of 1, and its virial along each direction
    std::int32_t component;
    bool accumulate; ///< add to what is there
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
    /// That which GatherForces took off.
    [[nodiscard]] SHADOW_INLINE double self_energy(std::int64_t i) const {
        const double charge = mesh.charge[particles.species[i]];
        double sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            double cosine, sine;
            turn(mesh.coordinate(particles.position.component[d][i], d), cosine, sine);
            sum += charge * charge * mesh.self_energy[d] * cosine;
        }
        return sum;
    }
};

} // namespace shadow
