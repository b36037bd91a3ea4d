// SPDX-License-Identifier: BSD-3-Clause
#include "tuner.hpp"

#include "stage_entry.hpp"

#include "shadow/core/clock.hpp"
#include "shadow/core/log.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/system/local_density.hpp"

#include "kernels/all_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace shadow {
namespace {

/// The largest displacement of a particle in a step of the stage with the most steps.
template <int Dim>
double fastest_move(const Snapshot<Dim>& start, const std::vector<Stage<Dim>>& stages) {
    double dt = 0.0;
    std::int64_t steps = -1;
    for (const auto& stage : stages)
        if (stage.takes_time() && stage.plan.steps > steps) {
            steps = stage.plan.steps;
            dt = stage.integrator->own_step();
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

/// Number of candidates of all settings that are not given and have more than one.
template <int Dim>
std::size_t candidates(const Run<Dim>& run) {
    std::size_t count = 0;
    for (const TunedSetting& s : run.settings) {
        if (s.by == "input") continue;
        const std::size_t here = find_tunable(s.name).candidates(run.facts, s.value).size();
        count += here > 1 ? here : 0;
    }
    return count;
}

/// Steps on copies of the particles, which are discarded.
template <int Dim>
class Trial {
  public:
    using Copy = std::unique_ptr<ParticleSystem<Dim>>;

    /// `make` builds particles with the current settings; `enter` starts the stage with them.
    Trial(std::function<Copy(const Snapshot<Dim>&)> make,
          std::function<void(ParticleSystem<Dim>&)> enter, const Stage<Dim>& stage,
          double boltzmann, std::int64_t steps)
        : make_(std::move(make)), enter_(std::move(enter)), stage_(stage), boltzmann_(boltzmann),
          steps_(steps) {}

    /// Every candidate starts from the final state of this warm-up.
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

    /// A slice of steps from rebuild to rebuild, so that the number of rebuilds in it is not
    /// accidental.
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
    /// Seconds for the slice; `look` is called after each step.
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
void try_candidates(Run<Dim>& run, TunedSetting& setting, Trial<Dim>& trial) {
    const std::vector<double> values =
        find_tunable(setting.name).candidates(run.facts, setting.value);
    if (values.size() < 2) return;
    const auto preferred = static_cast<std::size_t>(
        std::find(values.begin(), values.end(), setting.value) - values.begin());
    std::vector<typename Trial<Dim>::Slice> slices;
    std::vector<std::vector<double>> times(values.size());
    for (const double value : values) {
        setting.value = value;
        slices.push_back(trial.find_slice());
        if (run.time_to_stop()) return;
    }
    for (int round = 0; round < trial_rounds; ++round)
        for (std::size_t c = 0; c < values.size(); ++c) {
            setting.value = values[c];
            times[c].push_back(trial.time(slices[c]));
            if (run.time_to_stop()) return;
        }
    for (std::size_t c = 0; c < values.size(); ++c)
        setting.trials.emplace_back(values[c], least(times[c]));
    std::sort(setting.trials.begin(), setting.trials.end());
    setting.value = values[choose(times, preferred)];
    setting.by = "trial";
}

} // namespace

template <int Dim>
void choose_settings(Run<Dim>& run, const Setup<Dim>& setup) {
    const double cutoff = run.model.forces.longest_cutoff();
    run.facts = {.dimension = Dim,
                 .particles = static_cast<std::int64_t>(setup.start.size()),
                 .cutoff = cutoff,
                 .default_skin = run.model.forces.default_skin(),
                 .density =
                     cutoff > 0.0 ? local_density(setup.start, setup.box, 2.0 * cutoff) : 0.0,
                 .all_pairs = run.model.forces.all_pairs(),
                 .fastest_move = fastest_move(setup.start, run.stages),
                 .forces_need_lists =
                     !sums_all_pairs(run.backend) || !run.model.forces.excluded.empty() ||
                     run.model.forces.all_pairs() ||
                     !small_for_all_pairs(setup.box, std::ssize(setup.start.position), cutoff),
                 .pair_is_double = run.plan.compute.precision == Precision::double_precision,
                 .takes_threads = run.backend.takes_threads(),
                 .cores = run.backend.threads()};
    std::map<std::string, double> given;
    if (run.plan.compute.skin) given["skin"] = *run.plan.compute.skin;
    if (run.plan.compute.reversible) given["skin"] = 0.0; // lists are rebuilt at each step
    if (run.plan.compute.threads > 0) given["threads"] = run.plan.compute.threads;
    run.settings = settings(run.plan.compute.tune, run.facts, given);
    run.tuned = run.plan.compute.tune != TuneMode::full || candidates(run) == 0;
}

template <int Dim>
std::string tuning_text(const Run<Dim>& run) {
    return (run.settings.empty() ? "nothing to choose" : settings_text(run.settings)) +
           (run.tuned ? "" : "; to be tried at the start");
}

template <int Dim>
void tune(Run<Dim>& run, const Stage<Dim>& stage) {
    std::int64_t left = 0;
    for (std::size_t k = run.stage; k < run.stages.size(); ++k)
        if (run.stages[k].takes_time()) left += run.stages[k].plan.steps;
    const std::int64_t steps = trial_steps(left, candidates(run));
    const Box<Dim> box = run.system->box();
    const SystemState<Dim> start = run.system->state();
    const std::vector<TunedSetting> before = run.settings;
    if (steps > 0) {
        run.system.reset(); // frees its memory for the copies
        Trial<Dim> trial([&](const Snapshot<Dim>& from) { return run.particles(box, from); },
                         [&](ParticleSystem<Dim>& copy) { (void)enter(run, stage, copy); }, stage,
                         run.model.units.boltzmann, steps);
        try {
            trial.warm_up(start);
            for (TunedSetting& setting : run.settings)
                if (setting.by != "input" && !run.time_to_stop())
                    try_candidates(run, setting, trial);
        } catch (const Error& error) {
            log::warning(fmt::format("the trial failed ({}); the settings are those of the rules",
                                     error.what()));
            run.settings = before;
        }
        if (run.stopped()) run.settings = before;
        run.system = run.particles(box, start.snapshot);
        run.system->restore(start);
    }
    if (run.stop_signal() != 0) return;
    if (steps == 0 || run.stopped())
        for (TunedSetting& s : run.settings)
            if (s.by == "rule")
                s.by = steps == 0 ? "rule; the run is too short for a trial"
                                  : "rule; the wall time is too short for a trial";
    run.tuned = true;
    log::info("tuned: " + settings_text(run.settings));
}

template <int Dim>
void store_tuning(const Run<Dim>& run, Checkpoint<Dim>& checkpoint) {
    checkpoint.integers["tuned"] = {run.tuned, run.facts.cores};
    for (const TunedSetting& s : run.settings) {
        std::vector<double>& numbers = checkpoint.numbers[key_of(s)];
        numbers = {s.value};
        for (const auto& [value, time] : s.trials) numbers.insert(numbers.end(), {value, time});
        checkpoint.texts[key_of(s)] = {s.by};
    }
}

template <int Dim>
bool restore_tuning(Run<Dim>& run, const Checkpoint<Dim>& checkpoint) {
    const auto known = checkpoint.integers.find("tuned");
    if (known == checkpoint.integers.end()) return false; // of a version without tuning
    run.tuned = run.tuned || known->second.at(0) != 0;
    const bool same_machine = known->second.at(1) == run.facts.cores;
    bool changed = false;
    for (TunedSetting& s : run.settings) {
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

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void choose_settings(Run<Dim>&, const Setup<Dim>&);                                   \
    template std::string tuning_text(const Run<Dim>&);                                             \
    template void tune(Run<Dim>&, const Stage<Dim>&);                                              \
    template void store_tuning(const Run<Dim>&, Checkpoint<Dim>&);                                 \
    template bool restore_tuning(Run<Dim>&, const Checkpoint<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
