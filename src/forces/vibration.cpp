// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/vibration.hpp"

#include "molecular_hessian.hpp"

#include "kernels/eigensystem.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace shadow {
namespace {

template <int Dim>
std::vector<StiffForce<Dim>> stiff_forces(const ForcePlan& forces) {
    std::vector<StiffForce<Dim>> all;
    forces.each([&](const auto& force) {
        auto claims = force.template claims<Dim>();
        const std::string when = claims.constant ? "" : " at the largest factor of its modulation";
        if (!claims.stiffness.empty())
            all.push_back(
                {force.name + when, force.level, std::move(claims.stiffness), force.is_linear()});
    });
    return all;
}

double scalar_product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Removes from x its components along the others, which have length 1, and gives it that length.
void make_orthonormal(std::vector<double>& x, const std::vector<std::vector<double>>& others) {
    for (const std::vector<double>& other : others) {
        const double part = scalar_product(x, other);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * other[i];
    }
    const double length = std::sqrt(scalar_product(x, x));
    for (double& component : x) component /= length;
}

/// The mode with the largest eigenvalue among those orthogonal to `found`, and the eigenvalue: by
/// the power method, until it changes by less than 1e-7 of it, or for some ten milliseconds. If a
/// negative eigenvalue is larger in magnitude, all are shifted by that.
template <int Dim>
std::pair<std::vector<double>, double> largest_mode(const MolecularHessian<Dim>& hessian,
                                                    const std::vector<std::vector<double>>& found) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const std::size_t longest = std::clamp(3'000'000 / hessian.terms(), 50UL, 3000UL);
    double shift = 0.0;
    for (;;) {
        std::vector<double> x(hessian.size());
        for (double& component : x) component = uniform(random);
        make_orthonormal(x, found);
        double value = 0.0;
        for (std::size_t k = 0; k < longest; ++k) {
            std::vector<double> next = hessian.times(x);
            const double here = scalar_product(x, next);
            for (std::size_t i = 0; i < x.size(); ++i) next[i] += shift * x[i];
            const bool settled = k > 10 && std::abs(here - value) < 1e-7 * std::abs(here);
            value = here;
            if (settled || !(std::abs(scalar_product(next, next)) > 0.0)) break;
            make_orthonormal(next, found);
            x = std::move(next);
        }
        if (!(value < 0.0) || shift > 0.0) return {x, value};
        shift = -value;
    }
}

/// The frequency, and the shares of levels and forces in its square.
Vibration vibration_of(std::vector<double> by_level, const std::vector<double>& by_force,
                       const std::vector<std::string>& names) {
    Vibration vibration;
    vibration.share = std::move(by_level);
    const double square = std::accumulate(vibration.share.begin(), vibration.share.end(), 0.0);
    for (double& share : vibration.share) share /= square;
    vibration.frequency = std::sqrt(square);
    std::map<std::string, double> part; // of forces of one name together
    for (std::size_t k = 0; k < names.size(); ++k) part[names[k]] += by_force[k] / square;
    for (const std::string& name : names)
        if (std::abs(part.at(name)) > 0.01) {
            vibration.forces.push_back(name);
            part.at(name) = 0.0; // once
        }
    return vibration;
}

template <int Dim>
Vibration vibration_of(const MolecularHessian<Dim>& hessian, const std::vector<double>& mode,
                       std::size_t levels, const std::vector<std::string>& names) {
    const auto level = [](const auto& term) { return static_cast<std::size_t>(term.level) - 1; };
    const auto force = [](const auto& term) { return term.force; };
    const std::vector<double> by_force = hessian.curvatures(mode, names.size(), force);
    Vibration vibration = vibration_of(hessian.curvatures(mode, levels, level), by_force, names);
    // Minus the squared displacement, and the id.
    std::vector<std::pair<double, std::uint32_t>> moves;
    for (std::size_t i = 0; i < mode.size() / Dim; ++i) {
        double move = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) move += mode[i * Dim + d] * mode[i * Dim + d];
        moves.emplace_back(-move, hessian.id(i));
    }
    std::partial_sort(moves.begin(), moves.begin() + 2, moves.end());
    vibration.atoms = {std::min(moves[0].second, moves[1].second),
                       std::max(moves[0].second, moves[1].second)};
    return vibration;
}

/// Is its frequency different from all of these?
bool has_new_frequency(const Vibration& vibration, const std::vector<Vibration>& before) {
    return std::none_of(before.begin(), before.end(), [&](const Vibration& other) {
        return std::abs(vibration.frequency / other.frequency - 1.0) < 0.01;
    });
}

template <int Dim>
std::vector<Vibration>
of_molecules(const ForcePlan& forces, const std::vector<StiffForce<Dim>>& others,
             const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start) {
    const auto bonded = forces.of<BondedDescription>();
    if (bonded.empty()) return {};
    const MolecularHessian<Dim> hessian(bonded, others, topology, box, start);
    std::vector<std::string> names{Vibration::bonded};
    for (const StiffForce<Dim>& force : others) names.push_back(force.name);
    std::vector<Vibration> all;
    std::vector<std::vector<double>> modes;
    // Molecules of a kind have equal frequencies, so more modes are found than kept.
    const std::size_t most = std::min(2 * max_vibrations, hessian.size());
    while (modes.size() < most && all.size() < max_vibrations) {
        auto [mode, square] = largest_mode(hessian, modes);
        if (!(square > 0.0) || !std::isfinite(square)) break;
        Vibration vibration = vibration_of(hessian, mode, forces.levels.size(), names);
        const double slowest = all.empty() ? 0.0 : 0.05 * all.front().frequency;
        if (!(vibration.frequency > slowest)) break;
        if (has_new_frequency(vibration, all)) all.push_back(std::move(vibration));
        modes.push_back(std::move(mode));
    }
    return all;
}

/// x T x of each of these tensors.
template <int Dim>
std::vector<double> along(const double (&x)[Dim],
                          const std::vector<SymmetricTensor<Dim>>& tensors) {
    std::vector<double> all;
    for (const SymmetricTensor<Dim>& tensor : tensors) {
        double sum = 0.0;
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b < Dim; ++b)
                sum += x[a] * tensor.component[tensor_index<Dim>(a, b)] * x[b];
        all.push_back(sum);
    }
    return all;
}

/// Vibrations of a single particle of this species, along each principal direction.
template <int Dim>
std::vector<Vibration> of_species(const std::vector<StiffForce<Dim>>& forces, std::size_t levels,
                                  const Species& species, std::size_t index) {
    using Tensor = SymmetricTensor<Dim>;
    std::vector<Tensor> by_force, by_level(levels, Tensor{});
    std::vector<std::string> names;
    Tensor sum{};
    for (const StiffForce<Dim>& force : forces) {
        Tensor& own = by_force.emplace_back();
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                own.component[tensor_index<Dim>(a, b)] =
                    force.stiffness.at(
                        index)[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] /
                    species.mass;
        by_level.at(static_cast<std::size_t>(force.level) - 1).add(own);
        sum.add(own);
        names.push_back(force.name);
    }
    std::vector<Vibration> all;
    const Eigensystem<Dim> modes(sum);
    const double stiffest = *std::max_element(std::begin(modes.value), std::end(modes.value));
    for (int mode = 0; mode < Dim; ++mode) {
        if (!(modes.value[mode] > 1e-12 * stiffest)) continue;
        double x[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = modes.vector[d][mode];
        all.push_back(vibration_of(along(x, by_level), along(x, by_force), names));
        all.back().species = species.name;
    }
    return all;
}

/// The fastest ones with different frequencies.
std::vector<Vibration> fastest_of(std::vector<Vibration> vibrations) {
    std::sort(vibrations.begin(), vibrations.end(),
              [](const Vibration& a, const Vibration& b) { return a.frequency > b.frequency; });
    std::vector<Vibration> all;
    for (Vibration& vibration : vibrations)
        if (all.size() < max_vibrations && has_new_frequency(vibration, all))
            all.push_back(std::move(vibration));
    return all;
}

} // namespace

template <int Dim>
std::vector<Vibration> fast_vibrations(const ForcePlan& forces, const Topology& topology,
                                       const Box<Dim>& box, const Snapshot<Dim>& start) {
    std::vector<Vibration> all = of_molecules<Dim>(forces, {}, topology, box, start);
    std::vector<StiffForce<Dim>> somewhere = stiff_forces<Dim>(forces);
    const auto first = std::stable_partition(somewhere.begin(), somewhere.end(),
                                             [](const auto& force) { return force.everywhere; });
    const std::vector<StiffForce<Dim>> everywhere(somewhere.begin(), first);
    somewhere.erase(somewhere.begin(), first);
    if (!everywhere.empty())
        for (Vibration& v : of_molecules(forces, everywhere, topology, box, start))
            if (v.has_bonds() && !v.has_bonds_alone()) all.push_back(std::move(v));
    const std::set<std::uint16_t> there(start.species.begin(), start.species.end());
    std::vector<Vibration> alone;
    const auto add = [&](const std::vector<StiffForce<Dim>>& together) {
        for (const std::uint16_t s : there)
            for (Vibration& v :
                 of_species(together, forces.levels.size(), start.species_table[s], s))
                alone.push_back(std::move(v));
    };
    if (!everywhere.empty()) add(everywhere);
    for (const StiffForce<Dim>& one : somewhere) {
        std::vector<StiffForce<Dim>> together = everywhere;
        together.push_back(one);
        add(together);
    }
    for (Vibration& v : fastest_of(std::move(alone))) all.push_back(std::move(v));
    std::stable_sort(all.begin(), all.end(), [](const Vibration& a, const Vibration& b) {
        return a.frequency > b.frequency;
    });
    return all;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<Vibration> fast_vibrations(const ForcePlan&, const Topology&,             \
                                                    const Box<Dim>&, const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
