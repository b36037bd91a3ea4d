// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/verdict.hpp"
#include "shadow/system/tilt.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shadow {

/// A species with its number of particles and its properties.
struct SpeciesSummary {
    std::string name;
    std::int64_t particles = 0;
    double mass = 1.0, charge = 0.0;
};

/// Parameters chosen for periodic charges, and RMS errors of forces relative to `scale`.
struct ChargesSummary {
    std::string method;             ///< "coulomb-pme"; empty: no charges
    double accuracy = 0.0;          ///< requested
    double cutoff = 0.0;            ///< of pairs
    double alpha = 0.0;             ///< of erfc(alpha r)/r, 1/length
    std::vector<std::int32_t> mesh; ///< points along each direction; empty: wave vectors ...
    int order = 0;                  ///< of the splines
    std::string transforms = {};    ///< "own" or "FFTW"; empty: on a GPU, or no mesh
    double longest = 0.0;           ///< ... up to this wave number, 1/length
    std::string images;             ///< how slabs and wires are treated; empty: the box is neither
    double pair_error = 0.0, fourier_error = 0.0, image_error = 0.0; ///< estimated
    double rounding = 0.0; ///< of pairs in single precision
    std::optional<double>
        error;          ///< total, measured at the start; empty if the finer mesh is too large
    double scale = 0.0; ///< energy/length
    std::string length_unit, wave_unit, force_unit;
};

/// The mean of one scalar observable over a stage.
struct AverageSummary {
    std::string name;
    std::string unit;
    double mean = 0.0;
    double error = 0.0;                 ///< standard error of the mean, by blocking
    double error_autocorrelation = 0.0; ///< the same, by autocorrelation time
    double inefficiency = 1.0;          ///< statistical inefficiency in samples
    double independent_samples = 0.0;   ///< samples / inefficiency
    std::int64_t discarded_steps = 0;   ///< at the start of the stage, before equilibrium
    double discarded_time = 0.0;
    double discarded_fraction = 0.0; ///< of the samples
    std::string warning = {};        ///< why error or mean should not be trusted, or ""
    bool trusted = true;             ///< according to the verdict on the stage
};

/// A derivative such as the heat capacity, from fluctuations over a stage.
struct FluctuationSummary {
    std::string name;
    std::string unit;
    double value = 0.0;
    double error = 0.0;       ///< standard error, by jackknife on blocks
    std::string formula;      ///< the ensemble, and the fluctuation used
    std::string warning = {}; ///< as for averages
    bool known = true;        ///< false: undetermined, for the reason in `warning`
    bool trusted = true;
};

/// A transport coefficient: the plateau of a function of the lag.
struct CoefficientSummary {
    std::string name; ///< of the array from which it is read
    std::string unit;
    double value = 0.0, error = 0.0;
    double lag = 0.0; ///< time at which it is read
    std::string warning = {};
    bool trusted = true; ///< as for averages
};

/// How well the conserved quantity of the method was conserved.
struct ConservedSummary {
    std::string name;            ///< "total energy", ...; empty: the method conserves nothing
    double drift = 0.0;          ///< energy per unit time, by least squares
    double drift_error = 0.0;    ///< its standard error
    double fluctuation = 0.0;    ///< standard deviation about the drift line, energy
    double relative_drift = 0.0; ///< drift in kT per degree of freedom per unit time
    std::string drift_unit = {}; ///< empty: reduced
};

/// Progress towards the target errors that end a stage.
struct UntilSummary {
    struct Target {
        std::string quantity;
        double target = 0.0, error = 0.0; ///< requested; the larger of both estimates
        std::int64_t steps = -1;          ///< of the look since which it passes; -1: it does not
    };
    std::vector<Target> targets; ///< empty: the number of steps was given
    bool reached = false;
    std::string decided_by; ///< the last quantity to pass, or the one that did not
    std::string missing;    ///< why it did not, or ""
    std::int64_t max_steps = 0;
};

/// One stage of a run; a run without stages has one.
struct StageSummary {
    std::string name;          ///< "" in a run without stages
    std::string method;        ///< of the integrator, or "minimize"
    std::string ensemble = {}; ///< "NVE, total momentum zero"; empty: a minimisation
    double degrees_of_freedom = 0.0;
    double removed_energy = 0.0;           ///< of the total motion, at the start
    std::optional<double> friction_energy; ///< removed by friction, for methods without noise
    std::int64_t steps = 0;
    double time = 0.0;          ///< simulated, in the units of the run
    std::string time_unit = {}; ///< empty: reduced
    Verdict verdict;
    std::vector<AverageSummary> averages;
    std::vector<FluctuationSummary> fluctuations;
    std::vector<CoefficientSummary> coefficients;
    ConservedSummary conserved, shadow; ///< `shadow` if the shadow energy is observed
    UntilSummary until;
};

/// A setting of `[compute]` that the engine may choose.
struct TunedSetting {
    std::string name; ///< its key
    double value = 0.0;
    std::string by; ///< "input", "default", "rule" or "trial", with remarks
    std::vector<std::pair<double, double>> trials; ///< candidate, ns per particle-step
};

struct PerformanceSummary {
    double wall_seconds = 0.0;
    double steps_per_second = 0.0;
    double particle_steps_per_second = 0.0;
    double ns_per_particle_step = 0.0;
    std::int64_t rebuilds = 0;                          ///< of the neighbour list
    std::vector<std::pair<std::string, double>> shares; ///< of the wall time, 0 to 1
    std::vector<TunedSetting> tune;                     ///< settings that were chosen, and why
};

/// The summary at the end of a run. `averages` and `conserved` of the run are those of the last
/// stage.
struct Summary {
    std::string title;
    std::int64_t particles = 0;
    std::vector<SpeciesSummary> species;
    int dimension = 3;
    std::vector<double> box_lengths; ///< infinite where open
    std::vector<NamedTilt> box_tilts;
    std::vector<bool> box_periodic;
    double degrees_of_freedom = 0.0;
    ChargesSummary charges;
    std::vector<StageSummary> stages;
    PerformanceSummary performance;
    std::string device, precision, version;
    std::string input_digest; ///< digest of the resolved input, which is stored in the results
    std::int64_t seed = 0;
    std::vector<std::string> files; ///< files written
};

/// Shares of the wall time in which the share of `whole` is distributed over the parts from which
/// it was sampled, in proportion to their shares.
[[nodiscard]] std::vector<std::pair<std::string, double>>
spread(std::vector<std::pair<std::string, double>> shares, const std::string& whole,
       const std::vector<std::string>& parts);

/// "skin 0.41 (rule), threads 2 (input)", with the times of trials.
[[nodiscard]] std::string settings_text(const std::vector<TunedSetting>& all);

/// "A 400, B 100".
[[nodiscard]] std::string species_text(const std::vector<SpeciesSummary>& all);

/// "cutoff 3 sigma, alpha 1.02 1/sigma, mesh 20 x 20 x 20 of splines of order 6; estimated errors
/// of forces ..."; "" without charges.
[[nodiscard]] std::string charges_text(const ChargesSummary& charges);

/// The summary as a human-readable table.
[[nodiscard]] std::string summary_table(const Summary& summary);

/// The summary as JSON (RFC 8259), numbers with all digits; numbers that are not finite are null.
[[nodiscard]] std::string summary_json(const Summary& summary);

} // namespace shadow
