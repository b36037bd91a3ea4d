// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/neighbours/neighbours.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_list.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <limits>
#include <random>

using namespace shadow;

namespace {

constexpr double cutoff = 1.5, skin = 0.4;

template <int Dim>
Snapshot<Dim> at(std::vector<std::array<double, Dim>> positions) {
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 2.0, 0.0}};
    s.position = std::move(positions);
    s.image.resize(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
        s.momentum.emplace_back();
        for (std::size_t d = 0; d < Dim; ++d)
            s.momentum[i][d] = static_cast<double>(i) + 0.25 * static_cast<double>(d);
        s.species.push_back(i % 2);
    }
    return s;
}

enum class Shape { uniform, droplet, slab, corner, level, points, escaped, lattice };

constexpr Shape shapes[] = {Shape::uniform, Shape::droplet, Shape::slab,    Shape::corner,
                            Shape::level,   Shape::points,  Shape::escaped, Shape::lattice};

/// Positions in [0, length) or around it.
template <int Dim>
std::vector<std::array<double, Dim>> arranged(Shape shape, std::size_t n, double length,
                                              unsigned seed, double far = 1e6) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::normal_distribution<double> normal;
    std::vector<std::array<double, Dim>> x(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const bool last = d + 1 == Dim;
            const double u = uniform(random);
            switch (shape) {
            case Shape::uniform:
                x[i][d] = length * u;
                break;
            case Shape::droplet:
                x[i][d] = 0.3 * length + 0.05 * length * normal(random);
                break;
            case Shape::slab:
                x[i][d] = last ? 0.99 * length + 0.02 * length * u : length * u;
                break;
            case Shape::corner:
                x[i][d] = 1e-3 * u;
                break;
            case Shape::level:
                x[i][d] = last ? 0.0 : length * u;
                break;
            case Shape::points:
                x[i][d] = i % 3 == 0 ? 0.0 : 0.5 * length;
                break;
            case Shape::escaped:
                x[i][d] = i == n / 2 ? far * (u - 0.5) : length * u;
                break;
            case Shape::lattice:
                x[i][d] = length / 8.0 * std::floor(8.0 * u);
                break;
            }
        }
    return x;
}

/// All, none, only the first, only the last.
template <int Dim>
std::vector<std::array<bool, Dim>> periodicities() {
    std::vector<std::array<bool, Dim>> masks(2);
    masks[0].fill(true);
    if constexpr (Dim > 1) {
        masks.resize(4);
        masks[2][0] = true;
        masks[3][Dim - 1] = true;
    }
    return masks;
}

template <int Dim>
Box<Dim> cube(double length, const std::array<bool, Dim>& periodic) {
    std::array<double, Dim> lengths{};
    for (std::size_t d = 0; d < Dim; ++d) lengths[d] = periodic[d] ? length : 0.0;
    return Box<Dim>(lengths, periodic);
}

/// Every particle by `length` in a random direction.
template <int Dim>
void shake(const Backend& backend, Particles<Dim>& particles, double length, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const auto n = static_cast<std::size_t>(particles.size());
    std::array<std::vector<double>, Dim> x;
    for (std::size_t d = 0; d < Dim; ++d)
        x[d] = fetch(backend, particles.view().position.component[d], n);
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> step;
        double norm = 0.0;
        for (auto& s : step) {
            s = normal(random);
            norm += s * s;
        }
        for (std::size_t d = 0; d < Dim; ++d) x[d][i] += step[d] * length / std::sqrt(norm);
    }
    for (std::size_t d = 0; d < Dim; ++d)
        detail::copy_to_backend(backend, particles.view().position.component[d], x[d].data(),
                                n * sizeof(double));
}

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

TEMPLATE_TEST_CASE_SIG("a rebuild permutes particles and keeps where they truly are", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const double length = 12.5;
    auto mask = periodicities<Dim>()[0];
    if (Dim > 1) mask[0] = GENERATE(true, false);
    const auto box = cube<Dim>(length, mask);
    // Up to two boxes away from home, and on the faces.
    auto start = arranged<Dim>(Shape::uniform, 1001, 5.0 * length, 4);
    for (auto& x : start)
        for (auto& c : x) c -= 2.0 * length;
    start[5].fill(length);
    start[6].fill(0.0);
    start[7].fill(-1e-18);
    const auto in = at<Dim>(start);
    const Ensemble<Dim> ensemble(backend, box);
    Particles<Dim> particles(backend, ensemble, in);
    std::vector<double> label(in.size());
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = 3.0 * static_cast<double>(i);
    Array<double> companion(backend, label);
    // Of other sizes, and more of them than one pass takes on a GPU.
    std::vector<std::array<double, 3>> vector;
    std::vector<std::uint16_t> small;
    for (std::size_t i = 0; i < label.size(); ++i) {
        vector.push_back({label[i], 1.0, -label[i]});
        small.push_back(static_cast<std::uint16_t>(i));
    }
    Array<std::array<double, 3>> vectors(backend, vector);
    Array<std::uint16_t> smalls(backend, small);
    std::vector<Array<double>> more;
    for (int k = 0; k < 20; ++k) more.emplace_back(backend, label);
    Neighbours<Dim> neighbours(backend, box, 4, skin);
    neighbours.add_list(cutoff);
    neighbours.attach(companion);
    neighbours.attach(vectors);
    neighbours.attach(smalls);
    for (Array<double>& one : more) neighbours.attach(one);
    neighbours.update(particles);
    const auto out = particles.snapshot();
    CHECK(out.momentum == in.momentum);
    CHECK(out.species == in.species);
    double worst = 0.0;
    bool inside = true;
    for (std::size_t i = 0; i < in.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double x = out.position[i][d];
            if (mask[d])
                inside = inside && x >= 0.0 && x < length;
            else
                CHECK(out.image[i][d] == 0);
            const double stored = in.position[i][d];
            worst = test::larger(worst, std::abs(x + out.image[i][d] * box.lengths()[d] - stored));
        }
    CHECK(inside);
    // One rounding of a number below 3 box lengths.
    CHECK(worst <= 3.0 * length * std::numeric_limits<double>::epsilon());
    const auto id = fetch(backend, particles.view().id, in.size());
    const auto moved = companion.to_host(), last = more.back().to_host();
    const auto moved_vectors = vectors.to_host();
    const auto moved_smalls = smalls.to_host();
    bool follows = true;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const double of = 3.0 * static_cast<double>(id[i]);
        follows = follows && moved[i] == of && last[i] == of && moved_smalls[i] == id[i] &&
                  moved_vectors[i] == std::array<double, 3>{of, 1.0, -of};
    }
    CHECK(follows);
    CHECK(!std::is_sorted(id.begin(), id.end()));
    CHECK(neighbours.reference(particles) == out.position);
}

TEMPLATE_TEST_CASE_SIG("restoring gives the order and the ranges of a run that never stopped", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    const Backend other = Backend::cpu(1);
    CAPTURE(where.name);
    const Shape shape = GENERATE(Shape::uniform, Shape::droplet, Shape::lattice, Shape::escaped);
    for (const auto& mask : periodicities<Dim>()) {
        const auto box = cube<Dim>(14.0, mask);
        const auto fresh = [&](const Backend& b) {
            Neighbours<Dim> neighbours(b, box, 4, skin);
            neighbours.add_list(cutoff);
            neighbours.keep_sorted();
            return neighbours;
        };
        const Ensemble<Dim> ensemble(backend, box);
        Particles<Dim> particles(backend, ensemble, at<Dim>(arranged<Dim>(shape, 700, 14.0, 5)));
        auto neighbours = fresh(backend);
        for (unsigned k = 0; k < 5; ++k) {
            neighbours.update(particles);
            shake(backend, particles, 0.7 * skin, k);
        }
        neighbours.update(particles);
        shake(backend, particles, 0.3 * skin, 9);
        const auto reference = neighbours.reference(particles);
        const auto snapshot = particles.snapshot();
        // A GPU and a CPU choose widths by another pow, so only alike backends are compared.
        const Backend& second = where.cuda ? backend : other;
        const Ensemble<Dim> other_ensemble(second, box);
        Particles<Dim> again(second, other_ensemble, snapshot);
        auto restored = fresh(second);
        restored.restore(again, reference, 6);
        for (unsigned round = 0; round < 2; ++round) {
            neighbours.update(particles);
            restored.update(again);
            REQUIRE(neighbours.rebuilds() == 6 + round);
            REQUIRE(restored.rebuilds() == 6 + round);
            const auto a = fetch_list(backend, particles, neighbours, 0);
            const auto b = fetch_list(second, again, restored, 0);
            CHECK(same(a, b));
            CHECK(particles.snapshot().image == again.snapshot().image);
            CHECK(particles.snapshot().momentum == again.snapshot().momentum);
            shake(backend, particles, 0.9 * skin, 11);
            shake(second, again, 0.9 * skin, 11);
        }
    }
}

TEST_CASE("where the particle of an id is stays known through rebuilds") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    const unsigned asked = GENERATE(0U, 2U);
    CAPTURE(where.name, asked);
    const auto box = cube<3>(14.0, {true, true, true});
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, at<3>(arranged<3>(Shape::uniform, 700, 14.0, 5)));
    Neighbours<3> neighbours(backend, box, 4, skin);
    neighbours.add_list(cutoff);
    neighbours.keep_sorted();
    const std::int32_t* index = nullptr;
    const auto is_known = [&] {
        const std::int32_t* now = neighbours.index_of_id(particles.view());
        if (index && now != index) return false;
        index = now;
        const auto id = fetch(backend, particles.view().id, 700);
        const auto place = fetch(backend, index, 700);
        for (std::size_t i = 0; i < id.size(); ++i)
            if (place[id[i]] != static_cast<std::int32_t>(i)) return false;
        return true;
    };
    for (unsigned k = 0; k < 5; ++k) {
        if (k >= asked) CHECK(is_known());
        neighbours.update(particles);
        if (k >= asked) CHECK(is_known());
        shake(backend, particles, 0.7 * skin, k);
    }
    CHECK(neighbours.rebuilds() == 5);
    const auto reference = neighbours.reference(particles);
    const auto snapshot = particles.snapshot();
    particles = Particles<3>(backend, ensemble, snapshot);
    neighbours.restore(particles, {}, 5); // builds at the next update
    CHECK(is_known());
    particles = Particles<3>(backend, ensemble, snapshot);
    neighbours.restore(particles, reference, 5);
    CHECK(is_known());
    neighbours.update(particles);
    CHECK(is_known());
}

TEST_CASE("lists on demand are made when they are asked for, and particles come back from afar",
          "[cuda]") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const auto box = cube<3>(14.0, {true, true, true});
    const auto fresh = [&] {
        Neighbours<3> neighbours(backend, box, 4, skin);
        neighbours.add_list(cutoff);
        return neighbours;
    };
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, at<3>(arranged<3>(Shape::uniform, 700, 14.0, 5)));
    auto neighbours = fresh();
    neighbours.update(particles);
    CHECK(neighbours.on_demand() == where.cuda);
    if (!where.cuda) return;
    CHECK(neighbours.displacement_test(particles.view()).flag == nullptr);
    const auto order = fetch(backend, particles.view().id, 700);
    const auto reference = neighbours.reference(particles);
    const auto move = [&](double by) {
        double* x = particles.view().position.component[0] + 3;
        const double to = fetch(backend, x, 1)[0] + by;
        detail::copy_to_backend(backend, x, &to, sizeof to);
        neighbours.update(particles);
        return fetch(backend, x, 1)[0];
    };
    const double start = reference[order[3]][0];
    CHECK(move(6.9 - start) == Approx(6.9));
    CHECK(move(14.0) == Approx(20.9)); // nearer than half a box
    CHECK(move(0.2) == Approx(7.1));
    CHECK(particles.snapshot().image[order[3]][0] == 1);
    shake(backend, particles, 3.0 * skin, 7);
    neighbours.update(particles);
    CHECK(neighbours.rebuilds() == 1);
    CHECK(fetch(backend, particles.view().id, 700) == order);
    CHECK(neighbours.reference(particles) == reference);
    // A run that goes on from here has the same order, and so the same bits.
    Particles<3> again(backend, ensemble, particles.snapshot());
    auto restored = fresh();
    restored.restore(again, reference, 1);
    restored.update(again);
    CHECK(fetch(backend, again.view().id, 700) == order);
    CHECK(again.snapshot().position == particles.snapshot().position);
    for (auto* lists : {&neighbours, &restored}) {
        auto& of = lists == &neighbours ? particles : again;
        lists->build(of);
        CHECK(lists->rebuilds() == 2);
        lists->build(of);
        CHECK(lists->rebuilds() == 2);
        CHECK(missing_pairs(fetch_list(backend, of, *lists, 0), box, cutoff) == 0);
    }
    CHECK(fetch(backend, particles.view().id, 700) != order);
    CHECK(fetch(backend, particles.view().id, 700) == fetch(backend, again.view().id, 700));
    // Without a reference the next update builds.
    Particles<3> once_more(backend, ensemble, particles.snapshot());
    neighbours.restore(once_more, {}, 0);
    CHECK(neighbours.reference(once_more).empty());
    neighbours.update(once_more);
    CHECK(neighbours.rebuilds() == 1);
    CHECK_FALSE(neighbours.reference(once_more).empty());
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
