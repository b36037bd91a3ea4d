// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/recorder.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/velocities.hpp"

#include "kernels/cuda/runtime.hpp"

#include <array>
#include <cmath>

using namespace shadow;

namespace {

/// Free particles: `thermo` and `bond-order` of a planar lattice that is set in motion.
struct Fixture {
    Box<2> box;
    Recorder<2> recorder;
    std::unique_ptr<ParticleSystem<2>> system;

    Fixture(const Backend& backend, const std::string& observe, std::size_t capacity,
            double kT = 0.0)
        : recorder(backend, capacity) {
        Snapshot<2> start;
        start.species_table = {{"A", 2.0, 0.0}};
        start.position = lattice_points<2>(lattice_cell<2>("square"), {20, 20}, 1.0);
        start.species.assign(400, 0);
        start.image.assign(400, {});
        set_maxwell_boltzmann(start, conserved_momenta(box), kT, 1);
        const Parameters root = read_toml_text(observe, "test.toml");
        for (const Parameters& table : root.tables("observe"))
            recorder.add(make_observable<2>(table, {box, 1.0, {{"A", 400}}}),
                         table.integer("every"));
        Neighbours<2> neighbours(backend, box, 8, 0.2);
        recorder.declare_lists(neighbours);
        system = std::make_unique<ParticleSystem<2>>(backend, box, start, 1, std::move(neighbours),
                                                     std::vector<std::unique_ptr<ForceTerm<2>>>{});
        system->set_degrees_of_freedom(degrees_of_freedom(400, conserved_momenta(box)));
    }

    void step() {
        system->drift(0.01);
        system->end_step(0.01);
    }
};

const char* const both = R"(
[[observe]]
type = "thermo"
every = 2
[[observe]]
type = "bond-order"
folds = [6, 4]
radius = 1.3
every = 3
per_particle = true
)";

struct Rows {
    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
};

void collect(Recorder<2>& recorder, std::map<std::string, Rows>& rows) {
    recorder.set_sink([&rows](const RecordBatch& batch) {
        Rows& r = rows[batch.quantity.name];
        r.steps.insert(r.steps.end(), batch.steps.begin(), batch.steps.end());
        r.times.insert(r.times.end(), batch.times.begin(), batch.times.end());
        r.values.insert(r.values.end(), batch.values.begin(), batch.values.end());
        CHECK(batch.values.size() == batch.steps.size() * batch.quantity.width);
    });
}

} // namespace

TEST_CASE("the perfect lattice at rest, observed through the registry") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    Fixture run(backend, both, 16);
    std::map<std::string, Rows> rows;
    collect(run.recorder, rows);
    run.recorder.sample(*run.system);
    CHECK(rows.empty());
    run.recorder.flush();
    REQUIRE(rows.size() == 8);
    // 2164 and -724 of seed-002 X4.2: sums of 400 terms of size 6, rounded.
    CHECK(std::abs(rows["bond_order_4"].values.at(0) - 2164.0) < 1e-10);
    CHECK(std::abs(rows["bond_order_6"].values.at(0) - -724.0) < 1e-10);
    CHECK(rows["potential_energy"].values.at(0) == 0.0);
    CHECK(rows["temperature"].values.at(0) == 0.0);
    CHECK(rows["momentum"].values == std::vector<double>{0.0, 0.0});
    CHECK(rows.count("pressure") == 0); // not defined in an open box

    const auto psi = run.recorder.measure_particles(*run.system);
    REQUIRE(psi.size() == 2);
    CHECK(run.recorder.particle_quantities().at(0).name == "psi_4");
    // By id: particle 0 in a corner has two neighbours, particle 1 on an edge has three.
    CHECK(std::abs(psi[0][0] - 1.0) < 1e-14);
    CHECK(std::abs(psi[1][0]) < 1e-14);              // (1 + cos 6 pi/2) / 2
    CHECK(std::abs(psi[1][2] - -1.0 / 3.0) < 1e-14); // (1 - 1 - 1) / 3
    CHECK(std::abs(psi[1][2 * 21]) < 1e-14);
}

TEST_CASE("rows leave the arguments of steps that are replayed as they are") {
    const auto where = GENERATE(from_range(few_test_backends()));
    if (!where.cuda) return;
    const Backend backend = where.open();
    // Equally often, so that there is as much of a drift before each row.
    std::string observe = both;
    observe.replace(observe.find("every = 3"), 9, "every = 2");
    Fixture run(backend, observe, 1000, 0.7);
    for (int step = 0; step < 200; ++step) {
        run.recorder.sample(*run.system);
        run.step();
    }
    run.recorder.flush();
    const cuda::ReplayReport report = cuda::replay_report(backend.stream());
    CHECK(report.graphs > 0);
    CHECK(report.exchanges == 0);
}

TEST_CASE("what is recorded does not depend on batches, and a restart goes on with the same bits") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    std::map<std::string, Rows> small, large;
    Fixture one(backend, both, 3, 0.7), other(backend, both, 1000, 0.7);
    Fixture resumed(backend, both, 5, 0.7);
    collect(one.recorder, small);
    collect(other.recorder, large);
    for (int step = 0; step <= 60; ++step) {
        one.recorder.sample(*one.system);
        other.recorder.sample(*other.system);
        if (step > 30) resumed.recorder.sample(*other.system);
        if (step == 30) resumed.recorder.restore(other.recorder.state());
        one.step();
        other.step();
    }
    one.recorder.flush();
    other.recorder.flush();
    resumed.recorder.flush();
    REQUIRE(small.size() == 8);
    for (const auto& [name, rows] : small) {
        CAPTURE(name);
        CHECK(rows.steps == large[name].steps);
        CHECK(rows.times == large[name].times);
        CHECK(rows.values == large[name].values);
    }
    CHECK(small["bond_order_4"].steps.size() == 21);
    CHECK(small["kinetic_energy"].steps.size() == 31);
    CHECK(small["kinetic_energy"].steps.back() == 60);
    CHECK(small["kinetic_energy"].times.back() == one.system->time() - 0.01);
    CHECK(small["momentum"].values.size() == 62);
    CHECK(one.recorder.state() == other.recorder.state());
    CHECK(resumed.recorder.state() == other.recorder.state());
    const SeriesStatistics* temperature = one.recorder.statistics("temperature");
    REQUIRE(temperature);
    CHECK(std::abs(estimate(temperature->values).mean - 0.7) < 1e-13);
    CHECK(one.recorder.statistics("momentum") == nullptr);
}

TEST_CASE("observables are due at multiples of their interval") {
    const Backend backend = Backend::cpu(1);
    Fixture run(backend, both, 4);
    CHECK(run.recorder.due(0));
    CHECK_FALSE(run.recorder.due(1));
    CHECK(run.recorder.due(3));
    CHECK_FALSE(run.recorder.energy_due(3));
    CHECK(run.recorder.energy_due(4));
    CHECK(run.recorder.interval("pressure") == 0);
    CHECK(run.recorder.interval("momentum") == 2);
    CHECK(run.recorder.interval("bond_order_4") == 3);
}

TEST_CASE("two observables with one quantity are refused") {
    const Backend backend = Backend::cpu(1);
    Recorder<2> recorder(backend);
    const Box<2> box;
    const auto thermo = [&box] {
        return make_observable<2>(read_toml_text("type = \"thermo\"", "t"), {box, 1.0});
    };
    recorder.add(thermo(), 1);
    CHECK_THROWS_AS(recorder.add(thermo(), 2), InputError);
    CHECK_THROWS_AS(recorder.restore({}), InputError);
}

TEST_CASE("pairs of species that would share a name are refused") {
    const Backend backend = Backend::cpu(1);
    const Box<3> box({9.0, 9.0, 9.0}, {true, true, true});
    const auto add = [&](const std::vector<Population>& species) {
        Recorder<3> recorder(backend);
        recorder.add(make_observable<3>(read_toml_text("type = \"rdf\"\nradius = 2.0", "t"),
                                        {box, 1.0, species}),
                     1);
        return recorder.estimates().size();
    };
    CHECK(add({{"A", 5}, {"A_A", 5}, {"B", 5}}) == 7);
    CHECK_THROWS_WITH(add({{"A", 5}, {"A_A", 5}, {"B", 5}, {"A_B", 5}}),
                      Catch::Contains("rdf_A_A_B would be the name of two results"));
}

TEST_CASE("means have the weights of steps that follow the motion") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    Fixture f(backend, "[[observe]]\ntype = \"thermo\"\nevery = 1\n", 3, 1.0);
    std::vector<double> times, weights, energies;
    f.recorder.set_sink([&](const RecordBatch& batch) {
        if (batch.quantity.name != "kinetic_energy") return;
        times.insert(times.end(), batch.times.begin(), batch.times.end());
        for (const double log_weight : batch.log_weights) weights.push_back(std::exp(log_weight));
        energies.insert(energies.end(), batch.values.begin(), batch.values.end());
    });
    f.step(); // of one length, to the time 0.01
    f.system->begin_clock();
    double sum = 0.0, all = 0.0;
    for (int k = 0; k < 7; ++k) {
        const double weight = 1.0 + k * k;
        f.system->set_scalar(Scalar::momentum_factor, 1.1);
        f.system->scale_momenta(Scalar::momentum_factor);
        f.system->set_scalar(Scalar::elapsed, 0.5 * k);
        f.system->set_scalar(Scalar::step_weight, weight);
        f.system->end_step();
        f.recorder.sample(*f.system);
    }
    f.recorder.flush();
    REQUIRE(times.size() == 7);
    REQUIRE(weights.size() == 7);
    for (int k = 0; k < 7; ++k) {
        const auto row = static_cast<std::size_t>(k);
        CHECK(times[row] == Approx(0.01 + 0.5 * k).epsilon(1e-15));
        CHECK(weights[row] == Approx(1.0 + k * k).epsilon(1e-14));
        CHECK(energies[row] / energies[0] == Approx(std::pow(1.21, k)).epsilon(1e-12));
        sum += weights[row] * energies[row];
        all += weights[row];
    }
    const Moments total = f.recorder.statistics("kinetic_energy")->values.total();
    CHECK(total.mean() == Approx(sum / all).epsilon(1e-12));
    CHECK(total.weight() == Approx(all).epsilon(1e-14));
}

namespace {

/// Tells when it was asked.
class LookingBack final : public Observable<2> {
  public:
    LookingBack(std::int64_t back, std::vector<std::int64_t>& looks) : back_(back), looks_(looks) {}
    [[nodiscard]] std::vector<Quantity> quantities() const override { return {{"looked", ""}}; }
    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] std::int64_t looks_back() const override { return back_; }
    void look(ParticleSystem<2>& system) override { looks_.push_back(system.step()); }
    void enqueue(ParticleSystem<2>& system, double*) override {
        REQUIRE(looks_.back() == system.step());
    }

  private:
    std::int64_t back_;
    std::vector<std::int64_t>& looks_;
};

} // namespace

TEST_CASE("what looks back at steps is asked at these, and has no row without them") {
    const Backend backend = Backend::cpu(1);
    using Steps = std::vector<std::int64_t>;
    const auto follow = [&](std::int64_t back, std::int64_t every, std::int64_t first) {
        Steps looks, rows, energies, actions;
        Fixture run(backend, "", 4);
        run.recorder.add(std::make_unique<LookingBack>(back, looks), every);
        run.recorder.set_first_step(first);
        run.recorder.set_sink([&](const RecordBatch& batch) {
            rows.insert(rows.end(), batch.steps.begin(), batch.steps.end());
        });
        for (std::int64_t step = 0; step <= 12; ++step) {
            if (step >= first) {
                CHECK(run.recorder.due(step) == run.recorder.energy_due(step));
                if (run.recorder.energy_due(step)) energies.push_back(step);
                if (run.recorder.action_due(step)) actions.push_back(step);
                run.recorder.sample(*run.system);
            }
            run.step();
        }
        run.recorder.flush();
        CHECK(energies == looks);
        return std::array{looks, rows, actions};
    };
    // At 10 it has looked at 6 to 10, and needs the action from 6 on.
    CHECK(follow(4, 10, 0) == std::array{Steps{6, 7, 8, 9, 10}, Steps{10}, Steps{7, 8, 9, 10}});
    // Rows at 5 and 10; before 5 there are no four steps where the stage begins at 2.
    CHECK(follow(4, 5, 2) ==
          std::array{Steps{6, 7, 8, 9, 10, 11, 12}, Steps{10}, Steps{7, 8, 9, 10, 11, 12}});
    // Rows closer than it looks back share steps.
    CHECK(follow(3, 2, 1) == std::array{Steps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                                        Steps{4, 6, 8, 10, 12},
                                        Steps{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}});
    CHECK(follow(1, 1, 3)[1] == Steps{4, 5, 6, 7, 8, 9, 10, 11, 12});
}
