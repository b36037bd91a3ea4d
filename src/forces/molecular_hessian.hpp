// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"
#include "shadow/system/molecule_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace shadow {

/// With more terms a part of the molecules represents all.
inline constexpr std::size_t max_terms = 100'000;
/// So many molecules of a kind are taken at their present orientations, if directions matter.
inline constexpr std::size_t max_ways = 100;

/// A force on single particles whose stiffness is known.
template <int Dim>
struct StiffForce {
    std::string name;
    ForceLevel level;
    std::vector<std::array<std::array<double, Dim>, Dim>> stiffness; ///< by species
    bool everywhere; ///< it has this stiffness at all positions
};

/// The number of the bonded forces, for messages; those of `StiffForce` follow.
inline constexpr std::size_t force_of_bonds = 0;

/// The Hessian of one term over the roots of masses, [member, direction][member, direction].
template <int Dim>
struct TermHessian {
    ForceLevel level;
    std::size_t force;
    std::vector<std::size_t> at; ///< of members, in vectors over all particles
    std::vector<double> numbers;
};

/// The Hessian of the molecules that represent all.
template <int Dim>
class MolecularHessian {
  public:
    MolecularHessian(const std::vector<BondedDescription>& forces,
                     const std::vector<StiffForce<Dim>>& others, const Topology& topology,
                     const Box<Dim>& box, const Snapshot<Dim>& start)
        : box_(box), start_(start) {
        const auto molecules = connected_molecules(topology, box, start);
        std::vector<std::size_t> molecule(start.size());
        for (std::size_t k = 0; k < molecules.size(); ++k)
            for (const std::uint32_t id : molecules[k].atoms) molecule[id] = k;
        std::vector<bool> chosen(molecules.size());
        for (const BondedDescription& force : forces) {
            std::set<std::vector<double>> seen; // row of parameters, and masses or species
            std::size_t lies = 0;
            each_term(force, [&](std::size_t first, std::size_t count) {
                std::vector<double> kind = {static_cast<double>(force.row[first / count])};
                for (std::size_t m = 0; m < count; ++m) {
                    const std::uint32_t id = force.members[first + m];
                    kind.push_back(others.empty() ? start_.mass(id) : start_.species[id]);
                }
                const bool lies_otherwise = !others.empty() && ++lies < max_ways;
                if (seen.insert(std::move(kind)).second || lies_otherwise)
                    chosen[molecule[force.members[first]]] = true;
            });
        }
        for (const BondedDescription& force : forces)
            each_term(force, [&](std::size_t first, std::size_t count) {
                const bool fits = terms_.size() < max_terms;
                if (fits && chosen[molecule[force.members[first]]]) add(force, first, count);
            });
        for (std::size_t k = 0; k < others.size(); ++k)
            for (std::size_t i = 0; i < ids_.size(); ++i) add(others[k], 1 + k, i);
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
    /// x.H x of the terms for which `number(term)` is k, for each k below `count`.
    template <class Number>
    [[nodiscard]] std::vector<double> curvatures(const std::vector<double>& x, std::size_t count,
                                                 const Number& number) const {
        std::vector<double> all(count);
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<double> sum(x.size());
            for (const TermHessian<Dim>& term : terms_)
                if (number(term) == k) multiply(term, x, sum);
            all[k] = std::inner_product(x.begin(), x.end(), sum.begin(), 0.0);
        }
        return all;
    }

  private:
    /// Calls work(first of its members, how many) for each term of a bonded force with a Hessian.
    template <class Work>
    static void each_term(const BondedDescription& force, const Work& work) {
        if (!force.gives_hessian()) return;
        const auto count = static_cast<std::size_t>(members_of(force.info->kind));
        for (std::size_t first = 0; first < force.members.size(); first += count)
            work(first, count);
    }

    void add(const BondedDescription& force, std::size_t first, std::size_t count) {
        TermHessian<Dim> term{
            force.level, force_of_bonds, {}, std::vector<double>(count * Dim * count * Dim)};
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
        for (std::size_t column = 0; column < count * Dim; ++column) {
            std::vector<std::array<double, Dim>> way(count);
            way[column / Dim][column % Dim] = weight[column / Dim];
            const auto change =
                change_of_term<Dim>(force, force.row[first / count], place, way, box_);
            for (std::size_t row = 0; row < count * Dim; ++row)
                term.numbers[row * count * Dim + column] =
                    -change[row / Dim][row % Dim] * weight[row / Dim];
        }
        terms_.push_back(std::move(term));
    }
    void add(const StiffForce<Dim>& force, std::size_t number, std::size_t particle) {
        const std::uint32_t id = ids_[particle];
        TermHessian<Dim> term{force.level, number, {particle * Dim}, {}};
        for (const auto& row : force.stiffness.at(start_.species[id]))
            for (const double component : row) term.numbers.push_back(component / start_.mass(id));
        terms_.push_back(std::move(term));
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

} // namespace shadow
