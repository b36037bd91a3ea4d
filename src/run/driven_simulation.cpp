// SPDX-License-Identifier: BSD-3-Clause
#include "particle_fields.hpp"
#include "reference.hpp"
#include "run_builder.hpp"
#include "stage_driver.hpp"
#include "stage_summary.hpp"
#include "stage_watch.hpp"

#include "shadow/run/simulation.hpp"
#include "shadow/system/unwrapped.hpp"

#include "kernels/ops/sort.hpp"

#include <cmath>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

namespace shadow {
namespace {

/// Steps between two checks of the status; on a GPU each check waits for the device.
constexpr std::int64_t status_interval = 1000;

template <int Dim>
using Vectors = std::vector<std::array<double, Dim>>;

template <int Dim>
std::vector<double> flat(const Vectors<Dim>& vectors) {
    std::vector<double> all;
    all.reserve(vectors.size() * Dim);
    for (const auto& v : vectors) all.insert(all.end(), v.begin(), v.end());
    return all;
}

template <int Dim>
Vectors<Dim> vectors_of(std::span<const double> numbers, std::size_t particles, const char* what) {
    if (numbers.size() != particles * Dim)
        throw InputError(fmt::format("{} {} (there are {} particles with {} components each); give "
                                     "one for each component",
                                     numbers.size(), what, particles, Dim));
    Vectors<Dim> all(particles);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (!std::isfinite(numbers[k]))
            throw InputError(fmt::format("a component of particle {} is {} (among {}); give finite "
                                         "numbers",
                                         k / Dim, numbers[k], what));
        all[k / Dim][k % Dim] = numbers[k];
    }
    return all;
}

} // namespace

/// A simulation of any dimension.
struct Simulation::Driven {
    virtual ~Driven() = default;
    [[nodiscard]] virtual int dimension() const = 0;
    [[nodiscard]] virtual std::int64_t particles() const = 0;
    [[nodiscard]] virtual std::int64_t step() const = 0;
    [[nodiscard]] virtual double time() const = 0;
    [[nodiscard]] virtual std::vector<double> box_lengths() const = 0;
    [[nodiscard]] virtual std::vector<double> box_edges() const = 0;
    virtual void run(std::int64_t steps) = 0;
    [[nodiscard]] virtual std::vector<double> positions(bool unwrapped) = 0;
    [[nodiscard]] virtual std::vector<double> velocities() = 0;
    [[nodiscard]] virtual std::vector<double> forces() = 0;
    [[nodiscard]] virtual std::vector<Species> species() const = 0; ///< of each particle
    virtual void set_positions(std::span<const double> positions) = 0;
    virtual void set_velocities(std::span<const double> velocities) = 0;
    [[nodiscard]] virtual double thermo(const std::string& quantity) = 0;
    [[nodiscard]] virtual StageSummary summary() = 0;
};

template <int Dim>
struct Simulation::DrivenRun final : Driven {
    DrivenRun(const Parameters& root, const std::filesystem::path& folder, RunPlan plan,
              InputErrors& errors, bool check_start)
        : backend_(open_backend(root, plan.compute, errors)),
          run_(root, folder, std::move(plan), {}, backend_), watch_(run_) {
        RunBuilder<Dim>(run_, errors).build(check_start);
        fresh_ = {stage().recorder->state(), stage().fluctuations, stage().configurational};
        system().set_degrees_of_freedom(stage().degrees_of_freedom, stage().conserved);
    }

    [[nodiscard]] int dimension() const override { return Dim; }
    [[nodiscard]] std::int64_t particles() const override { return run_.system->size(); }
    [[nodiscard]] std::int64_t step() const override { return run_.system->step(); }
    [[nodiscard]] double time() const override {
        const Stage<Dim>& now = run_.stages.front();
        const double time = run_.system->time();
        return now.begun ? now.first_time + now.time_at(time) : time;
    }
    [[nodiscard]] std::vector<double> box_lengths() const override {
        return lengths_of(run_.system->box());
    }
    [[nodiscard]] std::vector<double> box_edges() const override {
        const Box<Dim>& box = run_.system->box();
        std::vector<double> edges;
        for (std::size_t k = 0; k < Dim * Dim; ++k)
            edges.push_back(k % (Dim + 1) == 0 ? lengths_of(box)[k / Dim]
                                               : box.edge(k / Dim, k % Dim));
        return edges;
    }

    void run(std::int64_t steps) override {
        if (steps < 0)
            throw InputError(fmt::format("{} steps (time does not run backwards); give 0 or more, "
                                         "or reverse the velocities",
                                         steps));
        if (!stage().begun) begin();
        for (std::int64_t k = 0; k < steps && !stage().converged; ++k) {
            stage().converged = advance(run_, stage());
            ++stage().steps_done;
            sample(run_, stage());
            stage().settle_arrays(system().step());
            const bool failed = !backend_.is_asynchronous() && system().force_failed();
            if (failed || (k + 1) % status_interval == 0) look();
        }
        look();
        stage().time = stage().time_at(system().time());
        if (stage().is_damped()) stage().friction_energy = -system().bath_heat();
    }

    [[nodiscard]] std::vector<double> positions(bool unwrap) override {
        const OutputState<Dim> at_output(run_, stage());
        Snapshot<Dim> now = run_.system->snapshot();
        const Box<Dim>& box = run_.system->box();
        for (std::size_t i = 0; i < now.size(); ++i)
            if (unwrap)
                now.position[i] = unwrapped(now, box, i);
            else
                box.bring_in(now.position[i], now.image[i]);
        return flat<Dim>(now.position);
    }
    [[nodiscard]] std::vector<double> velocities() override {
        Snapshot<Dim> now = physical();
        for (std::size_t i = 0; i < now.size(); ++i)
            for (double& p : now.momentum[i]) p /= now.mass(i);
        return flat<Dim>(now.momentum);
    }
    [[nodiscard]] std::vector<double> forces() override {
        const OutputState<Dim> at_output(run_, stage());
        return measure_fields<Dim>(system(), {"force"}, stage().conserved, system().snapshot())
            .front();
    }
    [[nodiscard]] std::vector<Species> species() const override {
        const Snapshot<Dim> now = run_.system->snapshot();
        std::vector<Species> all;
        for (const std::uint16_t s : now.species) {
            all.push_back(now.species_table[s]);
            all.back().mass /= run_.model.units.inertia;
        }
        return all;
    }

    void set_positions(std::span<const double> positions) override {
        Snapshot<Dim> now = physical();
        now.position = vectors_of<Dim>(positions, now.size(), "positions");
        now.image.assign(now.size(), {});
        for (std::size_t i = 0; i < now.size(); ++i)
            system().box().bring_in(now.position[i], now.image[i]);
        now.image.assign(now.size(), {});
        restart(std::move(now));
    }
    void set_velocities(std::span<const double> velocities) override {
        Snapshot<Dim> now = physical();
        now.momentum = vectors_of<Dim>(velocities, now.size(), "velocities");
        for (std::size_t i = 0; i < now.size(); ++i)
            for (double& p : now.momentum[i]) p *= now.mass(i);
        restart(std::move(now));
    }

    [[nodiscard]] double thermo(const std::string& quantity) override {
        return measure_thermo(run_, stage()).at(quantity);
    }
    [[nodiscard]] StageSummary summary() override {
        if (!stage().begun)
            throw InputError("a summary before the first step (nothing has been measured since the "
                             "start, or since positions or velocities were set); run some steps");
        stage().recorder->flush();
        return StageSummariser<Dim>(run_, stage()).summarise();
    }

  private:
    [[nodiscard]] Stage<Dim>& stage() { return run_.stages.front(); }
    [[nodiscard]] ParticleSystem<Dim>& system() { return *run_.system; }

    void begin() {
        begin_stage(run_, stage());
        connect_stage(stage(), [this](const RecordBatch& batch) {
            stage().take(batch);
            watch_.take(batch);
        });
        watch_.begin(stage());
        sample(run_, stage());
        stage().observed = true;
    }
    void look() {
        system().check_status();
        refuse_box(run_);
        watch_.look_now(stage());
    }
    /// The particles in the current state, with physical momenta.
    [[nodiscard]] Snapshot<Dim> physical() {
        const OutputState<Dim> at_output(run_, stage());
        Snapshot<Dim> now = run_.system->snapshot();
        now.detach_bath();
        return now;
    }
    /// Restarts from another state: earlier measurements do not belong to it.
    void restart(Snapshot<Dim> from) {
        const Box<Dim> box = system().box();
        run_.system.reset(); // frees its memory
        run_.system = run_.particles(box, from);
        system().set_degrees_of_freedom(stage().degrees_of_freedom, stage().conserved);
        stage().recorder->restore(fresh_.recorder);
        stage().fluctuations = fresh_.fluctuations;
        stage().configurational = fresh_.configurational;
        stage().whole_motion = BlockedSeries();
        stage().steps_done = 0;
        stage().begun = stage().observed = stage().converged = stage().settled = false;
    }

    struct Measured {
        std::map<std::string, std::vector<double>> recorder;
        FluctuationSeries fluctuations, configurational;
    };

    Backend backend_;
    Run<Dim> run_;
    StageWatch<Dim> watch_;
    Measured fresh_; ///< the state before any measurement
};

Simulation::Simulation(const Parameters& input, const std::filesystem::path& folder,
                       bool check_start) {
    InputErrors errors;
    RunPlan plan = read_plan(input, folder, errors, true);
    int dimension = 0;
    errors.attempt([&] { dimension = system_dimension(input); });
    if (dimension == 0) refuse_input(input, errors);
    with_dimension(dimension, [&]<int Dim>(std::integral_constant<int, Dim>) {
        driven_ =
            std::make_unique<DrivenRun<Dim>>(input, folder, std::move(plan), errors, check_start);
    });
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

int Simulation::dimension() const {
    return driven_->dimension();
}
std::int64_t Simulation::particles() const {
    return driven_->particles();
}
std::int64_t Simulation::step() const {
    return driven_->step();
}
double Simulation::time() const {
    return driven_->time();
}
std::vector<double> Simulation::box_lengths() const {
    return driven_->box_lengths();
}
std::vector<double> Simulation::box_edges() const {
    return driven_->box_edges();
}
void Simulation::run(std::int64_t steps) {
    driven_->run(steps);
}
std::vector<double> Simulation::positions(bool unwrapped) const {
    return driven_->positions(unwrapped);
}
std::vector<double> Simulation::velocities() const {
    return driven_->velocities();
}
std::vector<double> Simulation::forces() {
    return driven_->forces();
}
std::vector<double> Simulation::masses() const {
    std::vector<double> all;
    for (const Species& s : driven_->species()) all.push_back(s.mass);
    return all;
}
std::vector<double> Simulation::charges() const {
    std::vector<double> all;
    for (const Species& s : driven_->species()) all.push_back(s.charge);
    return all;
}
std::vector<std::string> Simulation::species() const {
    std::vector<std::string> all;
    for (const Species& s : driven_->species()) all.push_back(s.name);
    return all;
}
void Simulation::set_positions(std::span<const double> positions) {
    driven_->set_positions(positions);
}
void Simulation::set_velocities(std::span<const double> velocities) {
    driven_->set_velocities(velocities);
}
double Simulation::potential_energy() {
    return driven_->thermo("potential_energy");
}
double Simulation::kinetic_energy() {
    return driven_->thermo("kinetic_energy");
}
double Simulation::temperature() {
    return driven_->thermo("temperature");
}
StageSummary Simulation::summary() {
    return driven_->summary();
}

} // namespace shadow
