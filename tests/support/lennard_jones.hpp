// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/toml.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/run/model.hpp"
#include "shadow/system/setup.hpp"
#include "shadow/system/velocities.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow {

/// Short- and long-range parts on two levels, with two continuous derivatives.
inline constexpr const char* smooth_split = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
truncation = "smooth-c2"
inner = 1.8
cutoff = 2.3
split = { inner = 1.2, outer = 1.5 }
)";

/// The observables at step 0 of a Lennard-Jones system given as input text; pairs in
/// double, or in single precision.
template <int Dim>
std::map<std::string, std::vector<double>> measure(const Backend& backend, const std::string& input,
                                                   double epsilon, double sigma, double cutoff,
                                                   bool pair_is_double = true) {
    const Parameters root = read_toml_text(input, "test.toml");
    Setup<Dim> setup = make_system<Dim>(root, 1);
    Model<Dim> model = model_of(setup, {.pair_is_double = pair_is_double});
    draw_velocities(root, setup, model.conserved, 1);
    PairForceDescription description;
    description.name = "lennard-jones";
    description.potential.pairs = {{{epsilon, sigma}, cutoff, 0.0}};
    model.forces.forces = {description};
    Recorder<Dim> recorder(backend);
    for (const Parameters& table : root.tables("observe"))
        recorder.add(make_observable<Dim>(table, {setup.box, setup.units.boltzmann}), 1);
    const auto system = make_particles<Dim>(model, backend, setup.box, setup.start,
                                            {.skin = 0.3, .declare_lists = [&](auto& neighbours) {
                                                 recorder.declare_lists(neighbours);
                                             }});
    system->set_degrees_of_freedom(degrees_of_freedom(system->size(), model.conserved));
    std::map<std::string, std::vector<double>> values;
    recorder.set_sink([&values](const RecordBatch& batch) {
        values[batch.quantity.name].assign(batch.values.begin(), batch.values.end());
    });
    recorder.sample(*system);
    recorder.flush();
    return values;
}

} // namespace shadow
