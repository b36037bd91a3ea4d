// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/molecules.hpp"
#include "shadow/observables/observable.hpp"
#include "shadow/statistics/ladder_averages.hpp"

#include "kernels/ops/origins.hpp"

#include <optional>
#include <vector>

namespace shadow {

/// Parameters of `SelfCorrelation`.
template <int Dim>
struct SelfCorrelationPlan {
    bool velocity = false;               ///< velocities, else displacements
    std::vector<double> wavenumbers;     ///< of F_s(k, t), with displacements
    double interval = 1.0;               ///< time between two measurements
    ConservedMass<Dim> conserved_mass{}; ///< motion is relative to the centre of mass
    LagLadder ladder{16, 1, 16};
    /// Displacements of the centres of mass of these molecules; empty: those of particles.
    std::vector<ConnectedMolecule<Dim>> molecules = {};
};

/// Time correlations of each particle with itself, averaged over particles and origins, for all
/// particles and for each species of a mixture. Positions or velocities of the origins stay on the
/// backend: `ladder.places()` times Dim doubles per particle.
///
/// Displacements: msd(t) = <|x(t) - x(0)|^2>, non_gaussian(t) = Dim/(Dim + 2) <dx^4>/<dx^2>^2 - 1
/// (Rahman 1964), diffusion(t), the slope of msd over the second half of a window divided by 2 Dim,
/// and F_s(k, t) = <cos k dx>. Velocities: vacf(t) = <v(t).v(0)>, and diffusion_green_kubo(t), its
/// integral by the trapezoidal rule divided by Dim (Allen and Tildesley 2017, section 8.5).
/// Errors are from the scatter of origins, blocked.
template <int Dim>
class SelfCorrelation final : public Observable<Dim> {
  public:
    /// `species`: numbers of particles, or of molecules.
    SelfCorrelation(const std::vector<Population>& species, SelfCorrelationPlan<Dim> plan);

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] bool needs_velocities() const override { return plan_.velocity; }
    [[nodiscard]] std::size_t width() const override;
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
    [[nodiscard]] std::vector<double> state() const override;
    void restore(std::span<const double> state) override;

  private:
    /// All particles, or one species.
    struct Channel {
        std::string suffix;
        std::int32_t species = -1; ///< -1: all
        double particles = 0.0;
        std::vector<BlockingAverage> mean;       ///< msd or vacf, by lag (vacf: from lag 0 on)
        std::vector<BlockingAverage> fourth;     ///< <dx^4>
        std::vector<BlockingAverage> gaussian;   ///< the non-Gaussian parameter of each origin
        std::vector<BlockingAverage> scattering; ///< by wave number and lag
        OriginSlopes slopes;                     ///< of msd
        OriginIntegrals integrals;               ///< of vacf
    };
    static constexpr std::size_t plain = 2; ///< numbers in OriginSums

    [[nodiscard]] std::size_t each() const { return plain + plan_.wavenumbers.size(); }
    template <class Self, class F>
    static void each(Self& self, F& f);
    void take(Channel& channel, const LagLadder::Task& task, const double* sums);
    [[nodiscard]] std::vector<LagValue> by_lag(std::span<const BlockingAverage> averages) const;
    void add_displacements(const Channel& channel, std::vector<ArrayEstimate>& all) const;
    void add_velocities(const Channel& channel, std::vector<ArrayEstimate>& all) const;

    SelfCorrelationPlan<Dim> plan_;
    std::vector<Channel> channels_;
    std::int64_t measured_ = 0, accumulated_ = 0;
    std::optional<MoleculeArrays<Dim>> molecules_;
    Array<CentreSum<Dim>> centre_;
    Array<double> origins_; ///< [place][id][d]
    std::vector<double> restored_;
};

} // namespace shadow
