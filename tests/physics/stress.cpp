// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/stress.hpp"

#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/observables/thermo.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A mixture that moves as a whole, too.
template <int Dim>
std::string gas() {
    return fmt::format(R"(
[system]
dimension = {}
box = {{ density = 0.6 }}
lattice = {{ {}, jitter = 0.05 }}
velocity = {{ temperature = 1.5, remove = [] }}
[[species]]
name = "A"
fraction = 0.6
[[species]]
name = "B"
fraction = 0.4
mass = 2.5
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "none"
tail_correction = true
)",
                       Dim,
                       Dim == 2 ? "type = \"square\", repeat = [8, 10]"
                                : "type = \"fcc\", repeat = [4, 3, 4]");
}

/// Row of an observable of the system as it is.
template <int Dim>
std::vector<double> measure(World<Dim>& world, Observable<Dim>& observable) {
    Array<double> row(world.backend, observable.width());
    world.system().prepare_observation(true);
    observable.enqueue(world.system(), row.data());
    return row.to_host();
}

} // namespace

TEMPLATE_TEST_CASE_SIG(
    "the pressure tensor is a sum over particles and pairs; its trace the pressure", "",
    ((int Dim), Dim), 2, 3) {
    const auto where = GENERATE(from_range(every_processor()));
    const int first = GENERATE(0, 1, 3); // along this direction and those behind it is conserved
    const bool pair_is_double = GENERATE(true, false);
    CAPTURE(where.name, first, pair_is_double);
    const std::string input = gas<Dim>();
    const Setup<Dim> setup = read_setup<Dim>(input);
    World<Dim> world(where, setup, input, pair_is_double);
    double mass = 0.0;
    for (const std::uint16_t s : setup.start.species) mass += setup.start.species_table[s].mass;
    const double volume = setup.box.volume();
    ConservedMass<Dim> moving{};
    for (int d = first; d < Dim; ++d) moving.along[d] = mass;
    Stress<Dim> stress(PressureTensor<Dim>({volume, 1.0, moving}));
    Thermo<Dim> thermo(setup.box, 1.0, moving);
    const auto row = measure<Dim>(world, stress);
    const auto reference = measure<Dim>(world, thermo);
    REQUIRE(row.size() == tensor_size<Dim> + 1);
    REQUIRE(stress.quantities().size() == tensor_size<Dim>);

    const Snapshot<Dim> now = world.system().snapshot();
    const auto momentum = world.momentum();
    const SymmetricTensor<Dim> virial = world.virial();
    const double tolerance = pair_is_double ? 1e-12 : 1e-5;
    double trace = 0.0;
    for (int a = 0; a < Dim; ++a)
        for (int b = a; b < Dim; ++b) {
            const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
            const int k = tensor_index<Dim>(a, b);
            double sum = virial.component[k], size = std::abs(sum);
            for (std::size_t i = 0; i < now.size(); ++i) {
                const double part = now.momentum[i][x] * now.momentum[i][y] /
                                    now.species_table[now.species[i]].mass;
                sum += part;
                size += std::abs(part);
            }
            if (a >= first || b >= first) sum -= momentum[x] * momentum[y] / mass;
            if (a == b) sum += world.system().tail_virial().value / Dim;
            CAPTURE(a, b);
            CHECK(std::abs(row[static_cast<std::size_t>(k)] - sum / volume) <
                  tolerance * size / volume);
            if (a == b) trace += row[static_cast<std::size_t>(k)];
        }
    CHECK(row.back() == Approx(reference[4]).epsilon(tolerance));
    CHECK(trace / Dim == Approx(reference[5]).epsilon(tolerance));
}
