// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"
#include "src/core/parameter_node.hpp"
#include "src/io/overrides.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <memory>

namespace shadow {
namespace {

using Node = Parameters::Node;

/// Approximate duration of the trials of a stage in seconds, and their steps.
constexpr double trial_seconds = 10.0;
constexpr std::int64_t fewest_steps = 160, max_steps = 4000;

/// A number with the last two digits of its error: "1.23(45)e-6".
std::string with_error(double value, double error) {
    if (!std::isfinite(error) || !(error > 0.0)) return fmt::format("{:.2g}", value);
    const double size = std::max(std::abs(value), error);
    const int power = static_cast<int>(std::floor(std::log10(size)));
    const double unit = std::abs(power) > 3 ? std::pow(10.0, power) : 1.0;
    const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error / unit))));
    const double last = error / unit * std::pow(10.0, digits);
    return fmt::format("{:.{}f}({:.0f}){}", value / unit, digits, last,
                       unit == 1.0 ? "" : fmt::format("e{}", power));
}

/// The input with a single stage, whose time step is `part` of its own, and which measures energies
/// at every other step. Nodes of tables that change are new.
Parameters trial_input(const Parameters& input, const StagePlan& stage, double part,
                       int shadow_order) {
    Node root = input.node();
    std::erase_if(root.entries, [](const Node::Entry& entry) {
        return entry.key == "stage" || entry.key == "run" || entry.key == "output" ||
               std::find(stage_tables.begin(), stage_tables.end(), entry.key) != stage_tables.end();
    });
    Node integrator = stage.integrator.node();
    for (Node::Entry& entry : integrator.entries)
        if (entry.key == "dt") {
            Node dt = *entry.value;
            dt.number = part * stage.integrator.number("dt");
            dt.kind = Node::Kind::number;
            entry.value = std::make_shared<Node>(dt);
        }
    const auto add = [&root](const char* key, const Node& table) {
        root.entries.push_back({key, table.where, std::make_shared<Node>(table)});
    };
    add("integrator", integrator);
    if (stage.barostat) add("barostat", stage.barostat->node());
    if (stage.shear) add("shear", stage.shear->node());
    if (stage.boost) add("boost", stage.boost->node());
    if (stage.temperature)
        apply_override(root, fmt::format("system.velocity={{temperature={}}}", *stage.temperature));
    const std::string shadow =
        fmt::format(",{{type=\"shadow-energy\",every=10,order={}}}", shadow_order);
    apply_override(root, fmt::format("observe=[{{type=\"thermo\",every=2}}{}]",
                                     shadow_order > 0 ? shadow : ""));
    apply_override(root, "run.equilibration=0");
    return Parameters(std::make_shared<Node>(root));
}

/// The initial state of a trial.
struct State {
    std::vector<double> positions;  ///< empty: those of the input
    std::vector<double> velocities; ///< likewise; drawn if the input says so
};

void set_state(Simulation& simulation, const State& state) {
    if (!state.positions.empty()) simulation.set_positions(state.positions);
    if (!state.velocities.empty()) simulation.set_velocities(state.velocities);
}

State state_of(const Simulation& simulation) {
    return {simulation.positions(), simulation.velocities()};
}

const AverageSummary* average_of(const StageSummary& summary, const std::string& name) {
    for (const AverageSummary& average : summary.averages)
        if (average.name == name) return &average;
    return nullptr;
}

/// The means of a conserved quantity in consecutive equal parts of a trial.
class Parts {
  public:
    static constexpr int count = 8;

    /// `mean`: of all parts so far.
    void add(double mean, double time_of_part) {
        const auto n = static_cast<double>(means_.size());
        means_.push_back((n + 1.0) * mean - sum_);
        sum_ += means_.back();
        time_ = time_of_part;
    }
    /// From the changes from part to part, which are independent even if noise, or the error of
    /// each step, accumulates.
    [[nodiscard]] double drift() const {
        return (means_.back() - means_.front()) / (static_cast<double>(changes()) * time_);
    }
    [[nodiscard]] double error() const {
        double square = 0.0;
        for (std::size_t k = 0; k < changes(); ++k)
            square += std::pow((means_[k + 1] - means_[k]) / time_ - drift(), 2);
        const auto n = static_cast<double>(changes());
        return std::sqrt(square / ((n - 1.0) * n));
    }

  private:
    [[nodiscard]] std::size_t changes() const { return means_.size() - 1; }

    std::vector<double> means_;
    double sum_ = 0.0, time_ = 0.0;
};

/// The trial of one stage.
class StepTrial {
  public:
    StepTrial(const Parameters& input, const std::filesystem::path& folder, const RunPlan& plan,
              const StagePlan& stage, double accuracy)
        : input_(input), folder_(folder), stage_(stage), accuracy_(accuracy),
          method_(make_integrator(stage.integrator, {1.0, static_cast<int>(plan.levels.size())})) {}

    /// Prints the results; `state` becomes the final state of the trial. False: the trial exploded.
    bool run(State& state, const std::function<void(const std::string&)>& print) {
        const std::string head =
            fmt::format("{}{} with dt = {}: ", stage_.name.empty() ? "" : stage_.name + ": ",
                        stage_.integrator.text("method"), method_->dt());
        try {
            const State begin = state;
            whole_ = trial(1.0, begin);
            const State end = after_;
            log::set_level(log::Level::error); // the second trial would repeat the messages
            half_ = trial(0.5, stage_.barostat ? begin : settled_);
            state = end;
        } catch (const SimulationError& error) {
            print(head + fmt::format("not stable; the trial ended with \"{}\"; take a smaller dt, "
                                     "or relax the start by a minimisation\n",
                                     error.what()));
            return false;
        }
        const AverageSummary* temperature = average_of(whole_, "temperature");
        print(head +
              fmt::format("{} steps, and {} of half of it, after {} to settle, at T = {:.4g}\n",
                          steps_, 2 * steps_, steps_, temperature ? temperature->mean : 0.0) +
              stability() + drift() + temperatures() + differences());
        return true;
    }

  private:
    [[nodiscard]] Simulation start(double part, const State& state) {
        const auto simulation = [&](int shadow_order) {
            return Simulation(trial_input(input_, stage_, part, shadow_order), folder_,
                              state.positions.empty());
        };
        Simulation made = [&] {
            constexpr int better = 6; // powers of the step
            const bool known = method_->shadow_terms() || method_->action_variables() > 0;
            if (has_shadow_ && known) try {
                    return simulation(method_->claims().order + better);
                } catch (const InputError&) { // kicks with gradients, or a changing field
                }
            has_shadow_ = false;
            return simulation(0);
        }();
        set_state(made, state);
        return made;
    }

    /// The trial with the full step equilibrates first, and determines the number of steps. With a
    /// barostat that with half of it equilibrates, too: it begins in the box of the input.
    StageSummary trial(double part, const State& from) {
        Simulation simulation = start(part, from);
        if (part == 1.0) {
            simulation.run(20);
            const double begin = steady_seconds();
            simulation.run(20);
            const double seconds = (steady_seconds() - begin) / 20.0;
            steps_ =
                Parts::count * (std::clamp(static_cast<std::int64_t>(trial_seconds / seconds / 4.0),
                                           fewest_steps, max_steps) /
                                Parts::count);
        }
        const auto steps =
            static_cast<std::int64_t>(std::lround(static_cast<double>(steps_) / part));
        if (part == 1.0 || stage_.barostat) {
            simulation.run(steps);
            settled_ = state_of(simulation);
            set_state(simulation, settled_);
        }
        for (int k = 0; k < Parts::count; ++k) {
            simulation.run(steps / Parts::count);
            const StageSummary now = simulation.summary();
            const AverageSummary* energy =
                average_of(now, has_shadow_ ? "shadow_energy" : "conserved_energy");
            if (part == 1.0 && energy)
                parts_.add(energy->mean, method_->dt() * static_cast<double>(steps / Parts::count));
        }
        after_ = state_of(simulation);
        return simulation.summary();
    }

    /// kT from the kinetic energy, in units of energy.
    [[nodiscard]] double kT() const {
        const AverageSummary* kinetic = average_of(whole_, "kinetic_energy");
        return kinetic ? 2.0 * kinetic->mean / whole_.degrees_of_freedom : 0.0;
    }

    [[nodiscard]] std::string stability() const {
        const double swing = whole_.conserved.fluctuation, half = half_.conserved.fluctuation,
                     scale = kT() * std::sqrt(whole_.degrees_of_freedom);
        const Claims claims = method_->claims();
        const double ratio = swing / half, known = std::pow(2.0, claims.order);
        if (!(swing > 1e-13 * scale) || !(half > 0.0))
            return fmt::format("stable: {} does not change but by rounding\n",
                               whole_.conserved.name);
        const std::string text =
            fmt::format("stable: {} fluctuates by {:.2g} kT per square root of its degrees of "
                        "freedom, {:.3g} times as much as with half of the step",
                        whole_.conserved.name, swing / scale, ratio);
        const bool judged = !claims.stochastic && (claims.symmetric || claims.symplectic) &&
                            method_->steady_from() == 0;
        if (!judged) return text + "\n";
        if (ratio > 0.6 * known && ratio < 1.6 * known)
            return text +
                   fmt::format(" ({:g} at order {}, as it should be)\n", known, claims.order);
        const std::string why =
            ratio < known
                ? "rounding, a cut-off at which forces or energies jump, or too long a step"
                : "the step is longer than its order holds for";
        return text + fmt::format(" (not {:g} as at order {}: {}){}\n", known, claims.order, why,
                                  swing > 0.1 * scale ? "; take a smaller dt" : "");
    }

    [[nodiscard]] std::string drift() const {
        const double time = static_cast<double>(stage_.steps) * method_->dt();
        const double per = whole_.degrees_of_freedom * kT();
        if (!(per > 0.0)) return "";
        return fmt::format("drift: {} kT per degree of freedom and unit of time by the {}; over "
                           "{} steps {}\n",
                           with_error(parts_.drift() / per, parts_.error() / per),
                           has_shadow_ ? "shadow energy" : whole_.conserved.name, stage_.steps,
                           with_error(time * parts_.drift() / per, time * parts_.error() / per));
    }

    /// The step for which the error would be the requested one.
    [[nodiscard]] std::string wished_step(double error) const {
        const double dt =
            method_->dt() * std::pow(accuracy_ / error, 1.0 / method_->claims().order);
        if (!(dt <= 2.0 * method_->dt()))
            return fmt::format("{:g} % leaves room for twice the step, if that is stable",
                               100.0 * accuracy_);
        return fmt::format("{:g} % needs dt = {:.2g}", 100.0 * accuracy_, dt);
    }

    /// The ensemble of the shadow energy has <p dH~/dp> = g kT, where H~ includes the terms that
    /// the method adds to H; for harmonic motion the same holds for positions. Both are correct to
    /// second order, so only for methods of that order.
    [[nodiscard]] std::string temperatures() const {
        const auto terms = method_->shadow_terms();
        const AverageSummary *total = average_of(whole_, "total_energy"),
                             *shadow = average_of(whole_, "shadow_energy"),
                             *kinetic = average_of(whole_, "kinetic_energy");
        if (method_->claims().order > 2 || !terms || !has_shadow_ || !total || !shadow || !kinetic)
            return "";
        const double by_velocity = terms->curvature[0], by_force = terms->product[0][0];
        const bool one_level = std::all_of(terms->curvature.begin(), terms->curvature.end(),
                                           [&](double c) { return c == by_velocity; }) &&
                               std::all_of(terms->along.begin(), terms->along.end(),
                                           [](double a) { return a == 0.0; });
        if (!one_level) return "";
        const double added = shadow->mean - total->mean;
        const double gap =
            (by_velocity - by_force) / (by_velocity + by_force) * added / kinetic->mean;
        constexpr double largest = 0.1; // for an estimate to second order
        if (!(std::abs(gap) < largest))
            return "temperature: that of velocities at full steps differs from that of positions "
                   "by more than 10 %; take a smaller dt\n";
        return fmt::format(
            "temperature: that of velocities at full steps is {:.2g} % {} that of positions; {}\n",
            100.0 * std::abs(gap), gap > 0.0 ? "below" : "above", wished_step(std::abs(gap)));
    }

    /// Differences of averages between the step and half of it.
    [[nodiscard]] std::string differences() const {
        if (method_->steady_from() > 0) return "averages: none, while the bath changes\n";
        std::string text;
        const double known = std::pow(2.0, method_->claims().order);
        for (const char* name : {"temperature", "potential_energy", "pressure"}) {
            const AverageSummary *a = average_of(whole_, name), *b = average_of(half_, name);
            if (!a || !b) continue;
            if ((stage_.boost || method_->boosts()) && !(a->trusted && b->trusted))
                return fmt::format("averages: none can be trusted with {}, in so short a trial\n",
                                   stage_.boost ? "the boost" : stage_.integrator.text("method"));
            const double factor = known / (known - 1.0), difference = factor * (a->mean - b->mean),
                         error = factor * std::hypot(a->error, b->error);
            text += fmt::format("{}{} by {} of {:.4g}", text.empty() ? "" : ", ", name,
                                with_error(difference, error), b->mean);
        }
        if (text.empty()) return "";
        return "averages: by both, the step moves " + text +
               " (a trial is short: what it cannot tell from noise is no proof)\n";
    }

    const Parameters& input_;
    const std::filesystem::path& folder_;
    const StagePlan& stage_;
    double accuracy_;
    std::unique_ptr<Integrator> method_;
    bool has_shadow_ = true;
    std::int64_t steps_ = 0;
    Parts parts_; ///< of the full step
    State settled_, after_;
    StageSummary whole_, half_;
};

/// Checked before any trial.
void refuse_uneven_steps(const RunPlan& plan) {
    for (const StagePlan& stage : plan.stages)
        if (make_integrator(stage.integrator, {1.0, static_cast<int>(plan.levels.size())})
                ->adapts())
            stage.integrator.fail(
                "method", fmt::format("--certify of {} (a trial compares times that steps of one "
                                      "length have); compare runs with dt and half of it",
                                      stage.integrator.text("method")));
}

/// Runs a minimisation stage, which removes overlaps.
void relax(const Parameters& input, const std::filesystem::path& folder, const StagePlan& stage,
           State& state) {
    Simulation simulation(trial_input(input, stage, 1.0, 0), folder, state.positions.empty());
    set_state(simulation, state);
    simulation.run(stage.steps);
    state = state_of(simulation);
    state.velocities.clear(); // later stages draw them, or start at rest
}

} // namespace

bool certify_input(const RunOptions& options, double accuracy,
                   const std::function<void(const std::string&)>& print) {
    if (!(accuracy > 0.0 && accuracy < 1.0))
        throw InputError(
            fmt::format("--accuracy {} is out of range (it is the relative error of an "
                        "average); give a number between 0 and 1",
                        accuracy));
    const Parameters root = read_toml(options.input, options.overrides);
    (void)check_input(root, options);
    InputErrors errors;
    const RunPlan plan = read_plan(root, options.input, errors);
    const std::filesystem::path folder = input_folder(options.input);
    refuse_uneven_steps(plan);
    State state;
    bool stable = true;
    for (const StagePlan& stage : plan.stages) {
        if (stage.minimize) {
            relax(root, folder, stage, state);
            print(fmt::format("{}minimize: done, there is no step to try\n",
                              stage.name.empty() ? "" : stage.name + ": "));
        } else if (stage.shear ||
                   (stage.barostat && stage.barostat->text("type", "") == "deform")) {
            print(fmt::format(
                "{}a stage in shear, or in a box that is deformed, is not tried, nor are later "
                "ones (a trial begins in the box of the start); certify the same step without\n",
                stage.name.empty() ? "" : stage.name + ": "));
            break;
        } else {
            if (stage.temperature) state.velocities.clear();
            stable = StepTrial(root, folder, plan, stage, accuracy).run(state, print) && stable;
        }
        if (stage.barostat && &stage != &plan.stages.back()) {
            print("stages after a barostat are not tried (their box is not known); certify an "
                  "input that starts from its checkpoint\n");
            break;
        }
    }
    return stable;
}

} // namespace shadow
