// SPDX-License-Identifier: BSD-3-Clause
// Staged lists and the forces over them, as the warps of the CUDA kernels make them, on the host.
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/warp_spring.hpp"

#include "shadow/neighbours/neighbours.hpp"

#include "kernels/cuda/emulated/warp_emulator.hpp"
#include "kernels/cuda/pair_warp.hpp"
#include "kernels/cuda/staged_warp.hpp"

#include <array>
#include <random>

using namespace shadow;

namespace {

constexpr double cutoff = 1.5, skin = 0.4;
constexpr int cluster_size = staged_lanes;

enum class Shape { uniform, droplet, corner, slab };

/// Particles of three species in a box, a list for them, and what is staged of it.
template <int Dim>
class StagedGas {
  public:
    /// `excluded`: particles whose ids are 1 or 3 apart do not interact.
    StagedGas(std::size_t n, Shape shape, const Box<Dim>& box, bool excluded,
              std::int32_t max_rows = 512, std::int32_t max_members = staged_members<Dim>)
        : box_(box), excluded_(excluded), backend_(Backend::cpu(1)), ensemble_(backend_, box),
          particles_(backend_, ensemble_, arranged(n, shape)),
          neighbours_(backend_, box, cluster_size, skin) {
        neighbours_.add_list(cutoff);
        std::vector<std::array<std::uint32_t, 2>> pairs;
        for (std::uint32_t a = 0; excluded && a < n; ++a)
            for (const std::uint32_t apart : {1U, 3U})
                if (a + apart < n) pairs.push_back({a, a + apart});
        neighbours_.exclude(pairs);
        neighbours_.update(particles_);
        list_ = neighbours_.list(0);
        clusters_ = *list_.cluster_count;
        const auto c = static_cast<std::size_t>(clusters_);
        member_.resize(c * static_cast<std::size_t>(max_members));
        rows_.resize(c * static_cast<std::size_t>(max_rows / entries_in_one * warp::lanes));
        member_count_.resize(c);
        row_count_.resize(c);
        centre_.resize(c * Dim);
        list_.staged = {member_.data(), member_count_.data(), rows_.data(), row_count_.data(),
                        centre_.data(), max_members,          max_rows,     nullptr};
    }

    [[nodiscard]] double& x(int d, std::size_t i) {
        return particles_.view().position.component[d][i];
    }
    [[nodiscard]] std::size_t size() { return static_cast<std::size_t>(particles_.size()); }
    [[nodiscard]] int staged_clusters() const {
        return static_cast<int>(std::count_if(row_count_.begin(), row_count_.end(),
                                              [](std::int32_t rows) { return rows >= 0; }));
    }
    [[nodiscard]] int clusters() const { return clusters_; }

    /// False if lanes fall out of step, or their order matters.
    bool stage() {
        bool good = true;
        std::array<std::vector<std::uint64_t>, 2> rows;
        std::array<std::vector<std::uint32_t>, 2> member;
        for (const bool from_last : {false, true}) {
            for (int c = 0; c < clusters_; ++c) {
                const StagePayload<Dim> payload{particles_.view(), list_};
                cuda::StageMemory<Dim> memory;
                good &= warp::Emulator::run(
                    [&](int lane) { cuda::StageWarp<Dim>(payload, memory, c, lane).make(); },
                    from_last);
            }
            rows[from_last] = rows_;
            member[from_last] = member_;
        }
        return good && rows[0] == rows[1] && member[0] == member[1];
    }

    /// No particle moves by more than half the skin.
    void shake(unsigned seed) {
        std::mt19937 random(seed);
        const double most = 0.499 * skin / std::sqrt(double{Dim});
        std::uniform_real_distribution<double> move(-most, most);
        for (std::size_t i = 0; i < size(); ++i)
            for (int d = 0; d < Dim; ++d) x(d, i) += move(random);
    }

    struct Sums {
        std::vector<cuda::PairSums<Dim, double>> of;
        std::vector<bool> lost;
        bool good = true; ///< in step, and the order of the lanes does not matter
    };

    template <class Pair>
    Sums sum() {
        Sums all{std::vector<cuda::PairSums<Dim, double>>(size()), std::vector<bool>(size())};
        for (int c = 0; c < clusters_; ++c) {
            const auto forward = cluster<Pair>(c, false, all),
                       backward = cluster<Pair>(c, true, all);
            for (std::int32_t i = list_.cluster_begin[c]; i < list_.cluster_end[c]; ++i) {
                const auto lane = static_cast<std::size_t>(i - list_.cluster_begin[c]);
                all.of[static_cast<std::size_t>(i)] = forward[lane];
                for (int d = 0; d < Dim; ++d) {
                    const double f = forward[lane].force[d], b = backward[lane].force[d];
                    all.good &= f == b || (f != f && b != b);
                }
            }
        }
        return all;
    }

    /// The sums of particle i over all images, in double.
    cuda::PairSums<Dim, double> exact(std::size_t i) {
        cuda::PairSums<Dim, double> sums;
        const Spring<double> law{cutoff};
        const BoxView<Dim> box = box_.view();
        const auto* species = particles_.view().species;
        int images = 1;
        for (int d = 0; d < Dim; ++d) images *= 5;
        for (std::size_t j = 0; j < size(); ++j)
            for (int k = 0; k < images; ++k) {
                double r[Dim], r2 = 0.0, f, u;
                bool exists = true, home = true;
                for (int d = 0, rest = k; d < Dim; ++d, rest /= 5) {
                    const int image = rest % 5 - 2;
                    exists &= image == 0 || box.periodic[d];
                    home &= image == 0;
                    r[d] = x(d, i) - x(d, j) - image * box.length[d];
                    r2 += r[d] * r[d];
                }
                if (!exists || (home && i == j) || !(r2 < cutoff * cutoff)) continue;
                const std::uint32_t* id = particles_.view().id;
                const std::uint32_t apart = id[i] > id[j] ? id[i] - id[j] : id[j] - id[i];
                if (excluded_ && (apart == 1 || apart == 3) && is_nearest(box, r)) continue;
                if (!law(r2, species[i], species[j], f, u)) continue;
                for (int d = 0; d < Dim; ++d) sums.force[d] += f * r[d];
                sums.energy += u;
                for (int a = 0; a < Dim; ++a)
                    for (int b = a; b < Dim; ++b)
                        sums.virial[tensor_index<Dim>(a, b)] += f * r[a] * r[b];
            }
        return sums;
    }

    /// The largest difference of any sum from the exact one, where that is a number.
    double worst(const Sums& sums) {
        double worst = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            if (sums.lost[i]) continue;
            const auto expected = exact(i);
            for (int d = 0; d < Dim; ++d)
                worst = test::larger(worst, std::abs(sums.of[i].force[d] - expected.force[d]));
            worst = test::larger(worst, std::abs(sums.of[i].energy - expected.energy));
            for (int k = 0; k < tensor_size<Dim>; ++k)
                worst = test::larger(worst, std::abs(sums.of[i].virial[k] - expected.virial[k]));
        }
        return worst;
    }

  private:
    Snapshot<Dim> arranged(std::size_t n, Shape shape) const {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> uniform;
        Snapshot<Dim> s;
        s.species_table = {Species{}, Species{}, Species{}};
        const double length = *std::max_element(box_.lengths().begin(), box_.lengths().end());
        const double width = length > 0.0 ? length : 6.0;
        for (std::size_t i = 0; i < n; ++i) {
            std::array<double, Dim> x;
            for (int d = 0; d < Dim; ++d) {
                const double u = uniform(random);
                const double part = shape == Shape::droplet || (shape == Shape::slab && d == 0)
                                        ? 0.4 + 0.2 * u
                                        : (shape == Shape::corner ? 0.15 * u : u);
                x[static_cast<std::size_t>(d)] = width * part;
            }
            s.position.push_back(x);
            s.species.push_back(static_cast<std::uint16_t>(random() % 3));
        }
        s.momentum.resize(n);
        s.image.resize(n);
        return s;
    }

    template <class Pair>
    std::array<cuda::PairSums<Dim, double>, warp::lanes> cluster(int c, bool from_last, Sums& all) {
        constexpr int most = 4;
        const int warps = c % 2 == 0 ? most : 1; // one alone brings more members than at once
        std::array<std::array<cuda::PairSums<Dim, double>, warp::lanes>, most> parts{};
        const Spring<Pair> law{static_cast<Pair>(cutoff)};
        const std::int32_t begin = list_.cluster_begin[c], end = list_.cluster_end[c];
        const ParticlesView<Dim> view = particles_.view();
        std::array<cuda::StagedMemory<Dim, Pair>, most> staged;
        cuda::WarpMemory<Dim, Pair> memory;
        all.good &= warp::Emulator::run_team(
            warps,
            [&](int warp, int lane) {
                const auto keep = [&](const auto& pairs, const auto& sums) {
                    parts[static_cast<std::size_t>(warp)][static_cast<std::size_t>(lane)] = sums;
                    if (begin + lane < end)
                        all.lost[static_cast<std::size_t>(begin + lane)] = pairs.lost();
                };
                if (row_count_[static_cast<std::size_t>(c)] >= 0) {
                    cuda::StagedWarp<Dim, Pair, Spring<Pair>, true> pairs(
                        view, law, staged[0], staged[static_cast<std::size_t>(warp)], list_, c,
                        cuda::ClusterHead(list_, c), {warp, warps}, lane);
                    pairs.stage();
                    warp::sync_team(0, warps);
                    keep(pairs, pairs.sum());
                } else if (warp == 0) {
                    cuda::PairWarp<Dim, Pair, Spring<Pair>, cluster_size, true> pairs(
                        view, list_.exclusions, law, memory, begin, end, lane);
                    pairs.add(list_.ranges + c * list_.stride, list_.range_count[c]);
                    keep(pairs, pairs.finish());
                }
            },
            from_last);
        auto& result = parts[0];
        for (std::size_t w = 1; w < parts.size(); ++w)
            for (std::size_t lane = 0; lane < result.size(); ++lane)
                cuda::join<true>(result[lane], parts[w][lane]);
        return result;
    }

    Box<Dim> box_;
    bool excluded_;
    Backend backend_;
    Ensemble<Dim> ensemble_;
    Particles<Dim> particles_;
    Neighbours<Dim> neighbours_;
    PairListView list_{};
    int clusters_ = 0;
    std::vector<std::uint32_t> member_;
    std::vector<std::int32_t> member_count_, row_count_;
    std::vector<std::uint64_t> rows_;
    std::vector<double> centre_;
};

/// Each of the terms within range, of size below 3 cutoff^2 and at most n times all images, carries
/// a few roundings of coordinates of the size of the box and of itself.
template <class Pair>
double tolerance(std::size_t n, double length) {
    return 64.0 * static_cast<double>(n) * std::numeric_limits<Pair>::epsilon() *
           std::max(length, 1.0) * cutoff * cutoff;
}

template <int Dim>
Box<Dim> periodic(double length) {
    std::array<double, Dim> lengths;
    lengths.fill(length);
    std::array<bool, Dim> all;
    all.fill(true);
    return Box<Dim>(lengths, all);
}

template <int Dim, class Pair>
void check(std::size_t n, Shape shape, const Box<Dim>& box, double length) {
    CAPTURE(Dim, n, static_cast<int>(shape), length, sizeof(double), sizeof(Pair));
    for (const bool excluded : {false, true}) {
        CAPTURE(excluded);
        StagedGas<Dim> gas(n, shape, box, excluded);
        CHECK(gas.stage());
        CHECK(gas.staged_clusters() == gas.clusters());
        for (const unsigned seed : {0u, 1u}) {
            if (seed > 0) gas.shake(seed);
            const auto sums = gas.template sum<Pair>();
            CHECK(sums.good);
            CHECK(gas.worst(sums) < tolerance<Pair>(n, length));
        }
    }
}

template <int Dim>
void check_precisions(std::size_t n, Shape shape, const Box<Dim>& box, double length) {
    check<Dim, double>(n, shape, box, length);
    check<Dim, float>(n, shape, box, length);
}

} // namespace

TEST_CASE("staged lists sum every pair in range once, whatever moved by half the skin", "[cuda]") {
    SECTION("three dimensions") {
        check_precisions<3>(150, Shape::uniform, periodic<3>(5.0), 5.0);
        check_precisions<3>(350, Shape::uniform, periodic<3>(6.0), 6.0); // above 128 members
    }
    SECTION("two dimensions") {
        check_precisions<2>(200, Shape::uniform, periodic<2>(12.0), 12.0);
    }
    SECTION("one dimension") {
        check_precisions<1>(130, Shape::uniform, periodic<1>(70.0), 70.0);
    }
    SECTION("open boxes") {
        check<3, float>(120, Shape::uniform, Box<3>(), 6.0);
        check<2, double>(120, Shape::uniform, Box<2>(), 6.0);
        check<2, float>(100, Shape::uniform, Box<2>({9.0, 9.0}, std::array<bool, 2>{true, false}),
                        9.0);
    }
}

TEST_CASE("staged lists of any number of particles", "[cuda]") {
    const auto n = GENERATE(1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u);
    check<3, float>(n, Shape::uniform, periodic<3>(4.0), 4.0);
    check<2, double>(n, Shape::uniform, periodic<2>(4.0), 4.0);
    check<1, float>(n, Shape::uniform, periodic<1>(9.0), 9.0);
}

TEST_CASE("staged lists of uneven systems", "[cuda]") {
    const auto shape = GENERATE(Shape::droplet, Shape::corner, Shape::slab);
    check<3, float>(90, shape, periodic<3>(16.0), 16.0);
    check<2, double>(120, shape, periodic<2>(30.0), 30.0);
    check<3, double>(90, shape, Box<3>(), 6.0);
}

TEST_CASE("a cluster whose list would be too long goes through its neighbour ranges", "[cuda]") {
    const auto [rows, members] =
        GENERATE(std::pair{4, 256}, std::pair{20, 256}, std::pair{512, 32}, std::pair{512, 64});
    const bool excluded = GENERATE(false, true);
    StagedGas<2> gas(150, Shape::uniform, periodic<2>(9.0), excluded, rows, members);
    CHECK(gas.stage());
    CHECK(gas.staged_clusters() < gas.clusters());
    gas.shake(3);
    const auto sums = gas.sum<float>();
    CHECK(sums.good);
    CHECK(gas.worst(sums) < tolerance<float>(150, 9.0));
}

TEST_CASE("where particles see images two boxes away there are no staged lists", "[cuda]") {
    const bool excluded = GENERATE(false, true);
    StagedGas<2> gas(20, Shape::uniform, periodic<2>(1.1), excluded);
    CHECK(gas.stage());
    CHECK(gas.staged_clusters() == 0);
    const auto sums = gas.sum<double>();
    CHECK(gas.worst(sums) < tolerance<double>(25 * 20, 5.0));
}

TEST_CASE("a particle that is lost spoils no other", "[cuda]") {
    const bool before = GENERATE(false, true);
    StagedGas<2> gas(60, Shape::uniform, periodic<2>(6.0), before);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (before) gas.x(0, 5) = nan;
    CHECK(gas.stage());
    gas.x(0, 5) = nan;
    gas.x(1, 40) = std::numeric_limits<double>::infinity();
    const auto sums = gas.sum<float>();
    CHECK(sums.good);
    for (std::size_t i = 0; i < gas.size(); ++i) CHECK(sums.lost[i] == (i == 5 || i == 40));
    CHECK(gas.worst(sums) < tolerance<float>(60, 6.0));
}

TEST_CASE("rows are planned for the density, and for a dense liquid at least", "[cuda]") {
    CHECK(plan_rows<3>(0.8442, 2.8) == 128);
    CHECK(plan_rows<3>(0.0, 2.8) == 128);
    CHECK(plan_rows<3>(1.2, 3.3) == 256); // 4/3 of 181 neighbours, and 16
    CHECK(plan_rows<3>(1.0, 6.0) == 0);
    CHECK(plan_rows<2>(0.75, 2.8) == 40);
    CHECK(plan_rows<1>(0.5, 2.8) == 20);
}
