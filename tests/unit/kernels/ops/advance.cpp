// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/advance.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"

#include "shadow/core/array.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/launch.hpp"

#include <cmath>
#include <limits>
#include <optional>

using namespace shadow;

namespace {

constexpr std::int64_t number = 1301; // two parts for threads, and no multiple of any lanes

template <int Dim>
Snapshot<Dim> particles_of(int species) {
    Snapshot<Dim> s;
    s.species_table.assign(1, {"A", 2.0, 0.0});
    if (species > 1) s.species_table.push_back({"B", 0.5, 0.0});
    s.position.assign(number, {});
    s.image.assign(number, {});
    for (std::int64_t i = 0; i < number; ++i) {
        s.species.push_back(static_cast<std::uint16_t>(i % 3 % species));
        std::array<double, Dim> p;
        for (std::size_t d = 0; d < Dim; ++d)
            p[d] = 0.125 * static_cast<double>((i + 5 * static_cast<std::int64_t>(d)) % 17 - 8);
        s.momentum.push_back(p);
    }
    return s;
}

/// Particles, a bath, and what it gave them.
template <int Dim>
class Bathed {
  public:
    static constexpr std::int64_t step = 5'000'000'011; // more than 32 bits

    Bathed(const Backend& backend, int species)
        : ensemble_(backend, {}), particles_(backend, ensemble_, particles_of<Dim>(species)),
          heat_(backend, number) {
        pass.particles = particles_.view();
        pass.heat = heat_.data();
        pass.seed = 0x123456789ABCDEF;
        pass.one_species = species == 1;
        pass.count = 1;
        pass.flow[0] = {FlowEntry::Kind::bath, 0, 0.75, Scalar::one, 0.6, 17, step};
    }

    /// Momenta in id order, and then heat.
    [[nodiscard]] std::vector<double> numbers() const {
        std::vector<double> all;
        for (const auto& p : particles_.snapshot().momentum)
            all.insert(all.end(), p.begin(), p.end());
        const auto heat = heat_.to_host();
        all.insert(all.end(), heat.begin(), heat.end());
        return all;
    }

    Advance<Dim> pass{};

  private:
    Ensemble<Dim> ensemble_;
    Particles<Dim> particles_;
    Array<double> heat_;
};

} // namespace

TEMPLATE_TEST_CASE_SIG("a bath gives each particle its own noise, with the bits of every CPU", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const int species = GENERATE(1, 2);
    // One by one, with the functions of the C library.
    const Backend one = Backend::cpu(1);
    Bathed<Dim> reference(one, species);
    for (std::int64_t i = 0; i < number; ++i) reference.pass(i);
    const auto expected = reference.numbers();

    std::optional<std::vector<double>> bits;
    for (const TestBackend& where : test_backends()) {
        const Backend backend = where.open();
        CAPTURE(where.name, species);
        Bathed<Dim> bathed(backend, species);
        launch(backend, bathed.pass, number);
        const auto found = bathed.numbers();
        double worst = 0.0;
        for (std::size_t k = 0; k < found.size(); ++k)
            worst = test::larger(worst, std::abs(found[k] - expected[k]));
        // Momenta below 6, heat below 20, and a few roundings of normal numbers in float.
        CHECK(worst < 20.0 * std::numeric_limits<float>::epsilon());
        if (where.cuda) continue;
        if (!bits) bits = found;
        CHECK((found == *bits)); // too many to be shown

        Bathed<Dim> pieces(backend, species); // whatever the lanes
        for (const auto& [first, last] : {std::pair{0, 1}, {1, 6}, {6, 700}, {700, 1301}})
            pieces.pass.range(backend, first, last);
        CHECK((pieces.numbers() == *bits));
    }
}

TEST_CASE("an advance brings back who is far outside of the box, if it is asked to") {
    const bool asked = GENERATE(false, true);
    const Backend backend = Backend::cpu(1);
    Ensemble<2> ensemble(backend, Box<2>({4.0, 0.0}, {true, false}));
    Snapshot<2> start;
    start.species_table = {Species{}};
    start.position = {{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}};
    start.momentum = {{4.5, 90.0}, {-12.5, 0.0}, {5.0, 0.0}};
    start.image = {{7, 0}, {0, 0}, {0, 0}};
    start.species = {0, 0, 0};
    Particles<2> particles(backend, ensemble, start);
    Advance<2> pass{};
    pass.particles = particles.view();
    pass.scalars = {ensemble.scalars()};
    pass.one_species = true;
    pass.count = 1;
    pass.flow[0] = {FlowEntry::Kind::drift, 0, 1.0, Scalar::one, 0.0, 0, 0};
    if (asked) pass.far = 0.5;
    for (std::int64_t i = 0; i < 3; ++i) pass(i);
    const Snapshot<2> now = particles.snapshot();
    CHECK(now.position[0] == std::array{5.5, 91.0}); // by less than half a box
    CHECK(now.position[1] == std::array{asked ? 0.5 : -11.5, 1.0});
    CHECK(now.position[2] == std::array{asked ? 2.0 : 6.0, 1.0});
    CHECK(now.image[0] == std::array{7, 0});
    CHECK(now.image[1] == std::array{asked ? -3 : 0, 0});
    CHECK(now.image[2] == std::array{asked ? 1 : 0, 0});
}
