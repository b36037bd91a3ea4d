// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/clock.hpp"
#include "shadow/core/log.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/system/local_density.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

/// Settings of speed: chosen by rule from the input, or by trial at the start of the
/// first stage that moves in time.
namespace shadow {
namespace {

/// The longest way that a particle goes in a step of the stage with the most steps.
template <int Dim>
double fastest_move(const Snapshot<Dim>& start, const std::vector<Stage<Dim>>& stages) {
    double dt = 0.0;
    std::int64_t steps = -1;
    for (const auto& stage : stages)
        if (stage.integrator && stage.plan.steps > steps) {
            steps = stage.plan.steps;
            dt = stage.integrator->dt();
        }
    double most = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const double mass = start.mass(i);
        double square = 0.0;
        for (const double p : start.momentum[i]) square += p * p / (mass * mass);
        most = std::max(most, square);
    }
    return std::sqrt(most) * dt;
}

std::string key_of(const TunedSetting& setting) {
    return "tune/" + setting.name;
}

} // namespace

/// Steps on copies of the particles, which are thrown away.
template <int Dim>
class Trial {
  public:
    using Copy = std::unique_ptr<ParticleSystem<Dim>>;

    /// `make` builds particles with the settings of the moment; `enter` starts the stage with them.
    Trial(std::function<Copy(const Snapshot<Dim>&)> make,
          std::function<void(ParticleSystem<Dim>&)> enter, const Stage<Dim>& stage,
          double boltzmann, std::int64_t steps)
        : make_(std::move(make)), enter_(std::move(enter)), stage_(stage), boltzmann_(boltzmann),
          steps_(steps) {}

    /// Every candidate starts from where this leads.
    void warm_up(const SystemState<Dim>& start) {
        first_step_ = start.snapshot.step;
        const Copy copy = make_(start.snapshot);
        copy->restore(start);
        enter_(*copy);
        const auto method = make_integrator(stage_.plan.integrator, {boltzmann_});
        method->set_first_step(first_step_);
        method->prepare(*copy);
        for (std::int64_t k = 0; k < trial_warm_up; ++k) method->step(*copy);
        copy->check_status();
        warm_ = copy->state();
    }

    /// From rebuild to rebuild, so that their number in a slice is no accident.
    struct Slice {
        std::int64_t begin = 0, end = 0;
    };
    [[nodiscard]] Slice find_slice() const {
        Slice slice;
        std::int64_t before = warm_.rebuilds;
        run(Slice{0, steps_}, [&](std::int64_t k, const ParticleSystem<Dim>& copy) {
            const std::int64_t now = copy.neighbours().rebuilds();
            if (now != before) (slice.begin == 0 ? slice.begin : slice.end) = k;
            before = now;
        });
        return slice.end > 0 ? slice : Slice{0, steps_};
    }

    /// Nanoseconds per particle and step.
    [[nodiscard]] double time(const Slice& slice) const {
        const double seconds = run(slice, [](std::int64_t, const auto&) {});
        const auto n = static_cast<double>(warm_.snapshot.size());
        return 1e9 * seconds / (n * static_cast<double>(slice.end - slice.begin));
    }

  private:
    /// The seconds of the slice, whose every step is looked at.
    template <class Look>
    double run(const Slice& slice, const Look& look) const {
        const Copy copy = make_(warm_.snapshot);
        copy->restore(warm_);
        copy->set_degrees_of_freedom(stage_.degrees_of_freedom, stage_.conserved);
        const auto method = make_integrator(stage_.plan.integrator, {boltzmann_});
        method->set_first_step(first_step_);
        double started = 0.0;
        for (std::int64_t k = 0; k < slice.end; ++k) {
            if (k == slice.begin) {
                copy->backend().synchronize();
                started = steady_seconds();
            }
            method->step(*copy);
            look(k + 1, *copy);
        }
        copy->flush();
        copy->backend().synchronize();
        const double seconds = steady_seconds() - started;
        copy->check_status();
        return seconds;
    }

    std::function<Copy(const Snapshot<Dim>&)> make_;
    std::function<void(ParticleSystem<Dim>&)> enter_;
    const Stage<Dim>& stage_;
    double boltzmann_;
    std::int64_t steps_;
    SystemState<Dim> warm_;
    std::int64_t first_step_ = 0;
};

template <int Dim>
void Simulation<Dim>::choose_settings(const Setup<Dim>& setup) {
    const double cutoff = forces_.longest_cutoff();
    facts_ = {.dimension = Dim,
              .particles = static_cast<std::int64_t>(setup.start.size()),
              .cutoff = cutoff,
              .default_skin = forces_.default_skin(),
              .density = cutoff > 0.0 ? local_density(setup.start, setup.box, 2.0 * cutoff) : 0.0,
              .all_pairs = forces_.all_pairs(),
              .fastest_move = fastest_move(setup.start, stages_),
              .forces_need_lists =
                  !backend_.is_cuda() || !forces_.excluded.empty() || forces_.all_pairs() ||
                  !small_for_all_pairs(setup.box, std::ssize(setup.start.position), cutoff),
              .pair_is_double = plan_.compute.precision == Precision::double_precision,
              .cuda = backend_.is_cuda(),
              .cores = backend_.threads()};
    std::map<std::string, double> given;
    if (plan_.compute.skin) given["skin"] = *plan_.compute.skin;
    if (plan_.compute.threads > 0) given["threads"] = plan_.compute.threads;
    tuning_ = settings(plan_.compute.tune, facts_, given);
    tuned_ = plan_.compute.tune != TuneMode::full || candidates() == 0;
}

/// Of all settings that are open, where there is more than one.
template <int Dim>
std::size_t Simulation<Dim>::candidates() const {
    std::size_t count = 0;
    for (const TunedSetting& s : tuning_) {
        if (s.by == "input") continue;
        const std::size_t here = find_tunable(s.name).candidates(facts_, s.value).size();
        count += here > 1 ? here : 0;
    }
    return count;
}

template <int Dim>
std::string Simulation<Dim>::tuning_text() const {
    return (tuning_.empty() ? "nothing to choose" : settings_text(tuning_)) +
           (tuned_ ? "" : "; to be tried at the start");
}

/// A run that a signal stops meanwhile is tuned when it goes on. Where the wall time has no room
/// for a trial, it never will have: the rules decide.
template <int Dim>
void Simulation<Dim>::tune(const StageType& stage) {
    const Timer::Scope scope(timer_, timer_.part("tuning"));
    std::int64_t left = 0;
    for (std::size_t k = stage_; k < stages_.size(); ++k)
        if (stages_[k].integrator) left += stages_[k].plan.steps;
    const std::int64_t steps = trial_steps(left, candidates());
    const Box<Dim> box = system_->box();
    const SystemState<Dim> start = system_->state();
    const std::vector<TunedSetting> before = tuning_;
    if (steps > 0) {
        system_.reset(); // leaves its memory to the copies
        Trial<Dim> trial([&](const Snapshot<Dim>& from) { return make_particles(box, from); },
                         [&](ParticleSystem<Dim>& copy) { (void)enter(stage, copy); }, stage,
                         units_.boltzmann, steps);
        try {
            trial.warm_up(start);
            for (TunedSetting& setting : tuning_)
                if (setting.by != "input" && !time_to_stop()) try_candidates(setting, trial);
        } catch (const Error& error) {
            log::warning(fmt::format("the trial failed ({}); the settings are those of the rules",
                                     error.what()));
            tuning_ = before;
        }
        if (stopped()) tuning_ = before;
        settle(box, start.snapshot);
        system_->restore(start);
    }
    if (signals_.stop_signal() != 0) return;
    if (steps == 0 || stopped())
        for (TunedSetting& s : tuning_)
            if (s.by == "rule")
                s.by = steps == 0 ? "rule; the run is too short for a trial"
                                  : "rule; the wall time is too short for a trial";
    tuned_ = true;
    log::info("tuned: " + settings_text(tuning_));
    results_->settled().write_information(information());
    saved_step_ = -1; // a resumed run does not try again
    save();
}

template <int Dim>
void Simulation<Dim>::try_candidates(TunedSetting& setting, Trial<Dim>& trial) {
    const std::vector<double> values = find_tunable(setting.name).candidates(facts_, setting.value);
    if (values.size() < 2) return;
    const auto preferred = static_cast<std::size_t>(
        std::find(values.begin(), values.end(), setting.value) - values.begin());
    std::vector<typename Trial<Dim>::Slice> slices;
    std::vector<std::vector<double>> times(values.size());
    for (const double value : values) {
        setting.value = value;
        slices.push_back(trial.find_slice());
        if (time_to_stop()) return;
    }
    for (int round = 0; round < trial_rounds; ++round)
        for (std::size_t c = 0; c < values.size(); ++c) {
            setting.value = values[c];
            times[c].push_back(trial.time(slices[c]));
            if (time_to_stop()) return;
        }
    for (std::size_t c = 0; c < values.size(); ++c)
        setting.trials.emplace_back(values[c], least(times[c]));
    std::sort(setting.trials.begin(), setting.trials.end());
    setting.value = values[choose(times, preferred)];
    setting.by = "trial";
}

template <int Dim>
void Simulation<Dim>::store_tuning(Checkpoint<Dim>& checkpoint) const {
    checkpoint.integers["tuned"] = {tuned_, facts_.cores};
    for (const TunedSetting& s : tuning_) {
        std::vector<double>& numbers = checkpoint.numbers[key_of(s)];
        numbers = {s.value};
        for (const auto& [value, time] : s.trials) numbers.insert(numbers.end(), {value, time});
        checkpoint.texts[key_of(s)] = {s.by};
    }
}

/// What was chosen holds for the whole run, unless the input now gives it. Is it another choice?
template <int Dim>
bool Simulation<Dim>::restore_tuning(const Checkpoint<Dim>& checkpoint) {
    const auto known = checkpoint.integers.find("tuned");
    if (known == checkpoint.integers.end()) return false; // of a version without tuning
    tuned_ = tuned_ || known->second.at(0) != 0;
    const bool same_machine = known->second.at(1) == facts_.cores;
    bool changed = false;
    for (TunedSetting& s : tuning_) {
        const auto found = checkpoint.numbers.find(key_of(s));
        if (found == checkpoint.numbers.end() || s.by == "input") continue;
        if (!same_machine && !find_tunable(s.name).decides_bits) continue;
        const std::vector<double>& numbers = found->second;
        changed = changed || s.value != numbers.at(0);
        s.value = numbers.at(0);
        s.by = checkpoint.texts.at(key_of(s)).at(0);
        if (s.by == "input") s.by = "checkpoint";
        s.trials.clear();
        for (std::size_t k = 1; k + 1 < numbers.size(); k += 2)
            s.trials.emplace_back(numbers[k], numbers[k + 1]);
    }
    return changed;
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
