// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include "kernels/ops/shares.hpp"

namespace shadow {

/// The potential energy by its terms: one for each force of the input, and for each part of one
/// that is split by distance; with the mean-field correction for its cut-off. Their sum is the
/// potential energy. Each is a pass of its own over the pairs, in double.
template <int Dim>
class EnergyTerms final : public Observable<Dim> {
  public:
    /// `names`: of the terms (ForcePlan::names).
    explicit EnergyTerms(const std::vector<std::string>& names);

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    std::vector<std::string> names_;
    Array<Share<Dim>> share_;
};

} // namespace shadow
