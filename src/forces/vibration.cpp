// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/vibration.hpp"

#include "shadow/system/molecule_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace shadow {
namespace {

/// Of molecules with more a part stands for all.
constexpr std::size_t max_terms = 100'000;

/// The Hessian of one term over the roots of masses, [member, direction][member, direction].
template <int Dim>
struct TermHessian {
    ForceLevel level;
    std::vector<std::size_t> at; ///< of members among the numbers of all particles
    std::vector<double> numbers;
};

/// Of the molecules that stand for all.
template <int Dim>
class MolecularHessian {
  public:
    MolecularHessian(const std::vector<BondedDescription>& forces, const Topology& topology,
                     const Box<Dim>& box, const Snapshot<Dim>& start)
        : box_(box), start_(start) {
        const auto molecules = connected_molecules(topology, box, start);
        std::vector<std::size_t> molecule(start.size());
        for (std::size_t k = 0; k < molecules.size(); ++k)
            for (const std::uint32_t id : molecules[k].atoms) molecule[id] = k;
        std::vector<bool> chosen(molecules.size());
        for (const BondedDescription& force : forces) {
            std::set<std::vector<double>> seen; // row of parameters, and masses
            each_term(force, [&](std::size_t first, std::size_t count) {
                std::vector<double> kind = {static_cast<double>(force.row[first / count])};
                for (std::size_t m = 0; m < count; ++m)
                    kind.push_back(start_.mass(force.members[first + m]));
                if (seen.insert(std::move(kind)).second)
                    chosen[molecule[force.members[first]]] = true;
            });
        }
        for (const BondedDescription& force : forces)
            each_term(force, [&](std::size_t first, std::size_t count) {
                const bool fits = terms_.size() < max_terms;
                if (fits && chosen[molecule[force.members[first]]]) add(force, first, count);
            });
    }
    [[nodiscard]] std::size_t size() const { return ids_.size() * Dim; }
    [[nodiscard]] std::size_t terms() const { return terms_.size(); }
    [[nodiscard]] std::uint32_t id(std::size_t particle) const { return ids_[particle]; }

    /// H x, by the forces of all levels.
    [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
        std::vector<double> sum(x.size());
        for (const TermHessian<Dim>& term : terms_) multiply(term, x, sum);
        return sum;
    }
    /// x.H x of each level.
    [[nodiscard]] std::vector<double> curvatures(const std::vector<double>& x,
                                                 std::size_t levels) const {
        std::vector<double> all(levels);
        for (std::size_t k = 0; k < levels; ++k) {
            std::vector<double> sum(x.size());
            for (const TermHessian<Dim>& term : terms_)
                if (static_cast<std::size_t>(term.level) == k + 1) multiply(term, x, sum);
            all[k] = std::inner_product(x.begin(), x.end(), sum.begin(), 0.0);
        }
        return all;
    }

  private:
    /// Calls work(first of its members, how many) for each term that pulls molecules together.
    template <class Work>
    static void each_term(const BondedDescription& force, const Work& work) {
        if (force.info->internal) return;
        const auto count = static_cast<std::size_t>(members_of(force.info->kind));
        for (std::size_t first = 0; first < force.members.size(); first += count)
            work(first, count);
    }

    /// By central differences of forces.
    void add(const BondedDescription& force, std::size_t first, std::size_t count) {
        TermHessian<Dim> term{force.level, {}, std::vector<double>(count * Dim * count * Dim)};
        std::vector<std::array<double, Dim>> place(count);
        std::vector<double> weight(count);
        for (std::size_t m = 0; m < count; ++m) {
            const std::uint32_t id = force.members[first + m];
            const auto [known, is_new] = at_.try_emplace(id, ids_.size());
            if (is_new) ids_.push_back(id);
            term.at.push_back(known->second * Dim);
            place[m] = start_.position[id];
            weight[m] = 1.0 / std::sqrt(start_.mass(id));
        }
        double edge = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) edge += std::pow(nearest(place, d), 2);
        const double h = 1e-5 * std::sqrt(edge);
        for (std::size_t column = 0; column < count * Dim; ++column) {
            double& moved = place[column / Dim][column % Dim];
            const double before = moved;
            for (const double sign : {1.0, -1.0}) {
                moved = before + sign * h;
                const BondedResult<Dim> result =
                    evaluate_term<Dim>(force, force.row[first / count], place, box_);
                for (std::size_t row = 0; row < count * Dim; ++row)
                    term.numbers[row * count * Dim + column] -=
                        sign * result.force[row / Dim][row % Dim] / (2.0 * h) * weight[row / Dim] *
                        weight[column / Dim];
            }
            moved = before;
        }
        terms_.push_back(std::move(term));
    }
    /// Between the first two members along a direction.
    [[nodiscard]] double nearest(const std::vector<std::array<double, Dim>>& place,
                                 std::size_t d) const {
        std::array<double, Dim> dx;
        for (std::size_t k = 0; k < Dim; ++k) dx[k] = place[1][k] - place[0][k];
        box_.shorten(dx);
        return dx[d];
    }

    static void multiply(const TermHessian<Dim>& term, const std::vector<double>& x,
                         std::vector<double>& sum) {
        const std::size_t n = term.at.size() * Dim;
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t column = 0; column < n; ++column)
                sum[term.at[row / Dim] + row % Dim] +=
                    term.numbers[row * n + column] * x[term.at[column / Dim] + column % Dim];
    }

    const Box<Dim>& box_;
    const Snapshot<Dim>& start_;
    std::map<std::uint32_t, std::size_t> at_;
    std::vector<std::uint32_t> ids_;
    std::vector<TermHessian<Dim>> terms_;
};

double scalar_product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// x less what it has of the others, which are of length 1, and made as long.
void make_orthonormal(std::vector<double>& x, const std::vector<std::vector<double>>& others) {
    for (const std::vector<double>& other : others) {
        const double part = scalar_product(x, other);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * other[i];
    }
    const double length = std::sqrt(scalar_product(x, x));
    for (double& component : x) component /= length;
}

/// The mode of the largest eigenvalue orthogonal to those found, and the eigenvalue: by the power
/// method, until it changes by less than 1e-7 of it, or for some ten milliseconds. Where another
/// one is larger in size and negative, all are shifted by that.
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

template <int Dim>
Vibration vibration_of(const MolecularHessian<Dim>& hessian, const std::vector<double>& mode,
                       std::size_t levels) {
    Vibration vibration;
    vibration.share = hessian.curvatures(mode, levels);
    const double square = std::accumulate(vibration.share.begin(), vibration.share.end(), 0.0);
    for (double& share : vibration.share) share /= square;
    vibration.frequency = std::sqrt(square);
    std::vector<std::pair<double, std::uint32_t>> moves; // how far, and its id
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

template <int Dim>
std::vector<Vibration> of_molecules(const ForcePlan& forces, const Topology& topology,
                                    const Box<Dim>& box, const Snapshot<Dim>& start) {
    const auto bonded = forces.of<BondedDescription>();
    if (bonded.empty()) return {};
    const MolecularHessian<Dim> hessian(bonded, topology, box, start);
    std::vector<Vibration> all;
    std::vector<std::vector<double>> modes;
    // Molecules that are alike have the same: they take turns.
    const std::size_t most = std::min(2 * max_vibrations, hessian.size());
    while (modes.size() < most && all.size() < max_vibrations) {
        auto [mode, square] = largest_mode(hessian, modes);
        if (!(square > 0.0) || !std::isfinite(square)) break;
        Vibration vibration = vibration_of(hessian, mode, forces.levels.size());
        const double slowest = all.empty() ? 0.0 : 0.05 * all.front().frequency;
        if (!(vibration.frequency > slowest)) break;
        const bool is_new = std::none_of(all.begin(), all.end(), [&](const Vibration& other) {
            return std::abs(vibration.frequency / other.frequency - 1.0) < 0.01;
        });
        if (is_new) all.push_back(std::move(vibration));
        modes.push_back(std::move(mode));
    }
    return all;
}

/// Of the species that the force moves fastest.
template <int Dim, class Description>
void add_stiff(const Description& force, const ForcePlan& plan, const Snapshot<Dim>& start,
               std::vector<Vibration>& all) {
    const std::vector<double> stiffness = force.template claims<Dim>().stiffness;
    if (stiffness.empty()) return;
    std::vector<bool> is_there(start.species_table.size());
    for (const std::uint16_t s : start.species) is_there[s] = true;
    Vibration vibration;
    for (std::size_t s = 0; s < stiffness.size(); ++s) {
        const Species& species = start.species_table[s];
        const double frequency = std::sqrt(stiffness[s] / species.mass);
        if (!is_there[s] || !(frequency > vibration.frequency)) continue;
        vibration.frequency = frequency;
        vibration.species = species.name;
    }
    if (!(vibration.frequency > 0.0)) return;
    vibration.force = force.name;
    vibration.share.resize(plan.levels.size());
    vibration.share.at(static_cast<std::size_t>(force.level) - 1) = 1.0;
    all.push_back(std::move(vibration));
}

} // namespace

template <int Dim>
std::vector<Vibration> fast_vibrations(const ForcePlan& forces, const Topology& topology,
                                       const Box<Dim>& box, const Snapshot<Dim>& start) {
    std::vector<Vibration> all = of_molecules(forces, topology, box, start);
    forces.each([&](const auto& force) { add_stiff(force, forces, start, all); });
    std::sort(all.begin(), all.end(),
              [](const Vibration& a, const Vibration& b) { return a.frequency > b.frequency; });
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
