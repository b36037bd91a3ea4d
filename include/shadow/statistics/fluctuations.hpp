// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/jackknife.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// The ensemble that a run samples, and the numbers that its fluctuation formulas need.
struct EnsembleFacts {
    double degrees_of_freedom = 0.0;
    double boltzmann = 1.0; ///< energy per temperature
    int dimension = 3;
    double volume = 0.0; ///< 0: an open box, where pressure is not defined
    /// Temperature of the bath, as an energy, in the canonical ensemble (NVT); empty at constant
    /// energy (NVE).
    std::optional<double> bath_kT = {};
    double translation = 0.0; ///< kinetic energy of the conserved motion of the centre of mass
};

/// A thermodynamic derivative computed from fluctuations.
struct FluctuationQuantity {
    std::string name;    ///< "heat_capacity", ...
    std::string unit;    ///< in the words of Units
    std::string formula; ///< human-readable
    DerivedEstimate estimate;
    std::string unknown = {}; ///< why it is undetermined, human-readable; or ""
};

/// Joint moments for fluctuation formulas, accumulated from the rows of observables. Channels of
/// the thermal kind: kinetic energy K, potential energy U, pressure P (in a periodic box), and, if
/// it is measured, the hypervirial X = sum r d(r du/dr)/dr / d^2 over pairs; of the configurational
/// kind: |grad U|^2 and the laplacian of U.
class FluctuationSeries {
  public:
    /// Maximum number of blocks, enough for an error with an uncertainty of some percent.
    static constexpr std::size_t capacity = 512;

    enum class Kind { thermal, configurational };

    /// Uses the channels available among `quantities`, which are measured at the same steps; none
    /// if the first two of its kind are missing.
    explicit FluctuationSeries(std::span<const std::string> quantities = {},
                               Kind kind = Kind::thermal);

    [[nodiscard]] bool any() const noexcept { return !names_.empty(); }
    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
    /// Adds values of one quantity; ignores quantities that are not channels. Rows are complete
    /// when all channels have been given. `log_weights` of the rows, as in BlockedSeries, are the
    /// same for each channel; empty: all 0.
    void take(std::string_view quantity, std::span<const double> values,
              std::span<const double> log_weights = {});
    /// Every derivative that the channels allow, without the first `discard` rows.
    ///
    /// In NVE (Lebowitz, Percus and Verlet 1967, Phys. Rev. 153, 250; Allen and Tildesley 2017,
    /// section 2.5; Leimkuhler and Reich 2004, table 11.2, without its 4/9), with f degrees of
    /// freedom, kT = 2 <K> / f, and K without that of a conserved motion of the centre of mass:
    ///     C_V / k  = (f / 2) / (1 - (f / 2) var K / <K>^2)
    ///     gamma_V  = (2 C_V / f k) (f k / (d V) - cov(K, P) k / (kT)^2)
    ///     1 / beta_S = <P> + 4 <K> / (d^2 V) + <X> / V - (V / kT) var P
    /// and in NVT, with kT of the bath:
    ///     C_V / k  = f / 2 + var U / (kT)^2
    ///     gamma_V  = f k / (d V) + k cov(U, P - 2 K / (d V)) / (kT)^2
    ///     1 / beta_T = <P> + <X> / V - (V / kT) var(P - 2 K / (d V));
    /// the other compressibility follows from 1 / beta_S = 1 / beta_T + T V gamma_V^2 / C_V. Both
    /// need the hypervirial, and are left out without it. The configurational kind gives the
    /// configurational temperature <|grad U|^2> / (k <laplacian U>) (Rugh 1997; Butler et al.
    /// 1998), to 1/N in NVE.
    ///
    /// A ratio whose denominator is less than four of its errors from zero has no bounded interval
    /// at that confidence (Fieller 1954, J. R. Stat. Soc. B 16, 175): its error is infinite. Such
    /// denominators are 1 - (f / 2) var K / <K>^2, 1 / beta and <laplacian U>.
    [[nodiscard]] std::vector<FluctuationQuantity> quantities(const EnsembleFacts& facts,
                                                              std::int64_t discard = 0) const;

    /// The variance of K over that of the canonical ensemble at `facts.bath_kT`. Requires `any()`.
    [[nodiscard]] DerivedEstimate kinetic_variance(const EnsembleFacts& facts,
                                                   std::int64_t discard = 0) const;

    /// As in BlockedSeries; only when all channels have been given the same rows.
    [[nodiscard]] std::vector<double> state() const { return series_.state(); }
    void restore(std::span<const double> state) { series_.restore(state); }

  private:
    Kind kind_;
    std::vector<std::string> names_;
    std::vector<std::vector<double>> waiting_; ///< for each channel; then logarithms of weights
    BlockedSeries series_;
};

/// The formulas, as functions of moments whose channels are K, U, P and X in this order (the last
/// ones may be missing where they are not needed).
namespace fluctuations {
[[nodiscard]] double heat_capacity(const Moments& moments, const EnsembleFacts& facts);
[[nodiscard]] double thermal_pressure(const Moments& moments, const EnsembleFacts& facts);
/// Bulk moduli 1 / beta_T and 1 / beta_S.
[[nodiscard]] double isothermal_modulus(const Moments& moments, const EnsembleFacts& facts);
[[nodiscard]] double adiabatic_modulus(const Moments& moments, const EnsembleFacts& facts);
/// Variance of K over the canonical (f / 2) (kT)^2.
[[nodiscard]] double kinetic_variance(const Moments& moments, const EnsembleFacts& facts);
/// For moments whose channels are |grad U|^2 and the laplacian.
[[nodiscard]] double configurational_temperature(const Moments& moments,
                                                 const EnsembleFacts& facts);
} // namespace fluctuations

} // namespace shadow
