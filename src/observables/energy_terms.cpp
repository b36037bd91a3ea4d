// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/observable.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/shares.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// The potential energy by its terms: one for each force of the input, and for each part of a force
/// that is split by distance; with the mean-field correction for its cut-off. Their sum is the
/// potential energy. Each needs a separate pass over the pairs, in double precision.
template <int Dim>
class EnergyTerms final : public Observable<Dim> {
  public:
    /// `names`: names of the terms (ForcePlan::names).
    explicit EnergyTerms(const std::vector<std::string>& names) {
        for (const std::string& term : names) {
            const std::string name = "potential_energy_" + term;
            std::string own = name;
            for (int k = 2; std::find(names_.begin(), names_.end(), own) != names_.end(); ++k)
                own = fmt::format("{}_{}", name, k);
            names_.push_back(own);
        }
    }

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        std::vector<Quantity> all;
        for (const std::string& name : names_) all.push_back({name, "energy"});
        return all;
    }

    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
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

  private:
    std::vector<std::string> names_;
    Array<Share<Dim>> share_;
};

template <int Dim>
Made<Dim> make_energy_terms(const ObservableInput<Dim>& in) {
    if (in.context.forces.empty() && in.context.forces_are_known)
        in.fail("type", "energy-terms of a system without forces (each is a term); add a "
                        "[[force]], or observe thermo");
    return std::make_unique<EnergyTerms<Dim>>(in.context.forces.names());
}

} // namespace

ObservableEntry energy_terms_entry() {
    return {
        {"energy-terms",
         "Potential energy of each force: potential_energy_TYPE, for a second force of a type "
         "potential_energy_TYPE_2 (bonded forces of one type and level count as one), and TYPE_14 "
         "for scaled pairs; their sum is that of thermo. Each needs a pass over the pairs",
         "sum over pairs of u, with the self energies of charges and the mean-field correction "
         "for a cut-off",
         "",
         {every_key()}},
        SHADOW_EACH_DIMENSION(make_energy_terms)};
}

} // namespace shadow
