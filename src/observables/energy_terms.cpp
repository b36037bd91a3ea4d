// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/energy_terms.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

template <int Dim, class Real>
EnergyTerms<Dim, Real>::EnergyTerms(const std::vector<std::string>& names) {
    for (const std::string& term : names) {
        const std::string name = "potential_energy_" + term;
        std::string own = name;
        for (int k = 2; std::find(names_.begin(), names_.end(), own) != names_.end(); ++k)
            own = fmt::format("{}_{}", name, k);
        names_.push_back(own);
    }
}

template <int Dim, class Real>
std::vector<Quantity> EnergyTerms<Dim, Real>::quantities() const {
    std::vector<Quantity> all;
    for (const std::string& name : names_) all.push_back({name, "energy"});
    return all;
}

template <int Dim, class Real>
void EnergyTerms<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (share_.size() == 0)
        share_ = Array<Share<Dim>>(backend, static_cast<std::size_t>(system.size()));
    system.each_term([&](const auto& share, double tail) {
        share(false, share_.data());
        reduce(backend, SumShares<Dim>{{}, share_.data()}, system.size(), row);
        if (tail != 0.0) launch(backend, AddConstant{row, tail}, 1);
        ++row;
    });
}

template class EnergyTerms<1, double>;
template class EnergyTerms<2, double>;
template class EnergyTerms<3, double>;

} // namespace shadow
