// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/mode_rows.hpp"
#include "shadow/statistics/state.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/origins.hpp"

#include <fmt/format.h>
#include <span>
#include <vector>

namespace shadow {
namespace {

/// A shell for each wave vector.
template <int Dim>
std::vector<Shell<Dim>> one_by_one(const std::vector<Shell<Dim>>& shells) {
    std::vector<Shell<Dim>> all;
    for (const Shell<Dim>& shell : shells)
        for (const WaveVector<Dim>& k : shell.vectors) all.push_back({shell.k, {k}});
    return all;
}

/// For each wave number the products of real and of imaginary parts at all its wave vectors.
template <int Dim>
std::vector<TimeCorrelator::Curve> real_and_imaginary(const std::vector<Shell<Dim>>& shells) {
    std::vector<TimeCorrelator::Curve> curves;
    std::size_t vectors = 0, next = 0;
    for (const Shell<Dim>& shell : shells) vectors += shell.vectors.size();
    for (const Shell<Dim>& shell : shells) {
        TimeCorrelator::Curve& curve = curves.emplace_back();
        for (std::size_t k = 0; k < shell.vectors.size(); ++k, ++next)
            for (const std::size_t channel : {next, vectors + next})
                curve.emplace_back(channel, channel);
    }
    return curves;
}

/// Collective intermediate scattering function of a periodic system, F(k, t) = <rho(k, t) rho(-k,
/// 0)> / N (Hansen and McDonald 2013, section 7.4), averaged over wave vectors of about the same
/// length; F(k, 0) = S(k). At every lag of a window, from equally spaced origins; where total
/// momentum is conserved, in the frame of the centre of mass.
template <int Dim>
class IntermediateScattering final : public Observable<Dim> {
  public:
    struct Window {
        double interval; ///< time between two measurements
        std::size_t lags, spacing;
    };
    /// `shells`: the wave vectors of each wave number, at least one; all are used in every
    /// measurement.
    IntermediateScattering(const Box<Dim>& box, double particles,
                           const ConservedMass<Dim>& conserved_mass,
                           const std::vector<Shell<Dim>>& shells, const Window& window)
        : box_(box), particles_(particles),
          conserved_mass_(conserved_mass), k_{"k", "1/length", {}},
          modes_(box, 1, one_by_one(shells)), correlator_({.channels = modes_.width(),
                                                           .window = window.lags,
                                                           .levels = 1,
                                                           .curves = real_and_imaginary(shells),
                                                           .spacing = window.spacing,
                                                           .interval = window.interval}) {
        for (const Shell<Dim>& shell : shells) k_.values.push_back(shell.k);
    }

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return modes_.width() + Dim; }
    /// Components of the density, followed by the sum of m x.
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
        modes_.enqueue(system, 0, row);
        if (!conserved_mass_.any()) return;
        const Kept<Dim> places{system.particles(), false, nullptr, conserved_mass_};
        reduce(system.backend(), SumMoments<Dim>{places}, system.size(),
               reinterpret_cast<CentreSum<Dim>*>(row + modes_.width()));
    }

    void accumulate(double /*time*/, std::span<const double> row) override {
        correlator_.add(about_the_centre(row));
        ++measured_;
    }

    /// intermediate_scattering over k and lag.
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override {
        std::vector<std::vector<LagValue>> curves;
        for (std::size_t k = 0; k < k_.values.size(); ++k) curves.push_back(correlator_.curve(k));
        // The correlator gives the mean over real and imaginary parts; their sum is needed.
        return {lag_curves("intermediate_scattering", "", measured_, k_, curves, 2.0 / particles_)};
    }

    [[nodiscard]] std::vector<double> state() const override {
        std::vector<double> numbers{static_cast<double>(measured_)};
        append_counted(numbers, correlator_.state());
        return numbers;
    }

    void restore(std::span<const double> state) override {
        StateReader reader(state, "intermediate scattering");
        measured_ = reader.count();
        correlator_.restore(reader.counted());
        reader.finish();
    }

  private:
    /// rho(k) exp(-i k.R) with the centre of mass R, if its motion is conserved.
    [[nodiscard]] std::vector<double> about_the_centre(std::span<const double> row) const {
        const std::size_t vectors = modes_.shells().size();
        std::vector<double> modes(row.begin(),
                                  row.begin() + 2 * static_cast<std::ptrdiff_t>(vectors));
        for (std::size_t v = 0; v < vectors && conserved_mass_.any(); ++v) {
            double centre[Dim], part[Dim], t = 0.0, cosine = 1.0, sine = 0.0;
            for (std::size_t d = 0; d < Dim; ++d)
                centre[d] = row[2 * vectors + d] * conserved_mass_.share(1.0, static_cast<int>(d));
            box_.view().fractions(centre, part);
            for (int d = 0; d < Dim; ++d) t += modes_.shells()[v].vectors[0].n[d] * part[d];
            turn(t, cosine, sine);
            const double real = modes[v], imaginary = modes[vectors + v];
            modes[v] = real * cosine + imaginary * sine;
            modes[vectors + v] = imaginary * cosine - real * sine;
        }
        return modes;
    }

    Box<Dim> box_;
    double particles_;
    ConservedMass<Dim> conserved_mass_;
    Axis k_;
    ModeRows<Dim> modes_; ///< a shell for each wave vector
    std::int64_t measured_ = 0;
    TimeCorrelator correlator_;
};

template <int Dim>
Made<Dim> make_intermediate_scattering(const ObservableInput<Dim>& in) {
    if (!in.context.box.is_periodic())
        in.fail("type", "intermediate-scattering in an open box (wave vectors are those of a "
                        "periodic box); make the box periodic");
    const std::int64_t vectors = read_vectors(in);
    std::vector<Shell<Dim>> shells;
    for (const double k : read_wavenumbers(in)) {
        shells.push_back(wave_vectors_near(in.context.box, k, static_cast<int>(vectors)));
        if (shells.back().vectors.empty())
            in.fail("wavenumbers", fmt::format("no wave vector of the box near {} (the "
                                               "shortest is 2 pi over its longest side); give "
                                               "a larger one",
                                               k));
    }
    if (shells.empty())
        in.fail("wavenumbers", "no wave numbers (each is a curve); give at least one");
    const std::int64_t window = in.integer("window");
    refuse_short_stage(in, in.context, window);
    const std::int64_t spacing = in.integer("spacing", std::max<std::int64_t>(1, window / 10));
    if (spacing < 1 || spacing > window)
        in.fail("spacing", fmt::format("{} measurements between two origins (a window has {}); "
                                       "give 1 to {}",
                                       spacing, window, window));
    return std::make_unique<IntermediateScattering<Dim>>(
        in.context.box, static_cast<double>(in.context.particles()), in.context.conserved_mass,
        shells,
        typename IntermediateScattering<Dim>::Window{
            in.interval(), static_cast<std::size_t>(window), static_cast<std::size_t>(spacing)});
}

} // namespace

ObservableEntry intermediate_scattering_entry() {
    using enum KeyType;
    return {
        {"intermediate-scattering",
         "Collective intermediate scattering function F(k, t) at given wave numbers",
         "F(k, t) = <rho(k, t) rho(-k, 0)> / N, over wave vectors of the box near each wave number",
         "Hansen and McDonald 2013, section 7.4",
         {every_key(),
          {"wavenumbers", numbers, "1/length", "", "k", "[6.8, 7.2]"},
          {"vectors", integer, "", "6", "maximum number of wave vectors near each k"},
          {"window", integer, "measurements", "100", "number of lags, from lag 0"},
          {"spacing", integer, "measurements", "a tenth of the window", "between two origins",
           "10"}}},
        SHADOW_EACH_DIMENSION(make_intermediate_scattering)};
}

} // namespace shadow
