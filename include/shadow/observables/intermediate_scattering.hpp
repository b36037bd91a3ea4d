// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/mode_rows.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <span>
#include <vector>

namespace shadow {

/// Collective intermediate scattering function of a periodic system, F(k, t) = <rho(k, t)
/// rho(-k, 0)> / N (Hansen and McDonald 2013, section 7.4), averaged over wave vectors of about the
/// same length; F(k, 0) = S(k). At every lag of a window, from origins at equal distances; where
/// total momentum is conserved, in the frame of the centre of mass.
template <int Dim>
class IntermediateScattering final : public Observable<Dim> {
  public:
    struct Window {
        double interval; ///< time between two measurements
        std::size_t lags, spacing;
    };
    /// `shells`: the wave vectors of each wave number, at least
    /// one; all are measured every time.
    IntermediateScattering(const Box<Dim>& box, double particles,
                           const ConservedMass<Dim>& conserved_mass,
                           const std::vector<Shell<Dim>>& shells, const Window& window);

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return modes_.width() + Dim; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;
    /// intermediate_scattering over k and lag.
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
    [[nodiscard]] std::vector<double> state() const override;
    void restore(std::span<const double> state) override;

  private:
    [[nodiscard]] std::vector<double> about_the_centre(std::span<const double> row) const;

    Box<Dim> box_;
    double particles_;
    ConservedMass<Dim> conserved_mass_;
    std::vector<std::size_t> end_; ///< of the wave vectors of each wave number
    Axis k_, lag_;
    ModeRows<Dim> modes_; ///< a shell for each wave vector
    std::int64_t measured_ = 0;
    TimeCorrelator correlator_;
};

} // namespace shadow
