// SPDX-License-Identifier: BSD-3-Clause
// Pair forces over all pairs of a small system, as the blocks of the CUDA kernels sum them, on the
// host.
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/warp_spring.hpp"

#include "shadow/neighbours/neighbours.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/cuda/all_pairs.hpp"
#include "kernels/cuda/emulated/warp_emulator.hpp"

#include <array>
#include <memory>
#include <random>

using namespace shadow;

namespace {

/// Particles of three species in a periodic box, some of them some boxes away, and the forces on
/// them.
template <int Dim, class Pair>
class PeriodicGas {
  public:
    PeriodicGas(std::size_t n, double length, double cutoff)
        : length_(length), cutoff_(cutoff), backend_(Backend::cpu(1)),
          ensemble_(backend_, box(length)), particles_(backend_, ensemble_, arranged(n, length)),
          energy_(n) {
        for (auto& component : force_) component.resize(n);
        parts_.resize(static_cast<std::size_t>(all_pairs_blocks(particles_.size())));
    }

    [[nodiscard]] double& x(int d, std::size_t i) {
        return particles_.view().position.component[d][i];
    }
    [[nodiscard]] std::size_t size() { return energy_.size(); }
    [[nodiscard]] double force(std::size_t d, std::size_t i) const { return force_[d][i]; }
    [[nodiscard]] std::int32_t status() const { return status_; }

    /// False if threads fall out of step.
    bool compute(bool from_last) {
        PairForcePayload<Dim, Pair> payload{};
        payload.particles = particles_.view();
        for (std::size_t d = 0; d < Dim; ++d) payload.force.component[d] = force_[d].data();
        payload.energy = energy_.data();
        payload.parts = parts_.data();
        payload.status = &status_;
        const Spring<Pair> law{static_cast<Pair>(cutoff_)};
        constexpr int warps = 4;
        using Block = cuda::AllPairsBlock<Dim, Pair, Spring<Pair>, true, warps>;
        const auto memory = std::make_unique<typename Block::Memory>();
        bool good = true;
        for (std::size_t b = 0; b < parts_.size(); ++b)
            good &= warp::Emulator::run_team(
                warps,
                [&](int warp, int lane) {
                    Block block(payload, law, *memory, static_cast<std::int64_t>(b),
                                warp * warp::lanes + lane);
                    const auto sync = [] { warp::sync_team(0, warps); };
                    // As the persistent kernel, once a step.
                    for (int step = 0; step < 2; ++step) {
                        block.sum(sync, [&](std::int32_t j) {
                            return block.nearest().position(payload.particles, j, false);
                        });
                        sync();
                    }
                },
                from_last);
        return good;
    }

    /// The largest difference of any number from what all pairs in their nearest images give; of
    /// the virial a particle's part.
    double worst() {
        double worst = 0.0;
        SymmetricTensor<Dim> virial{}, expected{};
        for (const auto& part : parts_) virial.add(part);
        const Spring<double> law{cutoff_};
        const auto* species = particles_.view().species;
        for (std::size_t i = 0; i < size(); ++i) {
            double force[Dim] = {}, energy = 0.0;
            for (std::size_t j = 0; j < size(); ++j) {
                double r[Dim], r2 = 0.0, f = 0.0, u = 0.0;
                for (int d = 0; d < Dim; ++d) {
                    r[d] = std::remainder(x(d, i) - x(d, j), length_);
                    r2 += r[d] * r[d];
                }
                if (i == j || !(r2 < cutoff_ * cutoff_)) continue;
                if (!law(r2, species[i], species[j], f, u)) continue;
                energy += 0.5 * u;
                for (int p = 0; p < Dim; ++p) force[p] += f * r[p];
                for (int p = 0; p < Dim; ++p)
                    for (int q = p; q < Dim; ++q)
                        expected.component[tensor_index<Dim>(p, q)] += 0.5 * f * r[p] * r[q];
            }
            for (std::size_t d = 0; d < Dim; ++d)
                worst = test::larger(worst, std::abs(force_[d][i] - force[d]));
            worst = test::larger(worst, std::abs(energy_[i] - energy));
        }
        for (int c = 0; c < tensor_size<Dim>; ++c)
            worst = test::larger(worst, std::abs(virial.component[c] - expected.component[c]) /
                                            static_cast<double>(size()));
        return worst;
    }

  private:
    static Box<Dim> box(double length) {
        std::array<double, Dim> lengths;
        lengths.fill(length);
        std::array<bool, Dim> periodic;
        periodic.fill(true);
        return Box<Dim>(lengths, periodic);
    }

    static Snapshot<Dim> arranged(std::size_t n, double length) {
        std::mt19937 random(17);
        std::uniform_real_distribution<double> uniform;
        Snapshot<Dim> s;
        s.species_table = {Species{}, Species{}, Species{}};
        for (std::size_t i = 0; i < n; ++i) {
            std::array<double, Dim> x;
            for (double& component : x)
                component = length * (uniform(random) + (i % 7 == 3 ? 2.0 : 0.0));
            s.position.push_back(x);
            s.species.push_back(static_cast<std::uint16_t>(random() % 3));
        }
        s.momentum.resize(n);
        s.image.resize(n);
        return s;
    }

    double length_, cutoff_;
    Backend backend_;
    Ensemble<Dim> ensemble_;
    Particles<Dim> particles_;
    std::array<std::vector<double>, Dim> force_;
    std::vector<double> energy_;
    std::vector<SymmetricTensor<Dim>> parts_;
    std::int32_t status_ = 0;
};

/// Of up to n terms, each below 3 cutoff^2, of positions which carry some roundings of the box.
template <class Pair>
double tolerance(std::size_t n, double length, double cutoff) {
    return 64.0 * static_cast<double>(n) * std::numeric_limits<Pair>::epsilon() *
           std::max(length, 1.0) * cutoff * cutoff;
}

template <int Dim, class Pair>
void check(std::size_t n, double length, double cutoff) {
    CAPTURE(Dim, n, length, cutoff, sizeof(Pair));
    PeriodicGas<Dim, Pair> gas(n, length, cutoff);
    CHECK(gas.compute(false));
    CHECK(gas.worst() < tolerance<Pair>(n, length, cutoff));
    CHECK(gas.status() == 0);
    std::vector<double> forward;
    for (std::size_t i = 0; i < n; ++i) forward.push_back(gas.force(Dim - 1, i));
    CHECK(gas.compute(true));
    for (std::size_t i = 0; i < n; ++i) CHECK(gas.force(Dim - 1, i) == forward[i]);
}

} // namespace

TEST_CASE("all pairs are summed once, in their nearest images", "[cuda]") {
    const auto n = GENERATE(1u, 2u, 3u, 127u, 128u, 129u, 257u, 600u);
    check<3, float>(n, 6.0, 3.0);
    check<3, double>(n, 8.0, 2.5);
    check<2, float>(n, 17.0, 2.5);
    check<2, double>(n, 5.0, 2.5);
    check<1, float>(n, 90.0, 1.5);
    check<1, double>(n, 90.0, 1.5);
}

TEST_CASE("all pairs of more particles than a tile holds", "[cuda]") {
    check<1, double>(2100, 900.0, 1.5);
    check<2, double>(1025, 40.0, 1.5);
    check<3, float>(2049, 14.0, 1.5);
}

TEST_CASE("a particle that is lost acts on no other, and is told", "[cuda]") {
    const double where = GENERATE(std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(), -1e300, 1e25);
    CAPTURE(where);
    PeriodicGas<2, double> gas(60, 6.0, 2.0), without(60, 6.0, 2.0);
    PeriodicGas<2, float> mixed(60, 6.0, 2.0);
    CHECK(without.compute(false));
    gas.x(1, 7) = where;
    mixed.x(1, 7) = where;
    CHECK(gas.compute(false));
    CHECK(mixed.compute(false));
    CHECK(gas.status() == 8);
    CHECK(mixed.status() == 8);
    int same = 0;
    for (std::size_t i = 0; i < gas.size(); ++i) {
        if (i == 7) continue;
        CHECK(std::isfinite(gas.force(0, i)));
        CHECK(std::isfinite(mixed.force(0, i)));
        same += gas.force(0, i) == without.force(0, i);
    }
    CHECK(same > 10); // those that are not near the one which is lost
    CHECK(same < 59);
}

TEST_CASE("blocks share out all particles", "[cuda]") {
    for (std::int64_t n = 1; n <= max_all_pairs_particles; ++n) {
        const std::int64_t own = all_pairs_own(n), blocks = all_pairs_blocks(n);
        CHECK(own <= warp::lanes);
        CHECK(warp::lanes % own == 0);
        CHECK(blocks <= max_all_pairs_blocks);
        CHECK(blocks * own >= n);
        CHECK((blocks - 1) * own < n);
    }
}

namespace {

/// Whether forces go over all pairs in a square of length 10, or another.
struct Plane {
    std::size_t particles = 50;
    double length = 10.0, cutoff = 2.5;
    bool periodic = true, for_forces = true, excluded = false;
    double other = 0.0; ///< cut-off of a second force

    [[nodiscard]] bool all_pairs(const Backend& backend, bool sorted = false) const {
        Snapshot<2> s;
        s.species_table = {Species{}};
        for (std::size_t i = 0; i < particles; ++i)
            s.position.push_back(
                {0.1 * static_cast<double>(i % 100), 0.1 * static_cast<double>(i / 100 % 100)});
        s.species.resize(particles);
        s.momentum.resize(particles);
        s.image.resize(particles);
        const Box<2> box({length, periodic ? length : 0.0}, {true, periodic});
        const Ensemble<2> ensemble(backend, box);
        Particles<2> gas(backend, ensemble, s);
        Neighbours<2> neighbours(backend, box, 32, 0.3);
        neighbours.add_list(cutoff, for_forces);
        if (other > 0.0) neighbours.add_list(other);
        if (excluded) neighbours.exclude({{0U, 1U}});
        if (sorted) neighbours.keep_sorted();
        neighbours.update(gas);
        const bool without_lists = neighbours.list(0).all_pairs && !(other > 0.5 * length);
        CHECK(neighbours.on_demand() == (without_lists && !sorted));
        return neighbours.list(0).all_pairs;
    }
};

} // namespace

TEST_CASE("small periodic systems of a GPU go over all pairs, and no others", "[cuda]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    const auto most = static_cast<std::size_t>(max_all_pairs_particles);
    CHECK(Plane{}.all_pairs(backend) == where.cuda);
    CHECK(Plane{.particles = most}.all_pairs(backend) == where.cuda);
    CHECK(Plane{.length = 5.0}.all_pairs(backend) == where.cuda);
    CHECK_FALSE(Plane{.particles = most + 1}.all_pairs(backend));
    CHECK_FALSE(Plane{.length = 4.9}.all_pairs(backend));
    CHECK_FALSE(Plane{.periodic = false}.all_pairs(backend));
    CHECK_FALSE(Plane{.for_forces = false}.all_pairs(backend));
    CHECK_FALSE(Plane{.excluded = true}.all_pairs(backend));
    // Lists are on demand then, unless another force needs one.
    CHECK(Plane{.other = 3.0}.all_pairs(backend) == where.cuda);
    CHECK(Plane{.other = 6.0}.all_pairs(backend) == where.cuda);
    CHECK(Plane{}.all_pairs(backend, true) == where.cuda);
}
