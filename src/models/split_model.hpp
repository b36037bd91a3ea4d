// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace shadow::models {

/// Positions, then momenta.
using State = std::vector<double>;
/// The map of a state by a step, or by a flow.
using Map = std::function<void(State&)>;

/// A Hamiltonian H = H_fast + H_slow of a few coordinates, of which both parts have exact flows. In
/// a word A is the fast flow and B the slow one; M is the slow flow with averages of the fast
/// motion.
class SplitModel {
  public:
    virtual ~SplitModel() = default;

    virtual void fast(State& z, double t) const = 0;
    virtual void slow(State& z, double t) const = 0;
    /// The flow of H_slow(A(z)), with A the mean of the fast motion over times from -`window` to
    /// `window`. A model without one throws std::logic_error.
    virtual void mollified_slow(State& z, double t, double window) const;
    [[nodiscard]] virtual double energy(const State& z) const = 0;
    /// The number of components of a state.
    [[nodiscard]] virtual std::size_t size() const = 0;
};

/// A step dt of a word of the flows A, B and M. The model must live as long as the map.
[[nodiscard]] Map step_of(const SplitModel& model, const Word& word, double dt);
/// The same for a splitting method by its name.
[[nodiscard]] Map step_of(const SplitModel& model, std::string_view method, double dt);

} // namespace shadow::models
