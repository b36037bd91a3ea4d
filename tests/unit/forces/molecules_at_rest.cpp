// SPDX-License-Identifier: BSD-3-Clause
// Molecules with their bonds and angles at rest, and the transposed derivative of the way there.
#include "support/averaged_world.hpp"

#include "kernels/bonded/projection.hpp"

#include <cstring>
#include <set>

using namespace shadow;
using namespace shadow::test;

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
        const BondedDescription& force = *plan.first<BondedDescription>();
        all.insert(force.info->name);
        double slope = 0.0;
        visit_bonded(OwnForms{}, force.form, SlopeAtRest{force.rows.data(), &slope});
        INFO(c.forces);
        CHECK(std::abs(slope) < 1e-10);
    }
    for (const BondedInfo* info : bonded_infos()) {
        INFO("no row of fast_forces() has " << info->name);
        if (!info->internal) CHECK(all.contains(info->name));
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
    for (const BondedDescription& force : m.plan.template of<BondedDescription>())
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
