// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/registry.hpp"

#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <string>

using namespace shadow;

TEST_CASE("wrong observables are refused") {
    const Box<2> open;
    const Box<2> small({2.0, 9.0}, {true, true});
    const auto make = [](const std::string& text, const Box<2>& box) {
        return make_observable<2>(read_toml_text(text, "t"), {box, 1.0});
    };
    CHECK(make("type = \"bond-order\"\nradius = 1.3", open)->width() == 2);
    CHECK(make("type = \"angular-momentum\"", open)->width() == 1);
    CHECK(make("type = \"thermo\"", small)->width() == 8);
    for (const char* text :
         {"type = \"rdf\"", "type = \"bond-order\"", "type = \"bond-order\"\nradius = 0.0",
          "type = \"bond-order\"\nradius = 1.0\nfolds = [0]",
          "type = \"bond-order\"\nradius = 1.0\nfolds = []",
          "type = \"bond-order\"\nradius = 1.0\nfolds = [6, 6]",
          "type = \"bond-order\"\nradius = 1.0\nfolds = [1, 2, 3, 4, 5, 6, 7, 8, 9]",
          "type = \"bond-order\"\nradius = 1.0\nfolds = [65]", "radius = 1.0"})
        CHECK_THROWS_AS(make(text, open), InputError);
    CHECK_THROWS_AS(make("type = \"bond-order\"\nradius = 1.3", small), InputError);
    const auto text = read_toml_text("type = \"bond-order\"\nradius = 1.3", "t");
    CHECK_THROWS_AS((make_observable<3>(text, {Box<3>(), 1.0})), InputError);
    const auto turn = read_toml_text("type = \"angular-momentum\"", "t");
    CHECK_THROWS_AS((make_observable<1>(turn, {Box<1>(), 1.0})), InputError);
}

TEST_CASE("a heat flux is known of forces between two particles") {
    ObservableContext<3> context{
        Box<3>({10.0, 10.0, 10.0}, {true, true, true}), 1.0, {{"A", 100}}, 10, 1000, 0.01};
    const auto text = read_toml_text("type = \"heat-flux\"", "t");
    for (const BondedInfo* info : bonded_infos()) {
        BondedDescription force;
        force.name = info->name;
        force.info = info;
        context.forces.forces = {force};
        CAPTURE(force.name);
        if (info->kind == BondedKind::bond)
            CHECK_NOTHROW((make_observable<3>(text, context)));
        else
            CHECK_THROWS_WITH((make_observable<3>(text, context)),
                              Catch::Contains("a heat flux with " + force.name));
    }
}

TEST_CASE("every observable of the list can be made") {
    ObservableContext<2> context{
        Box<2>({10.0, 10.0}, {true, true}), 1.0, {{"A", 100}}, 10, 1000, 0.01};
    PairForceDescription force;
    force.potential.pairs = {{{1.0, 1.0}, 2.5}};
    context.forces.forces = {force};
    Topology topology;
    topology.group(BondedKind::bond, "b").members = {0, 1};
    const Snapshot<2> start = at_rest<2>({{1.0, 1.0}, {2.0, 1.0}});
    context.box.set_sliding({0, 1, 0.0, 0.0}); // for what is of a shear
    context.topology = &topology;
    context.start = &start;
    context.measured = {{{"pressure", "energy/length^2"}, 10},
                        {{"potential_energy", "energy"}, 10}};
    for (const Descriptor& descriptor : observables()) {
        CAPTURE(descriptor.name);
        if (descriptor.name == "steinhardt") continue; // not in the plane
        const auto named = read_toml_text("type = \"" + descriptor.name + "\"", "t");
        std::string own = descriptor.name == "bonded-distribution" ? "\nrange = [0, 2]" : "";
        if (is_analysis(named))
            for (const ParameterInfo& key : descriptor.parameters)
                if (key.required()) own += "\n" + key.name + " = " + key.example;
        const auto text =
            read_toml_text("type = \"" + descriptor.name +
                               "\"\nevery = 10\nradius = 1.0\nlongest = 200\nlargest = "
                               "5\nwavenumbers = [3.0]\ndirection = \"x\"" +
                               own,
                           "t");
        const auto made = make_observable<2>(text, context);
        CHECK((!made->quantities().empty() || !made->estimates().empty()));
        CHECK(made->width() > 0);
        CHECK_FALSE(descriptor.parameters.empty());
    }
}

TEST_CASE("g(r) is refused where it makes no sense") {
    const Box<2> box({10.0, 10.0}, {true, true});
    const auto make = [&](const std::string& keys, const ObservableContext<2>& context) {
        const auto text = read_toml_text("type = \"rdf\"\n" + keys, "t");
        auto made = make_observable<2>(text, context);
        text.refuse_unused();
        return made;
    };
    const ObservableContext<2> hundred{box, 1.0, {{"A", 100}}};
    CHECK(make("", hundred)->width() == 200);
    CHECK(make("radius = 5.0\nbins = 7", hundred)->width() == 7);
    for (const char* keys : {"radius = 5.01", "radius = 0.0", "radius = inf", "bins = 0",
                             "bins = 100001", "bins = 1.5", "folds = [6]"})
        CHECK_THROWS_AS(make(keys, hundred), InputError);
    CHECK_THROWS_AS(make("", {box, 1.0, {{"A", 1}}}), InputError);
    CHECK_THROWS_AS(make("", {Box<2>(), 1.0, {{"A", 100}}}), InputError);
    CHECK_THROWS_AS(make("", {Box<2>({10.0, 0.0}, {true, false}), 1.0, {{"A", 100}}}), InputError);
}

TEST_CASE("structure in the plane and of clusters is refused where it makes no sense") {
    const auto make = [](const std::string& keys, const Box<2>& box) {
        const auto text = read_toml_text("type = " + keys, "t");
        auto made = make_observable<2>(text, {box, 1.0, {{"A", 60}, {"B", 40}}});
        text.refuse_unused();
        return made;
    };
    const Box<2> box({10.0, 10.0}, {true, true}), open;
    const std::string along = "\"positional-correlation\"\nradius = 1.5\n",
                      clusters = "\"clusters\"\nradius = 1.5\n", pairs = "\"pair-density\"\n",
                      radial = "\"radial-density\"\n",
                      order = "\"bond-order\"\nradius = 1.5\nglobal = true\n";
    CHECK(make(along, box)->width() == 200);
    CHECK(make(along + "largest = 5.0\nfold = 12\nwidth = 2.5\nbins = 3", box)->width() == 3);
    CHECK(make(clusters, open)->width() == 103);
    CHECK(make(clusters + "sizes = 7", open)->width() == 10);
    CHECK(make(pairs, box)->width() == 800);
    CHECK(make(pairs + "radius = 90", open)->width() == 800);
    CHECK(make(radial, box)->width() == 200);
    CHECK(make(order + "folds = [4, 5, 6]", open)->width() == 6);
    CHECK(make(order, open)->quantities().at(3).susceptibility == 100.0);
    for (const std::string& keys :
         {std::string("\"positional-correlation\""), along + "fold = 1", along + "fold = 13",
          along + "largest = 5.1", along + "width = 0", along + "width = 5.1", along + "bins = 0",
          along + "folds = [6]", std::string("\"clusters\""), clusters + "sizes = 0",
          clusters + "sizes = 101", clusters + "bins = 3",
          std::string("\"clusters\"\nradius = 5.1"), pairs + "radius = 5.1", pairs + "bins = 0",
          radial + "radius = 5.1", radial + "bins = 0", order + "global = 1"}) {
        CAPTURE(keys);
        CHECK_THROWS_AS(make(keys, box), InputError);
    }
    for (const std::string& keys : {along, pairs, radial}) {
        CAPTURE(keys);
        CHECK_THROWS_AS(make(keys, open), InputError);
    }
    const auto text = read_toml_text("type = " + along, "t");
    const Box<3> cube({9.0, 9.0, 9.0}, {true, true, true});
    CHECK_THROWS_AS((make_observable<3>(text, {cube, 1.0, {{"A", 9}}})), InputError);
}

TEST_CASE("structure factors are refused where they make no sense") {
    const auto make = [&](const std::string& keys, const Box<2>& box) {
        const auto text = read_toml_text("type = \"structure-factor\"\n" + keys, "t");
        auto made = make_observable<2>(text, {box, 1.0, {{"A", 100}}});
        text.refuse_unused();
        return made;
    };
    const Box<2> box({10.0, 10.0}, {true, true});
    CHECK(make("longest = 20.0", box)->estimates().size() == 1);
    for (const char* keys :
         {"", "longest = 0.0", "longest = 0.6", "longest = inf", "longest = 9.0\nshells = 0",
          "longest = 9.0\nshells = 10001", "longest = 9.0\nvectors = 0",
          "longest = 9.0\nvectors = 1001", "longest = 9.0\nbins = 3"})
        CHECK_THROWS_AS(make(keys, box), InputError);
    CHECK_THROWS_AS(make("longest = 9.0", Box<2>()), InputError);
}

TEST_CASE("q_4 and q_6 are for three dimensions") {
    const auto text = read_toml_text("type = \"steinhardt\"\nradius = 1.5", "t");
    const Box<3> box({10.0, 10.0, 10.0}, {true, true, true}),
        small({2.0, 9.0, 9.0}, {true, true, true});
    CHECK(make_observable<3>(text, {box, 1.0})->width() == 3);
    CHECK_THROWS_AS((make_observable<3>(text, {small, 1.0})), InputError);
    CHECK_THROWS_AS((make_observable<2>(text, {Box<2>(), 1.0})), InputError);
    CHECK_THROWS_AS((make_observable<1>(text, {Box<1>(), 1.0})), InputError);
}

TEST_CASE("densities and distributions are refused where they make no sense") {
    const auto make = [&](const std::string& keys, const Box<2>& box) {
        const auto text = read_toml_text("type = " + keys, "t");
        auto made = make_observable<2>(text, {box, 1.0, {{"A", 60}, {"B", 40}}});
        text.refuse_unused();
        return made;
    };
    const Box<2> box({10.0, 10.0}, {true, true}), slit({10.0, 0.0}, {true, false});
    CHECK(make("\"density-profile\"\ndirection = \"x\"", box)->width() == 200);
    CHECK(make("\"density-profile\"\ndirection = \"y\"\nrange = [-3.0, 3.0]", slit)->width() ==
          200);
    CHECK(make("\"density-map\"", box)->width() == 20000);
    CHECK(make("\"velocity-distribution\"\nlargest = 6\nbins = 12", Box<2>())->width() == 5 + 24);
    const std::string profile = "\"density-profile\"\n", map = "\"density-map\"\n",
                      velocities = "\"velocity-distribution\"\n";
    for (const std::string& keys :
         {profile, profile + "direction = \"z\"", profile + "direction = \"r\"",
          profile + "direction = \"x\"\nbins = 0", profile + "direction = \"x\"\nrange = [0, 1]",
          map + "directions = [\"x\"]", map + "directions = [\"x\", \"x\"]",
          map + "directions = [\"x\", \"z\"]", map + "directions = [\"x\", \"w\"]",
          map + "bins = [10]", map + "bins = [0, 10]", map + "bins = [100000, 100000]", velocities,
          velocities + "largest = 0", velocities + "largest = inf",
          velocities + "largest = 1\nbins = 0"})
        CHECK_THROWS_AS(make(keys, box), InputError);
    for (const std::string& keys : {profile + "direction = \"x\"", profile + "direction = \"y\"",
                                    profile + "direction = \"y\"\nrange = [1.0]",
                                    profile + "direction = \"y\"\nrange = [1.0, 1.0]",
                                    profile + "direction = \"y\"\nrange = [1.0, inf]", map})
        CHECK_THROWS_AS(make(keys, slit), InputError);
}

TEST_CASE("correlations in time are refused where they make no sense") {
    const auto make = [&](const std::string& keys, std::int64_t steps, double dt) {
        const ObservableContext<2> context{Box<2>(), 1.0, {{"A", 100}}, 10, steps, dt};
        const auto text = read_toml_text(keys, "t");
        auto made = make_observable<2>(text, context);
        text.refuse_unused();
        return made;
    };
    for (const std::string type : {"type = \"msd\"\n", "type = \"vacf\"\n"}) {
        CAPTURE(type);
        CHECK(make(type, 160, 0.01)->width() > 0);
        CHECK(make(type + "window = 4\norigins = 2\nlongest = 40", 160, 0.01)->width() > 0);
        CHECK(make(type + "longest = 2560", 160, 0.01)->width() > 0); // the default
        CHECK_THROWS_AS(make(type, 159, 0.01), InputError);           // 15 measurements
        CHECK_THROWS_AS(make(type, 160, 0.0), InputError);            // a minimisation
        for (const char* keys :
             {"window = 2", "window = 5", "window = 1000002", "origins = 0", "origins = 3",
              "longest = 0", "longest = 161", "wavenumbers = [0.0]", "wavenumbers = [-1.0]",
              "wavenumbers = [inf]", "radius = 1.0"})
            CHECK_THROWS_AS(make(type + keys, 160, 0.01), InputError);
    }
}
