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

/// How the steps of a method that adapts them follow the motion.
struct StepControl {
    StepObjective objective;
    FactorRule rule = FactorRule::harmonic;
    double reference = 0.0; ///< of the objective, where the factor of dt is 1; 0: that of the start
    double interval = 0.0;  ///< between outputs at even times; 0: each step is one
};

/// How a minimisation goes on, and when it ends.
struct Descent {
    double force_tolerance = 1e-6; ///< it ends where the largest force is less
    double largest_step = 0.1;     ///< length (mass/energy)^1/2; the first one is a tenth of it
    double longest_move = 0.1;     ///< of a particle in one step
};

/// A number of a species, by its name.
struct OfSpecies {
    std::string species;
    double value;
};

/// The numbers of a method, in units where energies and kT are the same.
struct MethodSettings {
    double dt = 0.0;
    Ramp kT; ///< bath temperature times the Boltzmann constant
    Friction friction;
    double radius = 0.0;            ///< of the pairs between which a bath acts
    double mass = 1.0;              ///< of a bath variable (Q), energy time^2
    double period = 1.0;            ///< of the swings by a chain of thermostats
    std::vector<OfSpecies> periods; ///< where each species has a chain of its own
    int chain = 3;                  ///< of so many
    Ramp time = 1.0;                ///< in which the kinetic energy relaxes
    Boost density;                  ///< of the total energy, by one that is made flatter
    std::vector<OfSpecies> times;   ///< where that of each species does so by itself
    bool together = false;          ///< all particles collide with the bath at the same moments
    int levels = 2;                 ///< of forces
    int order = 2;                  ///< of a composition of steps of second order
    /// Steps of each level but the last in one of the next; of a word, repetitions of (...)^n.
    std::vector<int> inner = {1};
    std::string word;                       ///< of the method "splitting"
    std::string mollifier = "long-average"; ///< of words with mollified kicks
    double theta = 0.5;                     ///< of those with an implicit kick of all forces
    double light_mass = 0.0;                ///< particles with less of it are light
    StepControl steps;                      ///< of methods that adapt them
    Descent descent;                        ///< of a minimisation
};

[[nodiscard]] std::vector<std::string> names_of(const std::vector<OfSpecies>& numbers);
/// In the order of `species`. Throws std::logic_error where one has none.
[[nodiscard]] std::vector<double> in_order(const std::vector<OfSpecies>& numbers,
                                           const std::vector<std::string>& species);

/// A splitting method is a row of this table; see splitting_methods.cpp.
struct SplittingMethod {
    std::string name;
    std::vector<std::string> aliases;
    std::string word; ///< as `parse_word` reads it
    std::string summary;
    Claims claims;
};

/// Every splitting method. Tests of order, reversibility, symplecticity and conservation are
/// generated from the claims of each row.
[[nodiscard]] const std::vector<SplittingMethod>& splitting_methods();

/// A word for two levels of forces, `S½ (...)^n S½` or with `M`, to one for as many levels as there
/// are numbers in `inner`, and one: `B[3]½ (B[2]½ (...)^n1 B[2]½)^n2 B[3]½`. What is around these,
/// as `O½`, stays, and so do other words.
[[nodiscard]] std::string word_by_levels(const std::string& word, const std::vector<int>& inner);

/// A word with exact or implicit motion, `S½ ... S½`, to one for so many levels of forces: all but
/// the first kick where S does.
[[nodiscard]] std::string slow_kicks_of_all(const std::string& word, int levels);

/// Parts of a step of which a symmetric method of order 2 makes one of order 4, 6 or 8, as Verlet's
/// makes mclachlan-4, kahan-li-6 and mclachlan-8; for 2 one. Throws std::logic_error for others.
[[nodiscard]] std::vector<double> parts_of_step(int order);

/// How particles move under a thermostat without noise: by Verlet's method or a composition of it,
/// of the order of `settings`, or by RESPA with their levels and inner steps.
[[nodiscard]] Word verlet_or_respa(const MethodSettings& settings, bool multiple);

/// The averages of the mollified kicks of a word, by level - 1: over the time between two of them,
/// by steps as long as its longest drift.
[[nodiscard]] std::vector<Mollifier> mollifiers_of(const Word& word, const std::string& name,
                                                   double dt);

/// The flows of a word, left to right, each over its fraction of dt; after the last drift the
/// system has arrived. Baths have a rate, or one for each species, and a temperature, those of
/// pairs a radius.
void apply_word(System& system, const Word& word, double dt, const BathRates& rates = {},
                double kT = 0.0, double radius = 0.0);

/// Whether a word has a flow of this kind.
[[nodiscard]] bool has_flow(const Word& word, FlowKind kind);

/// Whether a word has a bath of pairs.
[[nodiscard]] bool has_pair_bath(const Word& word);

/// Whether a word has friction without noise.
[[nodiscard]] bool is_damped(const Word& word);

/// What can be claimed of any word, from the word alone. Throws InputError for a word that is not
/// at least of order one, that lacks drift or forces, that has friction twice, or that runs a bath
/// backwards.
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
