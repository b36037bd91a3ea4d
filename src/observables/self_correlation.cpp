// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/self_correlation.hpp"

#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/statistics/state.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

template <int Dim, class Real>
SelfCorrelation<Dim, Real>::SelfCorrelation(const Box<Dim>& box,
                                            const std::vector<Population>& species,
                                            SelfCorrelationPlan<Dim> plan)
    : box_(box.view()), plan_(std::move(plan)) {
    if (!plan_.molecules.empty()) molecules_.emplace(box, plan_.molecules);
    for (const std::string& suffix : names_by_species("", species)) {
        Channel& channel = channels_.emplace_back();
        channel.suffix = suffix;
        channel.species = static_cast<std::int32_t>(channels_.size()) - 2;
        if (channel.species >= 0)
            channel.particles =
                static_cast<double>(species[static_cast<std::size_t>(channel.species)].particles);
        else
            for (const Population& p : species)
                channel.particles += static_cast<double>(p.particles);
    }
    const LagLadder& ladder = plan_.ladder;
    const std::size_t lags = ladder.lags().size();
    const auto places = static_cast<std::size_t>(ladder.places());
    const auto window = static_cast<std::size_t>(ladder.window());
    for (Channel& c : channels_) {
        c.half.resize(places);
        c.open.resize(places);
        c.last.resize(places);
        c.mean.resize(plan_.velocity ? lags + 1 : lags);
        if (plan_.velocity) {
            c.integral.resize(window + 1);
        } else {
            c.fourth.resize(lags);
            c.gaussian.resize(lags);
            c.slope.resize(static_cast<std::size_t>(ladder.level(ladder.places() - 1)) + 1);
            c.scattering.resize(plan_.wavenumbers.size() * lags);
        }
    }
}

/// For each place and channel the sums of a comparison; of velocities also of that of an origin of
/// level 0 with itself.
template <int Dim, class Real>
std::size_t SelfCorrelation<Dim, Real>::width() const {
    return static_cast<std::size_t>(plan_.ladder.places()) * channels_.size() *
           (each() + (plan_.velocity ? plain : 0));
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    Kept<Dim, Real> kept{system.particles(), box_,    {system.scalars()},
                         plan_.velocity,     nullptr, plan_.conserved_mass};
    if (plan_.conserved_mass.any()) {
        if (centre_.size() == 0) centre_ = Array<CentreSum<Dim>>(backend, 1);
        reduce(backend, SumMoments<Dim, Real>{kept}, system.size(), centre_.data());
        kept.centre = centre_.data();
    }
    if (molecules_) kept.particles = molecules_->centres(system);
    const std::int64_t n = kept.particles.size;
    const auto numbers = static_cast<std::size_t>(n) * Dim;
    if (origins_.size() == 0) {
        origins_ =
            Array<double>(backend, static_cast<std::size_t>(plan_.ladder.places()) * numbers);
        origins_.assign(restored_);
        restored_.clear();
    }
    const auto compare = [&](const double* origin, const Channel& channel, double* sums) {
        reduce(backend, CompareWithOrigin<Dim, Real>{kept, origin, channel.species}, n,
               reinterpret_cast<OriginSums*>(sums));
    };
    for (const LagLadder::Task& task : plan_.ladder.tasks(measured_)) {
        const auto place = static_cast<std::size_t>(task.place);
        double* origin = origins_.data() + place * numbers;
        double* sums = row + place * (width() / static_cast<std::size_t>(plan_.ladder.places()));
        for (const Channel& channel : channels_) {
            if (task.lag >= 0) {
                compare(origin, channel, sums);
                for (std::size_t k = 0; k < plan_.wavenumbers.size(); ++k)
                    reduce(backend,
                           ScatterFromOrigin<Dim, Real>{
                               {}, kept, origin, channel.species, plan_.wavenumbers[k]},
                           n, sums + plain + k);
            }
            sums += each();
        }
        if (!task.store) continue;
        launch(backend, StoreOrigin<Dim, Real>{kept, origin}, n);
        if (!plan_.velocity || plan_.ladder.level(task.place) > 0) continue;
        for (const Channel& channel : channels_) {
            compare(origin, channel, sums);
            sums += plain;
        }
    }
    ++measured_;
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    for (const LagLadder::Task& task : plan_.ladder.tasks(accumulated_)) {
        const double* sums =
            row.data() + static_cast<std::size_t>(task.place) *
                             (row.size() / static_cast<std::size_t>(plan_.ladder.places()));
        for (Channel& channel : channels_) {
            if (task.lag >= 0) take(channel, task, sums);
            sums += each();
        }
        if (!task.store || !plan_.velocity || plan_.ladder.level(task.place) > 0) continue;
        for (Channel& channel : channels_) {
            const auto place = static_cast<std::size_t>(task.place);
            const double square = channel.particles > 0.0 ? sums[0] / channel.particles : 0.0;
            channel.mean[0].add(square);
            channel.integral[0].add(0.0);
            channel.open[place] = 0.0;
            channel.last[place] = square;
            sums += plain;
        }
    }
    ++accumulated_;
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::take(Channel& channel, const LagLadder::Task& task,
                                      const double* sums) {
    if (channel.particles == 0.0) return;
    if (plan_.velocity)
        take_velocity(channel, task, sums[0] / channel.particles);
    else
        take_displacement(channel, task, sums);
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::take_displacement(Channel& channel, const LagLadder::Task& task,
                                                   const double* sums) {
    const auto lag = static_cast<std::size_t>(task.lag);
    const auto place = static_cast<std::size_t>(task.place);
    const double square = sums[0] / channel.particles, fourth = sums[1] / channel.particles;
    channel.mean[lag].add(square);
    channel.fourth[lag].add(fourth);
    channel.gaussian[lag].add(square > 0.0 ? Dim / (Dim + 2.0) * fourth / (square * square) - 1.0
                                           : 0.0);
    const std::size_t lags = plan_.ladder.lags().size();
    for (std::size_t k = 0; k < plan_.wavenumbers.size(); ++k)
        channel.scattering[k * lags + lag].add(sums[plain + k] / channel.particles);
    const std::int64_t window = plan_.ladder.window(), level = plan_.ladder.level(task.place);
    if (task.quotient == window / 2 + 1) channel.half[place] = square;
    if (task.quotient != window) return;
    const double between = static_cast<double>((window / 2 - 1) << level) * plan_.interval;
    channel.slope[static_cast<std::size_t>(level)].add((square - channel.half[place]) /
                                                       (2.0 * Dim * between));
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::take_velocity(Channel& channel, const LagLadder::Task& task,
                                               double mean) {
    const auto place = static_cast<std::size_t>(task.place);
    channel.mean[static_cast<std::size_t>(task.lag) + 1].add(mean);
    if (plan_.ladder.level(task.place) > 0) return;
    channel.open[place] += 0.5 * (channel.last[place] + mean) * plan_.interval / Dim;
    channel.last[place] = mean;
    channel.integral[static_cast<std::size_t>(task.quotient)].add(channel.open[place]);
}

template <int Dim, class Real>
Axis SelfCorrelation<Dim, Real>::lag_axis(bool from_zero) const {
    Axis lag{"lag", "time", {}};
    if (from_zero) lag.values.push_back(0.0);
    for (const std::int64_t k : plan_.ladder.lags())
        lag.values.push_back(static_cast<double>(k) * plan_.interval);
    return lag;
}

/// Means and errors, lag by lag; NaN where nothing is known yet.
template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::add_all(const std::vector<BlockingAverage>& averages,
                                         const Axis& lag, ArrayEstimate& array) const {
    for (std::size_t k = 0; k < averages.size(); ++k) {
        const double measurements = lag.values[k % lag.values.size()] / plan_.interval;
        const Estimate e = averages[k].estimate(plan_.ladder.overlap(std::lround(measurements)));
        array.value.push_back(e.samples > 0 ? e.mean : std::numeric_limits<double>::quiet_NaN());
        array.error.push_back(e.error);
    }
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::add_displacements(const Channel& channel,
                                                   std::vector<ArrayEstimate>& all) const {
    const Axis lag = lag_axis(false);
    const auto array = [&](const std::string& name, const std::string& unit,
                           std::vector<Axis> axes) {
        const std::string whose = molecules_ ? "molecule_" : "";
        return ArrayEstimate{
            whose + name + channel.suffix, unit, std::move(axes), {}, {}, accumulated_};
    };
    ArrayEstimate msd = array("msd", "length^2", {lag});
    add_all(channel.mean, lag, msd);
    ArrayEstimate gaussian = array("non_gaussian", "", {lag});
    add_all(channel.gaussian, lag, gaussian);
    for (std::size_t k = 0; k < lag.values.size(); ++k) {
        // Of the means, since the mean of ratios is biased.
        const double fourth = channel.fourth[k].estimate().mean;
        if (msd.value[k] > 0.0)
            gaussian.value[k] = Dim / (Dim + 2.0) * fourth / (msd.value[k] * msd.value[k]) - 1.0;
    }
    Axis windows{"lag", "time", {}};
    for (std::size_t level = 0; level < channel.slope.size(); ++level)
        windows.values.push_back(static_cast<double>(plan_.ladder.window() << level) *
                                 plan_.interval);
    ArrayEstimate diffusion = array("diffusion", "length^2/time", {windows});
    diffusion.coefficient = true;
    add_all(channel.slope, windows, diffusion);
    for (ArrayEstimate* made : {&msd, &gaussian, &diffusion}) all.push_back(std::move(*made));
    if (plan_.wavenumbers.empty()) return;
    ArrayEstimate scattering =
        array("self_scattering", "", {{"k", "1/length", plan_.wavenumbers}, lag});
    add_all(channel.scattering, lag, scattering);
    all.push_back(std::move(scattering));
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::add_velocities(const Channel& channel,
                                                std::vector<ArrayEstimate>& all) const {
    Axis lag = lag_axis(true);
    ArrayEstimate vacf{"vacf" + channel.suffix, "length^2/time^2", {lag}, {}, {}, accumulated_};
    add_all(channel.mean, lag, vacf);
    lag.values.resize(static_cast<std::size_t>(plan_.ladder.window()) + 1);
    ArrayEstimate diffusion{
        "diffusion_green_kubo" + channel.suffix, "length^2/time", {lag}, {}, {}, accumulated_};
    diffusion.coefficient = true;
    add_all(channel.integral, lag, diffusion);
    all.push_back(std::move(vacf));
    all.push_back(std::move(diffusion));
}

template <int Dim, class Real>
std::vector<ArrayEstimate> SelfCorrelation<Dim, Real>::estimates() const {
    std::vector<ArrayEstimate> all;
    for (const Channel& channel : channels_)
        plan_.velocity ? add_velocities(channel, all) : add_displacements(channel, all);
    return all;
}

template <int Dim, class Real>
template <class Self, class F>
void SelfCorrelation<Dim, Real>::each_average(Self& self, const F& f) {
    for (auto& c : self.channels_)
        for (auto* group : {&c.mean, &c.fourth, &c.gaussian, &c.slope, &c.integral, &c.scattering})
            for (auto& average : *group) f(average);
}

template <int Dim, class Real>
template <class Self, class F>
void SelfCorrelation<Dim, Real>::each_open(Self& self, const F& f) {
    for (auto& c : self.channels_)
        for (auto* numbers : {&c.half, &c.open, &c.last}) f(*numbers);
}

/// Count; open numbers; averages, each counted; origins.
template <int Dim, class Real>
std::vector<double> SelfCorrelation<Dim, Real>::state() const {
    if (measured_ == 0) return {};
    std::vector<double> numbers{static_cast<double>(accumulated_)};
    each_open(*this, [&](const std::vector<double>& open) { append(numbers, open); });
    each_average(*this,
                 [&](const BlockingAverage& average) { append_counted(numbers, average.state()); });
    append(numbers, origins_.size() > 0 ? origins_.to_host() : restored_);
    return numbers;
}

template <int Dim, class Real>
void SelfCorrelation<Dim, Real>::restore(std::span<const double> state) {
    if (state.empty()) { // of one that has measured nothing
        measured_ = accumulated_ = 0;
        each_open(*this,
                  [](std::vector<double>& open) { std::fill(open.begin(), open.end(), 0.0); });
        each_average(*this, [](BlockingAverage& average) { average.restore({}); });
        return;
    }
    StateReader reader(state, "a time correlation");
    measured_ = accumulated_ = reader.count();
    each_open(*this, [&](std::vector<double>& open) { reader.fill(open); });
    each_average(*this, [&](BlockingAverage& average) { average.restore(reader.counted()); });
    restored_.resize(static_cast<std::size_t>(plan_.ladder.places()) *
                     static_cast<std::size_t>(channels_[0].particles) * Dim);
    reader.fill(restored_);
    reader.finish();
}

template class SelfCorrelation<1, double>;
template class SelfCorrelation<2, double>;
template class SelfCorrelation<3, double>;

namespace {

template <int Dim>
Made<Dim> make_msd(const ObservableInput<Dim>& in) {
    SelfCorrelationPlan<Dim> plan{false, read_wavenumbers(in), in.interval(),
                                  in.context.conserved_mass, read_ladder(in, in.context)};
    std::vector<Population> followed = in.context.species;
    if (in.choice("of") == "molecules") {
        plan.molecules = followed_molecules(in);
        followed = {{"", static_cast<std::int64_t>(plan.molecules.size())}};
    } else if (in.has("atoms")) {
        in.fail("atoms", "`atoms` of particles (it says how large molecules are); give of = "
                         "\"molecules\", or remove it");
    }
    return std::make_unique<SelfCorrelation<Dim, double>>(in.context.box, followed,
                                                          std::move(plan));
}

template <int Dim>
Made<Dim> make_vacf(const ObservableInput<Dim>& in) {
    return std::make_unique<SelfCorrelation<Dim, double>>(
        in.context.box, in.context.species,
        SelfCorrelationPlan<Dim>{
            true, {}, in.interval(), in.context.conserved_mass, read_ladder(in, in.context)});
}

} // namespace

ObservableEntry msd_entry() {
    using enum KeyType;
    return {
        {"msd",
         "Mean square displacement, non-Gaussian parameter, diffusion coefficient and "
         "self-intermediate scattering; lags 1 .. w, w + 2 .. 2w, 2w + 4 .. 4w ... measurements",
         "msd(t) = <|x(t) - x(0)|^2>; non_gaussian(t) = d/(d + 2) <dx^4>/<dx^2>^2 - 1; "
         "diffusion(t) = slope of msd over the second half of a window / (2 d); F_s(k, t) = <cos k "
         "dx>",
         "Frenkel and Smit 2002, section 4.4.2; Rahman 1964",
         ladder_keys({{"wavenumbers", numbers, "1/length", "[]", "k of F_s(k, t), self_scattering",
                       "[7.2]"},
                      {"of",
                       text,
                       "",
                       "\"particles\"",
                       "or the centres of mass of molecules: molecule_msd and so on",
                       "\"molecules\"",
                       {"particles", "molecules"}},
                      atoms_key()})},
        SHADOW_EACH_DIMENSION(make_msd)};
}

ObservableEntry vacf_entry() {
    return {{"vacf", "Velocity autocorrelation, and the diffusion coefficient by its integral",
             "vacf(t) = <v(t).v(0)>; diffusion_green_kubo(t) = (1/d) integral of it over one "
             "window, by trapezoids",
             "Allen and Tildesley 2017, section 8.5", ladder_keys()},
            SHADOW_EACH_DIMENSION(make_vacf)};
}

} // namespace shadow
