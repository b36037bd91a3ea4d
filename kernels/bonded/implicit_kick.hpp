// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/molecule_lanes.hpp"
#include "kernels/by_level.hpp"

/// Implicit kick of a molecule by the bonded forces f of the fastest level: p <- p + t F with F =
/// f(x), x = q + shift M^-1 p + push M^-1 (F + G), where G, the other forces on the molecule, is
/// given. With d the last term of x, Newton's method solves M d / push = G + f(x). Its matrix, M /
/// push minus the derivative of f, is a symmetric band matrix if the atoms of a term are near each
/// other. For theta = 1/2 without G this is the kick in the middle of a step by the implicit
/// midpoint rule (Stern and Grinspun 2009, Multiscale Model. Simul. 7, 1779), else that of Modin
/// 2009, Paper V, eq. 5.
namespace shadow {

struct ImplicitTimes {
    double t;
    double shift; ///< time
    double push;  ///< time^2
};

/// Work memory of a molecule, in numbers.
template <int Dim>
[[nodiscard]] SHADOW_INLINE std::int64_t implicit_numbers(std::int64_t atoms,
                                                          std::int64_t atom_band) {
    return atoms * Dim * (4 + (atom_band + 1) * Dim);
}

template <int Dim, int lanes, int stride>
class MoleculeImplicitKick : MoleculeLanes<Dim, lanes, stride> {
    using Base = MoleculeLanes<Dim, lanes, stride>;
    using Base::all_, Base::kind_, Base::size_, Base::step;
    using Base::array, Base::at, Base::load, Base::store, Base::inverse_mass;

  public:
    SHADOW_INLINE MoleculeImplicitKick(const MoleculeGroupsView<Dim>& molecules,
                                       const ImplicitTimes& times, const MoleculeGroup& group,
                                       int lane, double* scratch)
        : Base(molecules, group, lane, scratch), times_(times), start_(array(0)), place_(array(1)),
          given_(array(2)), way_(array(3)), matrix_(array(4)), count_(kind_.atoms * Dim),
          width_((kind_.atom_band + 1) * Dim) {}

    /// momentum <- that after the kick; NaN if Newton's method does not converge.
    SHADOW_INLINE void kick(const VectorView<Dim, double>& position,
                            const VectorView<Dim, double>& momentum, const TotalForce<Dim>& given) {
        load(position, start_);
        load(momentum, way_);
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                start_[n] += times_.shift * inverse_mass(a) * way_[n];
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int l = 0; l < lanes; ++l)
                for (int d = 0; d < Dim; ++d) given_[at(a, d) + l] = given(d, this->index(a, l));
        solve();
        load(momentum, way_);
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                way_[n] += times_.t * (inertia(a) * (place_[n] - start_[n]) - given_[n]);
        store(way_, momentum);
    }

  private:
    /// Newton's method squares the error: four steps are usual, and ten plenty.
    static constexpr int max_iterations = 25;
    /// For the changes, relative to the largest coordinate; the remaining error is of the order of
    /// their square.
    static constexpr double tolerance = 1e-11;

    [[nodiscard]] SHADOW_INLINE double inertia(std::int32_t atom) const {
        return 1.0 / (times_.push * inverse_mass(atom));
    }
    /// Column `column` of row `row`; column <= row.
    [[nodiscard]] SHADOW_INLINE double* entry(std::int32_t row, std::int32_t column) const {
        return matrix_ +
               (std::int64_t{row} * width_ + column - row + width_ - 1) * std::int64_t{stride};
    }
    [[nodiscard]] SHADOW_INLINE double* way(std::int32_t row) const {
        return way_ + row * std::int64_t{stride};
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t end_of_band(std::int32_t row) const {
        return row + width_ < count_ ? row + width_ : count_;
    }

    /// place <- x
    SHADOW_INLINE void solve() const {
        double left[lanes], size[lanes] = {};
        for (std::int32_t n = 0; n < count_; ++n)
            for (int l = 0; l < lanes; ++l) {
                const std::int64_t k = n * std::int64_t{stride} + l;
                place_[k] = start_[k];
                size[l] = fabs(start_[k]) > size[l] ? fabs(start_[k]) : size[l];
            }
        bool found[lanes] = {}, all = false;
        for (int iteration = 0; !all && iteration < max_iterations; ++iteration) {
            linearise();
            eliminate(left);
            all = true;
            for (std::int32_t n = 0; n < count_; ++n)
                for (int l = 0; l < lanes; ++l) {
                    const double change = way(n)[l];
                    // Converged molecules stay fixed, whatever the molecules next to them do.
                    place_[n * std::int64_t{stride} + l] += found[l] ? 0.0 : change;
                    left[l] += fabs(change);
                }
            for (int l = 0; l < lanes; ++l) {
                found[l] = found[l] || left[l] <= tolerance * size[l];
                all = all && found[l];
            }
        }
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int l = 0; l < lanes; ++l)
                if (!found[l]) place_[at(a, 0) + l] = 0.0 / 0.0;
    }

    /// way <- G + f(x) - M d / push; matrix <- M / push minus the derivative of f
    SHADOW_INLINE void linearise() const {
        for (std::int64_t n = 0; n < std::int64_t{count_} * width_ * stride; n += step)
            matrix_[n] = 0.0;
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int d = 0; d < Dim; ++d)
                for (int l = 0; l < lanes; ++l) {
                    const std::int64_t n = at(a, d) + l;
                    entry(a * Dim + d, a * Dim + d)[l] = inertia(a);
                    way_[n] = given_[n] - inertia(a) * (place_[n] - start_[n]);
                }
        this->each_term(AddTerm{*this});
    }

    /// way <- matrix^-1 way, by elimination. failed <- 0, or NaN if the matrix is not positive: the
    /// step is too long.
    SHADOW_INLINE void eliminate(double (&failed)[lanes]) const {
        for (int l = 0; l < lanes; ++l) failed[l] = 0.0;
        for (std::int32_t p = 0; p < count_; ++p) {
            double inverse[lanes];
            for (int l = 0; l < lanes; ++l) {
                inverse[l] = 1.0 / entry(p, p)[l];
                failed[l] = entry(p, p)[l] > 0.0 ? failed[l] : 0.0 / 0.0;
            }
            for (std::int32_t i = p + 1; i < end_of_band(p); ++i) {
                double factor[lanes];
                for (int l = 0; l < lanes; ++l) factor[l] = entry(i, p)[l] * inverse[l];
                for (std::int32_t j = p + 1; j <= i; ++j)
                    for (int l = 0; l < lanes; ++l) entry(i, j)[l] -= factor[l] * entry(j, p)[l];
                for (int l = 0; l < lanes; ++l) way(i)[l] -= factor[l] * way(p)[l];
            }
        }
        for (std::int32_t i = count_ - 1; i >= 0; --i)
            for (int l = 0; l < lanes; ++l) {
                double sum = way(i)[l];
                for (std::int32_t j = i + 1; j < end_of_band(i); ++j)
                    sum -= entry(j, i)[l] * way(j)[l];
                way(i)[l] = sum / entry(i, i)[l];
            }
    }

    struct AddTerm {
        const MoleculeImplicitKick& to;

        /// Adds the force of a term to `way`, and minus its derivative with respect to each edge to
        /// `matrix`.
        template <class Form>
        SHADOW_INLINE void term(std::int32_t t) const {
            using Geometry = GeometryOf<Dim, Form, Dual<double>>;
            constexpr int members = members_of(Form::info.kind);
            const MoleculeTerm& term = to.all_.term[t];
            const Form form = to.template parameters<Form>(term);
            double force[members][Dim][lanes], change[members][Dim][lanes];
            for (int e = 0; e < Geometry::edges; ++e)
                for (int d = 0; d < Dim; ++d) {
                    for (int l = 0; l < lanes; ++l) {
                        Geometry geometry;
                        for (int f = 0; f < Geometry::edges; ++f)
                            for (int k = 0; k < Dim; ++k)
                                geometry.edge[f][k] =
                                    Dual<double>(to.edge(to.place_, term.member[Geometry::from(f)],
                                                         term.member[Geometry::to(f)], k, l),
                                                 f == e && k == d ? 1.0 : 0.0);
                        geometry.prepare();
                        const Dual<double> slope = form.slope(geometry.variable);
                        for (int m = 0; m < members; ++m) {
                            Dual<double> g[Dim];
                            geometry.gradient(m, g);
                            for (int k = 0; k < Dim; ++k) {
                                const Dual<double> product = slope * g[k];
                                force[m][k][l] = product.value;
                                change[m][k][l] = product.slope;
                            }
                        }
                    }
                    add(term.member, term.member[Geometry::from(e)], d, change, 1.0);
                    add(term.member, term.member[Geometry::to(e)], d, change, -1.0);
                }
            for (int m = 0; m < members; ++m)
                for (int k = 0; k < Dim; ++k)
                    for (int l = 0; l < lanes; ++l)
                        to.way_[at(term.member[m], k) + l] -= force[m][k][l];
        }
        /// Adds the column of one coordinate of an atom; the matrix has the lower part only.
        template <int members>
        SHADOW_INLINE void add(const std::int32_t (&member)[4], std::int32_t atom, int d,
                               const double (&change)[members][Dim][lanes], double sign) const {
            const std::int32_t column = atom * Dim + d;
            for (int m = 0; m < members; ++m)
                for (int k = 0; k < Dim; ++k) {
                    const std::int32_t row = member[m] * Dim + k;
                    if (row < column) continue;
                    for (int l = 0; l < lanes; ++l)
                        to.entry(row, column)[l] += sign * change[m][k][l];
                }
        }
    };

    const ImplicitTimes& times_;
    double *start_, *place_, *given_, *way_, *matrix_;
    std::int32_t count_; ///< number of coordinates
    std::int32_t width_; ///< width of a row of the matrix, the diagonal last
};

} // namespace shadow
