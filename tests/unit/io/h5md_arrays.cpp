// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/io/h5md.hpp"

using namespace shadow;

namespace {

RunInformation array_run() {
    RunInformation run;
    run.input = "seed = 1\n";
    return run;
}

} // namespace

TEST_CASE("H5MD: an averaged array has a row for each stage, which is renewed until the next",
          "[io]") {
    const TemporaryFolder folder;
    const std::vector<double> r{0.5, 1.5, 2.5}, k{1.0, 2.0};
    const auto array = [&](const std::vector<double>& value, const std::vector<double>& error) {
        return ArraySeries{"rdf", "energy/length", {{"r", "length", r}, {"k", "1/length", k}},
                           value, error,           7};
    };
    const std::vector<double> first{1, 2, 3, 4, 5, 6}, second{2, 3, 4, 5, 6, 7}, error(6, 0.5);
    {
        ResultFile results = ResultFile::create(folder / "run", array_run());
        results.set_array(array(first, error), 0, 10, 1.0);
        results.set_array(array(second, error), 0, 20, 2.0);
        results.set_array(array(first, error), 1, 30, 3.0);
        // Other axes, or as many at other places: a group of the stage's own.
        results.set_array({"rdf", "", {}, std::span(first).first(1), std::span(error).first(1), 1},
                          1, 30, 3.0);
        ArraySeries other = array(second, error);
        const std::vector<double> further{0.5, 1.5, 2.6};
        other.axes[0].values = further;
        for (const std::int64_t step : {35, 40}) results.set_array(other, 2, step, 4.0);
        // What no other stage has written is made anew, as where an input was changed.
        results.set_array({"msd", "", {{"lag", "time", r}}, r, r, 1}, 2, 40, 4.0);
        results.set_array({"msd", "", {{"lag", "time", k}}, k, k, 1}, 2, 40, 4.0);
        results.publish();
        const hdf5::File file = hdf5::File::open(folder / "run.h5");
        CHECK(file.dataset("averages/rdf_stage_1/value").shape() == hdf5::Shape{1});
        CHECK(file.dataset("averages/rdf_stage_2/r").read<double>() == further);
        CHECK(file.dataset("averages/rdf_stage_2/step").read<std::int64_t>() ==
              std::vector<std::int64_t>{40});
        CHECK(file.dataset("averages/msd/value").shape() == hdf5::Shape{1, 2});
        CHECK_FALSE(file.has("averages/msd_stage_2"));
    }
    const auto check = [&](std::vector<std::int64_t> stages, std::vector<std::int64_t> steps) {
        const hdf5::File file = hdf5::File::open(folder / "run.h5");
        const hdf5::Group rdf = file.group("averages/rdf");
        CHECK(rdf.dataset("stage").read<std::int64_t>() == stages);
        CHECK(rdf.dataset("step").read<std::int64_t>() == steps);
        CHECK(rdf.dataset("samples").read<std::int64_t>() ==
              std::vector<std::int64_t>(stages.size(), 7));
        CHECK(rdf.dataset("value").shape() == hdf5::Shape{stages.size(), 3, 2});
        CHECK(rdf.dataset("value").read_rows<double>(0, 1) == second);
        CHECK(rdf.dataset("error").read_rows<double>(0, 1) == error);
        CHECK(rdf.dataset("r").read<double>() == r);
        CHECK(rdf.dataset("k").read<double>() == k);
    };
    check({0, 1}, {20, 30});
    {
        // Resumed from step 25: the row of the second stage is cut off, and comes again.
        ResultFile results = ResultFile::resume(folder / "run", array_run(), 25);
        results.set_array(array(first, error), 1, 40, 4.0);
        results.publish();
    }
    check({0, 1}, {20, 40});
}
