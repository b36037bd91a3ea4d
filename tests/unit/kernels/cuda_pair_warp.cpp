// SPDX-License-Identifier: BSD-3-Clause
// The warp algorithm of the CUDA pair kernel, run on the host lane by lane.
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/warp_spring.hpp"

#include "kernels/cuda/emulated/warp_emulator.hpp"
#include "kernels/cuda/pair_warp.hpp"

#include <array>
#include <random>

using namespace shadow;

namespace {

const ExclusionView none;

/// Random particles in a periodic box, sorted along the last direction, clusters of C; the
/// neighbour ranges of a cluster are all other particles and all images of all, cut into
/// pieces of random length.
template <int Dim>
struct RangesGas {
    std::array<std::vector<double>, Dim> x;
    std::vector<std::uint16_t> species;
    ParticlesView<Dim> particles{};
    BoxView<Dim> box{};
    std::mt19937 random{7};

    RangesGas(int n, double length) : species(static_cast<std::size_t>(n)) {
        std::uniform_real_distribution<double> place(0.0, length);
        for (int d = 0; d < Dim; ++d) {
            auto& column = x[static_cast<std::size_t>(d)];
            column.resize(species.size());
            for (double& value : column) value = place(random);
            if (d == Dim - 1) std::sort(column.begin(), column.end());
            particles.position.component[d] = column.data();
            box.length[d] = length;
            box.periodic[d] = true;
        }
        for (auto& s : species) s = static_cast<std::uint16_t>(random() % 3);
        particles.species = species.data();
        particles.size = n;
        particles.box = &box;
    }

    void cut(std::vector<NeighbourRange>& ranges, int begin, int end, int shift) {
        while (begin < end) {
            const int stop = std::min(end, begin + static_cast<int>(random() % 40));
            ranges.push_back({begin, stop, shift}); // some are empty
            begin = stop;
        }
    }

    std::vector<NeighbourRange> ranges(int begin, int end) {
        std::vector<NeighbourRange> all;
        const int n = static_cast<int>(particles.size);
        cut(all, 0, begin, 0);
        cut(all, end, n, 0);
        int images[3] = {};
        for (images[0] = -1; images[0] <= 1; ++images[0])
            for (images[1] = Dim > 1 ? -1 : 0; images[1] <= (Dim > 1 ? 1 : 0); ++images[1])
                for (images[2] = Dim > 2 ? -1 : 0; images[2] <= (Dim > 2 ? 1 : 0); ++images[2]) {
                    std::int32_t shift = 0;
                    for (int d = 0; d < Dim; ++d) shift |= NeighbourRange::pack(d, images[d]);
                    if (shift != 0) cut(all, 0, n, shift);
                }
        return all;
    }

    /// The sums of particle i over all nearest images, in double.
    cuda::PairSums<Dim, double> exact(int i, double cutoff) const {
        cuda::PairSums<Dim, double> sums;
        const Spring<double> law{cutoff};
        const auto a = static_cast<std::size_t>(i);
        for (std::size_t b = 0; b < species.size(); ++b) {
            double r[Dim], r2 = 0.0, f, u;
            for (std::size_t d = 0; d < Dim; ++d) {
                r[d] = x[d][a] - x[d][b];
                r[d] -= box.length[d] * std::round(r[d] / box.length[d]);
                r2 += r[d] * r[d];
            }
            const bool within = law(r2, species[a], species[b], f, u);
            if (b == a || !within || r2 >= cutoff * cutoff) continue;
            for (std::size_t d = 0; d < Dim; ++d) sums.force[d] += f * r[d];
            sums.energy += u;
            for (int p = 0; p < Dim; ++p)
                for (int q = p; q < Dim; ++q)
                    sums.virial[tensor_index<Dim>(p, q)] += f * r[p] * r[q];
        }
        return sums;
    }
};

template <int Dim, class Pair, int C>
void check_all_clusters(int n, double length, double cutoff) {
    RangesGas<Dim> gas(n, length);
    const Spring<Pair> law{static_cast<Pair>(cutoff)};
    // Each of at most n terms of size below 3 cutoff^2 carries a few roundings of coordinates of
    // size `length` and of itself.
    const double tolerance =
        16.0 * n * std::numeric_limits<Pair>::epsilon() * length * cutoff * cutoff;
    bool in_step = true, same_bits = true;
    double worst = 0.0;
    for (int begin = 0; begin < n; begin += C) {
        const int end = std::min(n, begin + C);
        const std::vector<NeighbourRange> ranges = gas.ranges(begin, end);
        std::array<cuda::PairSums<Dim, double>, warp::lanes> forward, backward;
        for (const bool from_last : {false, true}) {
            cuda::WarpMemory<Dim, Pair> memory;
            auto& result = from_last ? backward : forward;
            in_step &= warp::Emulator::run(
                [&](int lane) {
                    cuda::PairWarp<Dim, Pair, Spring<Pair>, C, true> pairs(
                        gas.particles, none, law, memory, begin, end, lane);
                    pairs.add(ranges.data(), static_cast<std::int32_t>(ranges.size()));
                    result[static_cast<std::size_t>(lane)] = pairs.finish();
                },
                from_last);
        }
        for (int i = begin; i < end; ++i) {
            const auto expected = gas.exact(i, cutoff);
            for (std::size_t lane = static_cast<std::size_t>(i - begin); lane < 32; lane += C) {
                const auto& found = forward[lane];
                for (int d = 0; d < Dim; ++d) {
                    worst = test::larger(worst, std::abs(found.force[d] - expected.force[d]));
                    same_bits &= found.force[d] == backward[lane].force[d];
                    same_bits &=
                        found.force[d] == forward[static_cast<std::size_t>(i - begin)].force[d];
                }
                worst = test::larger(worst, std::abs(found.energy - expected.energy));
                for (int k = 0; k < tensor_size<Dim>; ++k)
                    worst = test::larger(worst, std::abs(found.virial[k] - expected.virial[k]));
            }
        }
    }
    CHECK(in_step);
    CHECK(same_bits);
    CHECK(worst < tolerance);
}

} // namespace

TEST_CASE("the pair warp sums every pair in range once, whatever the lanes' order", "[cuda]") {
    SECTION("8 particles by 4 slots") {
        check_all_clusters<3, double, 8>(61, 4.0, 1.5);
        check_all_clusters<3, float, 8>(61, 4.0, 1.9);
        check_all_clusters<2, float, 8>(100, 6.0, 2.9);
        check_all_clusters<1, float, 8>(33, 20.0, 9.0);
    }
    SECTION("16 particles by 2 slots") {
        check_all_clusters<3, float, 16>(50, 4.0, 1.9);
    }
    SECTION("32 particles by 1 slot") {
        check_all_clusters<2, double, 32>(70, 4.0, 1.9);
    }
    SECTION("4 particles by 8 slots") {
        check_all_clusters<3, float, 4>(21, 4.0, 1.9);
    }
}

TEST_CASE("a lost particle of a cluster does not spoil the others", "[cuda]") {
    const int lost = GENERATE(0, 3);
    RangesGas<2> gas(8, 3.0);
    const Spring<float> law{1.4F};
    gas.x[0][static_cast<std::size_t>(lost)] = std::numeric_limits<double>::quiet_NaN();
    cuda::WarpMemory<2, float> memory;
    std::array<cuda::PairSums<2, double>, warp::lanes> result;
    std::array<bool, warp::lanes> found_lost{};
    const bool in_step = warp::Emulator::run([&](int lane) {
        cuda::PairWarp<2, float, Spring<float>, 8, true> pairs(gas.particles, none, law, memory, 0,
                                                               8, lane);
        pairs.add(nullptr, 0);
        result[static_cast<std::size_t>(lane)] = pairs.finish();
        found_lost[static_cast<std::size_t>(lane)] = pairs.lost();
    });
    CHECK(in_step);
    for (int i = 0; i < 8; ++i) {
        CHECK(found_lost[static_cast<std::size_t>(i)] == (i == lost));
        CHECK(std::isfinite(result[static_cast<std::size_t>(i)].force[0]));
    }
}
