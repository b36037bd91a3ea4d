// SPDX-License-Identifier: BSD-3-Clause
#include "support/arrangements.hpp"
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_list.hpp"

#include "shadow/core/error.hpp"
#include "shadow/neighbours/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <random>

using namespace shadow;
using namespace test::arrangements;

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
