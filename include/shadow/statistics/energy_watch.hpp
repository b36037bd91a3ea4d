// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// Totals of the whole system at a step.
struct EnergyLook {
    std::int64_t step = 0;
    double kinetic = 0.0, potential = 0.0;
    double conserved = 0.0; ///< the quantity that the method conserves

    /// The energy supplied from outside.
    [[nodiscard]] double given() const { return kinetic + potential - conserved; }
};

/// Detects an exploding trajectory from the energies at increasing steps ("looks"). The energy
/// scale is that before the explosion, never that of the exploded state. A look is bad if
///  - a number is not finite;
///  - the kinetic energy is more than a hundred times what can be accounted for: that at the start
///    of the stage, that of the bath, and the potential energy released since. (For a single degree
///    of freedom in a bath the chance of this is erfc(sqrt(50)) = 1e-23.) A start where all three
///    vanish, such as a perfect lattice at rest, is allowed its potential energy;
///  - or the conserved quantity changed by more than (1/2 + 4/sqrt(g)) of the energy at the last
///    look, with g degrees of freedom: if g is small, a long step or a bath changes a large part.
///    For looks more than 1000 steps apart, by more than this per 1000 steps: under a bath the
///    quantity may drift for any time, but not as fast.
class EnergyWatch {
  public:
    /// `start`: at the first step of a stage; `bath_kinetic`: the mean kinetic energy at the
    /// temperature of the bath, 0 without one; `driven`: time-dependent forces supply energy, which
    /// is accounted for.
    void begin(const EnergyLook& start, double bath_kinetic, bool driven = false,
               double degrees_of_freedom = std::numeric_limits<double>::infinity());
    /// A look that is not after the last one is ignored, as are all looks after an explosion.
    void look(const EnergyLook& look);

    [[nodiscard]] bool begun() const noexcept { return begun_; }
    [[nodiscard]] const EnergyLook& last_good() const noexcept { return last_; }
    /// Can this kinetic energy be accounted for by the potential energy of the last look?
    [[nodiscard]] bool plausible(double kinetic) const;
    [[nodiscard]] bool exploded() const noexcept { return bad_.has_value(); }
    /// Human-readable: "the energy explodes between steps 100 and 150 (conserved from ...)", with
    /// `more` in the parentheses; only after an explosion.
    [[nodiscard]] std::string explosion(const std::string& more = "",
                                        const std::string& does = "explodes") const;

    /// Only for a watch that has begun and found no explosion.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` was not written by a watch.
    void restore(std::span<const double> state,
                 double degrees_of_freedom = std::numeric_limits<double>::infinity());

  private:
    [[nodiscard]] bool good(const EnergyLook& look) const;
    [[nodiscard]] double max_kinetic(const EnergyLook& look) const;
    [[nodiscard]] double work(const EnergyLook& since, const EnergyLook& look) const;

    bool begun_ = false, driven_ = false;
    double bath_kinetic_ = 0.0, degrees_of_freedom_ = 0.0;
    EnergyLook start_, last_;
    std::optional<EnergyLook> bad_;
};

} // namespace shadow
