// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/steinhardt.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"

#include <fmt/format.h>

namespace shadow {

std::vector<Quantity> SteinhardtOrder::quantities() const {
    std::vector<Quantity> all{{"steinhardt_4", ""}, {"steinhardt_6", ""}, {"coordination", ""}};
    if (global_) {
        all.push_back({"global_steinhardt_4", ""});
        all.push_back({"global_steinhardt_6", ""});
    }
    return all;
}

std::vector<Quantity> SteinhardtOrder::particle_quantities() const {
    if (!per_particle_) return {};
    return {{"q_4", ""}, {"q_6", ""}, {"coordination", ""}};
}

void SteinhardtOrder::sweep(ParticleSystem<3>& system, bool global) {
    const Backend& backend = system.backend();
    const auto n = static_cast<std::size_t>(system.size());
    if (order_.size() == 0) order_ = Array<double>(backend, local * n);
    if (global && all_.size() == 0) {
        harmonics_ = Array<BondHarmonics>(backend, n);
        all_ = Array<BondHarmonics>(backend, 1);
    }
    Sweep<3, Steinhardt> sweep{};
    sweep.position = system.particles().position;
    sweep.box = system.particles().box;
    sweep.list = system.pair_list(list_);
    sweep.radius2 = radius_ * radius_;
    double* order = order_.data();
    sweep.op = {order, order + n, order + 2 * n, global ? harmonics_.data() : nullptr};
    launch_sweep(backend, sweep, system.neighbours().cluster_bound());
}

void SteinhardtOrder::enqueue(ParticleSystem<3>& system, double* row) {
    const Backend& backend = system.backend();
    sweep(system, global_);
    const auto n = static_cast<std::size_t>(system.size());
    for (std::size_t k = 0; k < local; ++k)
        reduce(backend, sum_of(order_.data() + k * n), system.size(), row + k);
    if (global_) reduce(backend, SumHarmonics{harmonics_.data()}, system.size(), all_.data());
    launch(
        backend,
        FinishSteinhardt{global_ ? all_.data() : nullptr, static_cast<double>(system.size()), row},
        1);
}

std::vector<std::vector<double>> SteinhardtOrder::measure_particles(ParticleSystem<3>& system) {
    if (!per_particle_) return {};
    sweep(system, false);
    return in_id_order(system, order_.data(), std::vector<std::size_t>(local, 1));
}

namespace {

template <int Dim>
Made<Dim> make_steinhardt(const ObservableInput<Dim>& in) {
    if constexpr (Dim != 3)
        in.fail(
            "type",
            fmt::format(
                "steinhardt in {} dimension{} (spherical harmonics need three dimensions); use {}",
                Dim, Dim == 1 ? "" : "s", Dim == 2 ? "bond-order" : "rdf"));
    else
        return std::make_unique<SteinhardtOrder>(read_neighbour_radius(in, in.half_box()),
                                                 in.boolean("global"), in.boolean("per_particle"));
}

} // namespace

ObservableEntry steinhardt_entry() {
    using enum KeyType;
    return {
        {"steinhardt",
         "Bond order q_4 and q_6 in three dimensions and number of neighbours: means over "
         "particles",
         "q_l = sqrt(4 pi/(2l + 1) sum_m |q_lm|^2), q_lm the mean of Y_lm over a particle's bonds",
         "Steinhardt, Nelson and Ronchetti 1983, eqs. 1.3 and 1.4",
         {every_key(),
          neighbour_radius_key(),
          {"global", boolean, "", "false", "also of all bonds of the system together"},
          {"per_particle", boolean, "", "false",
           "q_4, q_6 and neighbours of every particle in the trajectory"}}},
        SHADOW_EACH_DIMENSION(make_steinhardt)};
}

} // namespace shadow
