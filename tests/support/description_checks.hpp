// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/claim_checks.hpp"
#include "support/world.hpp"

#include "kernels/ops/pair_derivatives.hpp"

#include <cmath>
#include <string>
#include <vector>

/// Derivatives and lists of a force's description, checked against forces.
namespace shadow::test {

/// Adds minus the Hessian times `way`, by the functions that users of derivatives evaluate.
template <int Dim>
struct AddForceChange {
    const Setup<Dim>& setup;
    const Vectors<Dim>& way;
    Vectors<Dim>& change;

    void operator()(const BondedDescription& force) const {
        const auto span = static_cast<std::size_t>(members_of(force.info->kind));
        for (std::size_t first = 0; first < force.members.size(); first += span) {
            Vectors<Dim> place, move;
            for (std::size_t m = 0; m < span; ++m) {
                place.push_back(setup.start.position[force.members[first + m]]);
                move.push_back(way[force.members[first + m]]);
            }
            const auto of =
                change_of_term<Dim>(force, force.row[first / span], place, move, setup.box);
            for (std::size_t m = 0; m < span; ++m)
                for (std::size_t d = 0; d < Dim; ++d)
                    change[force.members[first + m]][d] += of[m][d];
        }
    }
    void operator()(const PairForceDescription& force) const {
        add_pairs(force.potential);
        if (force.electrostatic) add_pairs(*force.electrostatic);
    }
    void operator()(const FieldDescription& field) const {
        const double factor = field.modulation.at(setup.start.time);
        const std::array<double, Dim> origin{};
        for (std::size_t i = 0; i < setup.start.size(); ++i) {
            const std::size_t species = setup.start.species[i];
            const auto here = field.at<Dim>(origin.data(), species),
                       there = field.at<Dim>(way[i].data(), species);
            for (std::size_t d = 0; d < Dim; ++d)
                change[i][d] += factor * (there.force[d] - here.force[d]);
        }
    }
    /// A kind of force without such a function.
    template <class Kind>
    void operator()(const Kind& force) const {
        FAIL(force.name << " claims derivatives that it does not have");
    }

  private:
    /// From f = phi(r^2) r of a pair; the sums of AddPairTerm give phi and r^2 phi'.
    void add_pairs(const PairPotential& potential) const {
        const PairTable table = make_general_table(potential);
        for (std::size_t i = 0; i < setup.start.size(); ++i)
            for (std::size_t j = i + 1; j < setup.start.size(); ++j) {
                const auto dx =
                    between<Dim>(setup.start.position[i], setup.start.position[j], setup.box);
                const double r2 = std::pow(length_of<Dim>(dx), 2);
                const DerivativeTerm term{table.interaction,
                                          setup.start.species[i] * table.species_count +
                                              setup.start.species[j],
                                          table.ending,
                                          0.0,
                                          0.0,
                                          0.0,
                                          table.rows.data()};
                PairDerivatives sum{};
                AddPairTerm pair{term, 0, r2, sum};
                visit_interaction(GeneralInteractions{}, table.interaction, pair);
                const double by_s = -sum.laplacian / 4.0,
                             phi = -sum.hypervirial / (2.0 * r2) - by_s;
                double along = 0.0;
                for (std::size_t d = 0; d < Dim; ++d) along += dx[d] * (way[j][d] - way[i][d]);
                for (std::size_t d = 0; d < Dim; ++d) {
                    const double own =
                        phi * (way[j][d] - way[i][d]) + 2.0 * by_s / r2 * along * dx[d];
                    change[j][d] += own;
                    change[i][d] -= own;
                }
            }
    }
};

/// If all forces give derivatives, the Hessian times a vector is the difference of forces along it.
template <int Dim>
void check_hessian(const ForceCase<Dim>& c, const Setup<Dim>& setup, const World<Dim>& world) {
    if (world.plan().find([](const auto& force) { return !force.gives_hessian(); })) return;
    constexpr double h = 1e-6; // few pairs reach a cut-off within it
    Vectors<Dim> way(setup.start.size()), change(setup.start.size());
    Setup<Dim> up = setup, down = setup;
    for (std::size_t i = 0; i < way.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            way[i][d] = std::sin(1.7 * static_cast<double>(i) + 2.3 * static_cast<double>(d) + 0.4);
            up.start.position[i][d] += h * way[i][d];
            down.start.position[i][d] -= h * way[i][d];
        }
    world.plan().each(AddForceChange<Dim>{setup, way, change});
    const Vectors<Dim> above = World<Dim>(c.where, up, c.input).forces(),
                       below = World<Dim>(c.where, down, c.input).forces();
    double scale = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < way.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            scale += std::abs(change[i][d]) + std::abs(above[i][d]);
            worst = larger(worst, std::abs((above[i][d] - below[i][d]) / (2.0 * h) - change[i][d]));
        }
    CAPTURE(worst, scale);
    CHECK(worst < claim_tolerance * scale);
}

/// Two particles 1 % closer than the cut-off of their species interact, and two that are 1 %
/// farther do not.
template <int Dim>
void check_radius(const ForceCase<Dim>& c, const Setup<Dim>& setup, double radius) {
    for (const double factor : {0.99, 1.01}) {
        double most = 0.0;
        for (const auto& [a, b] : {std::pair{0, 0}, {0, 1}, {1, 1}}) {
            Setup<Dim> two = setup;
            two.start.position.assign(2, {});
            two.start.position[1][0] = factor * radius;
            two.start.momentum.assign(2, {});
            two.start.image.assign(2, {});
            two.start.species = {static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)};
            most = larger(most, std::abs(World<Dim>(c.where, two, c.input).forces()[0][0]));
        }
        CAPTURE(radius, factor, most);
        CHECK((most > 0.0) == (factor < 1.0));
    }
}

/// One particle, the third of a chain of five, moves closer to the next. Forces change only on
/// particles that may depend on it, and on at least one other particle if there may be any.
template <int Dim>
void check_list(const ForceCase<Dim>& c, const Setup<Dim>& setup, const World<Dim>& world,
                const Vectors<Dim>& force, double scale) {
    using enum ForceList::Of;
    const auto chain = path_through<Dim>(setup.start.position, setup.box, 5);
    const std::uint32_t moved = chain[2];
    Setup<Dim> there = setup;
    const auto way =
        between<Dim>(setup.start.position[moved], setup.start.position[chain[3]], setup.box);
    for (std::size_t d = 0; d < Dim; ++d) there.start.position[moved][d] += 0.3 * way[d];
    const Vectors<Dim> found = World<Dim>(c.where, there, c.input).forces();
    const auto distance = [&](const Setup<Dim>& s, std::size_t i) {
        return length_of<Dim>(between<Dim>(s.start.position[i], s.start.position[moved], s.box));
    };
    bool others = false;
    for (std::uint32_t i = 0; i < found.size(); ++i) {
        double change = 0.0;
        for (std::size_t d = 0; d < Dim; ++d)
            change = larger(change, std::abs(found[i][d] - force[i][d]));
        if (i == moved || change <= 1e-12 * scale) continue;
        others = true;
        const bool bonded_with_it = std::find(chain.begin(), chain.end(), i) != chain.end();
        const double nearest = std::min(distance(setup, i), distance(there, i));
        CAPTURE(moved, i, change, nearest);
        CHECK(world.plan().find([&](const auto& f) {
            const ForceList list = f.list();
            return list.of == all_images || (list.of == bonded && bonded_with_it) ||
                   (list.of == pairs && nearest < list.radius());
        }));
    }
    // All particles in contact with it may be excluded.
    if (setup.topology.excluded.empty()) CHECK(others == !world.plan().has_list(no_list));
    const double radius =
        std::visit([](const auto& f) { return f.list().radius(); }, world.plan().forces.front());
    if (world.plan().forces.size() == 1 && world.plan().has_list(pairs) && std::isfinite(radius))
        check_radius(c, setup, radius);
}

} // namespace shadow::test
