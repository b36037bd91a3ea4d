// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/molecule_lanes.hpp"

/// The mean positions of the atoms of a molecule in a motion that starts at rest, under the bonded
/// forces of the fastest level alone; and the transposed derivative of that map, which maps a force
/// at the mean positions to one at the start.
///
/// The motion follows Störmer and Verlet: q_0 = q, q_1 = q_0 + dt^2 M^-1 F(q_0) / 2, and then
/// q_(k+1) = 2 q_k - q_(k-1) + dt^2 M^-1 F(q_k); the average is A(q) = sum of w_k q_k. The
/// derivative is the exact one of the discrete A, computed by one backward sweep (García-Archilla,
/// Sanz-Serna and Skeel 1998, SIAM J. Sci. Comput. 20, 930; Leimkuhler and Reich 2004, section
/// 10.5).
namespace shadow {

/// An average over times k dt before and after now, k = 0 ... steps.
struct TimeAverageView {
    const double* weight; ///< for the times before and after together; their sum is 1
    std::int32_t steps;   ///< above 0
    double dt;

    /// Work arrays of one number for each coordinate.
    [[nodiscard]] SHADOW_INLINE std::int64_t arrays() const { return steps + 5; }
};

template <int Dim, int lanes, int stride>
class MoleculeSweep : MoleculeLanes<Dim, lanes, stride> {
    using Base = MoleculeLanes<Dim, lanes, stride>;
    using Base::all_, Base::kind_, Base::size_, Base::step;
    using Base::array, Base::at, Base::load, Base::store;

  public:
    SHADOW_INLINE MoleculeSweep(const MoleculeGroupsView<Dim>& molecules,
                                const TimeAverageView& average, const MoleculeGroup& group,
                                int lane, double* scratch)
        : Base(molecules, group, lane, scratch), average_(average) {}

    /// position <- A(position)
    SHADOW_INLINE void average(const VectorView<Dim, double>& position) {
        double *sum = array(3), *force = array(4);
        const double* start = array(0);
        load(position, array(0));
        for (std::int64_t n = 0; n < size_; n += step) sum[n] = average_.weight[0] * start[n];
        for (std::int32_t k = 0; k < average_.steps; ++k) {
            double* next = array((k + 1) % 3);
            advance(k, array((k + 2) % 3), array(k % 3), next, force);
            const double w = average_.weight[k + 1];
            for (std::int64_t n = 0; n < size_; n += step) sum[n] += w * next[n];
        }
        store(sum, position);
    }

    /// force <- transposed derivative of A at `position` times force
    SHADOW_INLINE void transpose(const VectorView<Dim, double>& position,
                                 const VectorView<Dim, double>& force) {
        const std::int32_t steps = average_.steps;
        double *given = array(steps), *one = array(steps + 1), *two = array(steps + 2),
               *scaled = array(steps + 3), *product = array(steps + 4);
        load(position, array(0));
        for (std::int32_t k = 0; k + 1 < steps; ++k)
            advance(k, array(k > 0 ? k - 1 : 0), array(k), array(k + 1), product);
        load(force, given);
        for (std::int64_t n = 0; n < size_; n += step) {
            one[n] = average_.weight[steps] * given[n];
            two[n] = 0.0;
        }
        // Backward sweep from the last step; `one` and `two` are the adjoints of k + 1 and k + 2.
        for (std::int32_t k = steps - 1; k >= 0; --k) {
            for (std::int32_t a = 0; a < kind_.atoms; ++a) {
                const double factor = push(a);
                for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                    scaled[n] = factor * one[n];
            }
            change_of_forces(array(k), scaled, product);
            const double w = average_.weight[k], part = k > 0 ? 1.0 : 0.5;
            for (std::int64_t n = 0; n < size_; n += step) {
                const double here = w * given[n] + part * (2.0 * one[n] + product[n]) - two[n];
                two[n] = one[n];
                one[n] = here;
            }
        }
        store(one, force);
    }

  private:
    /// Twice the displacement of an atom by a unit force in one step from rest.
    [[nodiscard]] SHADOW_INLINE double push(std::int32_t atom) const {
        return average_.dt * average_.dt * this->inverse_mass(atom);
    }

    /// next <- q_(k+1) from `before` = q_(k-1) and `now` = q_k.
    SHADOW_INLINE void advance(std::int32_t k, const double* before, const double* now,
                               double* next, double* force) const {
        for (std::int64_t n = 0; n < size_; n += step) force[n] = 0.0;
        this->add_forces(now, force);
        for (std::int32_t a = 0; a < kind_.atoms; ++a) {
            const double factor = k > 0 ? push(a) : 0.5 * push(a);
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                next[n] = now[n] + (k > 0 ? now[n] - before[n] : 0.0) + factor * force[n];
        }
    }
    /// change <- derivative of the forces along `way`, that is minus the Hessian times `way`.
    SHADOW_INLINE void change_of_forces(const double* place, const double* way,
                                        double* change) const {
        for (std::int64_t n = 0; n < size_; n += step) change[n] = 0.0;
        this->each_term(AddChanges{*this, place, way, change});
    }

    struct AddChanges {
        const MoleculeSweep& sweep;
        const double *place, *way;
        double* change;

        template <class Form>
        SHADOW_INLINE void term(std::int32_t t) const {
            using Number = Dual<double>;
            const MoleculeTerm& term = sweep.all_.term[t];
            using Geometry = GeometryOf<Dim, Form, Number>;
            constexpr int members = members_of(Form::info.kind);
            const Form form = sweep.template parameters<Form>(term);
            double part[members][Dim][lanes];
            for (int l = 0; l < lanes; ++l) {
                const auto geometry = sweep.template geometry<Geometry>(term, place, way, l);
                const Number slope = form.slope(geometry.variable);
                for (int m = 0; m < members; ++m) {
                    Number g[Dim];
                    geometry.gradient(m, g);
                    for (int d = 0; d < Dim; ++d) part[m][d][l] = -(slope * g[d]).slope;
                }
            }
            for (int m = 0; m < members; ++m)
                for (int d = 0; d < Dim; ++d)
                    for (int l = 0; l < lanes; ++l)
                        change[at(term.member[m], d) + l] += part[m][d][l];
        }
    };

    const TimeAverageView& average_;
};

} // namespace shadow
