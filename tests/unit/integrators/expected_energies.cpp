// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/integrators/particle_system.hpp"

#include "kernels/ops/shares.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

/// A force of 0 that counts how often it is evaluated.
class Counter final : public ForceTerm<2> {
  public:
    struct Counts {
        int forces = 0, with_energies = 0;
    };
    explicit Counter(Counts& counts) : counts_(counts) {}

    void compute(const ParticlesView<2>&, const Neighbours<2>&,
                 const ForceOutput<2>& output) override {
        ++(output.energy ? counts_.with_energies : counts_.forces);
    }
    void share(std::size_t, const ParticlesView<2>&, const Neighbours<2>&, bool,
               Share<2>*) override {}
    [[nodiscard]] std::string name() const override { return "counter"; }
    [[nodiscard]] ForceClaims<2> claims() const override { return {}; }

  private:
    Counts& counts_;
};

/// Evaluations of one step and a look at its energies.
Counter::Counts evaluations(const std::string& integrator, bool expected) {
    const Backend backend = Backend::cpu(1);
    Snapshot<2> start;
    start.species_table = {Species{}};
    start.position = {{0.0, 0.0}, {1.0, 0.0}};
    start.momentum.resize(2);
    start.species.resize(2);
    start.image.resize(2);
    Counter::Counts counts;
    std::vector<std::unique_ptr<ForceTerm<2>>> terms;
    terms.push_back(std::make_unique<Counter>(counts));
    ParticleSystem<2> system(backend, Box<2>(), start, 1, Neighbours<2>(backend, Box<2>(), 64, 0.3),
                             std::move(terms));
    const auto method = read_integrator(integrator);
    method->prepare(system);
    system.prepare_observation(true);
    counts = {};
    system.expect_energies(expected);
    method->step(system);
    system.prepare_observation(true);
    return counts;
}

} // namespace

TEST_CASE("where energies are expected, forces at the end of a step are computed once") {
    const std::string verlet = "method = \"verlet\"\ndt = 0.1";
    CHECK(evaluations(verlet, true).forces == 0);
    CHECK(evaluations(verlet, true).with_energies == 1);
    CHECK(evaluations(verlet, false).forces == 1);
    CHECK(evaluations(verlet, false).with_energies == 1);
    // Five Verlet steps: energies with the last one alone.
    const std::string composed = "method = \"mclachlan-4\"\ndt = 0.1";
    CHECK(evaluations(composed, true).forces == 4);
    CHECK(evaluations(composed, true).with_energies == 1);
    // A gradient kick takes forces at three places.
    const std::string gradient = "method = \"chin-4\"\ndt = 0.1";
    CHECK(evaluations(gradient, true).forces == 3);
    CHECK(evaluations(gradient, true).with_energies == 1);
    // The particles move on after the last kick.
    const std::string drift_first = "method = \"position-verlet\"\ndt = 0.1";
    CHECK(evaluations(drift_first, true).forces == 1);
    CHECK(evaluations(drift_first, true).with_energies == 1);
}
