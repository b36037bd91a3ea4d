// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/field.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/fields.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {
namespace {

template <int Dim>
struct FindGradient {
    std::vector<double>& found;

    template <class Field>
    void operator()(const Field& field) const {
        for (int d = 0; d < Dim; ++d) found[static_cast<std::size_t>(d)] = field.gradient(d);
    }
};

template <int Dim>
struct EvaluateField {
    const double* place;
    FieldResult<Dim>& result;

    template <class Field>
    void operator()(const Field& field) const {
        double x[Dim];
        std::copy(place, place + Dim, x);
        result = field(x);
    }
};

} // namespace

template <int Dim>
std::vector<double> FieldDescription::gradient() const {
    std::vector<double> found(Dim);
    visit_field<Dim>(Fields{}, field, numbers.data(), FindGradient<Dim>{found});
    return found;
}

template <int Dim>
Invariance<Dim> FieldDescription::invariance() const {
    return invariance_of<Dim>({*this});
}

namespace {

/// The force of all uniform fields on all particles, without what rounding leaves of it.
template <int Dim>
std::vector<double> total_force(const std::vector<FieldDescription>& fields) {
    std::vector<double> sum(Dim), size(Dim);
    for (const FieldDescription& field : fields)
        for (std::size_t d = 0; d < Dim && field.uniform; ++d) {
            const double force = field.total_weight * field.gradient<Dim>()[d];
            sum[d] += force;
            size[d] += std::abs(force);
        }
    for (std::size_t d = 0; d < Dim; ++d)
        if (std::abs(sum[d]) <= 1e-12 * size[d]) sum[d] = 0.0;
    return sum;
}

} // namespace

template <int Dim>
Invariance<Dim> invariance_of(const std::vector<FieldDescription>& fields) {
    Invariance<Dim> all;
    const std::vector<double> force = total_force<Dim>(fields);
    for (std::size_t d = 0; d < Dim; ++d) all.along[d] = force[d] == 0.0;
    for (const FieldDescription& field : fields) {
        const std::vector<double> gradient = field.gradient<Dim>();
        for (std::size_t d = 0; d < Dim; ++d) {
            if (gradient[d] == 0.0) continue;
            all.turning[d] = false;
            if (!field.uniform) all.along[d] = false;
        }
    }
    return all;
}

template <int Dim>
HiddenMomenta hidden_momenta(const std::vector<FieldDescription>& fields) {
    std::vector<std::vector<double>> basis; // of the space of all forces on the whole
    const auto add = [&](std::vector<double> v) {
        double size = 0.0, left = 0.0;
        for (const double c : v) size += c * c;
        for (const auto& b : basis) {
            double along = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) along += b[d] * v[d];
            for (std::size_t d = 0; d < Dim; ++d) v[d] -= along * b[d];
        }
        for (const double c : v) left += c * c;
        if (!(left > 1e-20 * size)) return;
        for (double& c : v) c /= std::sqrt(left);
        basis.push_back(v);
    };
    HiddenMomenta hidden;
    bool only_traps = !fields.empty();
    std::vector<double> stiffness(Dim);
    add(total_force<Dim>(fields));
    for (const FieldDescription& field : fields) {
        const std::vector<double> gradient = field.gradient<Dim>();
        only_traps = only_traps && field.separable;
        for (std::size_t d = 0; d < Dim; ++d) stiffness[d] += gradient[d];
        if (field.uniform) continue;
        if (!field.separable) add(gradient);
        for (std::size_t d = 0; d < Dim && field.separable; ++d) {
            std::vector<double> axis(Dim);
            axis[d] = gradient[d];
            add(axis);
        }
    }
    const Invariance<Dim> told = invariance_of<Dim>(fields);
    hidden.linear = Dim - static_cast<int>(basis.size()) -
                    static_cast<int>(std::count(told.along.begin(), told.along.end(), true));
    for (std::size_t d = 0; d < Dim && only_traps; ++d)
        for (std::size_t e = d + 1; e < Dim; ++e)
            hidden.angular =
                hidden.angular || (stiffness[d] != 0.0 && stiffness[d] == stiffness[e]);
    return hidden;
}

template <int Dim>
FieldResult<Dim> FieldDescription::at(const double* place, std::size_t species) const {
    FieldResult<Dim> result{};
    const double scale = weight[species];
    if (scale == 0.0) return result;
    visit_field<Dim>(Fields{}, field, numbers.data(), EvaluateField<Dim>{place, result});
    for (double& component : result.force) component *= scale;
    result.u *= scale;
    return result;
}

template <int Dim, class Real>
FieldForce<Dim, Real>::FieldForce(const Backend& backend, const FieldDescription& description)
    : backend_(backend), description_(description), weight_(backend, description.weight) {}

template <int Dim, class Real>
ForceClaims<Dim> FieldForce<Dim, Real>::claims() const {
    return {.invariance = description_.template invariance<Dim>(), .has_virial = false};
}

template <int Dim, class Real>
FieldOnParticles<Dim> FieldForce<Dim, Real>::on(const ParticlesView<Dim, Real>& particles,
                                                const BoxView<Dim>& box) const {
    FieldOnParticles<Dim> field{particles, box, weight_.data(), description_.field, {}};
    std::copy(description_.numbers.begin(), description_.numbers.end(), field.numbers);
    return field;
}

template <int Dim, class Real>
void FieldForce<Dim, Real>::compute(const ParticlesView<Dim, Real>& particles,
                                    const BoxView<Dim>& box, const Neighbours<Dim, Real>&,
                                    const ForceOutput<Dim, Real>& output) {
    launch(backend_,
           ApplyField<Dim>{on(particles, box), output.force, output.energy, output.status,
                           output.accumulate},
           particles.size);
    if (output.virial && !output.accumulate)
        detail::fill_zero(backend_, output.virial, sizeof *output.virial);
}

template <int Dim, class Real>
void FieldForce<Dim, Real>::carry(const ThermalVelocity<Dim, Real>& motion, const BoxView<Dim>& box,
                                  const Neighbours<Dim, Real>&, const Flux<Dim>* so_far,
                                  Flux<Dim>* sum) {
    reduce(backend_, CarryFieldEnergy<Dim, Real>{{}, on(motion.particles, box), motion, so_far},
           motion.particles.size, sum);
}

template <int Dim, class Real>
void FieldForce<Dim, Real>::share(std::size_t, const ParticlesView<Dim, Real>& particles,
                                  const BoxView<Dim>& box, const Neighbours<Dim, Real>&,
                                  bool accumulate, Share<Dim>* share) {
    launch(backend_, ShareField<Dim>{on(particles, box), accumulate, share}, particles.size);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<double> FieldDescription::gradient<Dim>() const;                          \
    template Invariance<Dim> FieldDescription::invariance() const;                                 \
    template Invariance<Dim> invariance_of(const std::vector<FieldDescription>&);                  \
    template HiddenMomenta hidden_momenta<Dim>(const std::vector<FieldDescription>&);              \
    template FieldResult<Dim> FieldDescription::at(const double*, std::size_t) const;              \
    template class FieldForce<Dim, double>;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
