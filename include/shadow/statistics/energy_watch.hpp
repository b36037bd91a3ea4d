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

    /// What the system was given from outside.
    [[nodiscard]] double given() const { return kinetic + potential - conserved; }
};

/// Finds where a trajectory explodes, from looks at its energies in the order of steps. The scale
/// is never that of the exploded state: it is made of what there was before. A look is bad if
///  - a number is not finite;
///  - there is more than a hundred times the kinetic energy that can be accounted for: that of the
///    start of the stage, that of the bath, and what the potential energy has given since. (Of a
///    single degree of freedom in a bath, the chance of that is erfc(sqrt(50)) = 1e-23.) A start
///    where all three vanish, as a perfect lattice at rest, is allowed its potential energy;
///  - or the conserved quantity changed by more than (1/2 + 4/sqrt(g)) of the energy that there was
///    at the look before, g its degrees of freedom: of few of them a long step, or a bath, changes
///    a large part. Or for looks further apart, by that for each 1000 steps: under a bath it may
///    drift for as long as one likes, but not as fast.
class EnergyWatch {
  public:
    /// `start`: at the first step of a stage; `bath_kinetic`: the mean kinetic energy that the bath
    /// keeps, 0 without one; `driven`: forces that change in time give energy, which is accounted
    /// for.
    void begin(const EnergyLook& start, double bath_kinetic, bool driven = false,
               double degrees_of_freedom = std::numeric_limits<double>::infinity());
    /// Nothing happens for a look that is not behind the last, or once the energy has exploded.
    void look(const EnergyLook& look);

    [[nodiscard]] bool begun() const noexcept { return begun_; }
    [[nodiscard]] const EnergyLook& last_good() const noexcept { return last_; }
    /// So much kinetic energy can be accounted for with no more potential energy given than at the
    /// last look.
    [[nodiscard]] bool plausible(double kinetic) const;
    [[nodiscard]] bool exploded() const noexcept { return bad_.has_value(); }
    /// Human-readable: "the energy explodes between steps 100 and 150 (conserved from ...)", with
    /// `more` in the parentheses; once it has exploded.
    [[nodiscard]] std::string explosion(const std::string& more = "",
                                        const std::string& does = "explodes") const;

    /// Of a watch that has begun and found nothing bad.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if it was not written by a watch.
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
