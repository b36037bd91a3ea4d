// SPDX-License-Identifier: BSD-3-Clause
// Molecules at their averages in time: against the motion by the forces of the engine, and the
// transposed derivative against differences of the average.
#include "shadow/forces/averaged_molecules.hpp"

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"

#include "kernels/bonded/projection.hpp"

#include <cstring>
#include <fmt/format.h>
#include <random>
#include <set>

using namespace shadow;
using namespace shadow::test;

namespace {

/// Forces, and how many particles each of their terms has.
struct FastForce {
    std::string forces;
    BondedKind kind;
};

std::vector<FastForce> fast_forces() {
    const auto one = [](const char* type, const char* parameters) {
        return fmt::format("[[force]]\ntype = \"{}\"\n{}\n", type, parameters);
    };
    return {{one("harmonic-bond", "k = 30.0\nr0 = 1.1"), BondedKind::bond},
            {one("fene-bond", "k = 30.0\nr_max = 3.4"), BondedKind::bond},
            {one("morse-bond", "depth = 2.0\na = 1.3\nr0 = 0.9"), BondedKind::bond},
            {one("harmonic-angle", "k = 4.0\ntheta0 = 109.5"), BondedKind::angle},
            {one("cosine-angle", "k = 1.5"), BondedKind::angle},
            {one("urey-bradley", "k = 2.5\nr0 = 1.7"), BondedKind::angle},
            {one("periodic-dihedral", "k = 1.2\nn = 3\nphase = 40.0"), BondedKind::dihedral},
            {one("ryckaert-bellemans", "c0 = 0.928\nc1 = 1.216\nc2 = -1.312\nc3 = -0.306\n"
                                       "c4 = 2.624\nc5 = -3.15"),
             BondedKind::dihedral},
            {one("harmonic-improper", "k = 2.0\nphi0 = 170.0"), BondedKind::improper}};
}

/// Chains of five and a rest in a periodic box, of two species.
template <int Dim>
Setup<Dim> chained(const std::vector<BondedKind>& kinds) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-0.25, 0.25);
    Vectors<Dim> points;
    const int across = Dim == 1 ? 23 : Dim == 2 ? 7 : 4;
    for (int k = 0; k < (Dim == 1   ? across
                         : Dim == 2 ? across * across
                                    : across * across * across);
         ++k) {
        std::array<double, Dim> x{};
        int rest = k;
        for (double& component : x) {
            component = 1.2 * (rest % across) + uniform(random);
            rest /= across;
        }
        points.push_back(x);
    }
    std::array<double, Dim> lengths;
    lengths.fill(1.2 * across);
    std::array<bool, Dim> every_direction;
    every_direction.fill(true);
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, every_direction), 2);
    setup.topology = chains<Dim>(points, setup.box, 20, 5, kinds);
    return setup;
}

/// A system, its lists, and the molecules of its forces.
template <int Dim>
struct AveragedWorld {
    AveragedWorld(const TestBackend& where, const Setup<Dim>& given, const std::string& forces)
        : backend(where.open()), setup(given),
          plan(
              read_forces(read_toml_text(forces, "test.toml"), ForceContext<Dim>{backend,
                                                                                 setup.box,
                                                                                 setup.start,
                                                                                 setup.units,
                                                                                 true,
                                                                                 {"fast", "slow"},
                                                                                 &setup.topology})),
          neighbours(backend, setup.box, pair_cluster_size(backend, Dim), 0.3),
          particles(backend, setup.start) {
        const ForceContext<Dim> context{backend, setup.box, setup.start, setup.units, true};
        neighbours.add_list(1.5); // so that particles are sorted
        terms = make_forces<Dim, double>(plan, context, neighbours);
        averaged =
            std::make_unique<AveragedMolecules<Dim>>(backend, plan.bonded, setup.start, neighbours);
        neighbours.update(particles);
    }
    Vectors<Dim> by_id(const std::array<std::vector<double>, Dim>& memory) {
        std::vector<std::uint32_t> id(setup.start.size());
        detail::copy_to_host(backend, id.data(), particles.view().id, id.size() * sizeof(id[0]));
        Vectors<Dim> all(id.size());
        for (std::size_t i = 0; i < id.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) all[id[i]][d] = memory[d][i];
        return all;
    }
    Vectors<Dim> places() {
        std::array<std::vector<double>, Dim> memory;
        for (std::size_t d = 0; d < Dim; ++d) {
            memory[d].resize(setup.start.size());
            detail::copy_to_host(backend, memory[d].data(), particles.view().position.component[d],
                                 memory[d].size() * sizeof(double));
        }
        return by_id(memory);
    }
    void move_to(const Vectors<Dim>& place) {
        std::vector<std::uint32_t> id(place.size());
        detail::copy_to_host(backend, id.data(), particles.view().id, id.size() * sizeof(id[0]));
        std::vector<double> memory(place.size());
        for (std::size_t d = 0; d < Dim; ++d) {
            for (std::size_t i = 0; i < id.size(); ++i) memory[i] = place[id[i]][d];
            detail::copy_to_backend(backend, particles.view().position.component[d], memory.data(),
                                    memory.size() * sizeof(double));
        }
    }
    /// Forces of the engine.
    Vectors<Dim> forces() {
        std::array<Array<double>, Dim> force;
        Array<std::int32_t> status(backend, 1);
        ForceOutput<Dim, double> output;
        output.status = status.data();
        std::array<std::vector<double>, Dim> memory;
        for (std::size_t d = 0; d < Dim; ++d) {
            force[d] = Array<double>(backend, setup.start.size());
            output.force.component[d] = force[d].data();
        }
        for (const auto& term : terms) {
            term->compute(particles.view(), setup.box.view(), neighbours, output);
            output.accumulate = true;
        }
        for (std::size_t d = 0; d < Dim; ++d) memory[d] = force[d].to_host();
        return by_id(memory);
    }
    void average(const Mollifier& mollifier) {
        averaged->average(mollifier, particles.view(), setup.box.view(), neighbours);
    }
    /// The average of `place`, after which particles are back.
    Vectors<Dim> average_of(const Vectors<Dim>& place, const Mollifier& mollifier) {
        move_to(place);
        average(mollifier);
        const Vectors<Dim> mean = places();
        averaged->restore(particles.view(), setup.box.view());
        return mean;
    }
    Vectors<Dim> transpose(const Mollifier& mollifier, const Vectors<Dim>& given) {
        std::vector<std::uint32_t> id(given.size());
        detail::copy_to_host(backend, id.data(), particles.view().id, id.size() * sizeof(id[0]));
        std::array<Array<double>, Dim> force;
        VectorView<Dim, double> view{};
        std::vector<double> memory(given.size());
        for (std::size_t d = 0; d < Dim; ++d) {
            for (std::size_t i = 0; i < id.size(); ++i) memory[i] = given[id[i]][d];
            force[d] = Array<double>(backend, memory);
            view.component[d] = force[d].data();
        }
        averaged->transpose(mollifier, setup.box.view(), neighbours, view);
        std::array<std::vector<double>, Dim> all;
        for (std::size_t d = 0; d < Dim; ++d) all[d] = force[d].to_host();
        return by_id(all);
    }

    Backend backend;
    Setup<Dim> setup;
    ForcePlan plan;
    Neighbours<Dim, double> neighbours;
    Particles<Dim, double> particles;
    std::vector<std::unique_ptr<ForceTerm<Dim, double>>> terms;
    std::unique_ptr<AveragedMolecules<Dim>> averaged;
};

template <int Dim>
Vectors<Dim> some_vectors(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Vectors<Dim> all(count);
    for (auto& v : all)
        for (double& x : v) x = normal(random);
    return all;
}

template <int Dim>
double inner_product(const Vectors<Dim>& a, const Vectors<Dim>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) sum += a[i][d] * b[i][d];
    return sum;
}

/// The motion step by step with the forces of the engine.
template <int Dim>
void check_average(AveragedWorld<Dim>& m, const Mollifier& mollifier) {
    const Vectors<Dim> start = m.places();
    const Vectors<Dim> mean = m.average_of(start, mollifier);
    Vectors<Dim> before = start, now = start, sum(start.size());
    for (std::size_t k = 0; k < mollifier.weight.size(); ++k) {
        m.move_to(now);
        const Vectors<Dim> force = m.forces();
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) {
                sum[i][d] += mollifier.weight[k] * now[i][d];
                const double push =
                    mollifier.dt * mollifier.dt * force[i][d] / m.setup.start.mass(i);
                const double next =
                    k == 0 ? now[i][d] + 0.5 * push : 2.0 * now[i][d] - before[i][d] + push;
                before[i][d] = now[i][d];
                now[i][d] = next;
            }
    }
    m.move_to(start);
    double largest = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            largest = larger(largest, std::abs(mean[i][d] - sum[i][d]));
    CHECK(largest < 1e-12);
}

/// g . (A(q + h v) - A(q - h v)) / 2h = v . (transposed derivative times g), by differences of
/// sixth order.
template <int Dim>
void check_transpose(AveragedWorld<Dim>& m, const Mollifier& mollifier) {
    const Vectors<Dim> start = m.places();
    const Vectors<Dim> g = some_vectors<Dim>(start.size(), 1);
    const Vectors<Dim> v = some_vectors<Dim>(start.size(), 2);
    constexpr double h = 2e-4, weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double expected = 0.0;
    for (int k = 1; k <= 3; ++k)
        for (const double sign : {1.0, -1.0}) {
            Vectors<Dim> at = start;
            for (std::size_t i = 0; i < at.size(); ++i)
                for (std::size_t d = 0; d < Dim; ++d) at[i][d] += sign * k * h * v[i][d];
            expected +=
                sign * weight[k - 1] / h * inner_product<Dim>(g, m.average_of(at, mollifier));
        }
    (void)m.average_of(start, mollifier);
    const double found = inner_product<Dim>(v, m.transpose(mollifier, g));
    CAPTURE(expected, found);
    const double scale = std::sqrt(inner_product<Dim>(g, g) * inner_product<Dim>(v, v));
    CHECK(std::abs(found - expected) < 1e-10 * scale);
}

template <int Dim>
void check_all(const TestBackend& where) {
    for (const FastForce& c : fast_forces()) {
        if (members_of(c.kind) > Dim + 1) continue;
        CAPTURE(c.forces, where.name);
        AveragedWorld<Dim> m(where, chained<Dim>({c.kind}), c.forces);
        CHECK(m.averaged->molecules() == 4);
        for (const std::string& name : mollifier_names())
            for (const int steps : {1, 2, 7}) {
                const Mollifier mollifier = make_mollifier(name, 0.05, steps);
                if (mollifier.at_rest) continue;
                CAPTURE(name, steps);
                check_average(m, mollifier);
                check_transpose(m, mollifier);
            }
    }
}

} // namespace

namespace {

struct SlopeAtRest {
    const double* row;
    double* slope; ///< over that a little farther
    template <class Form>
    void operator()(BondedTag<Form>) const {
        if constexpr (HasRest<Form>) {
            Form form;
            std::memcpy(static_cast<void*>(&form), row, sizeof form);
            *slope = form.slope(form.rest()) / form.slope(1.001 * form.rest());
        }
    }
};

} // namespace

TEST_CASE("at their rest bonds and angles have no force") {
    const Backend backend = best_processors().front().open();
    std::set<std::string> all;
    for (const FastForce& c : fast_forces()) {
        const Setup<3> setup = chained<3>({c.kind});
        const ForcePlan plan =
            read_forces(read_toml_text(c.forces, "test.toml"), ForceContext<3>{backend,
                                                                               setup.box,
                                                                               setup.start,
                                                                               setup.units,
                                                                               true,
                                                                               {"fast", "slow"},
                                                                               &setup.topology});
        const BondedDescription& force = plan.bonded.front();
        all.insert(force.info->name);
        double slope = 0.0;
        visit_bonded(BondedForms{}, force.form, SlopeAtRest{force.rows.data(), &slope});
        INFO(c.forces);
        CHECK(std::abs(slope) < 1e-10);
    }
    for (const BondedInfo* info : bonded_infos()) {
        INFO("no row of fast_forces() has " << info->name);
        if (!info->internal) CHECK(all.contains(info->name));
    }
}

TEST_CASE("averages of molecules are those of a motion from rest") {
    for (const TestBackend& where : every_processor()) {
        check_all<1>(where);
        check_all<2>(where);
        check_all<3>(where);
    }
}

TEST_CASE("several bonded forces act in one average") {
    std::string forces;
    for (const FastForce& c : fast_forces()) forces += c.forces;
    for (const TestBackend& where : best_processors()) {
        AveragedWorld<3> m(where,
                           chained<3>({BondedKind::bond, BondedKind::angle, BondedKind::dihedral,
                                       BondedKind::improper}),
                           forces);
        const Mollifier mollifier = make_mollifier("long-average", 0.02, 6);
        check_average(m, mollifier);
        check_transpose(m, mollifier);
    }
}

namespace {

/// Zigzags of five, and one bond: near their rest, two species.
template <int Dim>
Setup<Dim> zigzags() {
    const std::string side = Dim == 2 ? "6, 6" : "4, 4, 4", type = Dim == 2 ? "square" : "sc";
    const auto place = [](double x, double y) {
        return Dim == 2 ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, {}, 0.0]", x, y);
    };
    Setup<Dim> setup = read_setup<Dim>(fmt::format(
        "[system]\ndimension = {}\nlattice = {{ type = \"{}\", repeat = [{}], constant = 7.0 }}\n"
        "[[species]]\nname = \"A\"\n[[species]]\nname = \"B\"\nmass = 2.5\n"
        "[[molecule]]\ncount = 20\natoms = [\"A\", \"B\", \"A\", \"A\", \"B\"]\nexclude = 0\n"
        "places = [{}, {}, {}, {}, {}]\n"
        "bonds = [{{ atoms = [0, 1] }}, {{ atoms = [1, 2] }}, {{ atoms = [2, 3] }}, "
        "{{ atoms = [3, 4] }}]\n"
        "angles = [{{ atoms = [0, 1, 2] }}, {{ atoms = [1, 2, 3] }}, {{ atoms = [2, 3, 4] }}]\n"
        "[[molecule]]\ncount = {}\natoms = [\"A\", \"B\"]\nexclude = 0\nplaces = [{}, {}]\n"
        "bonds = [{{ atoms = [0, 1] }}]\n",
        Dim, type, side, place(0.0, 0.0), place(0.9, 0.63), place(1.8, 0.0), place(2.7, 0.63),
        place(3.6, 0.0), Dim == 2 ? 16 : 44, place(0.0, 0.0), place(1.0, 0.0)));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-0.08, 0.08);
    for (auto& x : setup.start.position)
        for (double& component : x) component += uniform(random);
    return setup;
}

/// Bonds and angles at rest, particles moved along derivatives of these at the start; and the
/// transposed derivative.
template <int Dim>
void check_rest(const TestBackend& where, const Setup<Dim>& setup, const std::string& forces) {
    CAPTURE(Dim, where.name, forces);
    AveragedWorld<Dim> m(where, setup, forces);
    const Mollifier mollifier = make_mollifier("equilibrium", 0.05, 3);
    const Vectors<Dim> start = m.places(), rest = m.average_of(start, mollifier);
    const auto edge = [&](const Vectors<Dim>& place, std::uint32_t a, std::uint32_t b) {
        std::array<double, Dim> way{};
        for (std::size_t d = 0; d < Dim; ++d) {
            const double length = m.setup.box.lengths()[d];
            way[d] = place[a][d] - place[b][d];
            way[d] -= length * std::nearbyint(way[d] / length);
        }
        return way;
    };
    const auto dot = [](const std::array<double, Dim>& a, const std::array<double, Dim>& b) {
        double sum = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) sum += a[d] * b[d];
        return sum;
    };
    for (const BondedDescription& force : m.plan.bonded)
        for (std::size_t k = 0; k < force.row.size(); ++k) {
            const auto members = static_cast<std::size_t>(members_of(force.info->kind));
            const std::uint32_t* at = force.members.data() + k * members;
            const auto a = edge(rest, at[0], at[1]);
            const double wanted = members == 2 ? 1.1 : std::cos(109.5 * 3.141592653589793 / 180.0);
            double found = std::sqrt(dot(a, a));
            if (members == 3) {
                const auto b = edge(rest, at[2], at[1]);
                found = dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
            }
            CHECK(found == Approx(wanted).epsilon(1e-11));
        }
    // Constraints pull on pairs and triples: neither the whole moves, nor does it turn.
    for (std::size_t d = 0; d < Dim; ++d) {
        double moved = 0.0;
        for (std::size_t i = 0; i < start.size(); ++i)
            moved += m.setup.start.mass(i) * (rest[i][d] - start[i][d]);
        CHECK(std::abs(moved) < 1e-11);
    }
    check_transpose(m, mollifier);
}

} // namespace

TEST_CASE("molecules are brought to the rest of their bonds and angles") {
    const std::string bonds = fast_forces()[0].forces, angles = fast_forces()[3].forces;
    for (const TestBackend& where : every_processor()) {
        check_rest<1>(where, chained<1>({BondedKind::bond}), bonds);
        check_rest<2>(where, chained<2>({BondedKind::bond}), bonds);
        check_rest<3>(where, chained<3>({BondedKind::bond}), bonds);
        check_rest<2>(where, zigzags<2>(), bonds + angles);
        check_rest<3>(where, zigzags<3>(), bonds + angles);
    }
}

TEST_CASE("molecules of one kind stand side by side") {
    Setup<3> setup = read_setup<3>(
        "[system]\ndimension = 3\nlattice = { type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }\n"
        "[[species]]\nname = \"A\"\n[[species]]\nname = \"B\"\nmass = 2.0\n"
        "[[molecule]]\ncount = 27\natoms = [\"A\", \"A\", \"B\"]\n"
        "places = [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]\n"
        "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\nexclude = 0\n");
    const TestBackend where = few_test_backends().front();
    AveragedWorld<3> same(where, setup, fast_forces().front().forces);
    CHECK(same.averaged->molecules() == 27);
    CHECK(same.averaged->kinds() == 1);
    check_transpose(same, make_mollifier("long-average", 0.05, 3));
    setup.start.species[4] = 1; // another mass
    AveragedWorld<3> other(where, setup, fast_forces().front().forces);
    CHECK(other.averaged->kinds() == 2);
    check_transpose(other, make_mollifier("long-average", 0.05, 3));
}

TEST_CASE("bits of averages depend neither on threads nor on who stands beside a molecule") {
    const Setup<3> setup = chained<3>({BondedKind::bond});
    const Mollifier mollifier = make_mollifier("linear-average", 0.03, 5);
    Vectors<3> first;
    for (const int threads : {1, 2}) {
        TestBackend where = few_test_backends().front();
        where.threads = threads;
        AveragedWorld<3> m(where, setup, fast_forces().front().forces);
        const Vectors<3> mean = m.average_of(setup.start.position, mollifier);
        if (first.empty()) first = mean;
        CHECK(mean == first);
    }
}
