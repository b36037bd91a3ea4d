// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/bonded/geometry.hpp"
#include "kernels/by_level.hpp"
#include "kernels/ops/bins.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Unwrapped molecules, and their bonds, angles and dihedrals.
namespace shadow {

/// The atoms of molecules one after another, the first and the last at the ends of a chain.
template <int Dim>
struct MoleculesView {
    ParticlesView<Dim> particles;
    const std::int32_t* index; ///< by id: memory indices of particles
    const std::int32_t* begin; ///< by molecule, and the end
    const std::uint32_t* atom; ///< ids
    const std::int32_t* turns; ///< [atom][d]: box lengths that join it to the first atom

    /// An atom's position, unwrapped such that its molecule is connected.
    SHADOW_INLINE double place(std::int32_t atom_at, int d) const {
        const std::int64_t i = index[atom[atom_at]];
        const auto images = [&](int along) {
            return particles.image.component[along][i] + turns[std::int64_t{atom_at} * Dim + along];
        };
        const BoxView<Dim>& box = *particles.box;
        return box.unwrapped(particles.position.component[d][i], d, images);
    }
    [[nodiscard]] SHADOW_INLINE double mass(std::int32_t atom_at) const {
        return particles.mass[particles.species[index[atom[atom_at]]]];
    }
    [[nodiscard]] SHADOW_INLINE double momentum(std::int32_t atom_at, int d) const {
        return particles.physical_momentum(index[atom[atom_at]], d);
    }
    SHADOW_INLINE void centre(std::int64_t molecule, double (&x)[Dim]) const {
        double total = 0.0;
        for (int d = 0; d < Dim; ++d) x[d] = 0.0;
        for (std::int32_t k = begin[molecule]; k < begin[molecule + 1]; ++k) {
            const double m = mass(k);
            total += m;
            for (int d = 0; d < Dim; ++d) x[d] += m * place(k, d);
        }
        for (int d = 0; d < Dim; ++d) x[d] /= total;
    }
};

/// Centres of mass.
template <int Dim>
struct LocateMolecules {
    MoleculesView<Dim> molecules;
    VectorView<Dim, double> centre;

    SHADOW_FUNCTION void operator()(std::int64_t m) const {
        double x[Dim];
        molecules.centre(m, x);
        for (int d = 0; d < Dim; ++d) centre.component[d][m] = x[d];
    }
};

/// Means over molecules.
struct MoleculeSizes {
    double gyration, gyration2, ends, ends2; ///< radius of gyration, end-to-end distance; squares
};

template <int Dim>
struct MeasureMolecules {
    using Value = MoleculeSizes;
    MoleculesView<Dim> molecules;
    double weight; ///< of each

    static SHADOW_FUNCTION Value identity() { return {0.0, 0.0, 0.0, 0.0}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.gyration + b.gyration, a.gyration2 + b.gyration2, a.ends + b.ends,
                a.ends2 + b.ends2};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t m) const {
        const std::int32_t first = molecules.begin[m], end = molecules.begin[m + 1];
        double x[Dim], total = 0.0, spread = 0.0, ends = 0.0;
        molecules.centre(m, x);
        for (std::int32_t k = first; k < end; ++k) {
            const double mass = molecules.mass(k);
            total += mass;
            for (int d = 0; d < Dim; ++d) {
                const double dx = molecules.place(k, d) - x[d];
                spread += mass * dx * dx;
            }
        }
        for (int d = 0; d < Dim; ++d) {
            const double dx = molecules.place(end - 1, d) - molecules.place(first, d);
            ends += dx * dx;
        }
        spread /= total;
        return {weight * sqrt(spread), weight * spread, weight * sqrt(ends), weight * ends};
    }
};

/// The difference between the pressures of atoms and of molecules, by direction.
template <int Dim>
struct InsideSums {
    /// Relative to the centre of mass of each molecule.
    SymmetricTensor<Dim> twice_kinetic;
    /// The symmetric part of the sum of (r - c) f, f the total force on an atom.
    SymmetricTensor<Dim> virial;
};

template <int Dim>
struct MeasureInside {
    using Value = InsideSums<Dim>;
    MoleculesView<Dim> molecules;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        sum.twice_kinetic.add(b.twice_kinetic);
        sum.virial.add(b.virial);
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t m) const {
        const std::int32_t first = molecules.begin[m], end = molecules.begin[m + 1];
        double x[Dim], v[Dim], total = 0.0;
        molecules.centre(m, x);
        for (int d = 0; d < Dim; ++d) v[d] = 0.0;
        for (std::int32_t k = first; k < end; ++k) {
            total += molecules.mass(k);
            for (int d = 0; d < Dim; ++d) v[d] += molecules.momentum(k, d);
        }
        for (int d = 0; d < Dim; ++d) v[d] /= total;
        Value inside = identity();
        for (std::int32_t k = first; k < end; ++k) {
            const double mass = molecules.mass(k);
            const std::int64_t i = molecules.index[molecules.atom[k]];
            double dv[Dim], dx[Dim], f[Dim];
            for (int d = 0; d < Dim; ++d) {
                dv[d] = molecules.momentum(k, d) / mass - v[d];
                dx[d] = molecules.place(k, d) - x[d];
                f[d] = force(d, i);
            }
            add_product(inside.twice_kinetic, dv, dv, mass);
            add_product(inside.virial, dx, f, 1.0);
        }
        return inside;
    }
};

/// One thread: the pressure of molecules and its tensor from that of atoms. The kinetic energy is
/// that of centres of mass, and forces act between these:
///
///     P_ab V = (P_atoms)_ab V - sum of m (v - v_c)_a (v - v_c)_b - sum of (r - c)_a f_b
template <int Dim>
struct FinishMolecularPressure {
    const double* tensor; ///< its diagonal first
    const InsideSums<Dim>* inside;
    const BoxView<Dim>* box;
    double* row; ///< the pressure, and after it the tensor

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double trace = 0.0;
        for (int k = 0; k < tensor_size<Dim>; ++k) {
            const double kinetic = inside->twice_kinetic.component[k];
            row[1 + k] = tensor[k] - (kinetic + inside->virial.component[k]) / box->volume();
            if (k < Dim) trace += row[1 + k];
        }
        *row = trace / Dim;
    }
};

/// Counts bonds by length, angles and dihedrals in degrees, by type.
template <int Dim>
struct CountTerms {
    ParticlesView<Dim> particles;
    const std::int32_t* index;   ///< by id: memory indices of particles
    const std::uint32_t* member; ///< ids, term by term
    const std::int32_t* type;
    BondedKind kind;
    Bins bins;
    bool closed;             ///< the last bin ends at 180 degrees and includes it
    std::int64_t* histogram; ///< [type][bin]

    template <class Add>
    SHADOW_INLINE void count(std::int64_t term, Add&& add) const {
        constexpr double degrees = 57.295779513082320877;
        double x = 0.0;
        if (kind == BondedKind::bond) x = sqrt(variable<BondedKind::bond>(term));
        if (kind == BondedKind::angle) x = degrees * acos(variable<BondedKind::angle>(term));
        if (kind == BondedKind::dihedral || kind == BondedKind::improper)
            x = degrees * variable<BondedKind::dihedral>(term);
        std::int32_t k = bins(x);
        if (closed && k < 0 && x == 180.0) k = bins.count - 1;
        if (k >= 0) add(std::int64_t{type[term]} * bins.count + k);
    }

  private:
    template <BondedKind of>
    SHADOW_INLINE double variable(std::int64_t term) const {
        if constexpr (exists_in<Dim>(of)) {
            using Geometry = BondedGeometry<Dim, of>;
            const std::uint32_t* m = member + term * members_of(of);
            Geometry g;
            for (int k = 0; k < Geometry::edges; ++k)
                find_edge(particles, index[m[Geometry::from(k)]], index[m[Geometry::to(k)]],
                          g.edge[k]);
            g.prepare();
            return g.variable;
        }
        return 0.0;
    }
};

} // namespace shadow
