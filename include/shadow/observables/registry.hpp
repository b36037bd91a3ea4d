// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/observables/observable.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace shadow {

/// `every` of an observable if the input does not give it, in steps.
inline constexpr std::int64_t default_observation_interval = 100;

/// Every observable, for `mdrun --list`.
[[nodiscard]] const std::vector<Descriptor>& observables();

/// The keys common to all observables.
[[nodiscard]] const Descriptor& observe_table();

/// A quantity that another observable of the stage measures, and its interval in steps.
struct MeasuredQuantity {
    Quantity quantity;
    std::int64_t every;
};

/// The context in which observables are made, in addition to their tables.
template <int Dim>
struct ObservableContext {
    Box<Dim> box;
    double boltzmann = 1.0; ///< energy per temperature
    std::vector<Population> species = {};
    std::int64_t every = 1, steps = 0; ///< steps between measurements; steps of the stage, at most
    double dt = 0.0;                   ///< 0: no time passes
    ConservedMass<Dim> conserved_mass{};
    ForcePlan forces = {};
    bool forces_are_known = true;                ///< else some forces of the input have an error
    bool has_bath = false;                       ///< the method has variables s and pi of a bath
    const Integrator* integrator = nullptr;      ///< null: none, or one with an error
    std::optional<double> barostat = {};         ///< its pressure, energy/length^dimension
    bool shape_changes = false;                  ///< the shape of the box changes
    bool magnetic = false;                       ///< charges gyrate between kicks
    const Topology* topology = nullptr;          ///< null: no bonds; only for making observables
    const Snapshot<Dim>* start = nullptr;        ///< likewise, for molecules
    std::vector<MeasuredQuantity> measured = {}; ///< possible sources of analyses
    bool measured_is_known = true;               ///< else some observe tables have an error

    /// Names of the levels that have forces; empty if all forces are of one level.
    [[nodiscard]] std::vector<std::string> separate_levels() const {
        const std::vector<std::string> used = forces.used_levels();
        return used.size() > 1 ? used : std::vector<std::string>{};
    }

    [[nodiscard]] std::int64_t particles() const {
        std::int64_t sum = 0;
        for (const Population& p : species) sum += p.particles;
        return sum;
    }
};

/// Is this the table of an analysis, which is computed from the rows of other observables?
[[nodiscard]] bool is_analysis(const Parameters& params);

/// The observable of a table `[[observe]]` with `type` and the keys of its descriptor (`every` is
/// left to the caller). Throws InputError, located in the input, for an unknown type (naming the
/// nearest), a value out of range, and an observable that is not available in this dimension or
/// box.
template <int Dim>
[[nodiscard]] std::unique_ptr<Observable<Dim>>
make_observable(const Parameters& params, const ObservableContext<Dim>& context);

} // namespace shadow
