// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/field.hpp"

#include "kernels/fields/list.hpp"

#include <algorithm>
#include <cmath>

/// The claims of fields, and the total momenta that forces conserve.
namespace shadow {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
    return sum;
}

/// The dimension of the space that the vectors span (Gram and Schmidt).
int rank(std::vector<Vector> vectors) {
    std::vector<Vector> basis;
    for (Vector& v : vectors) {
        const double square = dot(v, v);
        for (const Vector& b : basis) {
            const double along = dot(b, v);
            for (std::size_t d = 0; d < v.size(); ++d) v[d] -= along * b[d];
        }
        const double left = dot(v, v);
        if (!(left > 1e-20 * square)) continue; // rounding
        for (double& c : v) c /= std::sqrt(left);
        basis.push_back(v);
    }
    return static_cast<int>(basis.size());
}

/// Fields that may cancel each other: all constant ones, and those that change alike.
std::vector<std::vector<FieldDescription>> by_time(const std::vector<FieldDescription>& fields) {
    std::vector<std::vector<FieldDescription>> all;
    for (const FieldDescription& field : fields) {
        const auto together = std::find_if(all.begin(), all.end(), [&](const auto& others) {
            const Modulation &a = field.modulation, &b = others.front().modulation;
            return (a.is_constant() && b.is_constant()) || a == b;
        });
        if (together == all.end())
            all.push_back({field});
        else
            together->push_back(field);
    }
    return all;
}

/// The factor of a constant field; 1 for others.
double steady_factor(const FieldDescription& field) {
    return field.modulation.is_constant() ? field.modulation.at(0.0) : 1.0;
}

/// The stiffness by species of a field with a largest curvature, at all times. Both extremes of its
/// factor have the same axes, so that the larger one of each component belongs to the bound of
/// both.
template <int Dim>
struct FindStiffness {
    const FieldDescription& description;
    std::vector<std::array<std::array<double, Dim>, Dim>>& found;

    template <class Field>
    void operator()(const Field& field) const {
        if constexpr (requires { field.largest_curvature(1.0, 0, 0); })
            for (const double weight : description.weight) {
                const auto [least, most] = description.modulation.range();
                auto& tensor = found.emplace_back();
                for (std::size_t a = 0; a < Dim; ++a)
                    for (std::size_t b = 0; b < Dim; ++b) {
                        const auto i = static_cast<int>(a), j = static_cast<int>(b);
                        const double low = field.largest_curvature(least * weight, i, j),
                                     high = field.largest_curvature(most * weight, i, j);
                        const bool higher = a == b ? high > low : std::abs(high) > std::abs(low);
                        tensor[a][b] = higher ? high : low;
                    }
            }
    }
};

/// Total uniform forces on all particles, without rounding errors: at any time the total is a sum
/// of multiples of these. Constant ones may cancel each other.
template <int Dim>
std::vector<Vector> total_forces(const std::vector<ForceClaims<Dim>>& forces) {
    std::vector<Vector> all(1, Vector(Dim));
    Vector size(Dim);
    for (const ForceClaims<Dim>& claims : forces) {
        if (!claims.constant) {
            all.emplace_back(claims.uniform.begin(), claims.uniform.end());
            continue;
        }
        for (std::size_t d = 0; d < Dim; ++d) {
            all[0][d] += claims.uniform[d];
            size[d] += std::abs(claims.uniform[d]);
        }
    }
    for (std::size_t d = 0; d < Dim; ++d)
        if (std::abs(all[0][d]) <= 1e-12 * size[d]) all[0][d] = 0.0;
    return all;
}

template <int Dim>
std::vector<ForceClaims<Dim>> claims_of_all(const std::vector<FieldDescription>& fields) {
    std::vector<ForceClaims<Dim>> all;
    for (const FieldDescription& field : fields) all.push_back(field.claims<Dim>());
    return all;
}

/// Vectors that span all total forces that the fields may exert.
template <int Dim>
std::vector<Vector> span_of_forces(const std::vector<FieldDescription>& fields) {
    std::vector<Vector> all;
    for (const auto& together : by_time(fields)) {
        auto claims = claims_of_all<Dim>(together);
        for (ForceClaims<Dim>& claim : claims) claim.constant = true; // so that they are added
        all.push_back(total_forces(claims).front());
    }
    for (const FieldDescription& field : fields) {
        const Vector gradient = field.gradient<Dim>();
        if (field.info->uniform) continue;
        if (!field.info->separable) all.push_back(gradient);
        for (std::size_t d = 0; d < Dim && field.info->separable; ++d) {
            all.emplace_back(Dim);
            all.back()[d] = gradient[d];
        }
    }
    return all;
}

/// Do traps alone act, with equal stiffness along two directions at any time?
template <int Dim>
bool turns_in_a_trap(const std::vector<FieldDescription>& fields) {
    std::vector<Vector> stiffness;
    for (const auto& together : by_time(fields)) {
        stiffness.emplace_back(Dim);
        for (const FieldDescription& field : together) {
            if (!field.info->separable) return false;
            const Vector own = field.gradient<Dim>();
            for (std::size_t d = 0; d < Dim; ++d)
                stiffness.back()[d] += steady_factor(field) * own[d];
        }
    }
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t b = a + 1; b < Dim; ++b) {
            const auto same = [&](const Vector& k) { return k[a] == k[b]; };
            const auto acts = [&](const Vector& k) { return k[a] != 0.0; };
            if (std::all_of(stiffness.begin(), stiffness.end(), same) &&
                std::any_of(stiffness.begin(), stiffness.end(), acts))
                return true;
        }
    return false;
}

} // namespace

template <int Dim>
ForceClaims<Dim> FieldDescription::claims() const {
    ForceClaims<Dim> found{.has_virial = false, .constant = modulation.is_constant(), .members = 1};
    const Vector along = gradient<Dim>();
    for (std::size_t d = 0; d < Dim; ++d) {
        if (info->uniform) found.uniform[d] = steady_factor(*this) * total_weight * along[d];
        found.invariance.along[d] = (info->uniform ? found.uniform[d] : along[d]) == 0.0;
        found.invariance.turning[d] = along[d] == 0.0;
    }
    visit_field<Dim>(Fields{}, field, numbers.data(), FindStiffness<Dim>{*this, found.stiffness});
    return found;
}

template <int Dim>
Invariance<Dim> invariance_of(const std::vector<ForceClaims<Dim>>& forces) {
    Invariance<Dim> all;
    for (const Vector& force : total_forces(forces))
        for (std::size_t d = 0; d < Dim; ++d) all.along[d] = all.along[d] && force[d] == 0.0;
    for (const ForceClaims<Dim>& claims : forces)
        for (std::size_t d = 0; d < Dim; ++d) {
            const bool may_cancel = claims.uniform[d] != 0.0;
            all.along[d] = all.along[d] && (may_cancel || claims.invariance.along[d]);
            all.turning[d] = all.turning[d] && claims.invariance.turning[d];
        }
    return all;
}

template <int Dim>
HiddenMomenta hidden_momenta(const std::vector<FieldDescription>& fields) {
    const auto told = invariance_of(claims_of_all<Dim>(fields)).along;
    const auto known = static_cast<int>(std::count(told.begin(), told.end(), true));
    return {Dim - rank(span_of_forces<Dim>(fields)) - known, turns_in_a_trap<Dim>(fields)};
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template ForceClaims<Dim> FieldDescription::claims() const;                                    \
    template Invariance<Dim> invariance_of(const std::vector<ForceClaims<Dim>>&);                  \
    template HiddenMomenta hidden_momenta<Dim>(const std::vector<FieldDescription>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
