// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/integrators/isobaric.hpp"
#include "shadow/observables/registry.hpp"

#include <functional>
#include <string>

namespace shadow {

/// Builds a stage of a run from its plan; problems go to `errors`.
template <int Dim>
class StageBuilder {
  public:
    StageBuilder(const Run<Dim>& run, Stage<Dim>& stage, InputErrors& errors)
        : run_(run), stage_(stage), errors_(errors) {}

    /// The method, as far as it does not depend on the system.
    void read_method();
    /// Everything that depends on the system and its forces.
    void build(const Setup<Dim>& setup, bool forces_are_known);

  private:
    void refuse_velocity(const Setup<Dim>& setup) const;
    void refuse_rest() const;
    void refuse_radius(const Setup<Dim>& setup) const;
    void refuse_species(const Setup<Dim>& setup) const;
    void refuse_spin() const;
    void refuse_log() const;
    void add_barostat(const Setup<Dim>& setup);
    using Refuse = std::function<void(const std::string& what, const std::string& why)>;
    void deform(const BarostatSettings& settings, const std::string& method, const Refuse& refuse);
    void add_shear(const Setup<Dim>& setup);
    void refuse_tilt() const;
    void add_boost();
    void refuse_magnetic() const;
    void add_drive();
    void add_observables(const Setup<Dim>& setup, bool forces_are_known);
    [[nodiscard]] ObservableContext<Dim> context(const Setup<Dim>& setup,
                                                 bool forces_are_known) const;
    void add_observable(const Parameters& table, const ObservableContext<Dim>& about);
    void warn_in_time() const;
    void refuse_weighted(const Parameters& table, const Observable<Dim>& observable) const;
    void add_fluctuations();
    void add_until();
    [[nodiscard]] std::size_t index() const;

    const Run<Dim>& run_;
    Stage<Dim>& stage_;
    InputErrors& errors_;
    std::vector<std::string> in_time_, rows_in_time_; ///< types of observables; of analyses
};

} // namespace shadow
