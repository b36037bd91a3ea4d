// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_force.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/system/setup.hpp"
#include "shadow/system/velocities.hpp"

#include "kernels/pair_force.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow {

/// The observables at step 0 of a Lennard-Jones system given as input text; pairs in
/// double, or in single precision.
template <int Dim>
std::map<std::string, std::vector<double>> measure(const Backend& backend, const std::string& input,
                                                   double epsilon, double sigma, double cutoff,
                                                   bool pair_is_double = true) {
    const Parameters root = read_toml_text(input, "test.toml");
    Setup<Dim> setup = make_system<Dim>(root, 1);
    draw_velocities(root, setup, conserved_momenta(setup.box), 1);
    Recorder<Dim> recorder(backend);
    for (const Parameters& table : root.tables("observe"))
        recorder.add(make_observable<Dim>(table, {setup.box, setup.units.boltzmann}), 1);
    Neighbours<Dim> neighbours(backend, setup.box, pair_cluster_size(backend), 0.3);
    PairForceDescription description;
    description.name = "lennard-jones";
    description.potential.pairs = {{{epsilon, sigma}, cutoff, 0.0}};
    std::vector<std::unique_ptr<ForceTerm<Dim>>> forces;
    forces.push_back(std::make_unique<PairForce<Dim>>(backend, description, pair_is_double,
                                                      neighbours.add_list(cutoff)));
    recorder.declare_lists(neighbours);
    ParticleSystem<Dim> system(backend, setup.box, setup.start, 1, std::move(neighbours),
                               std::move(forces));
    system.set_degrees_of_freedom(degrees_of_freedom(system.size(), conserved_momenta(setup.box)));
    std::map<std::string, std::vector<double>> values;
    recorder.set_sink([&values](const RecordBatch& batch) {
        values[batch.quantity.name].assign(batch.values.begin(), batch.values.end());
    });
    recorder.sample(system);
    recorder.flush();
    return values;
}

} // namespace shadow
