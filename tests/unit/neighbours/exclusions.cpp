// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_list.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"
#include "shadow/neighbours/neighbours.hpp"

#include <algorithm>
#include <random>

using namespace shadow;

namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

/// Each next to the one before, some told twice or the other way round.
Pairs chain(std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t a = 0; a + 1 < n; ++a) {
        pairs.push_back({a, a + 1});
        if (a % 3 == 0) pairs.push_back({a + 1, a});
        if (a % 5 == 0) pairs.push_back({a, a + 1});
    }
    return pairs;
}

/// By id, the ids from which particles are excluded.
template <int Dim>
std::vector<std::vector<std::uint32_t>>
excluded_ids(const Backend& backend, Particles<Dim>& particles, const Neighbours<Dim>& neighbours) {
    const auto n = static_cast<std::size_t>(particles.size());
    const ExclusionView view = neighbours.list(0).exclusions;
    const auto begin = fetch(backend, view.begin, n + 1);
    const auto partner = fetch(backend, view.partner, static_cast<std::size_t>(begin.back()));
    const auto id = fetch(backend, particles.view().id, n);
    std::vector<std::vector<std::uint32_t>> ids(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::uint32_t>& of = ids[id[i]];
        for (auto k = static_cast<std::size_t>(begin[i]);
             k < static_cast<std::size_t>(begin[i + 1]); ++k)
            of.push_back(id[static_cast<std::size_t>(partner[k])]);
        std::sort(of.begin(), of.end());
    }
    return ids;
}

/// All particles to other places.
template <int Dim>
void shuffle(const Backend& backend, Particles<Dim>& particles, unsigned seed) {
    const auto n = static_cast<std::size_t>(particles.size());
    std::mt19937 random(seed);
    for (int d = 0; d < Dim; ++d) {
        double* x = particles.view().position.component[d];
        auto places = fetch(backend, x, n);
        std::shuffle(places.begin(), places.end(), random);
        detail::copy_to_backend(backend, x, places.data(), n * sizeof(double));
    }
}

} // namespace

TEST_CASE("excluded pairs follow the particles through rebuilds") {
    const std::uint32_t n = 343;
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    const double cutoff = GENERATE(2.0, std::numeric_limits<double>::infinity());
    CAPTURE(where.name, cutoff);
    const Box<3> box = std::isfinite(cutoff)
                           ? Box<3>({7.6, 7.6, 7.6}, std::array<bool, 3>{true, true, true})
                           : Box<3>();
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, at_rest<3>(jittered_points<3>(n, 1.08, 0.1, 3)));
    Neighbours<3> neighbours(backend, box, 32, 0.3);
    neighbours.add_list(cutoff);
    neighbours.exclude(chain(n));
    for (const unsigned seed : {0U, 1U, 2U}) {
        if (seed > 0) shuffle(backend, particles, seed);
        neighbours.update(particles);
        const auto ids = excluded_ids(backend, particles, neighbours);
        bool right = true;
        for (std::uint32_t a = 0; a < n; ++a) {
            std::vector<std::uint32_t> expected;
            if (a > 0) expected.push_back(a - 1);
            if (a + 1 < n) expected.push_back(a + 1);
            right = right && ids[a] == expected;
        }
        CHECK(right);
    }
}

TEST_CASE("pairs that cannot be excluded are refused") {
    const Backend backend = Backend::cpu(1);
    const auto refused = [&](const Pairs& pairs) {
        const Ensemble<2> ensemble(backend, Box<2>());
        Particles<2> particles(backend, ensemble, at_rest<2>(jittered_points<2>(9, 1.0, 0.1, 1)));
        Neighbours<2> neighbours(backend, Box<2>(), 32, 0.3);
        neighbours.add_list(2.0);
        neighbours.exclude(pairs);
        neighbours.update(particles);
    };
    CHECK_NOTHROW(refused({{0, 8}}));
    CHECK_THROWS_AS(refused({{0, 8}, {4, 4}}), InputError);
    CHECK_THROWS_AS(refused({{0, 9}}), InputError);
    CHECK_THROWS_AS(refused({{4000000000U, 1}}), InputError);
}
