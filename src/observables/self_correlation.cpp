// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/self_correlation.hpp"

#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/statistics/state.hpp"

#include "kernels/launch.hpp"

#include <cmath>

namespace shadow {

template <int Dim>
SelfCorrelation<Dim>::SelfCorrelation(const std::vector<Population>& species,
                                      SelfCorrelationPlan<Dim> plan)
    : plan_(std::move(plan)) {
    if (!plan_.molecules.empty()) molecules_.emplace(plan_.molecules);
    const LagLadder& ladder = plan_.ladder;
    const std::size_t lags = ladder.lags().size();
    for (const std::string& suffix : names_by_species("", species)) {
        const auto number = static_cast<std::int32_t>(channels_.size()) - 1;
        const auto particles =
            number < 0 ? population(species) : species[static_cast<std::size_t>(number)].particles;
        Channel& c = channels_.emplace_back(Channel{suffix,
                                                    number,
                                                    static_cast<double>(particles),
                                                    {},
                                                    {},
                                                    {},
                                                    {},
                                                    {ladder, plan_.interval, Dim},
                                                    {ladder, plan_.interval, Dim}});
        c.mean.resize(plan_.velocity ? lags + 1 : lags);
        if (plan_.velocity) continue;
        c.fourth.resize(lags);
        c.gaussian.resize(lags);
        c.scattering.resize(plan_.wavenumbers.size() * lags);
    }
}

/// For each stored origin and channel the sums of a comparison; for velocities also those of an
/// origin of level 0 with itself.
template <int Dim>
std::size_t SelfCorrelation<Dim>::width() const {
    return static_cast<std::size_t>(plan_.ladder.places()) * channels_.size() *
           (each() + (plan_.velocity ? plain : 0));
}

template <int Dim>
void SelfCorrelation<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    Kept<Dim> kept{system.particles(), plan_.velocity, nullptr, plan_.conserved_mass};
    if (plan_.conserved_mass.any()) {
        if (centre_.size() == 0) centre_ = Array<CentreSum<Dim>>(backend, 1);
        reduce(backend, SumMoments<Dim>{kept}, system.size(), centre_.data());
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
        reduce(backend, CompareWithOrigin<Dim>{kept, origin, channel.species}, n,
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
                           ScatterFromOrigin<Dim>{
                               {}, kept, origin, channel.species, plan_.wavenumbers[k]},
                           n, sums + plain + k);
            }
            sums += each();
        }
        if (!task.store) continue;
        launch(backend, StoreOrigin<Dim>{kept, origin}, n);
        if (!plan_.velocity || plan_.ladder.level(task.place) > 0) continue;
        for (const Channel& channel : channels_) {
            compare(origin, channel, sums);
            sums += plain;
        }
    }
    ++measured_;
}

template <int Dim>
void SelfCorrelation<Dim>::accumulate(double /*time*/, std::span<const double> row) {
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
            const double square = channel.particles > 0.0 ? sums[0] / channel.particles : 0.0;
            channel.mean[0].add(square);
            channel.integrals.begin(task, square);
            sums += plain;
        }
    }
    ++accumulated_;
}

template <int Dim>
void SelfCorrelation<Dim>::take(Channel& channel, const LagLadder::Task& task, const double* sums) {
    if (channel.particles == 0.0) return;
    const auto lag = static_cast<std::size_t>(task.lag);
    const double square = sums[0] / channel.particles, fourth = sums[1] / channel.particles;
    if (plan_.velocity) {
        channel.mean[lag + 1].add(square);
        channel.integrals.add(task, square);
        return;
    }
    channel.mean[lag].add(square);
    channel.fourth[lag].add(fourth);
    channel.gaussian[lag].add(square > 0.0 ? Dim / (Dim + 2.0) * fourth / (square * square) - 1.0
                                           : 0.0);
    const std::size_t lags = plan_.ladder.lags().size();
    for (std::size_t k = 0; k < plan_.wavenumbers.size(); ++k)
        channel.scattering[k * lags + lag].add(sums[plain + k] / channel.particles);
    channel.slopes.add(task, square);
}

/// Values by lag; `averages` begins at lag 0 if it has one more element than the ladder has lags.
template <int Dim>
std::vector<LagValue>
SelfCorrelation<Dim>::by_lag(std::span<const BlockingAverage> averages) const {
    std::vector<std::int64_t> lags = plan_.ladder.lags();
    if (averages.size() > lags.size()) lags.insert(lags.begin(), 0);
    std::vector<LagValue> all;
    for (std::size_t k = 0; k < averages.size(); ++k)
        all.push_back(at_lag(lags[k], averages[k], plan_.ladder, plan_.interval));
    return all;
}

template <int Dim>
void SelfCorrelation<Dim>::add_displacements(const Channel& channel,
                                             std::vector<ArrayEstimate>& all) const {
    const auto named = [&](const char* name) {
        return (molecules_ ? "molecule_" : "") + (name + channel.suffix);
    };
    const auto array = [&](const char* name, const char* unit,
                           const std::vector<LagValue>& values) {
        return lag_curve(named(name), unit, accumulated_, values);
    };
    const ArrayEstimate msd = array("msd", "length^2", by_lag(channel.mean));
    ArrayEstimate gaussian = array("non_gaussian", "", by_lag(channel.gaussian));
    for (std::size_t k = 0; k < msd.value.size(); ++k) {
        // From the means, since the mean of ratios is biased.
        const double fourth = channel.fourth[k].estimate().mean;
        if (msd.value[k] > 0.0)
            gaussian.value[k] = Dim / (Dim + 2.0) * fourth / (msd.value[k] * msd.value[k]) - 1.0;
    }
    all.insert(all.end(),
               {msd, gaussian, array("diffusion", "length^2/time", channel.slopes.values())});
    all.back().coefficient = true;
    if (plan_.wavenumbers.empty()) return;
    std::vector<std::vector<LagValue>> scattering;
    const std::size_t lags = msd.value.size();
    for (std::size_t k = 0; k < plan_.wavenumbers.size(); ++k)
        scattering.push_back(by_lag(std::span(channel.scattering).subspan(k * lags, lags)));
    all.push_back(lag_curves(named("self_scattering"), "", accumulated_,
                             {"k", "1/length", plan_.wavenumbers}, scattering));
}

template <int Dim>
void SelfCorrelation<Dim>::add_velocities(const Channel& channel,
                                          std::vector<ArrayEstimate>& all) const {
    all.push_back(
        lag_curve("vacf" + channel.suffix, "length^2/time^2", accumulated_, by_lag(channel.mean)));
    all.push_back(lag_curve("diffusion_green_kubo" + channel.suffix, "length^2/time", accumulated_,
                            channel.integrals.values()));
    all.back().coefficient = true;
    all.back().window = all.back().axes[0].values.back();
}

template <int Dim>
std::vector<ArrayEstimate> SelfCorrelation<Dim>::estimates() const {
    std::vector<ArrayEstimate> all;
    for (const Channel& channel : channels_)
        plan_.velocity ? add_velocities(channel, all) : add_displacements(channel, all);
    return all;
}

template <int Dim>
template <class Self, class F>
void SelfCorrelation<Dim>::each(Self& self, F& f) {
    f(self.accumulated_);
    for (auto& c : self.channels_) {
        for (auto* group : {&c.mean, &c.fourth, &c.gaussian, &c.scattering}) f(*group);
        if (self.plan_.velocity)
            OriginIntegrals::each(c.integrals, f);
        else
            OriginSlopes::each(c.slopes, f);
    }
}

/// The origins follow all averages.
template <int Dim>
std::vector<double> SelfCorrelation<Dim>::state() const {
    StateWriter writer;
    each(*this, writer);
    if (accumulated_ > 0) writer(origins_.size() > 0 ? origins_.to_host() : restored_);
    return writer.numbers();
}

template <int Dim>
void SelfCorrelation<Dim>::restore(std::span<const double> state) {
    StateReader reader(state, "a time correlation");
    each(*this, reader);
    measured_ = accumulated_;
    restored_.clear();
    if (measured_ > 0)
        restored_.resize(static_cast<std::size_t>(plan_.ladder.places()) *
                         static_cast<std::size_t>(channels_[0].particles) * Dim);
    reader.fill(restored_);
    reader.finish();
}

SHADOW_INSTANTIATE_EACH_DIMENSION(SelfCorrelation)

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
    return std::make_unique<SelfCorrelation<Dim>>(followed, std::move(plan));
}

template <int Dim>
Made<Dim> make_vacf(const ObservableInput<Dim>& in) {
    return std::make_unique<SelfCorrelation<Dim>>(
        in.context.species,
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
                       "particles, or the centres of mass of molecules: molecule_msd and so on",
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
