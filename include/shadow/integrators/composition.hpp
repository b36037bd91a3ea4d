// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"
#include "shadow/integrators/friction.hpp"
#include "shadow/integrators/integrator.hpp"
#include "shadow/integrators/ramp.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow {

/// How the steps of an adaptive method follow the motion.
struct StepControl {
    StepObjective objective;
    FactorRule rule = FactorRule::harmonic;
    double reference = 0.0; ///< of the objective, where the factor of dt is 1; 0: as at the start
    double interval = 0.0;  ///< between outputs at even times; 0: output at each step
};

/// The settings of a minimisation.
struct Descent {
    double force_tolerance = 1e-6; ///< it ends where the largest force is below this
    double largest_step = 0.1;     ///< length (mass/energy)^1/2; the first one is a tenth of it
    double longest_move = 0.1;     ///< of a particle in one step
};

/// A value for a species, by its name.
struct OfSpecies {
    std::string species;
    double value;
};

/// The parameters of a method, in units where energies and kT are the same.
struct MethodSettings {
    double dt = 0.0;
    Ramp kT; ///< bath temperature times the Boltzmann constant
    Friction friction;
    double radius = 0.0;            ///< of the pairs between which a bath acts
    double mass = 1.0;              ///< of a bath variable (Q), energy time^2
    double period = 1.0;            ///< of the temperature oscillation by a chain of thermostats
    std::vector<OfSpecies> periods; ///< where each species has its own chain
    int chain = 3;                  ///< number of thermostats
    Ramp time = 1.0;                ///< relaxation time of the kinetic energy
    Boost density;                  ///< flattening of the total energy, for its density
    std::vector<OfSpecies> times;   ///< relaxation times, where each species has its own
    bool together = false;          ///< all particles collide with the bath at the same moments
    int levels = 2;                 ///< of forces
    int order = 2;                  ///< of a composition of steps of second order
    /// Steps of each level but the last in one of the next; for a word, the repetitions of (...)^n.
    std::vector<int> inner = {1};
    std::string word;                       ///< of the method "splitting"
    std::string mollifier = "long-average"; ///< of words with mollified kicks
    double theta = 0.5;                     ///< of an implicit kick of all forces
    double light_mass = 0.0;                ///< particles with a smaller mass are light
    StepControl steps;                      ///< of adaptive methods
    Descent descent;                        ///< of a minimisation
};

[[nodiscard]] std::vector<std::string> names_of(const std::vector<OfSpecies>& numbers);
/// The values in the order of `species`. Throws std::logic_error for a species without a value.
[[nodiscard]] std::vector<double> in_order(const std::vector<OfSpecies>& numbers,
                                           const std::vector<std::string>& species);

/// A splitting method is a row of this table; see splitting_methods.cpp.
struct SplittingMethod {
    std::string name;
    std::vector<std::string> aliases;
    std::string word; ///< as read by `parse_word`
    std::string summary;
    Claims claims;
};

/// Every splitting method. Tests of order, reversibility, symplecticity and conservation are
/// generated from the claims of each row.
[[nodiscard]] const std::vector<SplittingMethod>& splitting_methods();

/// From a word for two levels of forces, `S½ (...)^n S½` or with `M`, makes one for as many levels
/// as there are numbers in `inner`, plus one: `B[3]½ (B[2]½ (...)^n1 B[2]½)^n2 B[3]½`. Flows around
/// these, as `O½`, are kept; other words are returned unchanged.
[[nodiscard]] std::string word_by_levels(const std::string& word, const std::vector<int>& inner);

/// From a word with exact or implicit motion, `S½ ... S½`, makes one for the given number of
/// levels: all but the first level kick where S does.
[[nodiscard]] std::string slow_kicks_of_all(const std::string& word, int levels);

/// The parts of a step by which a symmetric method of order 2 is composed to order 4, 6 or 8, those
/// of mclachlan-4, kahan-li-6 and mclachlan-8; one part for order 2. Throws std::logic_error for
/// other orders.
[[nodiscard]] std::vector<double> parts_of_step(int order);

/// The motion of particles under a thermostat without noise: by Verlet's method or a composition of
/// it, of the order of `settings`, or by RESPA with the levels and inner steps of `settings`.
[[nodiscard]] Word verlet_or_respa(const MethodSettings& settings, bool multiple);

/// The averages of the mollified kicks of a word, by level - 1: over the time between two kicks, in
/// steps as long as the longest drift of the word.
[[nodiscard]] std::vector<Mollifier> mollifiers_of(const Word& word, const std::string& name,
                                                   double dt);

/// The flows of a word, left to right, each over its fraction of dt; after the last drift
/// `System::arrive` is called. Baths have a rate, or one for each species, and a temperature; pair
/// baths have a radius.
void apply_word(System& system, const Word& word, double dt, const BathRates& rates = {},
                double kT = 0.0, double radius = 0.0);

[[nodiscard]] bool has_flow(const Word& word, FlowKind kind);

[[nodiscard]] bool has_pair_bath(const Word& word);

/// Whether a word has friction without noise.
[[nodiscard]] bool is_damped(const Word& word);

/// What can be claimed for a word, from the word alone. Throws InputError for a word whose order is
/// below one, that lacks drift or forces, that has friction twice, or that runs a bath backwards.
[[nodiscard]] Claims claims_of_word(const Word& word, std::string citation, int levels = 2);

/// Runs a word of exact flows: one step is its flows, left to right, each over its fraction of dt.
class Composition final : public Integrator {
  public:
    Composition(Word word, Claims claims, const MethodSettings& settings);

    void step(System& system) override;
    void prepare(System& system) override { system.mollify(mollifiers_); }
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] Claims claims() const override { return claims_; }
    [[nodiscard]] std::optional<double> bath_kT() const override;
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return bath_kT() ? std::optional(settings_.kT.at(step)) : std::nullopt;
    }
    [[nodiscard]] double bath_rate() const override;
    [[nodiscard]] std::vector<std::string> bath_species() const override {
        return settings_.friction.species();
    }
    [[nodiscard]] double pair_radius() const override {
        return has_pair_bath(word_) ? settings_.radius : 0.0;
    }
    [[nodiscard]] std::int64_t steady_from() const override;
    [[nodiscard]] std::string conserved_name() const override;
    [[nodiscard]] std::optional<ShadowTerms> shadow_terms() const override {
        return shadow::shadow_terms(word_, settings_.dt);
    }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] std::string mollifier() const override { return settings_.mollifier; }
    [[nodiscard]] bool samples_ensemble() const override;

  private:
    Word word_;
    Claims claims_;
    MethodSettings settings_;
    std::vector<Mollifier> mollifiers_;
    std::vector<std::string> species_; ///< of the system, where friction is by species
};

} // namespace shadow
