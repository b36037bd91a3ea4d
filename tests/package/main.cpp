// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <shadow/core/error.hpp>
#include <shadow/core/input_table.hpp>
#include <shadow/run/simulation.hpp>
#include <vector>

/// A liquid that a program drives; the exit status says whether it is one.
int main() {
    shadow::InputTable input;
    shadow::InputTable system = input.table("system");
    system.set("dimension", 3);
    system.table("box").set("density", 0.7);
    system.table("lattice").set("type", "fcc").set("repeat", std::vector<std::int64_t>{5, 5, 5});
    system.table("velocity").set("temperature", 1.0);
    input.add("force")
        .set("type", "lennard-jones")
        .set("cutoff", 2.5)
        .set("epsilon", 1.0)
        .set("sigma", 1.0);
    input.table("integrator").set("method", "baoab").set("dt", 0.004);
    input.table("integrator").set("temperature", 1.0).set("friction", 1.0);
    input.add("observe").set("type", "thermo").set("every", 5);
    try {
        shadow::Simulation simulation(input.parameters());
        simulation.run(500);
        const std::vector<double> x = simulation.positions();
        const double temperature = simulation.temperature();
        std::printf("%lld particles, step %lld, temperature %g\n",
                    static_cast<long long>(simulation.particles()),
                    static_cast<long long>(simulation.step()), temperature);
        for (const shadow::AverageSummary& a : simulation.summary().averages)
            std::printf("%s = %g +- %g\n", a.name.c_str(), a.mean, a.error);
        return x.size() == 1500 && std::abs(temperature - 1.0) < 0.3 ? 0 : 1;
    } catch (const shadow::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
