// SPDX-License-Identifier: BSD-3-Clause
/// The shadow energy from a path: its order on small systems, and that of particles against the
/// same sums over places and momenta as they are seen from outside.
#include "support/catch.hpp"
#include "support/lennard_jones.hpp"
#include "support/small_systems.hpp"
#include "support/world.hpp"

#include "shadow/integrators/registry.hpp"
#include "shadow/observables/shadow_energy.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A point of a path, and the action of the step that ends there.
struct PathPoint {
    std::vector<double> q, p;
    double action = 0.0;
};

double binomial(int n, int k) {
    return k == 0 ? 1.0 : binomial(n - 1, k - 1) * n / k;
}

/// By the formula, from the last points of a path.
double energy_of_path(const std::deque<PathPoint>& path, int order, double h) {
    const auto k = static_cast<std::size_t>(order / 2), first = path.size() - 1 - k;
    const int n = order / 2;
    double sum = 0.0;
    for (std::size_t i = 0; i <= k; ++i)
        for (std::size_t j = i + 1; j <= k; ++j) {
            const PathPoint &a = path[first + i], &b = path[first + j];
            double bracket = 0.0;
            for (std::size_t c = 0; c < a.q.size(); ++c)
                bracket += 0.5 * (b.q[c] - a.q[c]) * (a.p[c] + b.p[c]);
            for (std::size_t m = i + 1; m <= j; ++m) bracket -= path[first + m].action;
            const double sign = (i + j) % 2 == 0 ? -1.0 : 1.0;
            sum += sign * binomial(n, static_cast<int>(i)) * binomial(n, static_cast<int>(j)) /
                   static_cast<double>(j - i) * bracket;
        }
    return sum / (binomial(2 * n - 1, n) * h);
}

Word word_of(const std::string& method, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    settings.inner = {2};
    return find_integrator(method)->make(settings)->word();
}

/// A step of drifts and kicks of a small system.
PathPoint next(const Problem& problem, const Word& word, double dt, PathPoint z) {
    std::vector<double> gradient(z.q.size());
    z.action = 0.0;
    for (const Flow& flow : word) {
        const double t = flow.fraction * dt;
        if (flow.kind == FlowKind::drift) {
            for (std::size_t c = 0; c < z.q.size(); ++c) {
                z.action += 0.5 * t * z.p[c] * z.p[c] / problem.mass[c];
                z.q[c] += t * z.p[c] / problem.mass[c];
            }
        } else {
            REQUIRE(flow.kind == FlowKind::kick);
            z.action -= t * problem.potential(z.q.data(), flow.level);
            problem.gradient(z.q.data(), flow.level, gradient.data());
            for (std::size_t c = 0; c < z.q.size(); ++c) z.p[c] -= t * gradient[c];
        }
    }
    return z;
}

/// How far the energies of these orders move apart over a time.
std::vector<double> ranges_of_small(const Problem& problem, const std::string& method, double dt,
                                    double time, const std::vector<int>& orders) {
    const Word word = word_of(method, dt);
    std::deque<PathPoint> path = {{problem.q, problem.p}};
    std::vector<double> least(orders.size(), HUGE_VAL), most(orders.size(), -HUGE_VAL);
    const auto longest = static_cast<std::size_t>(orders.back() / 2);
    for (std::int64_t step = std::lround(time / dt); step > 0; --step) {
        path.push_back(next(problem, word, dt, path.back()));
        if (path.size() <= longest) continue;
        for (std::size_t o = 0; o < orders.size(); ++o) {
            const double energy = energy_of_path(path, orders[o], dt);
            least[o] = std::min(least[o], energy);
            most[o] = std::max(most[o], energy);
        }
        path.pop_front();
    }
    for (std::size_t o = 0; o < orders.size(); ++o) most[o] -= least[o];
    return most;
}

/// What the ops make of the same points.
double energy_by_ops(const std::deque<PathPoint>& path, int order, double h) {
    const auto points = static_cast<std::size_t>(order / 2) + 1, size = path[0].q.size();
    std::vector<double> ring(2 * points * size), action(points);
    const std::size_t turn = 1; // the oldest one stands second
    for (std::size_t k = 0; k < points; ++k) {
        const PathPoint& point = path[path.size() - points + k];
        const std::size_t at = (k + turn) % points;
        std::copy(point.q.begin(), point.q.end(),
                  ring.begin() + static_cast<std::ptrdiff_t>(2 * at * size));
        std::copy(point.p.begin(), point.p.end(),
                  ring.begin() + static_cast<std::ptrdiff_t>((2 * at + 1) * size));
        action[at] = point.action;
    }
    const PathWeights weights = path_weights(order, h);
    const auto n = static_cast<std::int64_t>(size);
    const PathRing of_path{weights, ring.data(), 2 * n, static_cast<int>(turn)};
    const SumPathProducts<1> sum{{}, of_path, n};
    double products = 0.0, row = 0.0;
    for (std::size_t c = 0; c < size; ++c) products += sum(static_cast<std::int64_t>(c));
    const BoxView<1> box{};
    FinishPathEnergy<1>{of_path, &products, action.data(), {}, &box, &row, {nullptr}, 0}(0);
    return row;
}

const char* const cut_mixture = R"(
[[force]]
type = "lennard-jones"
truncation = "none"
cutoff = 2.3
tail = true
pairs = [
  { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 },
  { species = ["A", "B"], epsilon = 1.5, sigma = 0.9 },
  { species = ["B", "B"], epsilon = 0.5, sigma = 0.95 },
]
)";
const char* const all_pairs_of_cluster = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = inf
truncation = "none"
)";

/// Follows a method, and a path energy at each step.
template <int Dim>
class PathOfWorld {
  public:
    PathOfWorld(const TestBackend& where, const Setup<Dim>& setup, const std::string& forces,
                const std::string& method, int order, bool pair_is_double = true)
        : world(where, setup, forces, pair_is_double), method_(read_integrator(method)),
          energy_(order, method_->dt(), 1, method_->word().front().is_kick(),
                  method_->action_variables()),
          row_(world.backend, 1) {
        method_->prepare(world.system());
        world.system().follow_action(true);
        look();
    }
    void step() {
        method_->step(world.system());
        look();
    }
    double energy() {
        energy_.enqueue(world.system(), row_.data());
        return row_.get(0);
    }
    /// That of the method.
    double conserved() { return world.energy(*method_); }
    std::vector<double> state() const { return energy_.state(); }
    void restore(std::span<const double> state) { energy_.restore(state); }

    World<Dim> world;

  private:
    void look() {
        world.system().prepare_observation(energy_.needs_energy());
        energy_.look(world.system());
    }

    std::unique_ptr<Integrator> method_;
    PathEnergy<Dim> energy_;
    Array<double> row_;
};

/// Where it is, as a point of a path without action.
template <int Dim>
PathPoint point_of(World<Dim>& world) {
    PathPoint point;
    const Snapshot<Dim> now = world.system().snapshot();
    for (const auto& place : world.places())
        point.q.insert(point.q.end(), place.begin(), place.end());
    for (const auto& momentum : now.momentum)
        point.p.insert(point.p.end(), momentum.begin(), momentum.end());
    return point;
}

template <int Dim>
std::vector<std::uint32_t> order_in_memory(World<Dim>& world) {
    std::vector<std::uint32_t> id(world.size());
    detail::copy_to_host(world.backend, id.data(), world.system().particles().id,
                         id.size() * sizeof(id[0]));
    return id;
}

/// Of Verlet's method, whose action needs no more than places, masses and energies at whole steps.
template <int Dim>
void check_against_places(const TestBackend& where, bool pair_is_double) {
    constexpr int order = 8;
    constexpr double dt = 0.004;
    const Setup<Dim> setup = warm_lattice<Dim>(Dim == 1 ? 40 : Dim == 2 ? 12 : 7, 1.5, true, 2);
    std::string forces = cut_mixture;
    if (Dim == 1) forces.replace(forces.find("true"), 4, "false");
    PathOfWorld<Dim> path(where, setup, forces, "method = \"verlet\"\ndt = 0.004", order,
                          pair_is_double);
    std::deque<PathPoint> seen = {point_of(path.world)};
    double potential = path.world.potential();
    bool sorted_anew = false;
    for (int k = 0; k < 200; ++k) {
        const auto before = order_in_memory(path.world);
        path.world.system().update_pair_lists(); // on demand they may sort, and round energies anew
        potential = path.world.potential();
        path.step();
        sorted_anew = sorted_anew || before != order_in_memory(path.world);
        PathPoint point = point_of(path.world);
        const double now = path.world.potential();
        point.action = -0.5 * dt * (potential + now);
        potential = now;
        for (std::size_t c = 0; c < point.q.size(); ++c)
            point.action +=
                0.5 * setup.start.mass(c / Dim) * std::pow(point.q[c] - seen.back().q[c], 2) / dt;
        seen.push_back(std::move(point));
        if (k < 5) continue;
        // Places are rounded by 1e-15 each, which weighs 1/dt in an energy.
        const double expected = energy_of_path(seen, order, dt), found = path.energy();
        CAPTURE(where.name, Dim, pair_is_double, k);
        CHECK(std::abs(found - expected) < 1e-12 * static_cast<double>(setup.start.size()));
        CHECK(std::abs(found - path.world.energy()) < 0.02 * std::abs(potential));
        seen.pop_front();
    }
    CHECK((sorted_anew || Dim == 1)); // on a line they cannot pass each other
}

} // namespace

TEST_CASE("weights of a path are those of the formula, wherever its ring begins") {
    const Word verlet = word_of("verlet", 0.1);
    std::deque<PathPoint> path = {{kepler().q, kepler().p}};
    for (int k = 0; k < 14; ++k) path.push_back(next(kepler(), verlet, 0.1, path.back()));
    for (int order = 2; order <= 24; order += 2) {
        CAPTURE(order);
        // Weights are of order one over the step.
        CHECK(std::abs(energy_by_ops(path, order, 0.1) - energy_of_path(path, order, 0.1)) < 1e-13);
    }
    CHECK(std::abs(path_weights(4, 1.0).of[0] - 2.0 / 3.0) < 1e-15);
    CHECK(std::abs(path_weights(4, 1.0).of[1] + 1.0 / 6.0) < 1e-15);
}

TEST_CASE("a path of drifts and kicks tells its energy up to the order that is asked for") {
    const std::vector<int> orders = {2, 4, 6, 8};
    for (const char* method :
         {"verlet", "position-verlet", "symplectic-euler-a", "triple-jump", "respa"})
        for (const Problem& problem : {kepler(), lj_oscillator(), pendulum(), chain()}) {
            const double dt = problem.name == "lj-oscillator" ? 0.01
                              : problem.name == "pendulum"    ? 0.12
                                                              : 0.04;
            const auto coarse = ranges_of_small(problem, method, dt, 6.0, orders),
                       fine = ranges_of_small(problem, method, 0.5 * dt, 6.0, orders);
            for (std::size_t o = 0; o < orders.size(); ++o) {
                CAPTURE(method, problem.name, orders[o], coarse[o], fine[o],
                        std::log2(coarse[o] / fine[o]));
                CHECK(std::log2(coarse[o] / fine[o]) > orders[o] - 0.5);
            }
        }
}

TEST_CASE("under linear forces a path of any order has one energy") {
    const Problem problem = oscillator(); // mass 2, stiffness 3
    const std::vector<int> orders = {2, 4, 8, 16, 24};
    for (const char* method : {"verlet", "position-verlet", "symplectic-euler-a", "respa"})
        for (const double dt : {0.1, 1.0})
            for (const double range : ranges_of_small(problem, method, dt, 100.0, orders)) {
                CAPTURE(method, dt, range);
                // A step is rounded by 1e-16, which adds up as the root of their number.
                CHECK(range < 1e-13);
            }
}

TEST_CASE("the energy of a path is that of places and momenta seen from outside") {
    for (const TestBackend& where : best_processors())
        for (const bool pair_is_double : {true, false}) {
            check_against_places<1>(where, pair_is_double);
            check_against_places<2>(where, pair_is_double);
            check_against_places<3>(where, pair_is_double);
        }
}

TEST_CASE("the energy of a path has the same bits on any number of threads, and after a restart") {
    for (const TestBackend& where : every_processor()) {
        TestBackend threads = where;
        if (!where.cuda) threads = processor(where.isa, 2);
        const char* const method = "method = \"respa\"\ndt = 0.006\ninner = 2";
        const Setup<3> setup = warm_lattice<3>(7, 1.0, true, 1);
        PathOfWorld<3> one(where, setup, smooth_split, method, 8),
            many(threads, setup, smooth_split, method, 8);
        for (int k = 0; k < 30; ++k) {
            one.step();
            many.step();
            if (k == 17) { // one that knows nothing of the way
                const std::vector<double> state = many.state();
                many.restore(state);
            }
            if (k < 4) continue;
            CAPTURE(where.name, k);
            CHECK(one.energy() == many.energy());
        }
    }
}

TEST_CASE("the energy of a path with variables of a bath is conserved to its order") {
    const std::string bath = GENERATE("nose-poincare\"", "nose-poincare\"\norder = 4",
                                      "nose-explicit\"", "nose-explicit\"\nchain = 3");
    const int order = GENERATE(4, 6, 8);
    const bool composed = bath.find("order") != std::string::npos;
    if (composed && order == 4) return;
    CAPTURE(bath, order);
    const Setup<2> setup = warm_lattice<2>(5, 0.3, false, 2);
    const auto range = [&](double dt) {
        PathOfWorld<2> path(best_processor(), setup, all_pairs_of_cluster,
                            "method = \"" + bath +
                                "\nmass = 5.0\ntemperature = 0.3\ndt = " + std::to_string(dt),
                            order);
        const double start = path.conserved();
        double least = HUGE_VAL, most = -HUGE_VAL, swing = 0.0;
        for (std::int64_t k = 0; k < std::lround(1.0 / dt); ++k) {
            path.step();
            if (k < order) continue;
            const double energy = path.energy();
            least = std::min(least, energy);
            most = std::max(most, energy);
            swing = test::larger(swing, std::abs(path.conserved() - start));
        }
        if (!composed) CHECK(std::abs(most - start) < 3.0 * swing);
        if (!composed) CHECK(most - least < 0.1 * swing);
        return most - least;
    };
    const double coarse = range(0.01), fine = range(0.005);
    CAPTURE(coarse, fine, std::log2(coarse / fine));
    CHECK(std::log2(coarse / fine) > order - 0.8);
}

TEST_CASE("the energy of a path of particles is conserved to its order, there and back") {
    Setup<2> setup = warm_lattice<2>(5, 0.3, false, 1);
    const auto range = [&](int order, double dt) {
        PathOfWorld<2> path(best_processor(), setup, all_pairs_of_cluster,
                            "method = \"verlet\"\ndt = " + std::to_string(dt), order);
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (std::int64_t k = 0; k < std::lround(1.0 / dt); ++k) {
            path.step();
            if (k < order) continue;
            const double energy = path.energy();
            least = std::min(least, energy);
            most = std::max(most, energy);
        }
        const double before = path.energy();
        path.step();
        path.world.flip();
        for (int k = 0; k <= order / 2; ++k) path.step();
        // The same points the other way round; each is rounded by 1e-15 over the step.
        CHECK(std::abs(path.energy() - before) < 1e-11);
        return most - least;
    };
    for (const int order : {4, 8}) {
        const double coarse = range(order, 0.01), fine = range(order, 0.005);
        CAPTURE(order, coarse, fine, std::log2(coarse / fine));
        CHECK(std::abs(std::log2(coarse / fine) - order) < 0.6);
    }
}
