// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/neighbours/neighbours.hpp"

#include "support/arrangements.hpp"
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_list.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <limits>
#include <random>

using namespace shadow;
using namespace test::arrangements;

namespace {

/// One build and one shake within the skin, compared with all pairs.
template <int Dim>
void compare(const Backend& backend, Shape shape, std::size_t n, const std::array<bool, Dim>& mask,
             double length, int cluster_size, double thick = skin) {
    CAPTURE(static_cast<int>(shape), n, mask, length, cluster_size, thick);
    const auto box = cube<Dim>(length, mask);
    // Single precision tells half a skin from a little less out to 1e3 only.
    const double far = 1e6;
    const Ensemble<Dim> ensemble(backend, box);
    Particles<Dim> particles(backend, ensemble, at<Dim>(arranged<Dim>(shape, n, length, 7, far)));
    Neighbours<Dim> neighbours(backend, box, cluster_size, thick);
    neighbours.add_list(cutoff);
    neighbours.add_list(0.6 * cutoff);
    neighbours.keep_sorted();
    neighbours.update(particles);
    for (const int list : {0, 1}) {
        const auto host = fetch_list(backend, particles, neighbours, list);
        REQUIRE(shape_error(host, cluster_size, neighbours.cluster_bound()) == "");
        const double distance = (list == 0 ? 1.0 : 0.6) * cutoff + thick;
        REQUIRE(missing_pairs(host, box, distance) == 0);
    }
    if (n > 1000) return;
    shake(backend, particles, 0.499 * thick, 3);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 1);
    const auto host = fetch_list(backend, particles, neighbours, 0);
    CHECK(missing_pairs(host, box, cutoff) == 0);
}

} // namespace

TEMPLATE_TEST_CASE_SIG("lists hold every pair within reach", "", ((int Dim), Dim), 1, 2, 3) {
    const Backend backend = Backend::cpu(2);
    const Shape shape = GENERATE(from_range(std::begin(shapes), std::end(shapes)));
    for (const auto& mask : periodicities<Dim>())
        for (const std::size_t n : {1, 2, 3, 7, 31, 32, 33, 63, 200})
            for (const double length : {2.02 * cutoff, 5.0 * cutoff, 11.0 * cutoff})
                compare<Dim>(backend, shape, n, mask, length, 8);
}

TEMPLATE_TEST_CASE_SIG("lists of larger systems and other cluster sizes", "", ((int Dim), Dim), 1,
                       2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const int cluster_size = GENERATE(1, 4, 8, 32);
    const Shape shape = GENERATE(Shape::uniform, Shape::droplet, Shape::escaped);
    for (const auto& mask : periodicities<Dim>()) {
        const double unit = Dim == 1 ? 100.0 : (Dim == 2 ? 25.0 : 9.0);
        compare<Dim>(backend, shape, 500, mask, unit, cluster_size);
        compare<Dim>(backend, shape, 500, mask, 10.0 * unit, cluster_size);
        if (cluster_size == 8 && mask[0] == mask[Dim - 1])
            compare<Dim>(backend, shape, 4000, mask, 2.0 * unit, 8);
    }
}

TEMPLATE_TEST_CASE_SIG("a skin thicker than the box brings images, not losses", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const Backend backend = Backend::cpu(1);
    for (const double thick : {2.0, 4.6, 8.0})
        for (const std::size_t n : {1, 5, 40})
            for (const auto& mask : periodicities<Dim>())
                compare<Dim>(backend, Shape::uniform, n, mask, 2.0 * cutoff + 0.1, 4, thick);
}

TEST_CASE("an infinite cut-off lists everything, in the order of ids") {
    const Backend backend = Backend::cpu(1);
    const std::size_t n = GENERATE(1, 2, 7, 8, 9, 50);
    const Ensemble<2> ensemble(backend, Box<2>{});
    Particles<2> particles(backend, ensemble, at<2>(arranged<2>(Shape::uniform, n, 20.0, 1)));
    Neighbours<2> neighbours(backend, Box<2>{}, 4, skin);
    const double infinity = std::numeric_limits<double>::infinity();
    const int list = neighbours.add_list(infinity);
    neighbours.update(particles);
    shake(backend, particles, 100.0, 1);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 1);
    const auto host = fetch_list(backend, particles, neighbours, list);
    CHECK(shape_error(host, 4, neighbours.cluster_bound()) == "");
    CHECK(missing_pairs(host, Box<2>{}, infinity) == 0);
    CHECK(std::is_sorted(host.id.begin(), host.id.end()));

    // Beside a finite list, the same clusters serve both.
    Neighbours<2> both(backend, Box<2>{}, 4, skin);
    const int all = both.add_list(infinity);
    const int near = both.add_list(cutoff);
    both.update(particles);
    shake(backend, particles, 3.0, 2);
    both.update(particles);
    CHECK(both.rebuilds() == 2);
    for (const int index : {all, near}) {
        const auto shared = fetch_list(backend, particles, both, index);
        CHECK(shape_error(shared, 4, both.cluster_bound()) == "");
        CHECK(missing_pairs(shared, Box<2>{}, index == all ? infinity : cutoff + skin) == 0);
    }
}

TEST_CASE("lists are rebuilt when a particle has moved half the skin, and not before") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const auto box = cube<3>(10.0, {true, true, true});
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, at<3>(arranged<3>(Shape::uniform, 3000, 10.0, 2)));
    Neighbours<3> neighbours(backend, box, 8, skin);
    neighbours.add_list(cutoff);
    CHECK(neighbours.reference(particles).empty());
    neighbours.update(particles);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 1);
    const std::size_t moving = GENERATE(0, 1023, 1024, 2999);
    double* place = particles.view().position.component[1] + moving;
    const double start = fetch(backend, place, 1)[0];
    const auto move_to = [&](double x) { detail::copy_to_backend(backend, place, &x, sizeof x); };
    move_to(start + 0.4999 * skin);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 1);
    move_to(start - 0.5001 * skin);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 2);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 2);
    const auto host = fetch_list(backend, particles, neighbours, 0);
    CHECK(missing_pairs(host, box, cutoff + skin) == 0);
    // A coordinate that is not a number does not count as at rest.
    move_to(std::numeric_limits<double>::quiet_NaN());
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 3);
}

TEMPLATE_TEST_CASE_SIG("lists do not depend on the number of threads", "", ((int Dim), Dim), 1, 2,
                       3) {
    // Several grains of 1024 for every thread.
    const std::size_t n = 10'000;
    const double length = Dim == 1 ? 8e3 : (Dim == 2 ? 120.0 : 23.0);
    const Backend one = Backend::cpu(1);
    const auto start = at<Dim>(arranged<Dim>(Shape::uniform, n, length, 8));
    for (const auto& mask : {periodicities<Dim>()[0], periodicities<Dim>()[1]}) {
        const auto lists = [&](const Backend& backend) {
            const Ensemble<Dim> ensemble(backend, cube<Dim>(length, mask));
            Particles<Dim> particles(backend, ensemble, start);
            Neighbours<Dim> neighbours(backend, cube<Dim>(length, mask), 8, skin);
            neighbours.add_list(cutoff);
            for (unsigned k = 0; k < 3; ++k) {
                neighbours.update(particles);
                shake(backend, particles, 0.8 * skin, k);
            }
            neighbours.update(particles);
            return fetch_list(backend, particles, neighbours, 0);
        };
        const auto reference = lists(one);
        for (const int threads : {2, 3, 7}) {
            const Backend backend = Backend::cpu(threads);
            CHECK(same(lists(backend), reference));
        }
    }
}

TEST_CASE("lists that cannot be are refused") {
    const Backend backend = Backend::cpu(1);
    const auto box = cube<2>(10.0, {true, false});
    CHECK_THROWS_AS((Neighbours<2>(backend, box, 0, skin)), InputError);
    CHECK_THROWS_AS((Neighbours<2>(backend, box, 4, 0.0)), InputError);
    Neighbours<2> neighbours(backend, box, 4, skin);
    CHECK_THROWS_AS(neighbours.add_list(-1.0), InputError);
    CHECK_THROWS_AS(neighbours.add_list(std::numeric_limits<double>::infinity()), InputError);
}

TEST_CASE("forces with the same cut-off share a list, observables have their own") {
    const Backend backend = Backend::cpu(1);
    Neighbours<2> neighbours(backend, cube<2>(10.0, {true, true}), 4, skin);
    CHECK(neighbours.add_list(2.0) == 0);
    CHECK(neighbours.add_list(1.5) == 1);
    CHECK(neighbours.add_list(2.0) == 0);
    CHECK(neighbours.add_list(2.0, false) == 2);
    CHECK(neighbours.add_list(1.5) == 1);
}

TEST_CASE("positions stay in the box without any list") {
    const Backend backend = Backend::cpu(1);
    const Ensemble<1> ensemble(backend, cube<1>(10.0, {true}));
    Particles<1> particles(backend, ensemble, at<1>({{25.0}, {-3.0}, {4.0}}));
    Neighbours<1> neighbours(backend, cube<1>(10.0, {true}), 4, skin);
    neighbours.update(particles);
    const auto out = particles.snapshot();
    CHECK(out.position == std::vector<std::array<double, 1>>{{5.0}, {7.0}, {4.0}});
    CHECK(out.image == std::vector<std::array<std::int32_t, 1>>{{2}, {-1}, {0}});
}

TEST_CASE("an empty system has an empty list") {
    const Backend backend = Backend::cpu(1);
    const Ensemble<2> ensemble(backend, Box<2>{});
    Particles<2> particles(backend, ensemble, at<2>({}));
    Neighbours<2> neighbours(backend, Box<2>{}, 4, skin);
    neighbours.add_list(cutoff);
    neighbours.update(particles);
    CHECK(neighbours.cluster_bound() == 0);
}

TEST_CASE("few particles far away do not spoil the lists of the rest") {
    // Candidates per cluster with one particle in a hundred at 1e5 must stay near those without:
    // twice allows for the clusters at the rim.
    const Backend backend = Backend::cpu(1);
    const auto candidates = [&](std::size_t far) {
        auto x = arranged<3>(Shape::uniform, 4000, 17.0, 6);
        for (std::size_t i = 0; i < far; ++i)
            x[i * 100] = {1e5 + 900.0 * static_cast<double>(i), 0, 0};
        const Ensemble<3> ensemble(backend, Box<3>{});
        Particles<3> particles(backend, ensemble, at<3>(x));
        Neighbours<3> neighbours(backend, Box<3>{}, 8, skin);
        neighbours.add_list(cutoff);
        neighbours.update(particles);
        return mean_candidates(fetch_list(backend, particles, neighbours, 0));
    };
    CHECK(candidates(40) < 2.0 * candidates(0));
}
