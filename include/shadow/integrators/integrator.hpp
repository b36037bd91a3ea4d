// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"
#include "shadow/integrators/shadow_terms.hpp"
#include "shadow/integrators/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// What a method claims about itself; tests are generated from it.
struct Claims {
    int order = 2;
    bool symmetric = true; ///< reversible under momentum flip
    bool symplectic = true;
    bool stochastic = false;
    /// With translation-invariant forces; where a thermostat scales momenta, if it is zero.
    bool conserves_momentum = true;
    std::string citation;
    bool conserves_spin =
        true; ///< the angular momentum, where it does momentum and forces allow it
    /// Friction without noise takes momenta, angular momenta and areas of phase space, all at the
    /// same rate.
    bool damped = false;
};

/// Has a method come to where it ends by itself? And what is to be said of that; "": nothing yet.
struct Arrival {
    bool reached = false;
    std::string text = {};
};

/// A time-stepping method, or a minimisation. One object drives one system.
class Integrator {
  public:
    virtual ~Integrator() = default;

    /// Called once before the first step of a stage (not on resume), with physical momenta: sets
    /// the method's scalars. Waits for the device.
    virtual void prepare(System&) {}
    /// Advances the system by one step `dt` and declares its end.
    virtual void step(System& system) = 0;

    /// Length of a step; 0: no time passes, as the method looks for a minimum of the energy.
    [[nodiscard]] virtual double dt() const = 0;
    /// If not, particles begin and end at rest, and what is observed is no motion and no ensemble.
    [[nodiscard]] bool takes_time() const { return dt() > 0.0; }
    /// Of a method that ends by itself, after so many steps of its stage, which has `most`. Waits
    /// for the device now and then.
    [[nodiscard]] virtual Arrival arrival(System&, std::int64_t /*steps*/,
                                          std::int64_t /*most*/) const {
        return {};
    }
    /// What the fractions of its word are parts of; of overdamped motion not dt.
    [[nodiscard]] virtual double flow_time() const { return dt(); }
    /// The dt with this `flow_time`.
    [[nodiscard]] virtual double step_of(double flow_time) const { return flow_time; }
    /// Are momenta those of the motion? Else they are drawn anew at each step.
    [[nodiscard]] virtual bool moves_with_momenta() const { return true; }
    /// How particles move; of a method with variables of its own without these.
    [[nodiscard]] virtual const Word& word() const = 0;
    /// Atoms lighter than this are followed with shorter steps than the others; 0: none.
    [[nodiscard]] virtual double light_mass() const { return 0.0; }
    /// The name of the average of mollified kicks; "" without such.
    [[nodiscard]] virtual std::string mollifier() const { return ""; }
    [[nodiscard]] virtual Claims claims() const = 0;
    /// For this system, its degrees of freedom and the last step; also valid on resume.
    [[nodiscard]] virtual ExtendedEnergy extended_energy(const System&) const { return {}; }
    /// Does it add the variables s and pi of a Nosé bath?
    [[nodiscard]] virtual bool has_bath_variables() const { return false; }
    /// Period of the swings of the temperature by a thermostat with a mass, for so many degrees of
    /// freedom; 0 for other methods.
    [[nodiscard]] virtual double bath_period(double /*degrees_of_freedom*/) const { return 0.0; }
    /// Says at which step of the system its stage began: parameters that change count from there.
    virtual void set_first_step(std::int64_t step) { first_step_ = step; }
    /// The step of the stage from which its parameters do not change any more; 0: they never do.
    /// Before it there is no ensemble that averages could belong to.
    [[nodiscard]] virtual std::int64_t steady_from() const { return 0; }
    /// Temperature of the canonical ensemble which the method samples, as an energy; nothing where
    /// it samples that of constant energy, zero where it only damps. From `steady_from` on.
    [[nodiscard]] virtual std::optional<double> bath_kT() const { return std::nullopt; }
    /// That at a step of the stage, where the temperature changes.
    [[nodiscard]] virtual std::optional<double> bath_kT_at(double /*step*/) const {
        return bath_kT();
    }
    /// Rate at which a bath with noise takes heat away (its friction); 0 for other methods.
    [[nodiscard]] virtual double bath_rate() const { return 0.0; }
    /// Those that have a rate of their own; none where there is one for all.
    [[nodiscard]] virtual std::vector<std::string> bath_species() const { return {}; }
    /// Does a thermostat multiply the momenta of each of them by factors of its own?
    [[nodiscard]] virtual bool scales_species() const { return false; }
    /// Within which a bath acts between pairs of particles; 0: none does.
    [[nodiscard]] virtual double pair_radius() const { return 0.0; }
    /// Does it sample the ensemble of its bath, so that fluctuations say something?
    [[nodiscard]] virtual bool samples_ensemble() const { return true; }
    /// Does it multiply all momenta by factors, and with them what rounding leaves of conserved
    /// ones?
    [[nodiscard]] virtual bool rescales() const { return false; }
    /// Of a fluid that it keeps in shear: samples are those of a steady state then, and not of an
    /// ensemble. 0: at rest. From `steady_from` on.
    [[nodiscard]] virtual double shear_rate() const { return 0.0; }
    /// That at a step of the system, and whether it changes.
    [[nodiscard]] virtual double shear_rate_at(std::int64_t /*step*/) const { return shear_rate(); }
    [[nodiscard]] virtual bool shear_changes() const { return false; }
    /// Does it deform the box at rates of its own?
    [[nodiscard]] virtual bool deforms() const { return false; }
    /// Does it make the potential energy flatter, so that what is measured has weights?
    [[nodiscard]] virtual bool boosts() const { return false; }
    /// That of a barostat, energy/length^dimension; nothing without one.
    [[nodiscard]] virtual std::optional<double> pressure() const { return std::nullopt; }
    /// Is that the mean pressure in all directions?
    [[nodiscard]] virtual bool holds_pressure() const { return pressure().has_value(); }
    /// Do lengths of the box change apart from each other?
    [[nodiscard]] virtual bool changes_shape() const { return false; }
    /// By how many kT/V the mean of the pressure is less than that of the barostat, where momenta
    /// lack the degrees of freedom of so many particles.
    [[nodiscard]] virtual double missing_pressure(double particles) const { return particles; }
    /// What its steps conserve beside the energy; nothing where none is known.
    [[nodiscard]] virtual std::optional<ShadowTerms> shadow_terms() const { return std::nullopt; }
    /// Pairs of variables of a bath, of which Scalar::action of each step knows beside particles: s
    /// and pi, and rows of a bath. 0: a method without.
    [[nodiscard]] virtual int action_variables() const { return 0; }
    /// Human-readable name of the conserved quantity: "total energy", "total energy minus bath
    /// heat", ...
    [[nodiscard]] virtual std::string conserved_name() const { return "total energy"; }
    /// Do its steps have lengths of their own, which follow the motion? Then flow_time() is that of
    /// a step whose factor is 1.
    [[nodiscard]] virtual bool adapts() const { return false; }
    /// Does the same time lie between any two steps? Then that is dt(), also where steps of the
    /// method follow the motion and one of the run is as many of them as that takes.
    [[nodiscard]] virtual bool is_even() const { return !adapts(); }
    /// Do they follow a sum over pairs?
    [[nodiscard]] virtual bool follows_pair_sum() const { return false; }
    /// The step in which particles move.
    [[nodiscard]] double own_step() const { return step_of(flow_time()); }
    /// Is what is observed another state than the one from which steps go on?
    [[nodiscard]] virtual bool has_output_state() const { return false; }
    /// Takes a system there, which may then be put back.
    virtual void go_to_output(System&) {}
    /// Behind `prepare`: what its user should know of this start, or "".
    [[nodiscard]] virtual std::string note_of_start(System&) const { return ""; }

  protected:
    /// The step that begins now, counted from the start of the stage.
    [[nodiscard]] double step_of_stage(const System& system) const {
        return static_cast<double>(system.step() - first_step_);
    }
    /// Its middle: where a step takes parameters that change.
    [[nodiscard]] double middle_of_step(const System& system) const {
        return step_of_stage(system) + 0.5;
    }

    [[nodiscard]] std::int64_t first_step() const { return first_step_; }

  private:
    std::int64_t first_step_ = 0;
};

} // namespace shadow
