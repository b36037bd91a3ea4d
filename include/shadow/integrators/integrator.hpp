// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"
#include "shadow/integrators/shadow_terms.hpp"
#include "shadow/integrators/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// The claims of a method; tests are generated from them.
struct Claims {
    int order = 2;
    bool symmetric = true; ///< reversible under momentum flip
    bool symplectic = true;
    bool stochastic = false;
    /// With translation-invariant forces; where a thermostat scales momenta, if the total momentum
    /// is zero.
    bool conserves_momentum = true;
    std::string citation;
    bool conserves_spin = true; ///< angular momentum, if momentum is and the forces allow it
    /// Friction without noise reduces momenta, angular momenta and areas of phase space, all at the
    /// same rate.
    bool damped = false;
};

/// Whether a method has reached its own end, and the message about it; "": none yet.
struct Arrival {
    bool reached = false;
    std::string text = {};
};

/// A time-stepping method, or a minimisation. One object drives one system.
class Integrator {
  public:
    virtual ~Integrator() = default;

    /// Called once before the first step of a stage (not on resume), with physical momenta: sets
    /// the scalars of the method. Waits for the device.
    virtual void prepare(System&) {}
    /// Advances the system by one step `dt` and declares its end.
    virtual void step(System& system) = 0;

    /// Length of a step; 0: no time passes, as the method minimises the energy.
    [[nodiscard]] virtual double dt() const = 0;
    /// If not, particles begin and end at rest, and observables describe neither motion nor an
    /// ensemble.
    [[nodiscard]] bool takes_time() const { return dt() > 0.0; }
    /// For a method that ends by itself: whether it has, after the given number of steps of its
    /// stage, which has `most`. Waits for the device now and then.
    [[nodiscard]] virtual Arrival arrival(System&, std::int64_t /*steps*/,
                                          std::int64_t /*most*/) const {
        return {};
    }
    /// The time of which the flows of its word are fractions; in overdamped motion this is not dt.
    [[nodiscard]] virtual double flow_time() const { return dt(); }
    /// The dt with this `flow_time`.
    [[nodiscard]] virtual double step_of(double flow_time) const { return flow_time; }
    /// Are momenta those of the motion? Otherwise they are drawn afresh at each step.
    [[nodiscard]] virtual bool moves_with_momenta() const { return true; }
    /// The motion of the particles; a method's own variables are not part of it.
    [[nodiscard]] virtual const Word& word() const = 0;
    /// Atoms lighter than this are integrated with shorter steps than the others; 0: none.
    [[nodiscard]] virtual double light_mass() const { return 0.0; }
    /// The name of the average of mollified kicks; "" without such kicks.
    [[nodiscard]] virtual std::string mollifier() const { return ""; }
    [[nodiscard]] virtual Claims claims() const = 0;
    /// The extended energy of this system, its degrees of freedom and the last step; also valid on
    /// resume.
    [[nodiscard]] virtual ExtendedEnergy extended_energy(const System&) const { return {}; }
    /// Does it add the variables s and pi of a Nosé bath?
    [[nodiscard]] virtual bool has_bath_variables() const { return false; }
    /// Period of the temperature oscillation by a thermostat with a mass, for the given number of
    /// degrees of freedom; 0 for other methods.
    [[nodiscard]] virtual double bath_period(double /*degrees_of_freedom*/) const { return 0.0; }
    /// Sets the step of the system at which its stage began: changing parameters count from there.
    virtual void set_first_step(std::int64_t step) { first_step_ = step; }
    /// The step of the stage from which its parameters are constant; 0: they always are. Before it
    /// there is no ensemble to which averages could belong.
    [[nodiscard]] virtual std::int64_t steady_from() const { return 0; }
    /// Temperature of the canonical ensemble which the method samples, as an energy; nothing where
    /// it samples the ensemble of constant energy, zero where it only damps. From `steady_from` on.
    [[nodiscard]] virtual std::optional<double> bath_kT() const { return std::nullopt; }
    /// The same at a step of the stage, where the temperature changes.
    [[nodiscard]] virtual std::optional<double> bath_kT_at(double /*step*/) const {
        return bath_kT();
    }
    /// Rate at which a bath with noise removes heat (its friction); 0 for other methods.
    [[nodiscard]] virtual double bath_rate() const { return 0.0; }
    /// The species with a rate of their own; none where one rate applies to all.
    [[nodiscard]] virtual std::vector<std::string> bath_species() const { return {}; }
    /// Does a thermostat multiply the momenta of each species by its own factor?
    [[nodiscard]] virtual bool scales_species() const { return false; }
    /// The radius within which a bath acts between pairs of particles; 0: there is no such bath.
    [[nodiscard]] virtual double pair_radius() const { return 0.0; }
    /// Does it sample the ensemble of its bath, so that fluctuations have a meaning?
    [[nodiscard]] virtual bool samples_ensemble() const { return true; }
    /// Does it multiply all momenta by factors, which also amplify the rounding error of conserved
    /// momenta?
    [[nodiscard]] virtual bool rescales() const { return false; }
    /// Rate of a steady shear: samples then belong to a steady state and not to an ensemble. 0: at
    /// rest. From `steady_from` on.
    [[nodiscard]] virtual double shear_rate() const { return 0.0; }
    /// The same at a step of the system, and whether it changes.
    [[nodiscard]] virtual double shear_rate_at(std::int64_t /*step*/) const { return shear_rate(); }
    [[nodiscard]] virtual bool shear_changes() const { return false; }
    /// Does it deform the box at given rates?
    [[nodiscard]] virtual bool deforms() const { return false; }
    /// Does it flatten the potential energy, so that samples have weights?
    [[nodiscard]] virtual bool boosts() const { return false; }
    /// The pressure of a barostat, energy/length^dimension; nothing without one.
    [[nodiscard]] virtual std::optional<double> pressure() const { return std::nullopt; }
    /// Is the mean pressure in all directions the pressure of the barostat?
    [[nodiscard]] virtual bool holds_pressure() const { return pressure().has_value(); }
    /// Do lengths of the box change independently of each other?
    [[nodiscard]] virtual bool changes_shape() const { return false; }
    /// The number of kT/V by which the mean pressure is below that of the barostat, where momenta
    /// lack the degrees of freedom of the given number of particles.
    [[nodiscard]] virtual double missing_pressure(double particles) const { return particles; }
    /// The terms that its steps conserve in addition to the energy; nothing where none are known.
    [[nodiscard]] virtual std::optional<ShadowTerms> shadow_terms() const { return std::nullopt; }
    /// Number of pairs of bath variables that Scalar::action of each step includes in addition to
    /// the particles: s and pi, and rows of a bath. 0: the method has no Scalar::action.
    [[nodiscard]] virtual int action_variables() const { return 0; }
    /// Human-readable name of the conserved quantity: "total energy", "total energy minus bath
    /// heat", ...
    [[nodiscard]] virtual std::string conserved_name() const { return "total energy"; }
    /// Do its steps have varying lengths, which follow the motion? Then flow_time() is the length
    /// of a step whose factor is 1.
    [[nodiscard]] virtual bool adapts() const { return false; }
    /// Is the time between any two steps the same? Then it is dt(), also where steps of the method
    /// follow the motion and a step of the run consists of several of them.
    [[nodiscard]] virtual bool is_even() const { return !adapts(); }
    /// Do the steps follow a sum over pairs?
    [[nodiscard]] virtual bool follows_pair_sum() const { return false; }
    /// The step by which particles move.
    [[nodiscard]] double own_step() const { return step_of(flow_time()); }
    /// Is the observed state another than the one from which steps continue?
    [[nodiscard]] virtual bool has_output_state() const { return false; }
    /// Takes a system to the observed state, from which it may be restored later.
    virtual void go_to_output(System&) {}
    /// After `prepare`: what the user should know of this start, or "".
    [[nodiscard]] virtual std::string note_of_start(System&) const { return ""; }

  protected:
    /// The step that begins now, counted from the start of the stage.
    [[nodiscard]] double step_of_stage(const System& system) const {
        return static_cast<double>(system.step() - first_step_);
    }
    /// The middle of the step, at which changing parameters are evaluated.
    [[nodiscard]] double middle_of_step(const System& system) const {
        return step_of_stage(system) + 0.5;
    }

    [[nodiscard]] std::int64_t first_step() const { return first_step_; }

  private:
    std::int64_t first_step_ = 0;
};

} // namespace shadow
