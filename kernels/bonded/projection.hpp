// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/molecule_lanes.hpp"

/// Projection of molecules to positions with bonds and angles at rest, mass-weighted along the
/// gradients at the start: A(q) = q + M^-1 G(q)^T lambda with g(A(q)) = 0. The constraints g are
/// (r^2 - r0^2) / 2 of bonds and cos(theta) - cos(theta0) of angles, and G is their derivative.
/// Also the transposed derivative of this map (Izaguirre, Reich and Skeel 1999, J. Chem. Phys. 110,
/// 9853; Leimkuhler and Reich 2004, exercise 10.7).
namespace shadow {

/// Does the form have a rest value to which a molecule can be projected?
template <class Form>
concept HasRest = requires(const Form& form) {
    form.rest();
};

namespace detail {
struct AskRest {
    const double* row;
    bool* answer;
    template <class Form>
    SHADOW_INLINE void operator()(BondedTag<Form>) const {
        if constexpr (HasRest<Form>) {
            Form form;
            __builtin_memcpy(static_cast<void*>(&form), row, sizeof form);
            const double rest = form.rest();
            *answer = Form::info.kind == BondedKind::bond ? rest > 0.0 : fabs(rest) < 1.0 - 1e-9;
        }
    }
};
} // namespace detail

/// Has the form at this index in `BondedForms`, with a row of parameters, a rest value from which
/// its variable can change to both sides? A bond of length 0 and a straight angle have none.
inline bool has_rest(std::int32_t form, const double* row) {
    bool answer = false;
    visit_bonded(OwnForms{}, form, detail::AskRest{row, &answer});
    return answer;
}

/// The maximum number of particles on whose positions a constraint depends.
inline constexpr int constrained_atoms = 3;

/// Work memory for the projection of a molecule, in numbers.
template <int Dim>
[[nodiscard]] SHADOW_INLINE std::int64_t
projection_numbers(std::int64_t atoms, std::int64_t constraints, std::int64_t band) {
    return 3 * atoms * Dim + constraints * (2 * constrained_atoms * Dim + 2 + 2 * band + 1);
}

template <int Dim, int lanes, int stride>
class MoleculeProjection : MoleculeLanes<Dim, lanes, stride> {
    using Base = MoleculeLanes<Dim, lanes, stride>;
    using Base::all_, Base::kind_, Base::size_, Base::step;
    using Base::array, Base::at, Base::load, Base::store, Base::inverse_mass;

  public:
    SHADOW_INLINE MoleculeProjection(const MoleculeGroupsView<Dim>& molecules,
                                     const MoleculeGroup& group, int lane, double* scratch)
        : Base(molecules, group, lane, scratch), count_(kind_.constraints()),
          band_(kind_.constraint_band), start_(array(0)), place_(array(1)), way_(array(2)),
          at_start_(array(3)), at_place_(at_start_ + std::int64_t{count_} * gradient_size),
          lambda_(at_place_ + std::int64_t{count_} * gradient_size),
          right_(lambda_ + std::int64_t{count_} * stride),
          matrix_(right_ + std::int64_t{count_} * stride) {}

    /// position <- A(position); NaN if Newton's method does not converge.
    SHADOW_INLINE void average(const VectorView<Dim, double>& position) {
        load(position, start_);
        project();
        store(place_, position);
    }

    /// force <- transposed derivative of A at `position` times force: with w = f - G(A)^T mu and G
    /// M^-1 G(A)^T mu = G M^-1 f it is w + K M^-1 w, K the Hessian of lambda.g at the start.
    SHADOW_INLINE void transpose(const VectorView<Dim, double>& position,
                                 const VectorView<Dim, double>& force) {
        load(position, start_);
        project();
        double* w = place_; // which is no longer needed
        load(force, w);
        for (std::int64_t n = 0; n < std::int64_t{count_} * stride; n += step) right_[n] = 0.0;
        for (std::int32_t k = 0; k < count_; ++k) add_product(at_start_, k, w);
        fill_matrix(at_start_, at_place_);
        solve();
        pull(at_place_, right_, w, false);
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                way_[n] = inverse_mass(a) * w[n];
        each_constraint(AddCurvature{*this, w});
        store(w, force);
    }

  private:
    /// The gradient of a constraint: derivatives with respect to each coordinate of its atoms.
    static constexpr std::int64_t gradient_size = std::int64_t{constrained_atoms} * Dim * stride;
    /// Newton's method squares the error: ten steps are plenty unless there is no solution nearby.
    static constexpr int max_iterations = 25;
    static constexpr double tolerance = 1e-12;

    [[nodiscard]] SHADOW_INLINE const MoleculeTerm& constraint(std::int32_t k) const {
        return all_.constraint[kind_.first_constraint + k];
    }
    [[nodiscard]] static SHADOW_INLINE std::int64_t of(std::int32_t k, int member, int d) {
        return k * gradient_size + (member * Dim + d) * std::int64_t{stride};
    }
    template <class Use>
    SHADOW_INLINE void each_constraint(const Use& use) const {
        Base::each_run(all_.constraint + kind_.first_constraint, 0, count_, use);
    }

    /// place <- A(start), lambda, and gradients at both.
    SHADOW_INLINE void project() {
        for (std::int64_t n = 0; n < size_; n += step) place_[n] = start_[n];
        for (std::int64_t n = 0; n < std::int64_t{count_} * stride; n += step) lambda_[n] = 0.0;
        each_constraint(Measure{*this, start_, at_start_});
        double left[lanes];
        for (int iteration = 0;; ++iteration) {
            each_constraint(Measure{*this, place_, at_place_});
            for (int l = 0; l < lanes; ++l) left[l] = 0.0;
            for (std::int32_t k = 0; k < count_; ++k)
                for (int l = 0; l < lanes; ++l) {
                    const double g = fabs(right_[k * std::int64_t{stride} + l]);
                    left[l] = g <= left[l] ? left[l] : g; // also if g is NaN
                }
            double most = 0.0;
            for (int l = 0; l < lanes; ++l) most = left[l] <= most ? most : left[l];
            if (most <= tolerance || iteration == max_iterations) break;
            fill_matrix(at_place_, at_start_);
            solve();
            // Converged molecules stay fixed, whatever the molecules next to them do.
            for (std::int32_t k = 0; k < count_; ++k)
                for (int l = 0; l < lanes; ++l) {
                    const std::int64_t n = k * std::int64_t{stride} + l;
                    lambda_[n] -= left[l] <= tolerance ? 0.0 : right_[n];
                }
            for (std::int64_t n = 0; n < size_; n += step) place_[n] = start_[n];
            pull(at_start_, lambda_, place_, true);
        }
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int l = 0; l < lanes; ++l)
                if (!(left[l] <= tolerance)) place_[at(a, 0) + l] = 0.0 / 0.0;
    }

    /// to -= gradients times factor; or += with inverse masses.
    SHADOW_INLINE void pull(const double* gradient, const double* factor, double* to,
                            bool by_mass) const {
        for (std::int32_t k = 0; k < count_; ++k)
            for (int m = 0; m < constrained_atoms; ++m) {
                const std::int32_t atom = constraint(k).member[m];
                if (atom < 0) break;
                const double scale = by_mass ? inverse_mass(atom) : -1.0;
                for (int d = 0; d < Dim; ++d)
                    for (int l = 0; l < lanes; ++l)
                        to[at(atom, d) + l] += scale * gradient[of(k, m, d) + l] *
                                               factor[k * std::int64_t{stride} + l];
            }
    }
    /// right of a constraint += its gradient times M^-1 v.
    SHADOW_INLINE void add_product(const double* gradient, std::int32_t k, const double* v) const {
        for (int m = 0; m < constrained_atoms; ++m) {
            const std::int32_t atom = constraint(k).member[m];
            if (atom < 0) break;
            for (int d = 0; d < Dim; ++d)
                for (int l = 0; l < lanes; ++l)
                    right_[k * std::int64_t{stride} + l] +=
                        inverse_mass(atom) * gradient[of(k, m, d) + l] * v[at(atom, d) + l];
        }
    }
    [[nodiscard]] SHADOW_INLINE double* entry(std::int32_t row, std::int32_t column) const {
        return matrix_ +
               (std::int64_t{row} * (2 * band_ + 1) + column - row + band_) * std::int64_t{stride};
    }
    /// left M^-1 right^T
    SHADOW_INLINE void fill_matrix(const double* left, const double* right) const {
        for (std::int32_t i = 0; i < count_; ++i)
            for (std::int32_t j = first_beside(i); j < last_beside(i); ++j) {
                double* sum = entry(i, j);
                for (int l = 0; l < lanes; ++l) sum[l] = 0.0;
                for (int m = 0; m < constrained_atoms; ++m)
                    for (int n = 0; n < constrained_atoms; ++n) {
                        const std::int32_t atom = constraint(i).member[m];
                        if (atom < 0 || atom != constraint(j).member[n]) continue;
                        for (int d = 0; d < Dim; ++d)
                            for (int l = 0; l < lanes; ++l)
                                sum[l] += inverse_mass(atom) * left[of(i, m, d) + l] *
                                          right[of(j, n, d) + l];
                    }
            }
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t first_beside(std::int32_t k) const {
        return k > band_ ? k - band_ : 0;
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t last_beside(std::int32_t k) const {
        return k + band_ + 1 < count_ ? k + band_ + 1 : count_;
    }
    /// right <- matrix^-1 right, by elimination without pivoting: near rest the matrix is nearly
    /// symmetric and positive definite.
    SHADOW_INLINE void solve() const {
        for (std::int32_t p = 0; p < count_; ++p)
            for (std::int32_t i = p + 1; i < last_beside(p); ++i) {
                double factor[lanes];
                for (int l = 0; l < lanes; ++l) factor[l] = entry(i, p)[l] / entry(p, p)[l];
                for (std::int32_t j = p + 1; j < last_beside(p); ++j)
                    for (int l = 0; l < lanes; ++l) entry(i, j)[l] -= factor[l] * entry(p, j)[l];
                for (int l = 0; l < lanes; ++l)
                    right_[i * std::int64_t{stride} + l] -=
                        factor[l] * right_[p * std::int64_t{stride} + l];
            }
        for (std::int32_t i = count_ - 1; i >= 0; --i)
            for (int l = 0; l < lanes; ++l) {
                double sum = right_[i * std::int64_t{stride} + l];
                for (std::int32_t j = i + 1; j < last_beside(i); ++j)
                    sum -= entry(i, j)[l] * right_[j * std::int64_t{stride} + l];
                right_[i * std::int64_t{stride} + l] = sum / entry(i, i)[l];
            }
    }

    /// gradient <- that of each constraint at `place`; right <- the constraints.
    struct Measure {
        const MoleculeProjection& of_all;
        const double* place;
        double* gradient;

        template <class Form>
        SHADOW_INLINE void term(std::int32_t k) const {
            if constexpr (HasRest<Form>) {
                using Geometry = GeometryOf<Dim, Form>;
                constexpr int members = members_of(Form::info.kind);
                constexpr double half = Form::info.kind == BondedKind::bond ? 0.5 : 1.0;
                const MoleculeTerm& term = of_all.constraint(k);
                const double rest = of_all.template parameters<Form>(term).rest();
                for (int l = 0; l < lanes; ++l) {
                    const auto geometry = of_all.template geometry<Geometry>(term, place, l);
                    of_all.right_[k * std::int64_t{stride} + l] = half * (geometry.variable - rest);
                    for (int m = 0; m < members; ++m) {
                        double g[Dim];
                        geometry.gradient(m, g);
                        for (int d = 0; d < Dim; ++d) gradient[of(k, m, d) + l] = g[d];
                    }
                }
            }
        }
    };
    /// to += Hessian of lambda.g at the start times way
    struct AddCurvature {
        const MoleculeProjection& of_all;
        double* to;

        template <class Form>
        SHADOW_INLINE void term(std::int32_t k) const {
            if constexpr (HasRest<Form>) {
                using Geometry = GeometryOf<Dim, Form, Dual<double>>;
                constexpr int members = members_of(Form::info.kind);
                const MoleculeTerm& term = of_all.constraint(k);
                for (int l = 0; l < lanes; ++l) {
                    const auto geometry =
                        of_all.template geometry<Geometry>(term, of_all.start_, of_all.way_, l);
                    const double lambda = of_all.lambda_[k * std::int64_t{stride} + l];
                    for (int m = 0; m < members; ++m) {
                        Dual<double> g[Dim];
                        geometry.gradient(m, g);
                        for (int d = 0; d < Dim; ++d)
                            to[at(term.member[m], d) + l] += lambda * g[d].slope;
                    }
                }
            }
        }
    };

    std::int32_t count_, band_; ///< number and bandwidth of constraints
    double *start_, *place_, *way_, *at_start_, *at_place_, *lambda_, *right_, *matrix_;
};

} // namespace shadow
