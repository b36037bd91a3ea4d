// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/integrators/around_method.hpp"
#include "shadow/integrators/ramp.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace shadow {

/// How a box changes: in steps, by cell rescaling or Monte Carlo moves; or with a mass, by Martyna,
/// Tobias and Klein or by the Nosé-Poincaré-Andersen Hamiltonian; or at given rates, whatever the
/// pressure.
enum class BarostatType { cell_rescaling, monte_carlo, mtk, nose_poincare_andersen, deform };

/// The settings of a table `[barostat]`.
struct BarostatSettings {
    BarostatType type = BarostatType::cell_rescaling;
    Ramp pressure;                ///< energy/length^dimension
    double period = 0.0;          ///< that sets the mass of a box that has one
    double time = 0.0;            ///< relaxation time of the volume
    double compressibility = 0.0; ///< an estimate, 1/pressure
    double amplitude = 0.0;       ///< of a Monte Carlo move of ln V
    std::int64_t every = 20;      ///< steps between two steps of the volume
    /// Directions whose lengths change together; a box that changes in steps takes the groups in
    /// turn.
    std::vector<Axes> groups = {all_axes};
    double min_volume = 0.0; ///< the run ends where the volume would become less
    double max_volume = std::numeric_limits<double>::infinity(); ///< or, with a mass, greater

    std::vector<Ramp> rates = {}; ///< d ln L / dt by direction, of a deformed box

    /// Is a change of the box due before a step, in a stage that began at `first`?
    [[nodiscard]] bool is_due(std::int64_t step, std::int64_t first) const {
        return step > first && (step - first) % every == 0;
    }
    [[nodiscard]] bool has_mass() const {
        return type == BarostatType::mtk || type == BarostatType::nose_poincare_andersen;
    }
    /// Is the pressure held along all directions?
    [[nodiscard]] bool holds_all(int dimension) const;
    /// Do lengths change independently of each other?
    [[nodiscard]] bool changes_shape(int dimension) const {
        return groups.size() > 1 || !holds_all(dimension);
    }
};

/// The keys of a barostat.
[[nodiscard]] const Descriptor& barostat_table();

/// Reads a barostat. One energy/length^dimension is `pressures` units of pressure of the input.
/// Throws InputError, located in the input.
[[nodiscard]] BarostatSettings read_barostat(const Parameters& params, int dimension,
                                             double pressures = 1.0);

/// Constant pressure: a method at constant temperature, and before every `every` of its steps a
/// step of the volume by stochastic cell rescaling (Bernetti and Bussi 2020, J. Chem. Phys. 153,
/// 114107), or a Monte Carlo move of the volume and the positions, which is accepted or rejected
/// (VolumeStep, VolumeMove); of the lengths in all directions together, or of groups of directions
/// in turn. It needs energy and virial before the step and in the new box, and the forces in the
/// box that is kept. The change of energy is in Scalar::box_work.
///
/// The method's momenta are physical ones, and the `particles` of the system are in a box that is
/// periodic in all `dimension` directions.
class Isobaric final : public AroundMethod {
  public:
    Isobaric(std::unique_ptr<Integrator> method, const BarostatSettings& settings, int dimension,
             std::int64_t particles);

    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] std::int64_t steady_from() const override {
        return std::max(AroundMethod::steady_from(), settings_.pressure.steady_from());
    }
    [[nodiscard]] std::optional<double> pressure() const override {
        return settings_.pressure.last();
    }
    [[nodiscard]] bool holds_pressure() const override { return settings_.holds_all(dimension_); }
    [[nodiscard]] bool changes_shape() const override {
        return settings_.changes_shape(dimension_);
    }

  private:
    [[nodiscard]] std::string what() const override { return "barostat"; }
    void change_volume(System& system) const;
    /// Proposes and accepts a change along some directions by these two functors.
    template <class Propose, class Accept>
    void try_volume(System& system, Axes axes, const Propose& propose, const Accept& accept) const;

    BarostatSettings settings_;
    int dimension_;
    std::int64_t particles_;
};

} // namespace shadow
