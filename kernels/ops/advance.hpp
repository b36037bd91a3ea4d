// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/cpu/apply_flows.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/magnetic_field.hpp"
#include "kernels/ops/scalar_flows.hpp"
#include "kernels/ops/wrap.hpp"
#include "kernels/philox.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// One flow of a splitting in the form that is applied to a particle. `settle` rounds positions and
/// momenta to multiples of their spacing.
struct FlowEntry {
    enum class Kind : int { kick, drift, bath, collisions, scale, scale_species, strain, settle };
    Kind kind;
    int forces;   ///< kick: which force array; scale, strain: Axes
    double value; ///< kick, drift: time; bath: the fraction kept; collisions: their probability
    Scalar scale; ///< kick, drift: factor of the time; scale: of momenta; strain: of positions;
                  ///< scale_species: of momenta of the first species, the others follow
    double noise; ///< bath: (1 - fraction kept^2) kT; collisions: kT
    std::uint32_t stream;  ///< bath, collisions: random stream
    std::int64_t step;     ///< likewise: step number
    bool together = false; ///< collisions: of all particles at once
    /// bath: fraction kept and noise of each species, one after another; null: as above
    const double* by_species = nullptr;

    [[nodiscard]] SHADOW_INLINE double kept(int species) const {
        return by_species ? by_species[2 * species] : value;
    }
    [[nodiscard]] SHADOW_INLINE double noise_of(int species) const {
        return by_species ? by_species[2 * species + 1] : noise;
    }
};

/// Stores a few numbers of the host in backend memory; one thread.
struct StoreNumbers {
    static constexpr int most = 16;
    double* to;
    int count;
    double value[most];

    SHADOW_INLINE void operator()(std::int64_t) const {
        for (int k = 0; k < count; ++k) to[k] = value[k];
    }
};

/// Applies up to `capacity` flows to each particle in one pass over memory. Each flow is rounded as
/// if it were applied alone, so the bits do not depend on how flows are grouped into passes.
template <int Dim>
struct Advance {
    static constexpr int capacity = 12;
    /// The block of random numbers of a particle that decides whether it collides; earlier blocks
    /// are noise.
    static constexpr std::uint32_t collision_block = 2;
    ParticlesView<Dim> particles;
    const double* force[force_arrays][Dim]; ///< null where not in use
    double* heat; ///< energy received from the bath by each particle; null without a bath
    Scalars scalars;
    std::uint64_t seed;
    bool one_species;
    int count;
    FlowEntry flow[capacity];
    TestDisplacement<Dim> test; ///< of the new positions
    /// Changes by drifts and kicks are rounded to a multiple of 2^-52 of a power of two, of which
    /// this is 3/2; 0: not rounded.
    double position_rounding = 0.0, momentum_rounding = 0.0;
    double shear_rate = 0.0; ///< of the fluid, relative to which momenta are defined; 0: at rest
    MagneticField magnetic = {};
    /// On a GPU: particles outside the box by this number of box lengths are wrapped back;
    /// infinite: they are not.
    double far = HUGE_VAL;

    /// To the nearest multiple, ties to an even one: an odd function.
    [[nodiscard]] static SHADOW_INLINE double rounded(double change, double rounding) {
        return (change + rounding) - rounding;
    }

    /// Whether a particle collides with the bath.
    SHADOW_FUNCTION bool collides(const FlowEntry& f, std::uint32_t id) const {
        return Philox(seed, f.stream, f.together ? 0xFFFFFFFFU : id,
                      static_cast<std::uint64_t>(f.step), collision_block)
                   .uniform(0) < f.value;
    }

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double x[Dim];
        apply(i, x);
    }
    /// Applies all flows to one particle, in registers; returns its position in x.
    SHADOW_FUNCTION void apply(std::int64_t i, double (&x)[Dim]) const {
        double p[Dim];
        for (int d = 0; d < Dim; ++d) {
            x[d] = particles.position.component[d][i];
            p[d] = particles.momentum.component[d][i];
        }
        for (int k = 0; k < count; ++k) {
            const FlowEntry& f = flow[k];
            if (f.kind == FlowEntry::Kind::bath) {
                renew(f, i, p, f.kept(particles.species[i]));
                continue;
            }
            if (f.kind == FlowEntry::Kind::collisions) {
                if (collides(f, particles.id[i])) renew(f, i, p, 0.0);
                continue;
            }
            if (f.kind == FlowEntry::Kind::scale) {
                for (int d = 0; d < Dim; ++d)
                    if (has_axis(static_cast<Axes>(f.forces), d)) p[d] *= scalars[f.scale];
                continue;
            }
            if (f.kind == FlowEntry::Kind::scale_species) {
                for (int d = 0; d < Dim; ++d) p[d] *= factor_of(f, i);
                continue;
            }
            if (f.kind == FlowEntry::Kind::strain) {
                for (int d = 0; d < Dim; ++d) x[d] = strained(x[d], f, d);
                continue;
            }
            if (f.kind == FlowEntry::Kind::settle) {
                for (int d = 0; d < Dim; ++d) {
                    x[d] = rounded(x[d], position_rounding);
                    p[d] = rounded(p[d], momentum_rounding);
                }
                continue;
            }
            const double t = f.value * scalars[f.scale];
            if (f.kind == FlowEntry::Kind::drift && magnetic.any()) {
                const int s = particles.species[i];
                MagneticField::move(magnetic.turn(s, t), particles.inverse_mass[s], x, p);
                continue;
            }
            if (f.kind == FlowEntry::Kind::drift && shear_rate != 0.0) {
                const SlidingImages& of = particles.box->sliding;
                heat[i] += stream(t, i, x[of.flow], x[of.gradient], p[of.flow], p[of.gradient]);
            }
            for (int d = 0; d < Dim; ++d) {
                if (f.kind == FlowEntry::Kind::kick)
                    p[d] += rounded(t * force[f.forces][d][i], momentum_rounding);
                else
                    x[d] += rounded(drift_factor(t, i) * p[d], position_rounding);
            }
        }
        if (far < HUGE_VAL) come_back(i, x);
        // Before the stores, since no load is moved ahead of a store.
        test.at(x, i);
        for (int d = 0; d < Dim; ++d) {
            particles.position.component[d][i] = x[d];
            particles.momentum.component[d][i] = p[d];
        }
    }

#if !defined(__CUDACC__)
    /// The same flow by flow over blocks that stay in cache, in loops of the instruction set; noise
    /// is that of packs, which differs by rounding.
    void range(const Backend& backend, std::int64_t begin, std::int64_t end) const {
        cpu::apply_flows(backend, *this, begin, end);
    }
#endif

    [[nodiscard]] SHADOW_INLINE double drift_factor(double t, std::int64_t i) const {
        return t * particles.inverse_mass[one_species ? 0 : particles.species[i]];
    }

    /// The additional drift where the fluid flows at `shear_rate` times the distance from the
    /// middle of the box: momenta are peculiar ones, and free flight takes a particle to where the
    /// fluid has another velocity (SLLOD: Evans and Morriss 1984, Phys. Rev. A 30, 1528). Exact
    /// together with the drift that follows. Returns the work done on the momentum.
    SHADOW_INLINE double stream(double t, std::int64_t i, double& x, double y, double& px,
                                double py) const {
        const BoxView<Dim>& box = *particles.box;
        const std::int32_t across = box.sliding.gradient;
        const double middle = box.origin[across] + 0.5 * box.length[across];
        const double strain = shear_rate * t, before = px;
        px -= strain * py;
        x += strain * (y + drift_factor(t, i) * py - middle);
        return 0.5 * (px - before) * (px + before) *
               particles.inverse_mass[one_species ? 0 : particles.species[i]];
    }

    [[nodiscard]] SHADOW_INLINE double factor_of(const FlowEntry& f, std::int64_t i) const {
        return scalars[of_row(f.scale, particles.species[i])];
    }

    /// A coordinate in a box whose lengths along some directions have been multiplied by a factor.
    SHADOW_INLINE double strained(double x, const FlowEntry& f, int d) const {
        const BoxView<Dim>& box = *particles.box;
        if (!box.periodic[d] || !has_axis(static_cast<Axes>(f.forces), d)) return x;
        return box.origin[d] + (x - box.origin[d]) * scalars[f.scale];
    }

  private:
    SHADOW_INLINE void come_back(std::int64_t i, double (&x)[Dim]) const {
        for (int d = 0; d < Dim; ++d) {
            if (!particles.box->periodic[d]) continue;
            const std::int32_t boxes = wrap_coordinate(*particles.box, x[d], d, far);
            if (boxes != 0) particles.image.component[d][i] += boxes;
        }
    }
    /// A fraction of the momentum is kept; the rest is noise. Adds the change of kinetic energy to
    /// `heat`.
    SHADOW_FUNCTION void renew(const FlowEntry& f, std::int64_t i, double* momentum,
                               double kept) const {
        const auto s = particles.species[i];
        const double width = sqrt(f.noise_of(s) * particles.mass[s]);
        float gauss[4];
        Philox(seed, f.stream, particles.id[i], static_cast<std::uint64_t>(f.step)).normals(gauss);
        double change = 0.0;
        for (int d = 0; d < Dim; ++d) {
            double& p = momentum[d];
            const double before = p;
            p = kept * before + width * gauss[d];
            change += (p - before) * (p + before);
        }
        heat[i] += 0.5 * change * particles.inverse_mass[s];
    }
};

} // namespace shadow
