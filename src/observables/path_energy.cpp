// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/shadow_energy.hpp"
#include "shadow/statistics/state.hpp"

#include "kernels/launch.hpp"

#include <stdexcept>

namespace shadow {

PathWeights path_weights(int order, double h) {
    PathWeights weights{};
    const int k = order / 2;
    weights.points = k + 1;
    double binomial[max_path_points] = {1.0}, of_all = 1.0; // of_all: of 2 k - 1 and k
    for (int i = 1; i <= k; ++i) {
        binomial[i] = -binomial[i - 1] * (k + 1 - i) / i;
        if (i < k) of_all *= static_cast<double>(k + i) / i;
    }
    double* w = weights.of;
    for (int j = 1; j <= k; ++j)
        for (int i = 0; i < j; ++i) *w++ = -binomial[i] * binomial[j] / (of_all * h * (j - i));
    return weights;
}

template <int Dim>
PathEnergy<Dim>::PathEnergy(int order, double dt, std::int64_t every, bool starts_with_kick,
                            int variables)
    : weights_(path_weights(order, dt)), every_(every), starts_with_kick_(starts_with_kick),
      variables_(variables) {}

template <int Dim>
std::size_t PathEnergy<Dim>::numbers(const ParticleSystem<Dim>& system) const {
    return 2 *
           (Dim * static_cast<std::size_t>(system.size()) + static_cast<std::size_t>(variables_));
}

template <int Dim>
void PathEnergy<Dim>::look(ParticleSystem<Dim>& system) {
    const Backend& backend = system.backend();
    const auto points = static_cast<std::size_t>(weights_.points);
    const std::size_t numbers = this->numbers(system);
    if (path_.size() == 0) {
        path_ = Array<double>(backend, points * numbers);
        action_ = Array<double>(backend, points);
        products_ = Array<double>(backend, 1);
    }
    if (!restored_.empty()) {
        action_.assign(std::span(restored_).first(points));
        path_.assign(std::span(restored_).subspan(points));
        restored_.clear();
    }
    const std::int64_t step = system.step();
    looks_ = looks_ > 0 && step == last_ + 1 ? looks_ + 1 : 1;
    last_ = step;
    const std::size_t at = static_cast<std::size_t>(step) % points;
    const double* action = system.action();
    if (variables_ > 0) action = system.scalars() + Scalar::action;
    launch(backend,
           StorePoint<Dim>{system.particles(),
                           action,
                           path_.data() + at * numbers,
                           action_.data() + at,
                           {system.scalars()},
                           variables_},
           system.size());
}

template <int Dim>
void PathEnergy<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (looks_ < weights_.points || last_ != system.step())
        throw std::logic_error("a shadow energy of steps that were not looked at");
    const int oldest = static_cast<int>((last_ + 1) % weights_.points);
    const PathRing ring{weights_, path_.data(), static_cast<std::int64_t>(numbers(system)), oldest};
    reduce(backend, SumPathProducts<Dim>{{}, ring, system.size()}, system.size(), products_.data());
    launch(backend,
           FinishPathEnergy<Dim>{ring,
                                 products_.data(),
                                 action_.data(),
                                 system.tail_energy(),
                                 system.particles().box,
                                 row,
                                 {system.scalars()},
                                 variables_},
           1);
    if (every_ > looks_back()) looks_ = 0; // the next row starts with new points
}

template <int Dim>
std::vector<double> PathEnergy<Dim>::state() const {
    StateWriter writer;
    writer(looks_);
    writer(last_);
    if (looks_ > 0 && !restored_.empty()) {
        writer(restored_);
    } else if (looks_ > 0) {
        writer(action_.to_host());
        writer(path_.to_host());
    }
    return writer.numbers();
}

template <int Dim>
void PathEnergy<Dim>::restore(std::span<const double> state) {
    StateReader reader(state, "a shadow energy");
    reader(looks_);
    reader(last_);
    const std::span<const double> rest = reader.rest();
    restored_.assign(rest.begin(), rest.end());
}

SHADOW_INSTANTIATE_EACH_DIMENSION(PathEnergy)

} // namespace shadow
