// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/field.hpp"
#include "shadow/system/unwrapped.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/fields.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
FieldResult<Dim> FieldDescription::at(const double* place, std::size_t species) const {
    FieldResult<Dim> result{};
    const double scale = weight[species];
    if (scale == 0.0) return result;
    visit_field<Dim>(Fields{}, field, numbers.data(), EvaluateField<Dim>{place, result});
    for (double& component : result.force) component *= scale;
    result.u *= scale;
    return result;
}

bool FieldDescription::is_same(const FieldDescription& other) const {
    return field == other.field && numbers == other.numbers && weight == other.weight &&
           modulation == other.modulation;
}

template <int Dim>
std::unique_ptr<ForceTerm<Dim>> FieldDescription::make(const ForceContext<Dim>& context,
                                                       Neighbours<Dim>&) const {
    return std::make_unique<FieldForce<Dim>>(context.backend, *this);
}

/// In double on every device. A position is rounded when its images are undone; the functions add
/// some roundings.
template <int Dim>
DirectForce<Dim> FieldDescription::direct(const DirectContext<Dim>& context) const {
    return [field = *this, context](DirectTotals<Dim>& sums, std::size_t particle) {
        constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
        const Snapshot<Dim>& all = context.particles;
        std::array<double, Dim> place = unwrapped(all, context.box, particle);
        const auto at = [&] {
            const auto result = field.template at<Dim>(place.data(), all.species[particle]);
            PairTotals<Dim> own{std::to_array(result.force), result.u, {}};
            const double factor = field.modulation.at(all.time);
            for (double& component : own.force) component *= factor;
            own.energy *= factor;
            return own;
        };
        sums.add({&place, 1}, 1.0, rounding, at, [](double x) { return rounding * std::abs(x); });
    };
}

template <int Dim>
FieldForce<Dim>::FieldForce(const Backend& backend, const FieldDescription& description)
    : backend_(backend), description_(description), weight_(backend, description.weight) {}

template <int Dim>
FieldOnParticles<Dim> FieldForce<Dim>::on(const ParticlesView<Dim>& particles,
                                          double factor) const {
    FieldOnParticles<Dim> field{particles, weight_.data(), description_.field, factor, {}};
    std::copy(description_.numbers.begin(), description_.numbers.end(), field.numbers);
    return field;
}

template <int Dim>
void FieldForce<Dim>::compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>&,
                              const ForceOutput<Dim>& output) {
    launch(backend_,
           ApplyField<Dim>{on(particles, description_.modulation.mean(from_, to_)),
                           {output.force, output.energy, output.status, output.accumulate}},
           particles.size);
    if (output.virial && !output.accumulate)
        launch(backend_, Clear{output.virial->component}, tensor_size<Dim>);
}

template <int Dim>
void FieldForce<Dim>::share(std::size_t, const ParticlesView<Dim>& particles,
                            const Neighbours<Dim>&, bool accumulate, Share<Dim>* share) {
    const double factor = description_.modulation.mean(from_, to_);
    launch(backend_, ShareField<Dim>{on(particles, factor), accumulate, share}, particles.size);
}

template <int Dim>
void FieldForce<Dim>::add_work(const ParticlesView<Dim>& particles, double* work) {
    const double change = description_.modulation.change(from_, to_);
    launch(backend_, AddFieldEnergy<Dim>{on(particles, change), work}, particles.size);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<double> FieldDescription::gradient<Dim>() const;                          \
    template FieldResult<Dim> FieldDescription::at(const double*, std::size_t) const;              \
    template std::unique_ptr<ForceTerm<Dim>> FieldDescription::make(const ForceContext<Dim>&,      \
                                                                    Neighbours<Dim>&) const;       \
    template DirectForce<Dim> FieldDescription::direct(const DirectContext<Dim>&) const;           \
    template class FieldForce<Dim>;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
