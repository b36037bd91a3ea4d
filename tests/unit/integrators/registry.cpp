// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/registry.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <algorithm>
#include <cmath>
#include <set>

using namespace shadow;
using namespace shadow::test;

namespace {

std::unique_ptr<Integrator> read(const std::string& text, double boltzmann = 1.0, int levels = 2) {
    const Parameters params = read_toml_text(text, "in.toml");
    auto method = make_integrator(params, {boltzmann, levels});
    params.refuse_unused();
    return method;
}

std::string error_of(const std::string& text) {
    try {
        (void)read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("no two methods have one name") {
    std::set<std::string> names;
    for (const IntegratorEntry& entry : integrators()) {
        CHECK(names.insert(entry.descriptor.name).second);
        for (const std::string& alias : entry.aliases) CHECK(names.insert(alias).second);
    }
}

TEST_CASE("theta above one half takes order and symmetry") {
    CHECK(read("method = \"semi-explicit\"\ndt = 0.1\n")->claims().order == 2);
    const auto damped = read("method = \"semi-explicit\"\ndt = 0.1\ntheta = 0.7\n");
    CHECK(damped->claims().order == 1);
    CHECK_FALSE(damped->claims().symmetric);
    CHECK(damped->word()[1].theta == 0.7);
}

TEST_CASE("every method is described and made from its described parameters") {
    std::set<std::string> names;
    for (const IntegratorEntry& entry : integrators()) {
        const Descriptor& about = entry.descriptor;
        INFO(about.name);
        CHECK(names.insert(about.name).second);
        for (const std::string& alias : entry.aliases) {
            CHECK(names.insert(alias).second);
            CHECK(find_integrator(alias) == &entry);
        }
        CHECK_FALSE(about.summary.empty());
        CHECK_FALSE(about.equation.empty());
        CHECK_FALSE(about.reference.empty());
        std::string text = "method = \"" + about.name + "\"\n", incomplete = text;
        for (const ParameterInfo& key : about.parameters) {
            CHECK_FALSE(key.meaning.empty());
            // Of a bath one of its mass and its period.
            if (!key.default_value.empty() && key.default_value != "that of period") continue;
            const char* value = key.name == "word"          ? " = \"A1 B1\"\n"
                                : key.name == "least_slope" ? " = 0.5\n"
                                                            : " = 2\n";
            text += key.name + value;
            if (key.name != "dt") incomplete += key.name + value;
        }
        // A minimisation needs no key, and no time passes in it.
        const auto method = read(text);
        CHECK(method->dt() == (method->takes_time() ? 2.0 : 0.0));
        CHECK((error_of(incomplete) != "no error") == method->takes_time());
        CHECK(error_of(text + "frobnicate = 1\n") != "no error");
    }
    CHECK(find_integrator("velocity-verlet") == find_integrator("verlet"));
    CHECK(find_integrator("none") == nullptr);
}

TEST_CASE("values out of range and unknown methods are refused where they stand") {
    CHECK(error_of("method = \"verlot\"\ndt = 0.1").find("\"verlet\"") != std::string::npos);
    CHECK(error_of("method = \"verlot\"\ndt = 0.1").find("in.toml:1:") == 0);
    CHECK(error_of("method = \"verlet\"\ndt = 0").find("in.toml:2:") == 0);
    for (const char* text :
         {"method = \"verlet\"\ndt = -0.1",
          "method = \"verlet\"\ndt = inf",
          "method = \"verlet\"\ndt = nan",
          "method = \"verlet\"\ndt = 0.1\ntemperature = 1",
          "method = \"baoab\"\ndt = 0.1\ntemperature = -1\nfriction = 1",
          "method = \"baoab\"\ndt = 0.1\ntemperature = 1\nfriction = 0",
          "method = \"nose-poincare\"\ndt = 0.1\ntemperature = 0\nmass = 1",
          "method = \"nose-poincare\"\ndt = 0.1\ntemperature = 1\nmass = 0",
          "method = \"nose-hoover\"\ndt = 0.1\ntemperature = 0\nperiod = 1",
          "method = \"nose-hoover\"\ndt = 0.1\ntemperature = 1\nperiod = 0",
          "method = \"nose-hoover\"\ndt = 0.1\ntemperature = 1\nperiod = 1\nchain = 0",
          "method = \"nose-hoover\"\ndt = 0.1\ntemperature = 1\nperiod = 1\nchain = 9",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 0\nperiod = 1\nfriction = 1",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 1\nperiod = 0\nfriction = 1",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 1\nperiod = 1\nfriction = 0",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 1\nperiod = 1",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 1\nperiod = 1\nfriction = { "
          "A = 1 }",
          "method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 1\nperiod = { A = 1 "
          "}\nfriction = 1",
          "method = \"nose-explicit\"\ndt = 0.1\ntemperature = 1\nmass = 1\nchain = 0",
          "method = \"nose-explicit\"\ndt = 0.1\ntemperature = 1",
          "method = \"nose-explicit\"\ndt = 0.1\ntemperature = 1\nmass = 1\nperiod = 1",
          "method = \"nose-separated\"\ndt = 0.1\ntemperature = 1\nperiod = 0",
          "method = \"nose-explicit\"\ndt = 0.1\ntemperature = 0\nmass = 1",
          "method = \"nose-density\"\ndt = 0.1\ntemperature = 1\nmass = 1\nthreshold = 1\nwidth = "
          "1",
          "method = \"nose-density\"\ndt = 0.1\ntemperature = 1\nmass = 1\nthreshold = 1\nwidth = "
          "1\nleast_slope = 0",
          "method = \"nose-density\"\ndt = 0.1\ntemperature = 1\nmass = 1\nthreshold = 1\nwidth = "
          "0\nleast_slope = 0.5",
          "method = \"nose-density\"\ndt = 0.1\ntemperature = [[0, 1.0], [9, 2.0]]\nmass = "
          "1\nthreshold = 1\nwidth = 1\nleast_slope = 0.5",
          "method = \"nose-hoover\"\ndt = 0.1\ntemperature = 1\nperiod = 1\nmass = 2",
          "method = \"respa\"\ndt = 0.1\ninner = 0",
          "method = \"respa\"\ndt = 0.1\ninner = 1.5",
          "method = \"respa\"\ndt = 0.1\ninner = []",
          "method = \"respa\"\ndt = 0.1\ninner = [2, 0]",
          "method = \"respa\"\ndt = 0.1\ninner = [2, 2]",
          "method = \"splitting\"\ndt = 0.1\nword = \"(B½ A1 B½)^n\"\ninner = [2, 2]",
          "method = \"splitting\"\ndt = 0.1\nword = \"B[1]½ A1 |\"",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A\"",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A1\"",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 |\"\nfriction = -1",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 |\"",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 |\"\ntemperature = 1",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 |\"\nfriction = 1",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 |\"\nfriction = 0\ntemperature = 1",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A1 |\"\ntemperature = 0",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A1 |\"\nfriction = 0",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A1 |\"\ninner = 2",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A1 |\"\nradius = 1",
          "method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ Q1 |\"\nfriction = 1\ntemperature = 1",
          "method = \"dpd\"\ndt = 0.1\nfriction = 1\ntemperature = 1",
          "method = \"dpd\"\ndt = 0.1\nfriction = -1\ntemperature = 1\nradius = 1",
          "method = \"dpd\"\ndt = 0.1\nfriction = 1\ntemperature = 1\nradius = 0",
          "method = \"lowe-andersen\"\ndt = 0.1\nfriction = 1\ntemperature = 1\nradius = 1",
          "method = \"lowe-andersen\"\ndt = 0.1\nrate = 0\ntemperature = 1\nradius = 1"}) {
        INFO(text);
        const std::string error = error_of(text);
        CHECK(error.find("in.toml:") == 0);
        CHECK(error.find("; ") != std::string::npos);
    }
}

TEST_CASE("parameters arrive in the method with their units") {
    SmallSystem system(free_particle());
    const auto bath =
        read("method = \"nose-poincare\"\ndt = 0.1\ntemperature = 300\nmass = 5", 2e-3);
    const ExtendedEnergy energy = bath->extended_energy(system);
    CHECK(energy.bath_mass == 5.0);
    CHECK(bath->bath_kT() == 0.6);
    CHECK(std::abs(energy.g_kT - 2 * 0.6) < 1e-15);

    // Of all that have one, the mass that swings with a period: 2 g kT (2 / 2 pi)^2.
    for (const IntegratorEntry& entry : integrators()) {
        const auto& keys = entry.descriptor.parameters;
        const auto has = [&](const char* name) {
            return std::any_of(keys.begin(), keys.end(),
                               [&](const ParameterInfo& key) { return key.name == name; });
        };
        if (!has("mass")) continue;
        INFO(entry.descriptor.name);
        std::string text =
            "method = \"" + entry.descriptor.name + "\"\ndt = 0.1\ntemperature = 300\nperiod = 2\n";
        if (has("threshold")) text += "threshold = 1\nwidth = 1\nleast_slope = 0.5\n";
        if (has("inner")) text += "inner = 2\n";
        const auto method = read(text, 2e-3);
        const ExtendedEnergy swings = method->extended_energy(system);
        const double found =
            swings.generalized.size > 0 ? swings.generalized.mass : swings.bath_mass;
        CHECK(std::abs(found * 9.869604401089358 - 2.0 * 2.0 * 0.6) < 1e-14);
        CHECK(std::abs(method->bath_period(2.0) - 2.0) < 1e-14);
    }

    const NoseHooverChain chain =
        read("method = \"nose-hoover\"\ndt = 0.1\ntemperature = 300\nperiod = 2\nchain = 4", 2e-3)
            ->extended_energy(system)
            .chain;
    CHECK(chain.length == 4);
    CHECK(chain.kT == 0.6);
    CHECK(chain.g == 2.0);
    CHECK(std::abs(chain.mass * 9.869604401089358 - 2 * 0.6) < 1e-15); // 2 kT (2 / 2 pi)^2
    CHECK(chain.first_mass == 2.0 * chain.mass);

    const auto with_noise =
        read("method = \"nose-hoover-langevin\"\ndt = 0.1\ntemperature = 300\nperiod = 2\n"
             "friction = [[0, 1.0], [40, 0.5]]",
             2e-3);
    const NoseHooverChain one = with_noise->extended_energy(system).chain;
    CHECK(one.length == 1);
    CHECK(one.kT == 0.6);
    CHECK(one.first_mass == chain.first_mass);
    CHECK(with_noise->steady_from() == 40);
    CHECK(with_noise->bath_rate() == 0.125); // a quarter of the last friction

    // A bath so strong that the momenta are drawn afresh: p^2 has the mean kT m.
    const auto langevin =
        read("method = \"langevin\"\ndt = 1\ntemperature = 300\nfriction = 50", 2e-3);
    CHECK(langevin->bath_kT() == 0.6);
    double sum = 0.0;
    const int steps = 20000;
    for (int k = 0; k < steps; ++k) {
        langevin->step(system);
        sum += system.p()[0] * system.p()[0] / steps;
    }
    // 20000 independent draws: 1 % of the variance; five of them.
    CHECK(std::abs(sum / (0.6 * 2.0) - 1.0) < 0.05);

    const auto respa = read("method = \"respa\"\ndt = 0.1\ninner = 4");
    // S½ (F½ A F½)^4 S½ with neighbours joined: 2 + 4 drifts + 5 fast kicks.
    CHECK(dynamic_cast<const Composition&>(*respa).word().size() == 11);
    const auto nested = read("method = \"respa\"\ndt = 0.1\ninner = [4, 2]", 1.0, 3);
    const Word word = parse_word("B[3]½ (B[2]½ (B[1]½ A1 B[1]½)^4 B[2]½)^2 B[3]½", 1, 3);
    CHECK(dynamic_cast<const Composition&>(*nested).word().size() == word.size());
    CHECK(dynamic_cast<const Composition&>(*nested).word()[4].level == word[4].level);
    CHECK(nested->claims().order == 2);
    CHECK_THROWS_AS(read("method = \"respa\"\ndt = 0.1\ninner = 4", 1.0, 3), InputError);
    const auto own = read("method = \"splitting\"\ndt = 0.1\nword = \"A1/6 B½ A2/3 |\"");
    CHECK(own->claims().order == 2);
    CHECK(own->claims().symplectic);
    CHECK_FALSE(own->bath_kT());
    const auto noisy = read("method = \"splitting\"\ndt = 0.1\nword = \"B½ A½ O1 A½ B½\"\n"
                            "temperature = 300\nfriction = 1",
                            2e-3);
    CHECK(noisy->bath_kT() == 0.6);
    CHECK_FALSE(noisy->claims().conserves_momentum);
    const auto damped = read("method = \"baoab\"\ndt = 0.1\ntemperature = 0\nfriction = 1");
    CHECK(damped->bath_kT() == 0.0);
}
