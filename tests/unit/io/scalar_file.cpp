// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/scalar_file.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"

#include <array>
#include <set>

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

TEST_CASE("Variables of an ensemble: each group has a name of its own", "[io]") {
    std::set<std::string_view> names;
    for (const ScalarGroup& group : scalar_groups()) {
        CHECK(group.length > 0);
        CHECK(names.insert(group.name).second);
    }
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
                           "checkpoint); go on with that version, or"));
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

TEST_CASE("Variables of an ensemble: those that are newer than a checkpoint begin with 0", "[io]") {
    std::array newer = two_groups;
    newer[0].may_be_absent = true;
    CHECK(ScalarsInFile({4.0}, {"single"}, {1}).read(newer) == Numbers{0.0, 0.0, 4.0});
}

TEST_CASE("Variables of an ensemble: without names they go by position", "[io]") {
    CHECK(ScalarsInFile({1.0, 2.0}).read(scalar_groups()) == Numbers{1.0, 2.0});
    CHECK(ScalarsInFile(Numbers(287, 0.5)).read(scalar_groups()) == Numbers(287, 0.5));
    CHECK(contains(ScalarsInFile(Numbers(288, 0.5)).refusal(), "damaged"));
}
