// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/bath_flow.hpp"

namespace shadow::SHADOW_ISA {

/// The flows of a pass over particles [first, last), one after the other, in loops that vectorise.
template <int Dim>
class FlowPass {
  public:
    FlowPass(const Advance<Dim>& pass, std::int64_t first, std::int64_t last,
             const cpu::ForcesApart<Dim>& apart)
        : pass_(pass), apart_(apart), first_(first), last_(last) {}

    void apply(const FlowEntry& f) const {
        using Kind = FlowEntry::Kind;
        switch (f.kind) {
        case Kind::kick:
            return kick(f);
        case Kind::drift:
            return drift(f);
        case Kind::bath:
        case Kind::collisions:
            return bath_flow(pass_, f, first_, last_);
        case Kind::scale:
            return scale(f);
        case Kind::scale_species:
            return scale_species(f);
        case Kind::strain:
            return strain(f);
        case Kind::settle:
            return settle();
        }
    }

  private:
    [[nodiscard]] double time_of(const FlowEntry& f) const {
        return f.value * pass_.scalars[f.scale];
    }

    void kick(const FlowEntry& f) const {
        const double t = time_of(f);
        for (int d = 0; d < Dim; ++d) {
            const double* force = pass_.force[f.forces][d];
            const bool apart = force == apart_.of[d];
            const double* __restrict a = apart ? apart_.at[d] : force;
            const std::int64_t begin = apart ? apart_.begin : 0;
            add(pass_.particles.momentum.component[d], pass_.momentum_rounding,
                [&](std::int64_t i) { return t * a[i - begin]; });
        }
    }

    void drift(const FlowEntry& f) const {
        const double t = time_of(f);
        if (pass_.magnetic.any()) return turn(t);
        if (pass_.shear_rate != 0.0) stream(t);
        const double same = pass_.drift_factor(t, first_);
        for (int d = 0; d < Dim; ++d) {
            double* x = pass_.particles.position.component[d];
            const double* __restrict p = pass_.particles.momentum.component[d];
            if (pass_.one_species)
                add(x, pass_.position_rounding, [&](std::int64_t i) { return same * p[i]; });
            else
                add(x, pass_.position_rounding,
                    [&](std::int64_t i) { return pass_.drift_factor(t, i) * p[i]; });
        }
    }

    /// Adds a change, rounded unless `rounding` is 0.
    template <class Change>
    SHADOW_INLINE void add(double* __restrict to, double rounding, const Change& change) const {
        if (rounding == 0.0)
            for (std::int64_t i = first_; i < last_; ++i) to[i] += change(i);
        else
            for (std::int64_t i = first_; i < last_; ++i)
                to[i] += pass_.rounded(change(i), rounding);
    }

    void stream(double t) const {
        const SlidingImages& of = pass_.particles.box->sliding;
        double *x = pass_.particles.position.component[of.flow],
               *px = pass_.particles.momentum.component[of.flow];
        const double *y = pass_.particles.position.component[of.gradient],
                     *py = pass_.particles.momentum.component[of.gradient];
        for (std::int64_t i = first_; i < last_; ++i)
            pass_.heat[i] += pass_.stream(t, i, x[i], y[i], px[i], py[i]);
    }

    /// A drift in a magnetic field; consecutive particles are often of one species.
    void turn(double t) const {
        const ParticlesView<Dim>& particles = pass_.particles;
        int species = particles.species[first_];
        MagneticField::Turn own = pass_.magnetic.turn(species, t);
        for (std::int64_t i = first_; i < last_; ++i) {
            if (particles.species[i] != species) {
                species = particles.species[i];
                own = pass_.magnetic.turn(species, t);
            }
            double x[Dim], p[Dim];
            for (int d = 0; d < Dim; ++d) {
                x[d] = particles.position.component[d][i];
                p[d] = particles.momentum.component[d][i];
            }
            MagneticField::move(own, particles.inverse_mass[species], x, p);
            for (int d = 0; d < Dim; ++d) {
                particles.position.component[d][i] = x[d];
                particles.momentum.component[d][i] = p[d];
            }
        }
    }

    void settle() const {
        for (int d = 0; d < Dim; ++d)
            for (std::int64_t i = first_; i < last_; ++i) {
                double& x = pass_.particles.position.component[d][i];
                double& p = pass_.particles.momentum.component[d][i];
                x = pass_.rounded(x, pass_.position_rounding);
                p = pass_.rounded(p, pass_.momentum_rounding);
            }
    }

    void scale(const FlowEntry& f) const {
        const double factor = pass_.scalars[f.scale];
        for (int d = 0; d < Dim; ++d) {
            if (!has_axis(static_cast<Axes>(f.forces), d)) continue;
            double* __restrict p = pass_.particles.momentum.component[d];
            for (std::int64_t i = first_; i < last_; ++i) p[i] *= factor;
        }
    }
    void scale_species(const FlowEntry& f) const {
        for (int d = 0; d < Dim; ++d) {
            double* p = pass_.particles.momentum.component[d];
            for (std::int64_t i = first_; i < last_; ++i) p[i] *= pass_.factor_of(f, i);
        }
    }
    void strain(const FlowEntry& f) const {
        for (int d = 0; d < Dim; ++d) {
            double* x = pass_.particles.position.component[d];
            for (std::int64_t i = first_; i < last_; ++i) x[i] = pass_.strained(x[i], f, d);
        }
    }

    const Advance<Dim>& pass_;
    const cpu::ForcesApart<Dim>& apart_;
    std::int64_t first_, last_;
};

/// Block by block, so that particles stay in the cache from flow to flow.
template <int Dim>
void flow_pass(const Advance<Dim>& pass, std::int64_t first, std::int64_t last,
               const cpu::ForcesApart<Dim>& apart) {
    constexpr std::int64_t block = 512;
    for (; first < last; first += block) {
        const std::int64_t end = first + block < last ? first + block : last;
        const FlowPass<Dim> of_block(pass, first, end, apart);
        for (int k = 0; k < pass.count; ++k) of_block.apply(pass.flow[k]);
        pass.test.range(first, end);
    }
}

} // namespace shadow::SHADOW_ISA
