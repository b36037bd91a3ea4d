// SPDX-License-Identifier: BSD-3-Clause
/// The Nosé-Poincaré-Andersen Hamiltonian: its energy, its way back, its map, and its equations.
#include "shadow/integrators/nose_poincare_andersen.hpp"

#include "support/catch.hpp"
#include "support/pressed_liquid.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

/// With a temperature and a pressure that change over a time of one, if they do.
NosePoincareAndersen breathing(double dt, int dimension, bool changing = false) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = 0.9;
    settings.mass = 3.0;
    const auto end = std::lround(1.0 / dt);
    if (changing) settings.kT = Ramp({{0, 0.9}, {end, 1.4}});
    BarostatSettings barostat;
    barostat.type = BarostatType::nose_poincare_andersen;
    barostat.pressure = 2.0;
    if (changing) barostat.pressure = Ramp({{0, 2.0}, {end, 5.0}});
    barostat.period = 1.5;
    return {NosePoincare(settings), barostat, dimension};
}

template <int Dim>
void check_order_of_volume(const TestBackend& where, bool changing) {
    std::vector<double> error;
    for (const double dt : {0.006, 0.003}) {
        PressedLiquid<Dim> liquid(where);
        const double volume = liquid.system->box().volume();
        NosePoincareAndersen method = breathing(dt, Dim, changing);
        error.push_back(largest_change(liquid, method));
        CHECK(std::abs(liquid.system->box().volume() / volume - 1.0) > 0.01);
        const auto lengths = liquid.system->box().lengths();
        // 333 products, each rounded by 1e-16, of a cube.
        for (const double length : lengths) CHECK(std::abs(length / lengths[0] - 1.0) < 1e-13);
    }
    CAPTURE(where.name, Dim, changing, error[0], error[1]);
    CHECK(std::abs(std::log2(error[0] / error[1]) - 2.0) < 0.3);
}

/// Of a liquid in a plane, in the coordinates in which the Hamiltonian is one: places in units of
/// the length of a square, its area, and s, and their momenta.
struct PhaseSpace {
    explicit PhaseSpace(const TestBackend& where)
        : liquid(where, 5), method(breathing(0.01, 2)), half(2 * liquid.setup.start.size() + 2) {
        method.prepare(*liquid.system);
        for (int k = 0; k < 20; ++k) method.step(*liquid.system);
        start = liquid.system->state();
    }
    [[nodiscard]] static double& scalar(SystemState<2>& state, Scalar which) {
        return state.ensemble.scalars[which];
    }
    [[nodiscard]] std::vector<double> point(SystemState<2> state) const {
        const double length = state.ensemble.lengths[0];
        std::vector<double> z(2 * half);
        for (std::size_t i = 0; i < state.snapshot.size(); ++i)
            for (std::size_t d = 0; d < 2; ++d) {
                z[2 * i + d] = state.snapshot.position[i][d] / length + state.snapshot.image[i][d];
                z[half + 2 * i + d] = state.snapshot.momentum[i][d] * length;
            }
        z[half - 2] = length * length;
        z[half - 1] = scalar(state, Scalar::s);
        z[2 * half - 2] = scalar(state, Scalar::box_momentum);
        z[2 * half - 1] = scalar(state, Scalar::pi);
        return z;
    }
    /// One step from the start, a coordinate of which is moved.
    [[nodiscard]] std::vector<double> step(std::size_t which, double by) {
        std::vector<double> z = point(start);
        z[which] += by;
        SystemState<2> state = start;
        const double length = std::sqrt(z[half - 2]);
        state.ensemble.lengths.assign(2, length);
        for (std::size_t i = 0; i < state.snapshot.size(); ++i)
            for (std::size_t d = 0; d < 2; ++d) {
                state.snapshot.position[i][d] =
                    (z[2 * i + d] - state.snapshot.image[i][d]) * length;
                state.snapshot.momentum[i][d] = z[half + 2 * i + d] / length;
            }
        scalar(state, Scalar::s) = z[half - 1];
        scalar(state, Scalar::box_momentum) = z[2 * half - 2];
        scalar(state, Scalar::pi) = z[2 * half - 1];
        liquid.system->restore(state);
        System& system = *liquid.system;
        system.measure_potential();
        system.measure_virial();
        method.step(system);
        return point(liquid.system->state());
    }

    PressedLiquid<2> liquid;
    NosePoincareAndersen method;
    std::size_t half;
    SystemState<2> start;
};

/// Scalars of a gas of so much 2 K s^2, and with a virial, in a box of volume 8.
struct GasInBox {
    GasInBox() : numbers(Scalar::count), at{numbers.data()} {
        at[Scalar::s] = 1.2;
        at[Scalar::pi] = 0.4;
        at[Scalar::kinetic] = 13.0;
        at[Scalar::potential] = -3.0;
        at[Scalar::virial] = 2.0;
        at[Scalar::volume] = 8.0;
        at[Scalar::box_momentum] = 0.3;
        at[Scalar::box_mass] = 0.05;
        at[Scalar::energy_0] = 5.0;
    }
    std::vector<double> numbers;
    Scalars at;
};

} // namespace

TEST_CASE("the Nosé-Poincaré-Andersen energy is conserved to second order") {
    for (const TestBackend& where : best_processors())
        for (const bool changing : {false, true}) {
            check_order_of_volume<2>(where, changing);
            check_order_of_volume<3>(where, changing);
        }
    CHECK(breathing(0.01, 3, true).steady_from() == 100);
    CHECK(*breathing(0.01, 3, true).pressure() == 5.0);
}

TEST_CASE("a Nosé-Poincaré-Andersen box begins at rest, with H = 0 and its mass") {
    PressedLiquid<2> liquid(best_processor());
    ParticleSystem<2>& system = *liquid.system;
    system.set_scalar(Scalar::box_momentum, 3.0);
    const NosePoincareAndersen method = [&] {
        NosePoincareAndersen made = breathing(0.01, 2);
        made.prepare(system);
        return made;
    }();
    CHECK(system.scalar(Scalar::box_momentum) == 0.0);
    const double volume = system.box().volume(), time = 1.5 / (2.0 * std::acos(-1.0)),
                 mass = (126.0 + 2.0) * 0.9 * time * time / (4.0 * volume * volume);
    CHECK(std::abs(system.scalar(Scalar::box_mass) / mass - 1.0) < 1e-12);
    const double energy = system.scalar(Scalar::energy_0);
    CHECK(std::abs(liquid.conserved(method) - energy) < 1e-12 * std::abs(energy));
}

TEST_CASE("a Nosé-Poincaré-Andersen box goes back the way it came") {
    for (const TestBackend& where : best_processors()) {
        PressedLiquid<2> plane(where);
        PressedLiquid<3> space(where);
        NosePoincareAndersen in_plane = breathing(0.004, 2), in_space = breathing(0.004, 3);
        check_way_back(plane, in_plane);
        check_way_back(space, in_space);
    }
}

TEST_CASE("a Nosé-Poincaré-Andersen step is a symplectic map") {
    PhaseSpace space(best_processor());
    const std::size_t n = 2 * space.half, half = space.half;
    std::vector<std::vector<double>> jacobian;
    for (std::size_t i = 0; i < n; ++i) {
        const double h = 2e-5;
        const auto a = space.step(i, h), b = space.step(i, -h), c = space.step(i, 2.0 * h),
                   d = space.step(i, -2.0 * h);
        jacobian.emplace_back(n);
        for (std::size_t k = 0; k < n; ++k)
            jacobian[i][k] = (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h);
    }
    double defect = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double form = j == i + half ? -1.0 : i == j + half ? 1.0 : 0.0;
            for (std::size_t k = 0; k < half; ++k)
                form +=
                    jacobian[i][k] * jacobian[j][half + k] - jacobian[i][half + k] * jacobian[j][k];
            defect = larger(defect, std::abs(form));
        }
    // Differences of fourth order, of forces whose second derivative jumps at the cut-off, where no
    // pair is by chance; rounding of 1e-16 L / h, times dt L^2 u''. Other momenta leave 1e-2.
    CHECK(defect < 1e-7);
    CHECK(std::abs(jacobian[half - 1][half - 2]) > 1e-4); // s moves the volume
}

TEST_CASE("half a Nosé-Poincaré-Andersen step is that of its equations") {
    const double dt = 0.02, mass = 3.0, kT = 0.7, g = 9.0, pressure = 0.5;
    const AndersenBox box{3, pressure, 0.0, 1e9};
    GasInBox gas;
    const Scalars& at = gas.at;
    const double s = 1.2, twice_kinetic = 13.0 / (s * s);
    NosePoincareFirst{dt, mass, kT, g, box}(at);
    const auto is = [](double found, double expected) {
        CHECK(std::abs(found - expected) < 1e-13 * std::abs(expected));
    };
    // dpi_V/dt = s (P_int - P)
    const double momentum = 0.3 + 0.5 * dt * s * ((twice_kinetic + 2.0) / 24.0 - pressure);
    is(at[Scalar::box_momentum], momentum);
    // dpi/dt = 2 K - g kT - (K + pi^2 / 2 Q + g kT ln s + U - E + pi_V^2 / 2 Q_V + P V), with the
    // new pi
    const double pi = at[Scalar::pi], excess = 0.5 * twice_kinetic + 0.5 * pi * pi / mass +
                                               g * kT * std::log(s) - 8.0 +
                                               0.5 * momentum * momentum / 0.05 + pressure * 8.0;
    is(pi, 0.4 + 0.5 * dt * (twice_kinetic - g * kT - excess));
    // ds/dt = s pi / Q, dV/dt = s pi_V / Q_V
    const double s_new = at[Scalar::s];
    is(s_new, s + 0.5 * dt * (s + s_new) * pi / mass);
    const double volume = 8.0 + 0.5 * dt * (s + s_new) * momentum / 0.05,
                 factor = std::cbrt(volume / 8.0);
    is(at[Scalar::strain], factor);
    is(at[Scalar::box_friction], 1.0 / factor);
    is(at[Scalar::kinetic], 13.0 / (factor * factor));
    // dq/dt = p / (m s V^(2/3))
    is(at[Scalar::drift_scale], 0.5 * (1.0 / s + 1.0 / (s_new * factor * factor)));
    at[Scalar::volume] = volume;
    NosePoincareSecond{dt, mass, kT, g, box}(at);
    const double twice_after = 13.0 / (factor * factor * s_new * s_new),
                 after = 0.5 * twice_after + 0.5 * pi * pi / mass + g * kT * std::log(s_new) - 8.0 +
                         0.5 * momentum * momentum / 0.05 + pressure * volume;
    is(at[Scalar::pi], pi + 0.5 * dt * (twice_after - g * kT - after));
    is(at[Scalar::box_momentum],
       momentum + 0.5 * dt * s_new * ((twice_after + 2.0) / (3.0 * volume) - pressure));
}

TEST_CASE("a volume stays where it must not go, and where the bath has no solution") {
    for (const double end : {1.0, 2.0, 3.0}) {
        GasInBox gas;
        gas.at[Scalar::box_momentum] = end == 1.0 ? -10.0 : 10.0;
        if (end == 3.0) gas.at[Scalar::pi] = 1e3;
        NosePoincareFirst{0.02, 3.0, 0.7, 9.0, {3, 0.5, 7.0, 9.0}}(gas.at);
        CHECK(gas.at[Scalar::box_least] == (end == 3.0 ? 0.0 : end));
        CHECK(gas.at[Scalar::failed] == (end == 3.0 ? 1.0 : 0.0));
        CHECK(gas.at[Scalar::strain] == 1.0);
        CHECK(gas.at[Scalar::box_friction] == 1.0);
    }
}
