// SPDX-License-Identifier: BSD-3-Clause
/// Friction of each species: particles get what one rate of all would give them.
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

const char* const soft_spheres = R"(
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
)";

/// A word with one evaluation of forces in a step, before friction makes a difference to places.
std::string one_force(const std::string& word, const std::string& friction) {
    const bool noise = word.find_first_of("OP") != std::string::npos;
    return fmt::format("method = \"splitting\"\nword = \"{}\"\ndt = 0.01\nfriction = {}\n{}", word,
                       friction, noise ? "temperature = [[0, 1.3], [9, 0.4]]\n" : "");
}

template <int Dim>
SystemState<Dim> after(const TestBackend& where, std::size_t species, const std::string& input,
                       const std::string& table, int steps) {
    World<Dim> world(where, warm_lattice<Dim>(Dim == 1 ? 50 : 6, 0.9, true, species), input);
    const auto method = read_integrator(table);
    method->prepare(world.system());
    for (int k = 0; k < steps; ++k) method->step(world.system());
    return world.system().state();
}

/// The largest difference of momenta and heats from those of particles with the rate of their own,
/// of all.
template <int Dim>
double largest_difference(const TestBackend& where, const std::string& word,
                          const std::vector<std::string>& rates, int steps) {
    const std::string input = steps == 1 ? soft_spheres : "";
    std::string table;
    for (std::size_t s = 0; s < rates.size(); ++s)
        table +=
            fmt::format("{}{} = {}", s == 0 ? "{ " : ", ", static_cast<char>('A' + s), rates[s]);
    const SystemState<Dim> mixed =
        after<Dim>(where, rates.size(), input, one_force(word, table + " }"), steps);
    double most = 0.0;
    for (std::size_t s = 0; s < rates.size(); ++s) {
        const SystemState<Dim> all =
            after<Dim>(where, rates.size(), input, one_force(word, rates[s]), steps);
        for (std::size_t i = 0; i < all.snapshot.size(); ++i) {
            if (all.snapshot.species[i] != s) continue;
            const auto &p = mixed.snapshot.momentum[i], &q = all.snapshot.momentum[i];
            for (std::size_t d = 0; d < Dim; ++d) most = larger(most, std::abs(p[d] - q[d]));
            // K and R count heat and kicks apart from each other.
            if (word.find_first_of("KR") == std::string::npos)
                most = larger(most, std::abs(mixed.bath_heat[i] - all.bath_heat[i]));
        }
    }
    return most;
}

} // namespace

TEST_CASE("particles have the friction of their species") {
    // In these steps the second one has none.
    const std::vector<std::string> rates{"0.7", "[[0, 0.0], [5, 0.0], [9, 1.0]]", "3.0"};
    for (const TestBackend& where : every_processor())
        for (const char* word : {"B1 A½ O1 A½", "B1 A½ P1 A½", "B1 O½ A1 O½", "B1 A½ D1 A½",
                                 "B1 A1 X½ Y½", "A½ K1 A½", "A½ R1 A½"}) {
            CAPTURE(where.name, word);
            // Some ten roundings of momenta of some units.
            const double rounding = std::string(word).find_first_of("KR") < 9 ? 1e-13 : 0.0;
            CHECK(largest_difference<1>(where, word, rates, 1) <= rounding);
            CHECK(largest_difference<2>(where, word, rates, 1) <= rounding);
            CHECK(largest_difference<3>(where, word, rates, 1) <= rounding);
        }
}

TEST_CASE("friction by species changes with the steps, and species may be many") {
    std::vector<std::string> rates{"[[0, 2.0], [3, 0.0]]", "0.5", "[[1, 0.0], [4, 5.0]]"};
    for (const TestBackend& where : best_processors()) {
        CAPTURE(where.name);
        CHECK(largest_difference<3>(where, "A½ O1 A½ B1", rates, 5) == 0.0);
        std::vector<std::string> many;
        for (int s = 0; s < 11; ++s) many.push_back(fmt::format("{}.5", s % 4));
        CHECK(largest_difference<2>(where, "A½ O½ B1 O½ A½", many, 2) == 0.0);
    }
    const Friction friction(std::vector<Friction::OfSpecies>{
        {"A", Ramp({{0, 2.0}, {4, 0.0}})}, {"B", 0.5}, {"C", Ramp({{1, 0.0}, {5, 5.0}})}});
    CHECK(friction.last() == 0.5);
    CHECK(friction.steady_from() == 5);
    CHECK_FALSE(friction.is_zero());
    CHECK(friction.at(3.0, {"C", "B", "A"}) == std::vector<double>{2.5, 0.5, 0.5});
    CHECK_THROWS_AS(friction.at(0.0, {"D"}), std::logic_error);
    CHECK_THROWS_AS(friction.at(0.0, std::vector<std::string>{}), std::logic_error);
}

TEST_CASE("friction by species that says nothing is refused") {
    const auto error_of = [](const std::string& table) -> std::string {
        try {
            (void)read_integrator("dt = 0.01\ntemperature = 1.0\n" + table);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    const auto is_refused = [&](const std::string& table, const std::string& why) {
        INFO(error_of(table));
        CHECK(error_of(table).find(why) != std::string::npos);
    };
    is_refused("method = \"baoab\"\nfriction = { A = 0.0, B = 0 }", "without one that has any");
    is_refused("method = \"baoab\"\nfriction = {}", "without one that has any");
    is_refused("method = \"baoab\"\nfriction = { A = 1.0, B = -1.0 }", "B = -1 is out of range");
    is_refused("method = \"brownian\"\nfriction = { A = 1.0 }", "a number");
    is_refused("method = \"splitting\"\nword = \"B½ A½ C1 A½ B½\"\nfriction = { A = 1.0 }",
               "a word with C, Q or L");
    CHECK(error_of("method = \"baoab\"\nfriction = { A = 0.0, B = [[0, 0.0], [5, 1.0]] }").empty());
}
