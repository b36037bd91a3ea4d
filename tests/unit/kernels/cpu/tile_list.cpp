// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_list.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "shadow/neighbours/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <utility>

using namespace shadow;

namespace {

/// j seen through an image from i, by id, so that i comes before j or the image is a positive one.
using ListedPair = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

template <int Dim>
std::int32_t opposite(std::int32_t shift) {
    std::int32_t turned = 0;
    for (int d = 0; d < Dim; ++d)
        turned |= NeighbourRange::pack(d, -NeighbourRange{0, 0, shift}.images(d));
    return turned;
}

template <int Dim>
ListedPair ordered(std::uint32_t i, std::uint32_t j, std::int32_t shift) {
    int sign = 0;
    for (int d = Dim - 1; d >= 0; --d)
        if (const int images = NeighbourRange{0, 0, shift}.images(d)) sign = images;
    if (sign < 0 || (sign == 0 && j < i)) return {j, i, opposite<Dim>(shift)};
    return {i, j, shift};
}

template <int Dim>
struct Sample {
    Box<Dim> box;
    Points<Dim> points;
};

/// A liquid in a box of n^Dim cells of a lattice of spacing 1.08, some directions open.
template <int Dim>
Sample<Dim> liquid(int side, std::array<bool, Dim> periodic, unsigned seed) {
    std::array<double, Dim> lengths;
    for (std::size_t d = 0; d < Dim; ++d) lengths[d] = periodic[d] ? 1.08 * side : 0.0;
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    return {Box<Dim>(lengths, periodic), jittered_points<Dim>(n, 1.08, 0.2, seed)};
}

/// Far apart, so that clusters are cut into several superclusters.
template <int Dim>
Sample<Dim> gas(int n, double edge, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, edge);
    Points<Dim> points(static_cast<std::size_t>(n));
    for (auto& x : points)
        for (double& component : x) component = uniform(random);
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(edge);
    periodic.fill(true);
    return {Box<Dim>(lengths, periodic), points};
}

/// A tile list and the pairs in it.
template <int Dim>
struct Listed {
    cpu::TileList<Dim> list;
    std::vector<ListedPair> pairs;                 ///< of all tiles, sorted
    std::vector<std::array<double, Dim>> position; ///< by id
};

/// Returns how many more pairs have a slot that holds no particle.
template <int Dim>
int collect_pairs(const cpu::TileList<Dim>& list, const std::vector<std::uint32_t>& id,
                  std::vector<ListedPair>& pairs) {
    int with_empty_slots = 0;
    std::vector<std::int32_t> supercluster_of(
        static_cast<std::size_t>(list.first_subcluster.back()));
    for (std::int32_t b = 0; b < list.superclusters(); ++b)
        for (std::int32_t q = list.first_subcluster[static_cast<std::size_t>(b)];
             q < list.first_subcluster[static_cast<std::size_t>(b) + 1]; ++q)
            supercluster_of[static_cast<std::size_t>(q)] = b;
    const auto member = [&](std::int32_t subcluster, int k) -> std::int64_t {
        const auto b =
            static_cast<std::size_t>(supercluster_of[static_cast<std::size_t>(subcluster)]);
        if (4 * (subcluster - list.first_subcluster[b]) + k >= list.size[b]) return -1;
        return id[static_cast<std::size_t>(
            list.particle[static_cast<std::size_t>(4 * subcluster + k)])];
    };
    const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t shift, int chosen) {
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < 4; ++l) {
                if (!(chosen >> (4 * k + l) & 1)) continue;
                const std::int64_t i = member(a, k), j = member(b, l);
                if (i < 0 || j < 0)
                    ++with_empty_slots;
                else
                    pairs.push_back(ordered<Dim>(static_cast<std::uint32_t>(i),
                                                 static_cast<std::uint32_t>(j), shift));
            }
    };
    for (const cpu::TileChunk& chunk : list.chunks)
        for (std::int32_t b = chunk.first; b < chunk.last; ++b) {
            const auto k = static_cast<std::size_t>(b - chunk.first);
            const std::int32_t own = list.first_subcluster[static_cast<std::size_t>(b)];
            const auto shift_of = [&](std::int32_t in_block) {
                std::int32_t shift = 0;
                for (std::int32_t s = chunk.segment_begin[k]; s < chunk.segment_begin[k + 1]; ++s)
                    if (chunk.segment[static_cast<std::size_t>(s)].begin <= in_block)
                        shift = chunk.segment[static_cast<std::size_t>(s)].shift;
                return shift;
            };
            for (std::int32_t r = chunk.row_begin[k]; r < chunk.row_begin[k + 1]; ++r) {
                const cpu::TileRow* row = chunk.row.data() + r;
                const auto add_tile = [&](std::int32_t in_block, int chosen) {
                    const std::int32_t subcluster =
                        list.subcluster(chunk)[chunk.block_begin[k] + in_block];
                    add(own + row->subcluster, subcluster, shift_of(in_block), chosen);
                };
                for (std::int32_t t = row->masked_begin; t < row->masked_end; ++t) {
                    const cpu::MaskedTile& masked = chunk.masked[static_cast<std::size_t>(t)];
                    add_tile(masked.tile, masked.pairs);
                }
                for (std::int32_t t = row->begin; t < row->end; ++t)
                    add_tile(list.tile(chunk)[t], 0xFFFF);
            }
        }
    std::sort(pairs.begin(), pairs.end());
    return with_empty_slots;
}

/// Steps of up to `length`, by memory index.
template <int Dim>
Points<Dim> random_steps(std::size_t n, double length, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Points<Dim> steps(n);
    for (auto& step : steps) {
        double r2 = 0.0;
        do {
            r2 = 0.0;
            for (double& x : step) {
                x = uniform(random);
                r2 += x * x;
            }
        } while (r2 > 1.0);
        for (double& x : step) x *= length;
    }
    return steps;
}

/// Ids, the lower one first, ascending.
using ExcludedPairs = std::vector<std::array<std::uint32_t, 2>>;

/// A third of the pairs of neighbours.
template <int Dim>
ExcludedPairs some_neighbours(const Sample<Dim>& system) {
    ExcludedPairs pairs;
    const auto n = static_cast<std::uint32_t>(system.points.size());
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b) {
            double r2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) {
                double dx = system.points[a][d] - system.points[b][d];
                const double length = system.box.lengths()[d];
                if (system.box.periodic()[d]) dx -= length * std::round(dx / length);
                r2 += dx * dx;
            }
            if ((a + b) % 3 == 0 && r2 < 4.0) pairs.push_back({a, b});
        }
    return pairs;
}

/// Tiles that are listed after superclusters were made and all particles moved up to `step`.
template <int Dim>
Listed<Dim> list_pairs(const Backend& backend, const Sample<Dim>& system, double cutoff,
                       double skin, double step, const ExcludedPairs& excluded) {
    const Snapshot<Dim> s = at_rest<Dim>(system.points);
    const Ensemble<Dim> ensemble(backend, system.box);
    Particles<Dim> particles(backend, ensemble, s);
    Neighbours<Dim> neighbours(backend, system.box, 64, 3.0 * skin, skin);
    neighbours.add_list(cutoff);
    neighbours.exclude(excluded);
    neighbours.update(particles);
    Listed<Dim> out;
    const PairListView view = neighbours.list(0);
    REQUIRE(
        out.list.build(backend, neighbours.reference(), particles.size(), system.box.view(), view));
    const auto n = s.position.size();
    const Points<Dim> steps = random_steps<Dim>(n, step, 1);
    std::vector<float> now[Dim];
    const float* pointers[Dim];
    for (int d = 0; d < Dim; ++d) {
        now[d] = out.list.place[d];
        for (std::int32_t b = 0; b < out.list.superclusters(); ++b)
            for (std::int32_t k = 0; k < out.list.size[static_cast<std::size_t>(b)]; ++k) {
                const auto slot = static_cast<std::size_t>(
                    4 * out.list.first_subcluster[static_cast<std::size_t>(b)] + k);
                now[d][slot] +=
                    static_cast<float>(steps[static_cast<std::size_t>(out.list.particle[slot])]
                                            [static_cast<std::size_t>(d)]);
            }
        pointers[d] = now[d].data();
    }
    out.list.list(backend, pointers, system.box.view(), view.tile_reach, view.exclusions);
    const std::vector<std::uint32_t> id(particles.view().id, particles.view().id + n);
    out.position.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        for (int d = 0; d < Dim; ++d)
            out.position[id[i]][static_cast<std::size_t>(d)] =
                particles.view().position.component[d][i] + steps[i][static_cast<std::size_t>(d)];
    collect_pairs(out.list, id, out.pairs);
    return out;
}

/// All pairs nearer than `distance` by brute force, over images up to `around`.
template <int Dim>
std::vector<ListedPair> near_pairs(const Listed<Dim>& listed, const Box<Dim>& box, double distance,
                                   const ExcludedPairs& excluded) {
    const double shortest = box.shortest_periodic_length();
    const int around = box.is_open() ? 0 : 1 + static_cast<int>(distance / shortest);
    int images = 1;
    for (int d = 0; d < Dim; ++d) images *= 2 * around + 1;
    std::vector<ListedPair> pairs;
    for (std::uint32_t i = 0; i < listed.position.size(); ++i)
        for (std::uint32_t j = i; j < listed.position.size(); ++j)
            for (int m = 0; m < images; ++m) {
                int rest = m;
                double r2 = 0.0, dx[Dim];
                bool exists = true;
                std::int32_t shift = 0;
                for (std::size_t d = 0; d < Dim; ++d) {
                    const int k = rest % (2 * around + 1) - around;
                    rest /= 2 * around + 1;
                    exists = exists && (k == 0 || box.periodic()[d]);
                    const double x =
                        listed.position[j][d] + k * box.lengths()[d] - listed.position[i][d];
                    r2 += x * x;
                    dx[d] = x;
                    shift |= NeighbourRange::pack(static_cast<int>(d), k);
                }
                if (std::binary_search(excluded.begin(), excluded.end(), std::array{i, j}) &&
                    is_nearest(box.view(), dx))
                    continue;
                if (exists && r2 < distance * distance && (i != j || shift != 0))
                    pairs.push_back(ordered<Dim>(i, j, shift));
            }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// An infinite list beside a finite one, for which clusters end where columns end.
template <int Dim>
void check_all_pairs(const Sample<Dim>& system, const ExcludedPairs& excluded) {
    const auto n = static_cast<std::uint32_t>(system.points.size());
    CAPTURE(Dim, n, excluded.size());
    const Backend backend = Backend::cpu(2);
    const Ensemble<Dim> ensemble(backend, system.box);
    Particles<Dim> particles(backend, ensemble, at_rest<Dim>(system.points));
    Neighbours<Dim> neighbours(backend, system.box, 64, 0.9, 0.3);
    neighbours.add_list(std::numeric_limits<double>::infinity());
    neighbours.add_list(2.0);
    neighbours.exclude(excluded);
    neighbours.update(particles);
    const PairListView view = neighbours.list(0);
    REQUIRE(std::cmp_greater(*view.cluster_count, (n + 63) / 64));
    cpu::TileList<Dim> list;
    REQUIRE(list.build(backend, particles.view().position, n, system.box.view(), view));
    CHECK(std::all_of(list.size.begin(), list.size.end() - 1, [](int size) { return size == 64; }));
    const float* now[Dim];
    for (int d = 0; d < Dim; ++d) now[d] = list.place[d].data();
    list.list(backend, now, system.box.view(), view.tile_reach, view.exclusions);

    const std::vector<std::uint32_t> id(particles.view().id, particles.view().id + n);
    std::vector<ListedPair> listed, all;
    CHECK(collect_pairs(list, id, listed) == 0);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = i + 1; j < n; ++j)
            if (!std::binary_search(excluded.begin(), excluded.end(), std::array{i, j}))
                all.push_back({i, j, 0});
    CHECK(listed == all);
}

template <int Dim>
void check(const Sample<Dim>& system, double cutoff, double skin, double step,
           const ExcludedPairs& excluded);

template <int Dim>
void check(const Sample<Dim>& system, double cutoff = 2.0, double skin = 0.3, double step = 0.0) {
    check(system, cutoff, skin, step, {});
    check(system, cutoff, skin, step, some_neighbours(system));
}

template <int Dim>
void check(const Sample<Dim>& system, double cutoff, double skin, double step,
           const ExcludedPairs& excluded) {
    std::vector<ListedPair> first;
    for (const InstructionSet isa : available_instruction_sets())
        for (const int threads : {1, 3}) {
            CAPTURE(name(isa), threads, Dim, system.points.size());
            const Backend backend = Backend::cpu(threads, isa);
            const Listed<Dim> listed = list_pairs(backend, system, cutoff, skin, step, excluded);
            CHECK(std::adjacent_find(listed.pairs.begin(), listed.pairs.end()) ==
                  listed.pairs.end());
            // Of pairs beyond the cut-off some may be too far apart to be candidates.
            const double sure = std::min(cutoff + skin, cutoff + 3.0 * skin - 2.0 * step);
            const auto near = near_pairs(listed, system.box, sure, excluded);
            if (!excluded.empty()) {
                const auto all = near_pairs(listed, system.box, sure, {});
                std::vector<ListedPair> out, listed_nevertheless;
                std::set_difference(all.begin(), all.end(), near.begin(), near.end(),
                                    std::back_inserter(out));
                std::set_intersection(listed.pairs.begin(), listed.pairs.end(), out.begin(),
                                      out.end(), std::back_inserter(listed_nevertheless));
                CHECK(listed_nevertheless.empty());
            }
            CHECK(
                std::includes(listed.pairs.begin(), listed.pairs.end(), near.begin(), near.end()));
            if (first.empty()) first = listed.pairs;
            CHECK(listed.pairs == first);
        }
}

} // namespace

TEST_CASE("tiles hold every near pair exactly once, on all instruction sets and threads") {
    SECTION("liquids, of all sizes and boundaries") {
        for (const int side : {2, 5, 11, 20}) check(liquid<2>(side, {true, true}, 3));
        check(liquid<2>(17, {false, true}, 4));
        check(liquid<2>(17, {true, false}, 5));
        for (const int side : {2, 3, 4, 7, 9}) check(liquid<3>(side, {true, true, true}, 6));
        check(liquid<3>(8, {false, true, true}, 7));
        check(liquid<3>(8, {true, true, false}, 8));
        check(liquid<3>(8, {false, false, false}, 9));
    }
    SECTION("gases, whose clusters are cut into superclusters") {
        check(gas<2>(300, 400.0, 2));
        check(gas<3>(500, 120.0, 3));
    }
    SECTION("long ranges, whose rows end at several groups of candidates") {
        check(liquid<2>(40, {true, true}, 1), 15.0);
        check(liquid<3>(10, {true, true, true}, 2), 6.0);
    }
    SECTION("after particles moved, up to where superclusters end") {
        for (const double step : {0.15, 0.3, 0.449}) {
            check(liquid<2>(20, {true, true}, 2), 2.0, 0.3, step);
            check(liquid<3>(9, {true, true, true}, 3), 2.0, 0.3, step);
            check(liquid<3>(9, {false, true, false}, 4), 2.0, 0.3, step);
            check(gas<3>(500, 120.0, 5), 2.0, 0.3, step);
        }
    }
}

TEST_CASE("tiles hold every pair once where all are within reach, beside lists of a finite reach") {
    for (const int side : {13, 17, 20}) {
        const auto open = liquid<2>(side, {false, false}, 4);
        check_all_pairs(open, {});
        check_all_pairs(open, some_neighbours(open));
    }
    const auto open = liquid<3>(8, {false, false, false}, 5);
    check_all_pairs(open, {});
    check_all_pairs(open, some_neighbours(open));
}

TEST_CASE("a block of too many subclusters is refused") {
    const Sample<3> sample = liquid<3>(10, {true, true, true}, 1);
    const Snapshot<3> s = at_rest<3>(sample.points);
    const Backend backend = Backend::cpu(1);
    const Ensemble<3> ensemble(backend, sample.box);
    Particles<3> particles(backend, ensemble, s);
    Neighbours<3> neighbours(backend, sample.box, 64, 0.3);
    neighbours.add_list(50.0); // half of 11^3 images of 250 subclusters
    neighbours.update(particles);
    cpu::TileList<3> list;
    CHECK_FALSE(
        list.build(backend, neighbours.reference(), 1000, sample.box.view(), neighbours.list(0)));
}

TEST_CASE("a particle without finite coordinates has a supercluster of its own") {
    const Sample<3> system = liquid<3>(6, {false, false, false}, 1);
    const std::size_t lost = GENERATE(0, 100, 215);
    const Backend backend = Backend::cpu(1);
    const Snapshot<3> s = at_rest<3>(system.points);
    const Ensemble<3> ensemble(backend, system.box);
    Particles<3> particles(backend, ensemble, s);
    particles.view().position.component[1][lost] = std::nan("");
    Neighbours<3> neighbours(backend, system.box, 64, 0.3);
    neighbours.add_list(2.0);
    neighbours.update(particles);
    cpu::TileList<3> list;
    REQUIRE(
        list.build(backend, neighbours.reference(), 216, system.box.view(), neighbours.list(0)));
    int alone = 0;
    for (std::int32_t b = 0; b < list.superclusters(); ++b) {
        const auto k = static_cast<std::size_t>(b);
        if (std::isfinite(list.centre[1][k])) continue;
        ++alone;
        CHECK(list.size[k] == 1);
        CHECK(particles.view()
                  .id[list.particle[static_cast<std::size_t>(4 * list.first_subcluster[k])]] ==
              lost);
    }
    CHECK(alone == 1);
}
