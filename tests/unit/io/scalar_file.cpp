// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/scalar_file.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

using namespace shadow;
using test::contains;

namespace {

/// Two groups, in the first three slots.
constexpr std::array two_groups = {ScalarGroup{"pair", Scalar{0}, 2},
                                   ScalarGroup{"single", Scalar{2}}};

/// A file with `scalars`, and with names and lengths where there are some.
struct ScalarsInFile {
    TemporaryFolder folder;
    hdf5::File file = hdf5::File::create(folder / "scalars.h5");

    explicit ScalarsInFile(const std::vector<double>& scalars,
                           const std::vector<std::string>& names = {},
                           const std::vector<std::int32_t>& lengths = {}) {
        file.write("scalars", scalars);
        if (names.empty()) return;
        file.write_texts("scalar_names", names);
        file.write("scalar_lengths", lengths);
    }
    [[nodiscard]] std::vector<double> read(std::span<const ScalarGroup> groups = two_groups) const {
        return read_scalars(file, groups);
    }
    [[nodiscard]] std::string refusal() const {
        try {
            (void)read();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
};

using Numbers = std::vector<double>;

} // namespace

TEST_CASE("Variables of an ensemble: each group has a name and slots of its own", "[io]") {
    std::set<std::string_view> names;
    int slot = 0, part = 0;
    for (const ScalarGroup& group : scalar_groups()) {
        CHECK(group.length > 0);
        CHECK(names.insert(group.name).second);
        CHECK(group.first.slot == slot);
        CHECK((group.part == part || group.part == part + 1));
        slot += group.length;
        part = group.part;
    }
    CHECK(slot == Scalar::count);
    CHECK(part == 7);
    const auto find = [](std::string_view name) {
        return *std::find_if(scalar_groups().begin(), scalar_groups().end(),
                             [&](const ScalarGroup& one) { return one.name == name; });
    };
    using enum ScalarGroup::Begins;
    CHECK(find("work").first.slot == Scalar::work);
    CHECK(find("work").begins == with_the_run);
    CHECK(find("level_energy_0").length == max_levels - 1);
    CHECK(find("box_velocity").begins == with_each_stage);
    CHECK(find("box_velocity").length == max_groups);
    CHECK(find("box_friction").begins == with_each_step);
    CHECK(find("species_last").length == max_species_chains);
    CHECK(find("descent_turn").part == 7);
}

TEST_CASE("Variables of an ensemble: groups are found by name, in any order", "[io]") {
    CHECK(ScalarsInFile({1.0, 2.0, 3.0}, {"pair", "single"}, {2, 1}).read() ==
          Numbers{1.0, 2.0, 3.0});
    CHECK(ScalarsInFile({3.0, 1.0, 2.0}, {"single", "pair"}, {1, 2}).read() ==
          Numbers{1.0, 2.0, 3.0});
    ScalarsInFile written(Numbers{});
    hdf5::Group group = written.file.make_group("written");
    write_scalars(group, {5.0, 6.0, 7.0}, two_groups);
    CHECK(read_scalars(group, two_groups) == Numbers{5.0, 6.0, 7.0});
}

TEST_CASE("Variables of an ensemble: groups of another version are refused", "[io]") {
    const auto refusal = [](const auto&... of) { return ScalarsInFile(of...).refusal(); };
    using Names = std::vector<std::string>;
    using Lengths = std::vector<std::int32_t>;
    const std::string longer =
        refusal(Numbers{1.0, 2.0, 3.0, 4.0}, Names{"pair", "single"}, Lengths{3, 1});
    CHECK(contains(longer, "3 variables \"pair\" (this version has 2, so another version wrote the "
                           "checkpoint); continue with that version, or"));
    const std::string unknown =
        refusal(Numbers{1.0, 2.0, 3.0, 4.0}, Names{"pair", "other", "single"}, Lengths{2, 1, 1});
    CHECK(contains(unknown, "unknown variables \"other\" (this version has none of that name"));
    CHECK(contains(refusal(Numbers{1.0, 2.0}, Names{"pair"}, Lengths{2}),
                   "no variables \"single\" (this version has them"));
    CHECK(contains(refusal(Numbers{1.0, 2.0}, Names{"pair", "single"}, Lengths{2, 1}), "damaged"));
    CHECK(contains(refusal(Numbers{1.0, 2.0, 3.0, 4.0}, Names{"pair", "single"}, Lengths{2, 1}),
                   "damaged"));
    CHECK(
        contains(refusal(Numbers{1.0, 2.0, 3.0}, Names{"pair", "single"}, Lengths{2}), "damaged"));
}

TEST_CASE("Variables of an ensemble: parts that are newer than a checkpoint begin with 0", "[io]") {
    std::array newer = two_groups;
    newer[0].part = 1;
    CHECK(ScalarsInFile({4.0}, {"single"}, {1}).read(newer) == Numbers{0.0, 0.0, 4.0});
}

TEST_CASE("Variables of an ensemble: what each step writes anew is not kept", "[io]") {
    std::array groups = two_groups;
    groups[0].begins = ScalarGroup::Begins::with_each_step;
    ScalarsInFile written(Numbers{});
    hdf5::Group group = written.file.make_group("written");
    write_scalars(group, {5.0, 6.0, 7.0}, groups);
    CHECK(group.texts("scalar_names") == std::vector<std::string>{"single"});
    CHECK(read_scalars(group, groups) == Numbers{0.0, 0.0, 7.0});
    // Older checkpoints have it.
    CHECK(ScalarsInFile({3.0, 1.0, 2.0}, {"single", "pair"}, {1, 2}).read(groups) ==
          Numbers{1.0, 2.0, 3.0});
}

TEST_CASE("Variables of an ensemble: the first checkpoints of minimisations had one row", "[io]") {
    const Numbers read =
        ScalarsInFile({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}, {"descent"}, {9})
            .read(scalar_groups());
    CHECK(read.at(Scalar::descent_power) == 1.0);
    CHECK(read.at(Scalar::descent_largest) == 4.0);
    CHECK(read.at(Scalar::descent_downhill) == 7.0);
    CHECK(read.at(Scalar::descent_turn) == 9.0);
    try {
        (void)ScalarsInFile({1.0, 2.0}, {"descent"}, {9}).read(scalar_groups());
        FAIL("a row of 2 numbers for 9");
    } catch (const InputError& error) {
        CHECK(contains(error.what(), "damaged"));
    }
}

TEST_CASE("Variables of an ensemble: without names they go by their first positions", "[io]") {
    Numbers old(287);
    for (std::size_t k = 0; k < old.size(); ++k) old[k] = 1.0 + static_cast<double>(k);
    const Numbers read = ScalarsInFile(old).read(scalar_groups());
    CHECK(read.size() == Scalar::count);
    for (const auto& [which, position] :
         std::initializer_list<std::pair<Scalar, int>>{{Scalar::one, 0},
                                                       {Scalar::pi, 2},
                                                       {Scalar::chain_velocity, 29},
                                                       {Scalar::box_chain_position, 52},
                                                       {Scalar::elapsed, 83},
                                                       {Scalar::box_momentum, 96},
                                                       {of_row(Scalar::species_velocity, 63), 282},
                                                       {Scalar::step_count, 286}})
        CHECK(read.at(static_cast<std::size_t>(which)) == 1.0 + position);
    CHECK(std::set<double>(read.begin(), read.end()).size() == 288); // and 0 of a minimisation
    // Older ones have fewer.
    old.resize(2);
    Numbers fewer(Scalar::count);
    fewer[Scalar::one] = 1.0;
    fewer[Scalar::s] = 2.0;
    CHECK(ScalarsInFile(old).read(scalar_groups()) == fewer);
    CHECK_THROWS_AS(ScalarsInFile(Numbers(288, 0.5)).read(scalar_groups()), InputError);
}
