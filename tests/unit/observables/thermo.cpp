// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/thermo.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/array.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/particles.hpp"
#include "shadow/system/velocities.hpp"

#include "kernels/launch.hpp"

#include <cmath>

using namespace shadow;

namespace {

constexpr std::int64_t number = 3000; // three leaves of the reduction tree

template <int Dim>
Box<Dim> cube() {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(20.0);
    periodic.fill(true);
    return {lengths, periodic};
}

/// Moving particles of two masses, some of them in other images. Coordinates are representable in
/// single precision.
template <int Dim>
Snapshot<Dim> moving_gas() {
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 4.0, 0.0}};
    s.position = random_points<Dim>(number, 0.0, cube<Dim>().lengths(), {}, 3);
    for (std::size_t i = 0; i < s.size(); ++i) {
        s.species.push_back(i % 5 == 0 ? 1 : 0);
        std::array<std::int32_t, Dim> image;
        for (std::size_t d = 0; d < Dim; ++d) image[d] = static_cast<std::int32_t>((i + d) % 3) - 1;
        s.image.push_back(image);
    }
    set_maxwell_boltzmann(s, conserved_momenta(Box<Dim>()), 1.3, 8);
    for (auto* vectors : {&s.position, &s.momentum})
        for (auto& vector : *vectors)
            for (double& x : vector) x = static_cast<float>(x + 0.25);
    return s;
}

std::vector<double> wave(double frequency) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < number; ++i)
        values.push_back(-5.0 + std::sin(frequency * static_cast<double>(i)));
    return values;
}

double sum(const std::vector<double>& values) {
    long double total = 0.0L;
    for (const double value : values) total += value;
    return static_cast<double>(total);
}

// Sums of 3000 terms of one sign, over a tree: relative rounding below 20 * 1.1e-16, with room for
// the factors.
bool close(double a, double b) {
    return std::abs(a - b) <= 1e-14 * std::abs(b);
}

} // namespace

TEMPLATE_TEST_CASE_SIG("thermo agrees with sums over particles on the host", "", ((int Dim), Dim),
                       1, 2, 3) {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const auto start = moving_gas<Dim>();
    const double s = GENERATE(1.0, 1.7);
    const double pi = -0.8;
    Ensemble<Dim> ensemble(backend, cube<Dim>());
    ensemble.set_scalar(Scalar::s, s);
    ensemble.set_scalar(Scalar::pi, pi);
    ensemble.set_scalar(Scalar::work, 1.0);
    Particles<Dim> particles(backend, ensemble, start);
    const auto fast = wave(0.1), slow = wave(0.2), heat = wave(0.4);
    const Array<double> fast_energy(backend, fast), slow_energy(backend, slow);
    const Array<double> bath(backend, heat);
    SymmetricTensor<Dim> virial{};
    for (int k = 0; k < tensor_size<Dim>; ++k) virial.component[k] = 3.0 + k;
    const Array<SymmetricTensor<Dim>> slow_virial(backend, std::vector{virial});
    Array<ThermoSums<Dim>> sums(backend, 1);
    Array<double> row(backend, 11 + Dim);

    MeasureThermo<Dim> measure{
        particles.view(), {{fast_energy.data(), slow_energy.data()}, 2}, bath.data()};
    reduce(backend, measure, number, sums.data());
    const double volume = cube<Dim>().volume(), freedom = 100.0;
    const Array<double> levels(backend, std::vector<double>{sum(fast), sum(slow)});
    FinishThermo<Dim> finish{sums.data(),
                             {{slow_virial.data()}, 1},
                             {ensemble.scalars()},
                             {2.0, 3.0},
                             {-10.0, 0.5 * volume},
                             {22.0, 0.5 * volume},
                             levels.data(),
                             {{-14.0, 4.0}, 2},
                             freedom,
                             ensemble.box_view(),
                             true,
                             0.0,
                             {},
                             row.data()};
    launch(backend, finish, 1);

    long double twice_kinetic = 0.0L, momentum[Dim] = {};
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double p = start.momentum[i][d];
            twice_kinetic += p * p / start.species_table[start.species[i]].mass;
            momentum[d] += p;
        }
    const double kinetic = 0.5 * static_cast<double>(twice_kinetic) / (s * s);
    const double potential = sum(fast) + sum(slow) - 5.0;
    const auto values = row.to_host();
    CHECK(close(values[0], potential));
    CHECK(close(values[1], kinetic));
    CHECK(close(values[2], potential + kinetic));
    CHECK(close(values[3],
                potential + kinetic - sum(heat) + 0.5 * pi * pi / 2.0 + 3.0 * std::log(s) - 1.0));
    CHECK(close(values[4], 2.0 * kinetic / freedom));
    CHECK(close(values[5], (2.0 * kinetic + virial.trace() + 11.0) / (Dim * volume)));
    CHECK(close(values[6], sum(fast) - 7.0));
    CHECK(close(values[7], sum(slow) + 2.0));
    for (std::size_t d = 0; d < Dim; ++d)
        // Terms of both signs and size 1 to 6; their sum is 750.
        CHECK(std::abs(values[8 + d] - momentum[d] / s) < 1e-11);

    SECTION("the bits do not depend on threads or instruction sets") {
        if (where.cuda) return;
        const Backend one = Backend::cpu(1, available_instruction_sets().front());
        Array<ThermoSums<Dim>> again(one, 1);
        cpu::reduce(one, measure, number, again.data(), nullptr);
        CHECK(again.get(0).twice_kinetic == sums.get(0).twice_kinetic);
        CHECK(again.get(0).potential == sums.get(0).potential);
        CHECK(again.get(0).momentum[0] == sums.get(0).momentum[0]);
    }
    SECTION("conserved momentum is no heat") {
        const double mass = 5000.0;
        for (double& along : finish.conserved_mass.along) along = mass;
        launch(backend, finish, 1);
        const auto still = row.to_host();
        double moving = 0.0; // twice its energy
        for (std::size_t d = 0; d < Dim; ++d) moving += values[8 + d] * values[8 + d] / mass;
        CHECK(moving > 1.0);
        CHECK(close(still[1], values[1]));
        CHECK(close(still[4], values[4] - moving / freedom));
        CHECK(close(still[5], values[5] - moving / (Dim * volume)));
        // Along one direction alone.
        finish.conserved_mass = {};
        finish.conserved_mass.along[Dim - 1] = mass;
        launch(backend, finish, 1);
        const double along = values[8 + Dim - 1] * values[8 + Dim - 1] / mass;
        CHECK(close(row.to_host()[4], values[4] - along / freedom));
    }
    SECTION("volume, density and enthalpy stand behind the pressure") {
        finish.particles = number;
        finish.pressure = 0.7; // of the barostat, not the one of the row
        launch(backend, finish, 1);
        const auto more = row.to_host();
        CHECK(more[6] == volume);
        CHECK(more[7] == number / volume);
        CHECK(close(more[8], values[2] + 0.7 * volume));
        CHECK(more[9] == values[6]);
    }
    SECTION("without a volume there is no pressure, without freedom no temperature") {
        finish.with_pressure = false;
        finish.freedom_boltzmann = 0.0;
        launch(backend, finish, 1);
        const auto open = row.to_host();
        CHECK(open[4] == 0.0);
        CHECK(open[5] == values[6]);
    }
}

TEMPLATE_TEST_CASE_SIG("angular momentum undoes periodic images", "", ((int Dim), Dim), 2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const auto start = moving_gas<Dim>();
    Ensemble<Dim> ensemble(backend, cube<Dim>());
    ensemble.set_scalar(Scalar::s, 2.0);
    Particles<Dim> particles(backend, ensemble, start);
    Array<AngularSums<Dim>> sums(backend, 1);
    const MeasureAngularMomentum<Dim> measure{particles.view()};
    reduce(backend, measure, number, sums.data());

    const AngularSums<Dim> values = sums.get(0);
    for (std::size_t k = 0; k < AngularSums<Dim>::components; ++k) {
        const std::size_t a = Dim == 3 ? (k + 1) % 3 : 0, b = Dim == 3 ? (k + 2) % 3 : 1;
        long double total = 0.0L;
        for (std::size_t i = 0; i < start.size(); ++i) {
            const double x = start.position[i][a] + 20.0 * start.image[i][a];
            const double y = start.position[i][b] + 20.0 * start.image[i][b];
            total += x * start.momentum[i][b] - y * start.momentum[i][a];
        }
        // 3000 terms of size up to 200: rounding 1e-16 * 200 * sqrt(3000) and some.
        CHECK(std::abs(values.component[k] - 0.5 * static_cast<double>(total)) < 1e-10);
        CHECK(std::abs(values.component[k]) > 1.0);
    }
}
