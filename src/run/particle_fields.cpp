// SPDX-License-Identifier: BSD-3-Clause
#include "particle_fields.hpp"

#include "kernels/ops/shares.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace shadow {
namespace {

/// The total force or the potential energy of each particle.
template <int Dim>
std::vector<double> sum_of_levels(ParticleSystem<Dim>& system, const Quantity& quantity) {
    std::vector<double> sums(quantity.width * static_cast<std::size_t>(system.size())),
        values(sums.size());
    const auto add = [&](std::span<const double* const> from) {
        copy_by_id(system.backend(), system.particles().id, system.size(), from, values.data());
        std::transform(values.begin(), values.end(), sums.begin(), sums.begin(), std::plus<>());
    };
    const TotalForce<Dim> force = system.force();
    if (quantity.name == "force")
        for (int k = 0; k < force.count; ++k) add(force.component[k]);
    else
        for (const double* level : system.energies()) add({&level, 1});
    return sums;
}

/// Minus the contribution of each particle to P V: m v v, with v relative to the centre of mass if
/// total momentum is conserved, and half of the virial of each of its pairs.
template <int Dim>
std::vector<double> measure_stress(ParticleSystem<Dim>& system,
                                   const ConservedMomenta<Dim>& conserved,
                                   const Snapshot<Dim>& frame) {
    constexpr std::size_t width = tensor_size<Dim>;
    const std::size_t n = frame.size();
    Array<Share<Dim>> shares(system.backend(), n);
    bool accumulate = false;
    system.each_term([&](const auto& share, double) {
        share(accumulate, shares.data());
        accumulate = true;
    });
    std::vector<Share<Dim>> of(n);
    const Share<Dim>* const in_memory[] = {shares.data()};
    copy_by_id<Share<Dim>>(system.backend(), system.particles().id, system.size(), in_memory,
                           of.data());
    std::vector<double> stress(width * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < width; ++k) stress[i * width + k] = -of[i].virial.component[k];

    std::array<double, Dim> centre = net_motion(frame, conserved).momentum;
    for (double& c : centre) c *= frame.momentum_scale() / frame.total_mass();
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> v;
        for (std::size_t d = 0; d < Dim; ++d) v[d] = frame.velocity(i, d) - centre[d];
        for (std::size_t a = 0; a < Dim; ++a)
            for (std::size_t b = a; b < Dim; ++b)
                stress[i * width + static_cast<std::size_t>(tensor_index<Dim>(
                                       static_cast<int>(a), static_cast<int>(b)))] -=
                    frame.mass(i) * v[a] * v[b];
    }
    return stress;
}

} // namespace

template <int Dim>
std::vector<Quantity> field_quantities(const std::vector<std::string>& fields) {
    std::vector<Quantity> all;
    for (const std::string& field : fields) {
        if (field == "force") all.push_back({field, "energy/length", Dim});
        if (field == "potential_energy") all.push_back({field, "energy"});
        if (field == "stress") all.push_back({field, "energy", tensor_size<Dim>});
    }
    return all;
}

template <int Dim>
std::vector<std::vector<double>>
measure_fields(ParticleSystem<Dim>& system, const std::vector<std::string>& fields,
               const ConservedMomenta<Dim>& conserved, const Snapshot<Dim>& frame) {
    const std::vector<Quantity> wanted = field_quantities<Dim>(fields);
    if (wanted.empty()) return {};
    system.prepare_observation(std::any_of(wanted.begin(), wanted.end(), [](const Quantity& q) {
        return q.name == "potential_energy";
    }));
    const auto measure_field = [&](const Quantity& q) {
        if (q.name == "stress") return measure_stress(system, conserved, frame);
        if (q.name == "force" || q.name == "potential_energy") return sum_of_levels(system, q);
        throw std::logic_error("field " + q.name + " is not measured");
    };
    std::vector<std::vector<double>> all;
    for (const Quantity& q : wanted) all.push_back(measure_field(q));
    return all;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<Quantity> field_quantities<Dim>(const std::vector<std::string>&);         \
    template std::vector<std::vector<double>> measure_fields(                                      \
        ParticleSystem<Dim>&, const std::vector<std::string>&, const ConservedMomenta<Dim>&,       \
        const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
