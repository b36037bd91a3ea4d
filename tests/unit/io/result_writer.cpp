// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/result_writer.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

using namespace shadow;
namespace fs = std::filesystem;

namespace {

const Box<3> frame_box({4.0, 5.0, 6.0}, {true, true, true});

Snapshot<3> frame_at(std::int64_t step) {
    Snapshot<3> frame;
    frame.step = step;
    frame.time = 0.1 * static_cast<double>(step);
    frame.species_table = {{"A", 2.0, 0.0}};
    for (std::size_t i = 0; i < 2000; ++i) {
        const double x = static_cast<double>(i) + 0.01 * static_cast<double>(step);
        frame.position.push_back({x, -x, 0.5 * x});
        frame.momentum.push_back({x, 1.0, -x});
        frame.image.push_back({0, 1, 2});
        frame.species.push_back(0);
    }
    return frame;
}

/// What a run does: rows, frames, arrays and publishes, each handed to `give`.
void write(ResultFile& file, const auto& give) {
    const int energy = file.add_series({"energy", "energy", {}});
    file.describe_particles(frame_box, frame_at(0), {});
    for (std::int64_t step = 1; step <= 60; ++step) {
        give([=](ResultFile& results) {
            results.append(energy, step, 0.1 * static_cast<double>(step),
                           1.0 / static_cast<double>(step));
        });
        if (step % 3 == 0)
            give([frame = frame_at(step)](ResultFile& results) {
                results.append_frame(frame_box, frame);
            });
        if (step % 20 == 0)
            give([=](ResultFile& results) {
                const std::vector<double> value(100, static_cast<double>(step)), error(100, 0.5);
                results.set_array({"rdf", "", {{"r", "length", value}}, value, error, step},
                                  step / 40, step, 0.1);
                results.publish();
            });
    }
    give([](ResultFile& results) { results.finish(); });
}

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("ResultWriter: the file is that of a writer which is waited for", "[io]") {
    const TemporaryFolder folder;
    RunInformation run;
    run.author = "somebody";
    {
        ResultFile file = ResultFile::create(folder / "now", run, true);
        write(file, [&](const ResultWriter::Job& job) { job(file); });
    }
    // A file must not tell in which second it was written.
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    {
        ResultWriter writer(ResultFile::create(folder / "later", run, true));
        write(writer.settled(),
              [&](ResultWriter::Job job) { writer.later(1 << 20, std::move(job)); });
        writer.finish();
    }
    const std::string now = bytes_of(folder / "now.h5"), later = bytes_of(folder / "later.h5");
    CHECK(now.size() > 1'000'000);
    const bool equal = later == now;
    CHECK(equal);
    CHECK_FALSE(fs::exists(folder / "later.h5.part"));
}

TEST_CASE("ResultWriter: an error is thrown at the next write, and what was published stays",
          "[io]") {
    const TemporaryFolder folder;
    const RunInformation run;
    ResultWriter writer(ResultFile::create(folder / "run", run));
    const int energy = writer.settled().add_series({"energy", "energy", {}});
    const auto row = [energy](std::int64_t step) {
        return [=](ResultFile& results) { results.append(energy, step, 0.0, 1.0); };
    };
    writer.later(8, row(1));
    writer.later(0, [](ResultFile& results) { results.publish(); });
    writer.later(0, [](ResultFile&) { throw MachineError("no room"); });
    CHECK_THROWS_WITH(
        [&] {
            for (std::int64_t step = 2;; ++step) writer.later(8, row(step));
        }(),
        "no room");
    CHECK(hdf5::File::open(folder / "run.h5")
              .dataset("observables/energy/step")
              .read<std::int64_t>() == std::vector<std::int64_t>{1});
    // The results are whole and can still be published.
    writer.later(8, row(1'000'000'000));
    writer.settled().publish();
    CHECK(hdf5::File::open(folder / "run.h5").dataset("observables/energy/step").rows() == 2);
}
