// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/stress.hpp"
#include "kernels/potentials/list.hpp"

/// How energy moves with and between particles. Of the flux of heat times the volume (Irving and
/// Kirkwood 1950, J. Chem. Phys. 18, 817; Allen and Tildesley 2017, section 2.7),
///
///     sum over i of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2
///
/// with e_i = m v_i^2 / 2 + half of the energy u of each pair of i, the kinetic part is that of
/// m v^2 v / 2, and each pair adds (u (v_i + v_j) + r (f . (v_i + v_j))) / 2.
namespace shadow {

template <int Dim>
struct Flux {
    double component[Dim];
};

/// Sum of fluxes as the base of reductions.
template <int Dim>
struct FluxSum {
    using Value = Flux<Dim>;
    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) sum.component[d] = a.component[d] + b.component[d];
        return sum;
    }
};

/// p / m of canonical momenta, relative to that of the centre of mass: what all particles carry
/// along together is no heat, also where a bath lets it come and go.
template <int Dim, class Real>
struct ThermalVelocity {
    ParticlesView<Dim, Real> particles;
    const double* centre; ///< that of the centre of mass

    [[nodiscard]] SHADOW_INLINE double operator()(std::int64_t i, int d) const {
        return static_cast<double>(particles.momentum.component[d][i]) *
                   particles.inverse_mass[particles.species[i]] -
               centre[d];
    }
};

/// One thread: the velocity of the centre of mass.
template <int Dim>
struct FindCentreVelocity {
    const KineticSums<Dim>* sums;
    double* centre;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        for (int d = 0; d < Dim; ++d) centre[d] = sums->momentum[d] / sums->mass;
    }
};

/// Kinetic part.
template <int Dim, class Real>
struct CarryKinetic : FluxSum<Dim> {
    ThermalVelocity<Dim, Real> velocity;

    SHADOW_FUNCTION Flux<Dim> operator()(std::int64_t i) const {
        Flux<Dim> flux;
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            flux.component[d] = velocity(i, d);
            square += flux.component[d] * flux.component[d];
        }
        const auto& particles = velocity.particles;
        const double energy = 0.5 * particles.mass[particles.species[i]] * square;
        for (int d = 0; d < Dim; ++d) flux.component[d] *= energy;
        return flux;
    }
};

/// One pair by its row of parameters. Not to be inlined: compiled once for all dimensions.
template <class Interaction, class Pair>
SHADOW_FUNCTION __attribute__((noinline)) PairResult<Pair> evaluate_row(const Pair* row, Pair r2,
                                                                        Ending ending) {
    typename Interaction::template Of<Pair> interaction;
    __builtin_memcpy(static_cast<void*>(&interaction), row, sizeof(interaction));
    if (!(r2 < interaction.cutoff2)) return {};
    return interaction(r2, ending);
}

/// The same of the interaction at a position of `Interactions`, in a table of pairs of species.
template <class Pair, class... I>
SHADOW_INLINE PairResult<Pair> evaluate_pair(InteractionList<I...>, std::int32_t interaction,
                                             const Pair* table, std::int64_t row, Pair r2,
                                             Ending ending) {
    PairResult<Pair> result{};
    std::int32_t k = 0;
    ((k++ == interaction
          ? void(result = evaluate_row<I, Pair>(table + row * field_count<I>, r2, ending))
          : void()),
     ...);
    return result;
}

/// What pairs add, by particle: of each a half. For Sweep.
template <int Dim, class Real, class Pair>
struct CarryBetweenPairs {
    using Sum = Flux<Dim>;
    ThermalVelocity<Dim, Real> velocity;
    const Pair* table; ///< this and the following as in PairForcePayload
    std::int32_t interaction, species_count;
    Ending ending;
    Flux<Dim>* flux; ///< by particle

    SHADOW_INLINE Sum begin() const { return {}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        const std::uint16_t* species = velocity.particles.species;
        const std::int64_t row = std::int64_t{species[i]} * species_count + species[j];
        const PairResult<Pair> pair =
            evaluate_pair(Interactions{}, interaction, table, row, static_cast<Pair>(r2), ending);
        double together[Dim], along = 0.0;
        for (int d = 0; d < Dim; ++d) {
            together[d] = velocity(i, d) + velocity(j, d);
            along += dx[d] * together[d];
        }
        for (int d = 0; d < Dim; ++d)
            sum.component[d] += 0.25 * (static_cast<double>(pair.u) * together[d] +
                                        static_cast<double>(pair.f_over_r) * along * dx[d]);
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const { flux[i] = sum; }
};

/// Sum of parts, and of what there is of it already (null: nothing).
template <int Dim>
struct SumFlux : FluxSum<Dim> {
    const Flux<Dim>* part;
    const Flux<Dim>* so_far;

    SHADOW_FUNCTION Flux<Dim> operator()(std::int64_t i) const {
        return i == 0 && so_far ? this->combine(part[0], *so_far) : part[i];
    }
};

/// One thread: the flux of heat, and behind it the temperature as of FinishStress.
template <int Dim>
struct FinishHeatFlux {
    const KineticSums<Dim>* sums;
    const Flux<Dim>*kinetic, *pairs; ///< pairs null: there are none
    Scalars scalars;
    double freedom_boltzmann;
    ConservedMass<Dim> conserved_mass;
    double volume;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double scale = 1.0 / scalars[Scalar::s];
        for (int d = 0; d < Dim; ++d) {
            const double between = pairs ? pairs->component[d] : 0.0;
            row[d] = (kinetic->component[d] * scale * scale + between) * scale / volume;
        }
        row[Dim] = freedom_boltzmann > 0.0
                       ? sums->thermal(scalars, conserved_mass).trace() / freedom_boltzmann
                       : 0.0;
    }
};

} // namespace shadow
