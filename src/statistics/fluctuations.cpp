// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/fluctuations.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace shadow {
namespace fluctuations {
namespace {

/// Channels.
enum : std::size_t { kinetic, potential, pressure, hypervirial };

double thermal_kinetic(const Moments& m, const EnsembleFacts& facts) {
    return m.mean(kinetic) - facts.translation;
}

/// kT: of the bath, or from the kinetic energy.
double thermal_energy(const Moments& m, const EnsembleFacts& facts) {
    return facts.bath_kT.value_or(2.0 * thermal_kinetic(m, facts) / facts.degrees_of_freedom);
}

/// 1 / beta of the sampled ensemble: -V <dP/dV> in scaled coordinates, less the fluctuation. In the
/// canonical ensemble the part of the momenta is known exactly, and cancels 4 <K> / (d^2 V).
double bulk_modulus(const Moments& m, const EnsembleFacts& facts) {
    const double d = facts.dimension, volume = facts.volume;
    const double stiffness = m.mean(pressure) + m.mean(hypervirial) / volume;
    const double per_kT = volume / thermal_energy(m, facts);
    if (!facts.bath_kT)
        return stiffness + 4.0 * thermal_kinetic(m, facts) / (d * d * volume) -
               per_kT * m.variance(pressure);
    const double ideal = 2.0 / (d * volume); // P = ideal K + virial part
    return stiffness -
           per_kT * (m.variance(pressure) - 2.0 * ideal * m.covariance(kinetic, pressure) +
                     ideal * ideal * m.variance(kinetic));
}

/// Adiabatic less isothermal bulk modulus.
double moduli_apart(const Moments& m, const EnsembleFacts& facts) {
    const double gamma = thermal_pressure(m, facts);
    const double temperature = thermal_energy(m, facts) / facts.boltzmann;
    return temperature * facts.volume * gamma * gamma / heat_capacity(m, facts);
}

/// A denominator that may be zero within its error.
struct Denominator {
    const char* name = nullptr;
    double (*value)(const Moments&, const EnsembleFacts&) = nullptr;
    bool either_sign = false;
};

/// Denominator of the NVE formulas that contain the heat capacity.
double one_less_variance(const Moments& m, const EnsembleFacts& facts) {
    const double mean = thermal_kinetic(m, facts);
    return 1.0 - 0.5 * facts.degrees_of_freedom * m.variance(kinetic) / (mean * mean);
}

double mean_laplacian(const Moments& m, const EnsembleFacts& /*facts*/) {
    return m.mean(1);
}

/// Why a ratio with this denominator is undetermined; or "". A denominator that can have either
/// sign need only differ from zero. With fewer than eight blocks its error is not known.
std::string why_unknown(const Denominator& denominator, const DerivedEstimate& found) {
    constexpr double errors = 4.0;
    const double size = denominator.either_sign ? std::abs(found.value) : found.value;
    if (size > errors * found.error || !std::isfinite(found.error)) return "";
    return fmt::format("not known, as it is divided by {}, which is {:.2g} times its error and may "
                       "be zero (from {:g} on it is known)",
                       denominator.name, found.value / found.error, errors);
}

/// Converts 1 / beta to beta.
void invert(FluctuationQuantity& q) {
    DerivedEstimate& x = q.estimate;
    if (q.unknown.empty()) q.unknown = why_unknown({"1 / beta"}, x);
    x.error /= x.value * x.value;
    x.bias = -x.bias / (x.value * x.value);
    x.value = 1.0 / x.value;
}

} // namespace

double heat_capacity(const Moments& m, const EnsembleFacts& facts) {
    const double half = 0.5 * facts.degrees_of_freedom;
    if (facts.bath_kT) {
        const double kT = *facts.bath_kT;
        return facts.boltzmann * (half + m.variance(potential) / (kT * kT));
    }
    return facts.boltzmann * half / one_less_variance(m, facts);
}

double thermal_pressure(const Moments& m, const EnsembleFacts& facts) {
    const double k = facts.boltzmann, kT = thermal_energy(m, facts);
    const double per_volume = facts.dimension * facts.volume;
    const double ideal = facts.degrees_of_freedom * k / per_volume;
    if (facts.bath_kT)
        return ideal + k / (kT * kT) *
                           (m.covariance(potential, pressure) -
                            2.0 / per_volume * m.covariance(potential, kinetic));
    return 2.0 * heat_capacity(m, facts) / (facts.degrees_of_freedom * k) *
           (ideal - k / (kT * kT) * m.covariance(kinetic, pressure));
}

double isothermal_modulus(const Moments& m, const EnsembleFacts& facts) {
    return bulk_modulus(m, facts) - (facts.bath_kT ? 0.0 : moduli_apart(m, facts));
}

double adiabatic_modulus(const Moments& m, const EnsembleFacts& facts) {
    return bulk_modulus(m, facts) + (facts.bath_kT ? moduli_apart(m, facts) : 0.0);
}

double kinetic_variance(const Moments& m, const EnsembleFacts& facts) {
    const double kT = thermal_energy(m, facts);
    return m.variance(kinetic) / (0.5 * facts.degrees_of_freedom * kT * kT);
}

double configurational_temperature(const Moments& m, const EnsembleFacts& facts) {
    return m.mean(0) / (facts.boltzmann * m.mean(1));
}

} // namespace fluctuations

FluctuationSeries::FluctuationSeries(std::span<const std::string> quantities, Kind kind)
    : kind_(kind) {
    static const std::vector<std::string> all[] = {
        {"kinetic_energy", "potential_energy", "pressure", "hypervirial"},
        {"squared_force", "laplacian"}};
    for (const std::string& name : all[static_cast<int>(kind)]) {
        if (std::find(quantities.begin(), quantities.end(), name) == quantities.end()) break;
        names_.push_back(name);
    }
    if (names_.size() < 2) names_.clear();
    waiting_.resize(names_.size() + 1);
    series_ = BlockedSeries(std::max<std::size_t>(1, names_.size()), capacity);
}

void FluctuationSeries::take(std::string_view quantity, std::span<const double> values,
                             std::span<const double> log_weights) {
    const auto channel = std::find(names_.begin(), names_.end(), quantity);
    if (channel == names_.end()) return;
    std::vector<double>& own = waiting_[static_cast<std::size_t>(channel - names_.begin())];
    own.insert(own.end(), values.begin(), values.end());
    if (std::vector<double>& all = waiting_.back(); channel == names_.begin()) {
        all.insert(all.end(), log_weights.begin(), log_weights.end());
        if (log_weights.empty()) all.insert(all.end(), values.size(), 0.0);
    }
    std::size_t rows = own.size();
    for (const auto& other : waiting_) rows = std::min(rows, other.size());
    if (rows == 0) return;
    std::vector<double> row(names_.size());
    for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t c = 0; c < row.size(); ++c) row[c] = waiting_[c][k];
        series_.add_by_log(row, waiting_.back()[k]);
    }
    for (auto& other : waiting_)
        other.erase(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(rows));
}

std::vector<FluctuationQuantity> FluctuationSeries::quantities(const EnsembleFacts& facts,
                                                               std::int64_t discard) const {
    using Formula = double (*)(const Moments&, const EnsembleFacts&);
    using enum Kind;
    const bool canonical = facts.bath_kT.has_value();
    const std::string volume =
        facts.dimension == 1 ? "length" : fmt::format("length^{}", facts.dimension);
    const bool space = facts.dimension == 3;
    const std::string coefficient =
        space ? "pressure/temperature" : fmt::format("energy/({} temperature)", volume);
    const std::string compressibility = space ? "1/pressure" : volume + "/energy";
    const fluctuations::Denominator none,
        by_laplacian{"<laplacian U>", fluctuations::mean_laplacian},
        by_variance = canonical ? none
                                : fluctuations::Denominator{"1 - (f/2) var K / <K>^2",
                                                            fluctuations::one_less_variance, true};
    const struct {
        Kind kind;
        std::size_t channels;
        const char* name;
        std::string unit;
        const char* formula;
        Formula value;
        fluctuations::Denominator denominator = {};
        bool reciprocal = false; ///< the quantity is one over the formula
    } all[] = {
        {thermal, 2, "heat_capacity", "energy/(temperature)",
         canonical ? "NVT, from var U" : "NVE, from var K", fluctuations::heat_capacity,
         by_variance},
        {thermal, 3, "thermal_pressure_coefficient", coefficient,
         canonical ? "NVT, from cov(U, P)" : "NVE, from cov(K, P)", fluctuations::thermal_pressure,
         by_variance},
        {thermal, 4, "isothermal_compressibility", compressibility,
         canonical ? "NVT, from var P" : "NVE, from var P and the heat capacity",
         fluctuations::isothermal_modulus, by_variance, true},
        {thermal, 4, "adiabatic_compressibility", compressibility,
         canonical ? "NVT, from var P and the heat capacity" : "NVE, from var P",
         fluctuations::adiabatic_modulus, none, true},
        {configurational, 2, "configurational_temperature", "temperature",
         "<|grad U|^2> / (k <laplacian U>)", fluctuations::configurational_temperature,
         by_laplacian},
    };
    std::vector<FluctuationQuantity> found;
    for (const auto& entry : all) {
        if (entry.kind != kind_ || names_.size() < entry.channels) continue;
        const auto estimate = [&](Formula value) {
            return jackknife(
                series_, [&](const Moments& m) { return value(m, facts); }, discard);
        };
        FluctuationQuantity q{entry.name, entry.unit, entry.formula, estimate(entry.value)};
        if (entry.denominator.value)
            q.unknown =
                fluctuations::why_unknown(entry.denominator, estimate(entry.denominator.value));
        if (entry.reciprocal) fluctuations::invert(q);
        if (!q.unknown.empty()) {
            q.estimate.error = std::numeric_limits<double>::infinity();
            q.estimate.reliable = false;
        }
        found.push_back(std::move(q));
    }
    return found;
}

DerivedEstimate FluctuationSeries::kinetic_variance(const EnsembleFacts& facts,
                                                    std::int64_t discard) const {
    return jackknife(
        series_, [&](const Moments& m) { return fluctuations::kinetic_variance(m, facts); },
        discard);
}

} // namespace shadow
