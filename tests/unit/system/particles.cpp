// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/particles.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <limits>

using namespace shadow;

namespace {

template <int Dim>
Snapshot<Dim> some_particles(std::size_t n) {
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 2.5, -1.0}};
    s.position.resize(n);
    s.momentum.resize(n);
    s.image.resize(n);
    s.species.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t d = 0; d < Dim; ++d) {
            // Multiples of 1/8 are exact in single precision.
            s.position[i][d] = 0.125 * static_cast<double>(i * Dim + d);
            s.momentum[i][d] = -0.25 * static_cast<double>(i + 7 * d);
            s.image[i][d] = static_cast<std::int32_t>(i % 5) - 2;
        }
        s.species[i] = i % 3 == 0;
    }
    return s;
}

} // namespace

TEMPLATE_TEST_CASE_SIG("particles come back as they went in", "", ((int Dim), Dim), 1, 2, 3) {
    const Backend backend = Backend::cpu(2);
    for (const std::size_t n : {0, 1, 100}) {
        const auto in = some_particles<Dim>(n);
        const Ensemble<Dim> ensemble(backend, Box<Dim>{});
        Particles<Dim> particles(backend, ensemble, in);
        REQUIRE(particles.size() == static_cast<std::int64_t>(n));
        const auto view = particles.view();
        // Memory order may change; ids do not.
        if (n > 1) {
            for (std::size_t d = 0; d < Dim; ++d) {
                std::swap(view.position.component[d][0], view.position.component[d][n - 1]);
                std::swap(view.momentum.component[d][0], view.momentum.component[d][n - 1]);
                std::swap(view.image.component[d][0], view.image.component[d][n - 1]);
            }
            std::swap(view.species[0], view.species[n - 1]);
            std::swap(view.id[0], view.id[n - 1]);
        }
        const auto out = particles.snapshot();
        CHECK(out.position == in.position);
        CHECK(out.momentum == in.momentum);
        CHECK(out.image == in.image);
        CHECK(out.species == in.species);
        CHECK(view.mass[1] == 2.5);
        CHECK(view.inverse_mass[1] == 1.0 / 2.5);
        CHECK(particles.bytes() ==
              n * (Dim * (2 * sizeof(double) + 4) + 6) + 2 * 2 * sizeof(double));
    }
}

TEST_CASE("particles that cannot be simulated are refused") {
    const Backend backend = Backend::cpu(1);
    const auto refused = [&](auto change) {
        auto s = some_particles<2>(5);
        change(s);
        CHECK_THROWS_AS((Particles<2>(backend, Ensemble<2>(backend, {}), s)), InputError);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    refused([&](auto& s) { s.position[3][1] = nan; });
    refused([](auto& s) { s.momentum[4][0] = std::numeric_limits<double>::infinity(); });
    refused([](auto& s) { s.species[2] = 2; });
    refused([](auto& s) { s.species_table[0].mass = 0.0; });
    refused([](auto& s) { s.species_table[1].mass = -1.0; });
    refused([&](auto& s) { s.species_table[1].mass = nan; });
    refused([](auto& s) { s.momentum.pop_back(); });
    auto s = some_particles<2>(5);
    s.position[0][0] = 1e300; // finite
    CHECK_NOTHROW(Particles<2>(backend, Ensemble<2>(backend, {}), s));
}
