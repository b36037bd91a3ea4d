// SPDX-License-Identifier: BSD-3-Clause
// Correlations in time and distributions of what other observables measure.
#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/statistics/time_correlator.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/velocities.hpp"

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace shadow;

namespace {

/// A number that is the square of the step, of which there are no rows in the first steps.
class LateRow final : public Observable<2> {
  public:
    explicit LateRow(std::int64_t back) : back_(back) {}
    [[nodiscard]] std::vector<Quantity> quantities() const override { return {{"late", ""}}; }
    [[nodiscard]] std::int64_t looks_back() const override { return back_; }
    void enqueue(ParticleSystem<2>& system, double* row) override {
        const auto step = static_cast<double>(system.step());
        const double value = step * step;
        detail::copy_to_backend(system.backend(), row, &value, sizeof(value));
    }

  private:
    std::int64_t back_;
};

/// Free particles whose velocities are scaled at each step by another factor.
struct Scaled {
    Recorder<2> recorder;
    std::unique_ptr<ParticleSystem<2>> system;
    std::map<std::string, std::vector<double>> rows;

    Scaled(const Backend& backend, std::size_t capacity, const std::string& analyses,
           std::int64_t late = 0)
        : recorder(backend, capacity) {
        const Box<2> box;
        Snapshot<2> start;
        start.species_table = {{"A", 2.0, 0.0}};
        start.position = lattice_points<2>(lattice_cell<2>("square"), {10, 10}, 1.0);
        start.species.assign(100, 0);
        start.image.assign(100, {});
        set_maxwell_boltzmann(start, conserved_momenta(box), 1.0, 1);
        ObservableContext<2> context{box, 1.0, {{"A", 100}}, 2, 100, 0.01};
        const auto add = [&](const std::string& text) {
            auto made = make_observable<2>(read_toml_text(text, "t"), context);
            for (const Quantity& q : made->quantities()) context.measured.push_back({q, 2});
            recorder.add(std::move(made), 2);
        };
        add("type = \"thermo\"");
        add("type = \"angular-momentum\"");
        recorder.add(std::make_unique<LateRow>(late), 2);
        context.measured.push_back({{"late", ""}, 2});
        for (const Parameters& table : read_toml_text(analyses, "t").tables("observe"))
            recorder.add(make_observable<2>(table, context), 2);
        Neighbours<2> neighbours(backend, box, 8, 0.2);
        system = std::make_unique<ParticleSystem<2>>(backend, box, start, 1, std::move(neighbours),
                                                     std::vector<std::unique_ptr<ForceTerm<2>>>{});
        system->set_degrees_of_freedom(degrees_of_freedom(100, conserved_momenta(box)));
        recorder.set_sink([this](const RecordBatch& batch) {
            auto& all = rows[batch.quantity.name];
            all.insert(all.end(), batch.values.begin(), batch.values.end());
        });
    }

    void step() {
        const double phase = static_cast<double>(system->step() * system->step() % 17);
        system->set_scalar(Scalar::momentum_factor, std::exp(0.2 * std::sin(phase)));
        system->scale_momenta(Scalar::momentum_factor);
        system->end_step(0.01);
    }
    [[nodiscard]] std::map<std::string, ArrayEstimate> arrays() const {
        std::map<std::string, ArrayEstimate> all;
        for (ArrayEstimate& array : recorder.estimates()) all[array.name] = array;
        return all;
    }
};

const char* const some_analyses = R"(
[[observe]]
type = "time-correlation"
of = ["kinetic_energy", "late"]
window = 5
[[observe]]
type = "time-correlation"
of = ["angular_momentum"]
window = 4
longest = 20
[[observe]]
type = "distribution"
of = ["kinetic_energy"]
range = [60, 180]
bins = 7
)";

/// As a file has it.
bool same(const ArrayEstimate& a, const ArrayEstimate& b) {
    const auto bits = [](const std::vector<double>& x, const std::vector<double>& y) {
        return x.size() == y.size() &&
               std::equal(x.begin(), x.end(), y.begin(), [](double p, double q) {
                   return p == q || (std::isnan(p) && std::isnan(q));
               });
    };
    return a.samples == b.samples && bits(a.value, b.value) && bits(a.error, b.error);
}

} // namespace

TEST_CASE("analyses are of the rows that are written, whatever batches they come in") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const std::int64_t start = GENERATE(0, 11);
    Scaled one(backend, 3, some_analyses), other(backend, 1000, some_analyses);
    for (Scaled* run : {&one, &other}) {
        run->recorder.set_array_start(start);
        for (int step = 0; step <= 100; ++step) {
            run->recorder.sample(*run->system);
            if (step == 55) run->recorder.flush();
            run->step();
        }
        run->recorder.flush();
    }
    const auto found = one.arrays();
    REQUIRE(found.size() == 4);
    for (const auto& [name, array] : found) {
        CAPTURE(name);
        CHECK(same(array, other.arrays().at(name)));
        CHECK(array.samples == (start == 0 ? 51 : 45));
    }

    TimeCorrelator cross({.channels = 2,
                          .window = 5,
                          .levels = 1,
                          .curves = {{{0, 1}}},
                          .interval = 0.02,
                          .fluctuations = true});
    std::vector<double> counts(7), outside;
    const auto& kinetic = one.rows.at("kinetic_energy");
    REQUIRE(kinetic.size() == 51);
    for (auto row = static_cast<std::size_t>((start + 1) / 2); row < kinetic.size(); ++row) {
        cross.add(std::array{kinetic[row], std::pow(2.0 * static_cast<double>(row), 2)});
        const double bin = std::floor((kinetic[row] - 60.0) / 120.0 * 7.0);
        if (bin >= 0.0 && bin < 7.0) counts.at(static_cast<std::size_t>(bin)) += 1.0;
    }
    const ArrayEstimate& curve = found.at("time_correlation_kinetic_energy_late");
    for (std::size_t lag = 0; lag < 5; ++lag) {
        CHECK(curve.axes[0].values[lag] == Approx(0.02 * static_cast<double>(lag)));
        CHECK(curve.value[lag] == cross.curve()[lag].value);
        CHECK(curve.error[lag] == cross.curve()[lag].error);
    }
    CHECK(curve.unit == "(energy) ()");
    const ArrayEstimate &density = found.at("distribution_kinetic_energy"),
                        &beyond = found.at("distribution_kinetic_energy_outside");
    double inside = 0.0;
    for (std::size_t k = 0; k < 7; ++k) {
        CHECK(density.value[k] ==
              Approx(counts[k] / static_cast<double>(density.samples) * 7.0 / 120.0));
        CHECK(density.axes[0].values[k] ==
              Approx(60.0 + (static_cast<double>(k) + 0.5) * 120.0 / 7.0));
        inside += density.value[k] * 120.0 / 7.0;
    }
    CHECK(beyond.value.at(0) > 0.0);
    CHECK(beyond.value.at(0) == Approx(1.0 - inside));
    CHECK(beyond.axes.empty());
    // (4 - 1) 2^2 rows are the first of so many levels that are at least ten.
    CHECK(found.at("time_correlation_angular_momentum").axes[0].values.back() == Approx(0.24));
}

TEST_CASE("a distribution knows no error where no row is, or all are") {
    const Backend backend = Backend::cpu(1);
    Scaled run(backend, 10,
               "[[observe]]\ntype = \"distribution\"\nof = [\"kinetic_energy\"]\n"
               "range = [-2.0, -1.0]\nbins = 2\n");
    for (int step = 0; step <= 100; ++step) {
        run.recorder.sample(*run.system);
        run.step();
    }
    run.recorder.flush();
    const auto found = run.arrays();
    const ArrayEstimate &density = found.at("distribution_kinetic_energy"),
                        &beyond = found.at("distribution_kinetic_energy_outside");
    CHECK(density.value == std::vector<double>{0.0, 0.0});
    CHECK(beyond.value == std::vector<double>{1.0});
    CHECK(density.warning.starts_with("100 % of " + std::to_string(density.samples) + " rows are"));
    CHECK(beyond.warning.empty());
    for (const ArrayEstimate* array : {&density, &beyond})
        for (const double error : array->error) CHECK(std::isinf(error));
}

TEST_CASE("analyses go on with the same bits, and begin anew with arrays") {
    const Backend backend = Backend::cpu(1);
    Scaled whole(backend, 7, some_analyses), part(backend, 5, some_analyses),
        resumed(backend, 3, some_analyses), late(backend, 4, some_analyses);
    late.recorder.set_array_start(41);
    for (int step = 0; step <= 100; ++step) {
        if (step <= 40) part.recorder.sample(*whole.system);
        if (step == 40) resumed.recorder.restore(part.recorder.state());
        if (step > 40) resumed.recorder.sample(*whole.system);
        late.recorder.sample(*whole.system);
        whole.recorder.sample(*whole.system);
        whole.step();
    }
    CHECK(whole.recorder.state() == resumed.recorder.state());
    for (const auto& [name, array] : whole.arrays()) CHECK(same(array, resumed.arrays().at(name)));

    whole.recorder.restart_arrays(100);
    for (const auto& [name, array] : whole.arrays()) CHECK(array.samples == 0);
    CHECK(late.recorder.state().size() == resumed.recorder.state().size());
    for (const auto& [name, array] : late.arrays()) CHECK(array.samples == 30);
}

TEST_CASE("a correlation has rows where all that it is of has them") {
    const Backend backend = Backend::cpu(1);
    Scaled run(backend, 1000, some_analyses, 7);
    for (int step = 0; step <= 40; ++step) {
        run.recorder.sample(*run.system);
        run.step();
    }
    run.recorder.flush();
    REQUIRE(run.rows.at("late").size() == 17); // from 8 on
    TimeCorrelator cross(
        {.channels = 2, .window = 5, .levels = 1, .curves = {{{0, 1}}}, .fluctuations = true});
    for (std::size_t row = 0; row < 17; ++row)
        cross.add(std::array{run.rows.at("kinetic_energy")[row + 4], run.rows.at("late")[row]});
    const auto found = run.arrays();
    const ArrayEstimate& curve = found.at("time_correlation_kinetic_energy_late");
    CHECK(curve.samples == 17);
    CHECK(curve.value[2] == cross.curve()[2].value);
    CHECK(found.at("distribution_kinetic_energy").samples == 21);
}

TEST_CASE("an analysis of what is not measured is refused") {
    const Backend backend = Backend::cpu(1);
    ObservableContext<2> context{Box<2>(), 1.0, {{"A", 4}}, 1, 100, 0.01};
    context.measured = {{{"energy", ""}, 1}};
    Recorder<2> recorder(backend);
    CHECK_THROWS_WITH(
        recorder.add(make_observable<2>(read_toml_text("type = \"distribution\"\nof = "
                                                       "[\"energy\"]\nrange = [0, 1]",
                                                       "t"),
                                        context),
                     1),
        Catch::Contains("an analysis of energy"));
}
