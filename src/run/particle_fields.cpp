// SPDX-License-Identifier: BSD-3-Clause
#include "particle_fields.hpp"

#include "kernels/ops/shares.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace shadow {
namespace {

/// The force or the potential energy of each particle.
template <int Dim>
std::vector<double> sum_of_levels(ParticleSystem<Dim>& system, const Quantity& quantity) {
    const auto n = static_cast<std::size_t>(system.size());
    std::vector<double> sums, values(n);
    const TotalForce<Dim> force = system.force();
    for (std::size_t d = 0; d < quantity.width; ++d) {
        const auto first = static_cast<std::ptrdiff_t>(sums.size());
        sums.resize(sums.size() + n, 0.0);
        const auto add = [&](const double* from) {
            detail::copy_to_host(system.backend(), values.data(), from, n * sizeof(double));
            std::transform(values.begin(), values.end(), sums.begin() + first, sums.begin() + first,
                           std::plus<>());
        };
        if (quantity.name == "force")
            for (int k = 0; k < force.count; ++k) add(force.component[k][d]);
        else
            for (const double* level : system.energies()) add(level);
    }
    return in_id_order(system, sums, {quantity.width}).front();
}

/// Minus what each particle has of P V: of m v v, v relative to the centre of mass where total
/// momentum is conserved, and of the virial half of each of its pairs.
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
    detail::copy_to_host(system.backend(), of.data(), shares.data(), n * sizeof(Share<Dim>));
    std::vector<double> stress(width * n);
    for (std::size_t k = 0; k < width; ++k)
        for (std::size_t i = 0; i < n; ++i) stress[k * n + i] = -of[i].virial.component[k];
    stress = in_id_order(system, stress, {width}).front();

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
