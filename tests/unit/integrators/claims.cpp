// SPDX-License-Identifier: BSD-3-Clause
/// Tests generated from the claims of every entry of the registry.
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"
#include "shadow/system/scalar_groups.hpp"

#include <cmath>
#include <limits>
#include <optional>

using namespace shadow;
using namespace shadow::test;

namespace {

/// Settings under which every method can run; the free word is a method that no row holds.
MethodSettings settings(double dt) {
    MethodSettings some;
    some.dt = dt;
    some.kT = 0.8;
    some.friction = 0.7;
    some.mass = 1.3;
    some.period = 4.0;
    some.inner = {3};
    some.light_mass = 1.5;
    some.steps.objective.of = StepMeasure::kinetic_energy;
    some.steps.objective.offset = 3.0;
    some.density = {-0.2, 1.0, 0.5, true, true};
    some.word = "A1/6 B½ A2/3 |";
    return some;
}

/// Those of the registry in which time passes; fire.cpp has the other one.
const std::vector<IntegratorEntry>& moving_methods() {
    static const std::vector<IntegratorEntry> all = [] {
        std::vector<IntegratorEntry> methods = integrators();
        std::erase_if(methods, [](const IntegratorEntry& entry) {
            return !entry.make(settings(0.1))->takes_time();
        });
        return methods;
    }();
    return all;
}

/// Those, and the compositions of steps that some of them offer.
const std::vector<IntegratorEntry>& every_method() {
    static const std::vector<IntegratorEntry> all = [] {
        std::vector<IntegratorEntry> methods = moving_methods();
        for (const IntegratorEntry& entry : moving_methods())
            for (const ParameterInfo& key : entry.descriptor.parameters)
                for (const int order : {4, 6, 8}) {
                    if (key.name != "order") continue;
                    IntegratorEntry composed = entry;
                    composed.descriptor.name += " of order " + std::to_string(order);
                    composed.make = [make = entry.make, order](MethodSettings some) {
                        some.order = order;
                        return make(some);
                    };
                    methods.push_back(std::move(composed));
                }
        return methods;
    }();
    return all;
}

bool has_many_variables(const IntegratorEntry& entry) {
    const std::string& name = entry.descriptor.name;
    return name.starts_with("nose-vertex") || name.starts_with("nose-balls") ||
           name.starts_with("nose-explicit");
}

/// A bath of balls needs a hundred times the mass, which makes it ten times slower, to be followed
/// by such steps.
MethodSettings settings_of(const IntegratorEntry& entry, double dt) {
    MethodSettings some = settings(dt);
    if (has_many_variables(entry)) some.mass = 130.0;
    return some;
}

/// With so little friction, where it has no noise, that no planet falls into its sun.
MethodSettings with_little_friction(const IntegratorEntry& entry, double dt) {
    MethodSettings some = settings_of(entry, dt);
    if (entry.make(some)->claims().damped) some.friction = 0.1;
    return some;
}

/// Small systems have no pairs: pair_bath.cpp.
bool needs_pairs(const IntegratorEntry& entry) {
    return has_pair_bath(entry.make(settings(0.1))->word());
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = larger(largest, std::abs(a[i] - b[i]));
    return largest;
}

void run(Integrator& method, SmallSystem& system, int steps) {
    for (int k = 0; k < steps; ++k) method.step(system);
}

/// Steps of their own lengths are of the motion in real time, with s where they have it.
std::vector<double> at_own_time(Integrator& method, const Problem& problem, double time) {
    SmallSystem start(problem);
    method.prepare(start);
    return reference_solution(start, method.extended_energy(start), time, 24000);
}

double error_after(const IntegratorEntry& entry, const Problem& problem, double t, int steps,
                   const std::vector<double>& exact) {
    const auto method = entry.make(with_little_friction(entry, t / steps));
    SmallSystem system(problem);
    method->prepare(system);
    run(*method, system, steps);
    if (method->has_output_state()) method->go_to_output(system);
    // Steps that follow the motion come to a time of their own.
    return distance(system.state(is_extended(*method, system)),
                    method->adapts() ? at_own_time(*method, problem, system.time()) : exact);
}

struct Convergence {
    double coarse, fine;
    [[nodiscard]] double order() const { return std::log2(coarse / fine); }
};

/// Errors after t = 3 of two step sizes, halved until the finer error is within reach of rounding
/// (1e-14) or until higher terms of the error are surely small (0.1 % per halving at 2560 steps).
Convergence convergence(const IntegratorEntry& entry, const Problem& problem) {
    const double t = 3.0;
    const auto method = entry.make(settings_of(entry, t));
    SmallSystem start(problem);
    if (!method->has_output_state()) method->prepare(start); // else it leaves where it starts
    // 24000 Runge-Kutta steps: error about 1e-14.
    const double damping =
        method->claims().damped ? with_little_friction(entry, t).friction.last() : 0.0;
    const auto exact = reference_solution(start, method->extended_energy(start), t, 24000, damping);
    const double smallest = 2e-12;
    Convergence last = {0.0, error_after(entry, problem, t, 5, exact)};
    for (int steps = 10; steps <= 2560; steps *= 2) {
        const double error = error_after(entry, problem, t, steps, exact);
        if (error < smallest) break;
        last = {last.fine, error};
    }
    return last;
}

/// Largest element of J^T Omega J - area Omega, J the Jacobian of one step by central differences.
double symplectic_defect(const IntegratorEntry& entry, const Problem& problem, double dt,
                         double area = 1.0) {
    MethodSettings quiet = settings_of(entry, dt);
    SmallSystem system(problem);
    auto method = entry.make(quiet);
    method->prepare(system);
    const bool extended = is_extended(*method, system);
    const bool chain = method->extended_energy(system).chain.length > 0; // of masses by kT
    if (!extended && !chain) quiet.kT = 0.0; // a bath without noise: plain damping
    method = entry.make(quiet);
    std::vector<double> z = system.state(extended);
    if (extended) {
        z[z.size() / 2 - 1] = 1.2; // away from the special point s = 1, pi = 0
        z.back() = 0.3;
    }
    auto map = [&](std::size_t i, double shift) {
        std::vector<double> at = z;
        at[i] += shift;
        system.set_state(at, extended);
        method->step(system);
        return system.state(extended);
    };
    const std::size_t n = z.size(), half = n / 2;
    const double h = 1e-3;
    std::vector<std::vector<double>> jacobian; // columns
    for (std::size_t i = 0; i < n; ++i) {
        const auto a = map(i, h), b = map(i, -h), c = map(i, 2 * h), d = map(i, -2 * h);
        jacobian.emplace_back(n);
        for (std::size_t k = 0; k < n; ++k)
            jacobian[i][k] = (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h);
    }
    double defect = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double form = j == i + half ? -area : i == j + half ? area : 0.0;
            for (std::size_t k = 0; k < half; ++k)
                form +=
                    jacobian[i][k] * jacobian[j][half + k] - jacobian[i][half + k] * jacobian[j][k];
            defect = larger(defect, std::abs(form));
        }
    }
    return defect;
}

} // namespace

TEST_CASE("methods have the order which they claim") {
    for (const IntegratorEntry& entry : every_method()) {
        const auto method = entry.make(settings(0.1));
        const Claims claims = method->claims();
        if (claims.stochastic) continue;  // weak order: langevin.cpp
        if (method->rescales()) continue; // the exact solution has no thermostat
        for (const Problem& problem : problems()) {
            const Convergence errors = convergence(entry, problem);
            INFO(entry.descriptor.name << " on " << problem.name << ": errors " << errors.coarse
                                       << ", " << errors.fine << ", order " << errors.order());
            // Of order 8 with variables of a bath rounding comes before higher terms are small.
            const bool rough = entry.descriptor.name.ends_with("of order 8");
            CHECK(std::abs(errors.order() - claims.order) < (rough ? 0.8 : 0.1));
        }
    }
}

TEST_CASE("words satisfy the order conditions to rounding, and no further ones") {
    // Coefficients are tabulated to 15 digits or more; a sum of some hundred products of them is
    // rounded by a few 1e-16. So any digit but the last two of a coefficient is felt.
    for (const SplittingMethod& row : splitting_methods()) {
        INFO(row.name << ": " << row.word);
        const Word word = parse_word(row.word, 3);
        for (int degree = 1; degree <= row.claims.order; ++degree)
            CHECK(order_defect(word, degree) < 2e-15);
        CHECK(order_defect(word, row.claims.order + 1) > 1e-7); // the smallest is 5e-7
        CHECK(is_symmetric(word) == row.claims.symmetric);
        const Claims found = claims_of_word(word, "");
        CHECK(found.order == row.claims.order);
        CHECK(found.symplectic == row.claims.symplectic);
        CHECK(found.stochastic == row.claims.stochastic);
        CHECK(found.conserves_momentum == row.claims.conserves_momentum);
        CHECK(found.conserves_spin == row.claims.conserves_spin);
        CHECK(!row.claims.citation.empty());
        if (row.word.find(")^n") == std::string::npos) continue;
        // What runs on three levels.
        const Word levels = parse_word(word_by_levels(row.word, {2, 3}), 1, 3);
        CHECK(order_of(levels) == row.claims.order);
        CHECK(is_symmetric(levels) == row.claims.symmetric);
    }
}

TEST_CASE("symmetric methods return when momenta are flipped, others do not") {
    for (const IntegratorEntry& entry : every_method()) {
        for (const Problem& problem : problems()) {
            MethodSettings quiet = settings_of(entry, 0.02);
            quiet.friction = 0.0; // a bath has no way back
            const auto method = entry.make(quiet);
            if (!method->moves_with_momenta()) continue; // there are none to flip
            if (needs_pairs(entry)) continue;
            SmallSystem system(problem);
            method->prepare(system);
            const bool extended = is_extended(*method, system);
            const auto start = system.state(extended);
            run(*method, system, 1000);
            system.flip();
            run(*method, system, 1000);
            system.flip();
            const double error = distance(system.state(extended), start);
            INFO(entry.descriptor.name << " on " << problem.name << ": returns to " << error);
            // 2000 steps of up to 31 flows rounded by 1e-16 each, at random, give 3e-14;
            // neighbouring orbits part linearly, here up to a hundredfold. What does not return is
            // off by its own error, the smaller the higher its order.
            if (method->claims().symmetric)
                CHECK(error < 5e-12);
            else
                CHECK(error > (method->claims().order > 2 ? 1e-8 : 1e-4));
        }
    }
}

/// What a system has behind steps with garbage between them, in what each step writes anew.
std::vector<double> after_garbage(const IntegratorEntry& entry, const Problem& problem,
                                  std::optional<double> garbage) {
    const auto method = entry.make(settings_of(entry, 0.02));
    SmallSystem system(problem);
    method->prepare(system);
    std::vector<double> found;
    for (int k = 0; k < 5; ++k) {
        for (const ScalarGroup& group : scalar_groups())
            for (int j = 0; garbage && j < group.length; ++j)
                if (group.begins == ScalarGroup::Begins::with_each_step)
                    system.set_scalar(of_row(group.first, j), *garbage);
        const std::vector<double> state = system.state(is_extended(*method, system));
        found.insert(found.end(), state.begin(), state.end());
        found.push_back(system.conserved(*method));
        method->step(system);
    }
    return found;
}

TEST_CASE("what each step writes before it reads it may be anything between steps") {
    for (const IntegratorEntry& entry : every_method()) {
        if (needs_pairs(entry)) continue;
        for (const Problem& problem : problems()) {
            INFO(entry.descriptor.name << " on " << problem.name);
            const std::vector<double> usual = after_garbage(entry, problem, {});
            for (const double garbage : {std::numeric_limits<double>::quiet_NaN(), 1e9})
                CHECK(after_garbage(entry, problem, garbage) == usual);
        }
    }
}

TEST_CASE("the step map is symplectic where claimed, and not elsewhere") {
    for (const IntegratorEntry& entry : every_method()) {
        if (needs_pairs(entry)) continue;
        const Claims claims = entry.make(settings(0.1))->claims();
        double largest_defect = 0.0;
        for (const Problem& problem : problems()) {
            const double defect = symplectic_defect(entry, problem, 0.1);
            INFO(entry.descriptor.name << " on " << problem.name << ": defect " << defect);
            CHECK(std::isfinite(defect));
            largest_defect = larger(largest_defect, defect);
            // Differences of fourth order at 1e-3: 1e-12 times a fifth derivative (up to 1e2 here),
            // and rounding 1e-13.
            if (claims.symplectic) CHECK(defect < 1e-9);
            // A bath is none on any of them; other methods may be in one dimension.
            if (claims.stochastic) CHECK(defect > 1e-3);
        }
        INFO(entry.descriptor.name);
        if (!claims.symplectic) CHECK(largest_defect > 1e-3);
    }
}

/// What a step with friction leaves of momenta in it, where it is x.
double kept_by(const std::string& method, double x) {
    if (method == "damped-heun") return 1.0 - x + 0.5 * x * x;
    if (method == "damped-midpoint" || method == "damped-lobatto")
        return (1.0 - 0.5 * x) / (1.0 + 0.5 * x);
    return std::exp(-x);
}

TEST_CASE("friction takes areas of phase space at its rate, alike everywhere") {
    int found = 0;
    for (const IntegratorEntry& entry : moving_methods()) {
        if (!entry.make(settings(0.1))->claims().damped) continue;
        ++found;
        for (const Problem& problem : problems()) {
            const double area = kept_by(entry.descriptor.name, 0.1 * 0.7);
            INFO(entry.descriptor.name << " on " << problem.name);
            // As for symplectic methods.
            CHECK(symplectic_defect(entry, problem, 0.1, area) < 1e-9);
        }
    }
    CHECK(found == 5);
}

TEST_CASE("friction takes momentum and angular momentum at its rate") {
    for (const IntegratorEntry& entry : moving_methods()) {
        const auto method = entry.make(settings(0.05));
        if (!method->claims().damped) continue;
        INFO(entry.descriptor.name);
        SmallSystem line(chain()), orbit(kepler());
        auto total = [&] { return line.p()[0] + line.p()[1] + line.p()[2]; };
        auto spin = [&] { return orbit.q()[0] * orbit.p()[1] - orbit.q()[1] * orbit.p()[0]; };
        const double total_0 = total(), spin_0 = spin();
        const int steps = 20;
        run(*method, line, steps);
        run(*method, orbit, steps);
        const double left = std::pow(kept_by(entry.descriptor.name, 0.05 * 0.7), steps);
        // Rounding of 140 flows at random; momenta of 1.3 add up to 0.1: 2e-14, and three of it.
        CHECK(std::abs(total() / total_0 - left) < 6e-14);
        CHECK(std::abs(spin() / spin_0 - left) < 1e-14);
    }
}

TEST_CASE("the conserved quantity of symplectic methods does not drift") {
    for (const IntegratorEntry& entry : moving_methods()) {
        if (!entry.make(settings(0.1))->claims().symplectic) continue;
        for (const Problem& problem : problems()) {
            const auto method = entry.make(settings_of(entry, 0.02));
            SmallSystem system(problem);
            method->prepare(system);
            const double start = system.conserved(*method);
            double mean[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
            const int steps = 40000;
            for (int k = 0; k < steps; ++k) {
                method->step(system);
                const double error = system.conserved(*method) - start;
                const int half = k < steps / 2 ? 0 : 1;
                mean[half] += error / (steps / 2);
                largest[half] = larger(largest[half], std::abs(error));
            }
            INFO(entry.descriptor.name << " on " << problem.name
                                       << ": largest errors of the halves " << largest[0] << ", "
                                       << largest[1] << ", means " << mean[0] << ", " << mean[1]);
            // Both halves span hundreds of periods: they differ by how these fall on the steps, and
            // by the random walk of rounding: sqrt(40000 * 31 flows) times 1e-15, the rounding of a
            // coordinate near 10, times a force near 5.
            const double rounding = 1e-11;
            // Where a bath mixes, halves differ by how far s has gone in each.
            const bool mixes = has_many_variables(entry) || entry.descriptor.name == "nose-density";
            const double more = mixes ? 1.5 : 1.1;
            CHECK(largest[1] < more * largest[0] + rounding);
            CHECK(std::abs(mean[1] - mean[0]) < 0.05 * largest[0] + rounding);
            CHECK(largest[0] < 0.1);
        }
    }
}

TEST_CASE("methods conserve momentum and angular momentum where claimed") {
    for (const IntegratorEntry& entry : moving_methods()) {
        const auto method = entry.make(settings(0.05));
        if (!method->claims().conserves_momentum || needs_pairs(entry)) continue;
        INFO(entry.descriptor.name);
        Problem still = chain();
        // A thermostat of all particles scales what is not zero, and a body without spin falls into
        // the sun.
        const bool scales =
            method->rescales() || method->extended_energy(SmallSystem(still)).chain.length > 0;
        if (scales) still.p[2] = -still.p[0] - still.p[1];
        SmallSystem line(still), orbit(kepler());
        auto total = [&] { return line.p()[0] + line.p()[1] + line.p()[2]; };
        auto spin = [&] { return orbit.q()[0] * orbit.p()[1] - orbit.q()[1] * orbit.p()[0]; };
        method->prepare(line);
        method->prepare(orbit);
        const double total_0 = total(), spin_0 = spin();
        run(*method, line, 1000);
        run(*method, orbit, 1000);
        // Rounding of 31000 flows at random: 2e-14; factors multiply what it leaves, here by up to
        // e^8, weak coupling of so few degrees of freedom by e^25, where particle systems take it
        // away.
        const double factor = !method->rescales() ? 1.0 : method->samples_ensemble() ? 3e3 : 1e11;
        CHECK(std::abs(total() - total_0) < 2e-13 * factor);
        CHECK((scales || std::abs(spin() - spin_0) < 2e-13));
    }
}
