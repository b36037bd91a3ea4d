// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/bond_order.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace shadow {

void sweep_bond_order(ParticleSystem<2>& system, int list, double radius,
                      std::span<const int> folds, double* order, double* psi) {
    const Backend& backend = system.backend();
    Sweep<2, BondOrder> sweep{};
    sweep.position = system.particles().position;
    sweep.box = system.particles().box;
    sweep.list = system.pair_list(list);
    sweep.radius2 = radius * radius;
    sweep.op.folds = static_cast<int>(folds.size());
    std::copy(folds.begin(), folds.end(), sweep.op.fold);
    sweep.op.stride = system.size();
    sweep.op.order = order;
    sweep.op.psi = psi;
    launch_sweep(backend, sweep, system.neighbours().cluster_bound());
}

BondOrderParameter::BondOrderParameter(std::vector<int> folds, double radius, bool per_particle,
                                       std::int64_t global)
    : folds_(std::move(folds)), radius_(radius), per_particle_(per_particle), global_(global) {}

std::vector<Quantity> BondOrderParameter::quantities() const {
    std::vector<Quantity> all;
    for (const int fold : folds_) all.push_back({"bond_order_" + std::to_string(fold), ""});
    if (global_ > 0)
        for (const int fold : folds_)
            all.push_back({"global_psi_" + std::to_string(fold), "", 1, std::nullopt,
                           static_cast<double>(global_)});
    return all;
}

std::vector<Quantity> BondOrderParameter::particle_quantities() const {
    std::vector<Quantity> all;
    if (per_particle_)
        for (const int fold : folds_) all.push_back({"psi_" + std::to_string(fold), "", 2});
    return all;
}

void BondOrderParameter::sweep(ParticleSystem<2>& system, bool with_psi) {
    const auto n = static_cast<std::size_t>(system.size());
    if (order_.size() == 0) order_ = Array<double>(system.backend(), folds_.size() * n);
    if (with_psi && psi_.size() == 0) psi_ = Array<double>(system.backend(), 2 * folds_.size() * n);
    sweep_bond_order(system, list_, radius_, folds_, order_.data(),
                     with_psi ? psi_.data() : nullptr);
}

void BondOrderParameter::enqueue(ParticleSystem<2>& system, double* row) {
    const Backend& backend = system.backend();
    const auto n = static_cast<std::size_t>(system.size());
    const std::size_t folds = folds_.size();
    sweep(system, global_ > 0);
    for (std::size_t k = 0; k < folds; ++k)
        reduce(backend, sum_of(order_.data() + k * n), system.size(), row + k);
    if (global_ == 0) return;
    if (sums_.size() == 0) sums_ = Array<OrderSum>(backend, folds);
    for (std::size_t k = 0; k < folds; ++k)
        reduce(backend, SumOrder{psi_.data() + 2 * k * n, system.size()}, system.size(),
               sums_.data() + k);
    launch(backend,
           FinishGlobalOrder{sums_.data(), static_cast<double>(system.size()), row + folds},
           static_cast<std::int64_t>(folds));
}

std::vector<std::vector<double>> BondOrderParameter::measure_particles(ParticleSystem<2>& system) {
    if (!per_particle_) return {};
    sweep(system, true);
    return in_id_order(system, psi_.data(), std::vector<std::size_t>(folds_.size(), 2));
}

namespace {

std::vector<int> read_folds(const DescribedTable& in) {
    std::vector<int> folds;
    for (const std::int64_t fold : in.integers("folds")) {
        if (fold < 1 || fold > 64)
            in.fail("folds", fmt::format("fold {} (the symmetry of a neighbourhood); give "
                                         "numbers from 1 to 64",
                                         fold));
        folds.push_back(static_cast<int>(fold));
    }
    std::sort(folds.begin(), folds.end());
    if (std::adjacent_find(folds.begin(), folds.end()) != folds.end())
        in.fail("folds", "a fold given twice (each is one quantity); remove one");
    if (folds.empty() || folds.size() > BondOrder::max_folds)
        in.fail("folds", fmt::format("{} folds (one pass takes 1 to {}); give another [[observe]] "
                                     "for the rest",
                                     folds.size(), BondOrder::max_folds));
    return folds;
}

template <int Dim>
Made<Dim> make_bond_order(const ObservableInput<Dim>& in) {
    if constexpr (Dim != 2)
        refuse_off_plane(in, "bond-order", Dim);
    else
        return std::make_unique<BondOrderParameter>(
            read_folds(in), read_neighbour_radius(in, in.half_box()), in.boolean("per_particle"),
            in.boolean("global") ? in.context.particles() : 0);
}

} // namespace

ObservableEntry bond_order_entry() {
    using enum KeyType;
    return {
        {"bond-order",
         "Order parameters mu_m of the angles between the bonds of each particle in two dimensions",
         "mu_m = sum_i sum over pairs {j,k} of neighbours of i of cos(m theta_jik); per particle "
         "psi_m = (1/n) sum_j exp(i m a_j); of all |Psi_m| = |sum psi_m| / N, chi_m = N "
         "(<|Psi_m|^2> - <|Psi_m|>^2)",
         "Leimkuhler and Reich 2004, section 4.5.1; Weber, Marx and Binder 1995",
         {every_key(),
          {"folds", integers, "", "[4, 6]", "the numbers m"},
          neighbour_radius_key(),
          {"global", boolean, "", "false", "also |Psi_m| of all particles, and its susceptibility"},
          {"per_particle", boolean, "", "false", "psi_m of every particle in the trajectory"}}},
        SHADOW_EACH_DIMENSION(make_bond_order)};
}

} // namespace shadow
