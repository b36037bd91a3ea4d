// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/h5md.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <csignal>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace shadow;
using test::contains;
namespace fs = std::filesystem;

namespace {

const Box<2> periodic_box({10.0, 20.0}, {true, true}, {-5.0, 0.0});

/// Particle i of a frame is a function of step and i, so a reader can tell whether it is whole.
Snapshot<2> frame_at(std::int64_t step, std::size_t particles) {
    Snapshot<2> frame;
    frame.step = step;
    frame.time = 0.1 * static_cast<double>(step);
    frame.species_table = {{"A", 2.0, 0.0}, {"B", 4.0, 1.0}};
    for (std::size_t i = 0; i < particles; ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(particles);
        frame.position.push_back({-5.0 + 10.0 * x, 20.0 * x});
        frame.momentum.push_back({static_cast<double>(step), x});
        frame.image.push_back({static_cast<std::int32_t>(step), 0});
        frame.species.push_back(static_cast<std::uint16_t>(i % 2));
    }
    return frame;
}

RunInformation information() {
    RunInformation run;
    run.input = "seed = 1\n";
    run.version = "0.1.0";
    run.commit = "abc";
    run.device = "CPU";
    run.precision = "mixed";
    run.seed = ~std::uint64_t{0};
    return run;
}

template <class Problem>
std::string problem_of(auto action) {
    try {
        action();
    } catch (const Problem& error) {
        return error.what();
    }
    return "";
}

/// Throws unless PREFIX.h5 opens and all its rows belong together; the last step it holds.
std::int64_t consistent_until(const fs::path& path) {
    const hdf5::File file = hdf5::File::open(path);
    const auto steps = file.dataset("observables/energy/step").read<std::int64_t>();
    const auto times = file.dataset("observables/energy/time").read<double>();
    const auto values = file.dataset("observables/energy/value").read<double>();
    REQUIRE(times.size() == steps.size());
    REQUIRE(values.size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        REQUIRE(steps[i] == static_cast<std::int64_t>(i + 1));
        REQUIRE(values[i] == std::sqrt(static_cast<double>(steps[i])));
    }
    const auto frames = file.dataset("particles/all/position/step").read<std::int64_t>();
    const hdf5::Dataset image = file.dataset("particles/all/image/value");
    REQUIRE(image.rows() == frames.size());
    REQUIRE(file.dataset("particles/all/position/value").rows() == frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i)
        REQUIRE(image.read_rows<std::int64_t>(i, 1)[0] == frames[i]);
    return steps.empty() ? 0 : steps.back();
}

/// Writes rows and frames for steps first + 1 ... last; publishes every tenth step and tells.
void write_steps(ResultFile& results, std::int64_t first, std::int64_t last,
                 volatile std::int64_t* published) {
    const int energy = results.add_series({"energy", "energy", {}});
    results.describe_particles(periodic_box, frame_at(0, 500), {});
    for (std::int64_t step = first + 1; step <= last; ++step) {
        results.append(energy, step, 0.1 * static_cast<double>(step),
                       std::sqrt(static_cast<double>(step)));
        if (step % 5 == 0) results.append_frame(periodic_box, frame_at(step, 500));
        if (step % 10 == 0) {
            results.publish();
            *published = step;
        }
    }
}

} // namespace

TEST_CASE("H5MD: what was written is there, in the layout of H5MD", "[io]") {
    const TemporaryFolder folder;
    {
        ResultFile results = ResultFile::create(folder / "run", information());
        const int rdf = results.add_series({"rdf", "", {3}});
        const int energy = results.add_series({"energy", "energy", {}});
        results.append(rdf, 10, 1.0, std::vector<double>{1, 2, 3});
        results.append(energy, 10, 1.0, -3.5);
        results.append(energy, 10, 1.0, -4.0); // the same step again: left out
        results.append(energy, 20, 2.0, -4.5);
        TrajectoryFields fields;
        fields.extra = {{"psi_6", "", 2}, {"heat", "energy", 1}};
        Snapshot<2> frame = frame_at(10, 4);
        frame.position = {{-5.5, 0.0}, {25.0, 1.0}, {-5.0 - 1e-18, 20.0}, {4.0, -1e-18}};
        results.describe_particles(periodic_box, frame, fields);
        const std::vector<std::vector<double>> extra{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}};
        frame.s = 2.0;
        results.append_frame(periodic_box, frame, extra);
        CHECK(results.rows(energy) == 2);
        CHECK(results.frames() == 1);
        CHECK_FALSE(fs::exists(folder / "run.h5"));
        results.finish();
    }
    CHECK_FALSE(fs::exists(folder / "run.h5.part"));
    const hdf5::File file = hdf5::File::open(folder / "run.h5");
    CHECK(file.group("h5md").number_attribute("version") == std::vector<double>{1, 1});
    CHECK(file.group("h5md/creator").text_attribute("name")[0] == "Shadow");
    CHECK_FALSE(file.group("h5md/author").text_attribute("name")[0].empty());
    CHECK(file.texts("parameters/input")[0] == "seed = 1\n");
    CHECK(file.texts("parameters/commit")[0] == "abc");
    CHECK(file.dataset("parameters/seed").read<std::uint64_t>()[0] == ~std::uint64_t{0});
    CHECK(file.dataset("observables/rdf/value").shape() == hdf5::Shape{1, 3});
    CHECK(file.dataset("observables/energy/value").read<double>() ==
          std::vector<double>{-3.5, -4.5});
    CHECK(file.dataset("observables/energy/step").read<std::int64_t>() ==
          std::vector<std::int64_t>{10, 20});
    CHECK(file.dataset("observables/energy/value").text_attribute("unit")[0] == "epsilon");

    const hdf5::Group all = file.group("particles/all");
    CHECK(all.dataset("position/value").read<double>() ==
          std::vector<double>{4.5, 0.0, -5.0 + 0.0, 1.0, -5.0, 0.0, 4.0, 0.0});
    CHECK(all.dataset("image/value").read<std::int32_t>() ==
          std::vector<std::int32_t>{9, 0, 13, 0, 10, 1, 10, 0});
    CHECK(all.dataset("velocity/value").read<double>() ==
          std::vector<double>{2.5, 0, 1.25, 0.03125, 2.5, 0.125, 1.25, 0.09375});
    CHECK(all.dataset("psi_6/value").shape() == hdf5::Shape{1, 4, 2});
    CHECK(all.dataset("heat/value").read<double>() == std::vector<double>{8, 9, 10, 11});
    CHECK(all.dataset("id").read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2, 3});
    CHECK(all.dataset("species").read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 0, 1});
    CHECK(all.dataset("mass").read<double>() == std::vector<double>{2, 4, 2, 4});
    CHECK(all.dataset("box/edges/value").read<double>() == std::vector<double>{10, 0, 0, 20});
    CHECK(all.group("box").text_attribute("boundary") ==
          std::vector<std::string>{"periodic", "periodic"});
    CHECK(all.group("box").number_attribute("origin") == std::vector<double>{-5, 0});
    CHECK(file.texts("parameters/species/name") == std::vector<std::string>{"A", "B"});
}

TEST_CASE("H5MD: existing results are not overwritten by default", "[io]") {
    const TemporaryFolder folder;
    const auto refused = [&](const fs::path& prefix) {
        return problem_of<InputError>([&] { ResultFile::create(prefix, information()); });
    };
    ResultFile::create(folder / "run", information()).finish();
    CHECK(refused(folder / "run").empty()); // nothing is in them
    {
        ResultFile results = ResultFile::create(folder / "run", information());
        results.append(results.add_series({"energy", "energy", {}}), 0, 0.0, 1.0);
        results.finish();
    }
    CHECK(contains(refused(folder / "run"), "overwrite"));
    CHECK(contains(refused(folder / "run"), "run.h5"));
    folder.write("other.checkpoint.h5", "");
    CHECK(contains(refused(folder / "other"), "other.checkpoint.h5"));
    CHECK(refused(folder / "absent/deep/run").empty());
    CHECK(fs::is_directory(folder / "absent/deep"));
    CHECK(contains(refused("/proc/run"), "no file can be made"));
    CHECK(contains(refused(folder.write("file", "") / "run"), "ot a "));
    CHECK(contains(
        problem_of<InputError>([&] { ResultFile::resume(folder / "none", information(), 0); }),
        "missing"));
    folder.write("broken.h5", "text");
    CHECK(contains(
        problem_of<InputError>([&] { ResultFile::resume(folder / "broken", information(), 0); }),
        "broken.h5"));
    CHECK_FALSE(fs::exists(folder / "broken.h5.part"));

    // Overwriting keeps the old results until there are new ones; the old checkpoint goes with
    // them.
    folder.write("run.checkpoint.h5", "");
    const auto old_size = fs::file_size(folder / "run.h5");
    {
        ResultFile results = ResultFile::create(folder / "run", information(), true);
        results.append(results.add_series({"energy", "energy", {}}), 1, 0.1, 1.0);
        CHECK(contains(refused(folder / "run"), "overwrite"));
        CHECK(contains(problem_of<InputError>(
                           [&] { ResultFile::create(folder / "run", information(), true); }),
                       "in use"));
    }
    CHECK(fs::file_size(folder / "run.h5") == old_size);
    CHECK(fs::exists(folder / "run.checkpoint.h5"));
    CHECK_FALSE(fs::exists(folder / "run.h5.part"));
    ResultFile::create(folder / "run", information(), true).publish();
    CHECK_FALSE(fs::exists(folder / "run.checkpoint.h5"));
}

TEST_CASE("H5MD: a resumed file goes on behind the last step of the checkpoint", "[io]") {
    const TemporaryFolder folder;
    volatile std::int64_t published = 0;
    {
        ResultFile results = ResultFile::create(folder / "run", information());
        write_steps(results, 0, 47, &published);
        CHECK(consistent_until(folder / "run.h5") == 40);
    }
    CHECK(consistent_until(folder / "run.h5") == 40);
    {
        RunInformation again = information();
        again.input = "seed = 1\nsteps = 100\n";
        ResultFile results = ResultFile::resume(folder / "run", again, 32);
        write_steps(results, 32, 100, &published);
        results.finish();
    }
    CHECK(consistent_until(folder / "run.h5") == 100);
    const hdf5::File file = hdf5::File::open(folder / "run.h5");
    CHECK(file.dataset("particles/all/position/step").rows() == 20);
    CHECK(file.texts("parameters/input")[0] == "seed = 1\nsteps = 100\n");

    ResultFile results = ResultFile::resume(folder / "run", information(), 1000);
    CHECK(contains(problem_of<InputError>([&] {
                       results.add_series({"energy", "energy", {4}});
                   }),
                   "another shape"));
    CHECK(contains(problem_of<InputError>(
                       [&] { results.describe_particles(periodic_box, frame_at(0, 499), {}); }),
                   "another system"));
    TrajectoryFields more;
    more.extra = {{"psi_6", "", 2}};
    CHECK(contains(problem_of<InputError>(
                       [&] { results.describe_particles(periodic_box, frame_at(0, 500), more); }),
                   "psi_6"));
    TrajectoryFields fewer;
    fewer.velocity = false;
    CHECK(contains(problem_of<InputError>(
                       [&] { results.describe_particles(periodic_box, frame_at(0, 500), fewer); }),
                   "velocity"));
}

TEST_CASE("H5MD: after a kill at any moment the file opens and nothing published is lost", "[io]") {
    const TemporaryFolder folder;
    auto* published = static_cast<volatile std::int64_t*>(::mmap(
        nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ResultFile::create(folder / "run", information()).publish();
    std::int64_t reached = 0;
    std::srand(11);
    for (int trial = 0; trial < 20; ++trial) {
        *published = reached;
        const pid_t child = ::fork();
        if (child == 0) {
            ResultFile results = ResultFile::resume(folder / "run", information(), reached);
            write_steps(results, reached, reached + 1'000'000, published);
            ::_exit(1);
        }
        // One in four dies early, perhaps while it resumes; the others after a first publish,
        // however slow the machine is.
        int status = 0;
        while (trial % 4 != 0 && *published == reached) {
            REQUIRE(::waitpid(child, &status, WNOHANG) == 0);
            ::usleep(500);
        }
        ::usleep(static_cast<useconds_t>(std::rand() % 30'000));
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));
        if (!hdf5::File::open(folder / "run.h5").has("observables/energy")) continue;
        const std::int64_t there = consistent_until(folder / "run.h5");
        // The kill may fall between the rename and the child's telling of it.
        CHECK((there == *published || there == *published + 10));
        reached = there;
    }
    CHECK(reached > 0);
    ::munmap(const_cast<std::int64_t*>(published), sizeof(std::int64_t));
}

TEST_CASE("H5MD: a full disk is told and the published file stays", "[io]") {
    const TemporaryFolder folder;
    // A full disk is played by a limit on the size of files, and by a tiny file system where the
    // test may mount one. Both fail in the kernel as a disk does.
    const bool mounted = GENERATE(false, true);
    if (mounted && ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        WARN("no tiny file system can be mounted here; this half of the test is left out");
        return;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        int status = 1;
        try {
            std::signal(SIGXFSZ, SIG_IGN);
            if (!mounted) {
                const rlimit limit{1'000'000, 1'000'000};
                ::setrlimit(RLIMIT_FSIZE, &limit);
            }
            ResultFile results = ResultFile::create(folder / "run", information());
            volatile std::int64_t published = 0;
            write_steps(results, 0, 1'000'000, &published);
        } catch (const MachineError& error) {
            const std::string text = error.what();
            status = contains(text, mounted ? "No space left" : "File too large") ? 4 : 2;
        } catch (...) {
            status = 3;
        }
        ::_exit(status);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 4);
    CHECK(consistent_until(folder / "run.h5") >= 10);
    CHECK_FALSE(fs::exists(folder / "run.h5.tmp"));
    CHECK_FALSE(fs::exists(folder / "run.h5.part"));
    if (mounted) ::umount(folder.path().c_str());
}

TEST_CASE("H5MD: of each stage that is over the last configuration stays", "[io]") {
    const TemporaryFolder folder;
    const auto steps = [&] {
        const hdf5::File file = hdf5::File::open(folder / "run.h5");
        CHECK(file.dataset("particles/final/position/value").rows() ==
              file.dataset("particles/final/velocity/step").rows());
        return file.dataset("particles/final/position/step").read<std::int64_t>();
    };
    const std::vector<std::int64_t> first{0, 20}, over{20}, none;
    {
        ResultFile results = ResultFile::create(folder / "run", information());
        results.set_stages(std::span(first).first(1), none);
        for (const std::int64_t step : {5, 10}) // checkpoints of the first stage
            results.set_final(periodic_box, frame_at(step, 4));
        results.publish();
        CHECK(steps() == std::vector<std::int64_t>{10});
        results.set_stages(std::span(first).first(1), over);
        results.set_final(periodic_box, frame_at(20, 4));
        results.set_stages(first, over);
        for (const std::int64_t step : {25, 30}) results.set_final(periodic_box, frame_at(step, 4));
        results.publish();
    }
    CHECK(steps() == std::vector<std::int64_t>{20, 30});
    {
        ResultFile results = ResultFile::resume(folder / "run", information(), 27);
        results.set_final(periodic_box, frame_at(28, 4));
        results.publish();
    }
    CHECK(steps() == std::vector<std::int64_t>{20, 28});
}

TEST_CASE("H5MD: what stages sample is told", "[io]") {
    const TemporaryFolder folder;
    ResultFile results = ResultFile::create(folder / "run", information());
    const std::vector<StageFacts> facts{{"relax", "minimize", "", 0.0, 9.0},
                                        {"warm", "baoab", "NVT", 1.5, 12.0}};
    results.describe_stages(facts);
    results.describe_stages(facts); // a resumed run says it again
    results.finish();
    const hdf5::File file = hdf5::File::open(folder / "run.h5");
    CHECK(file.texts("parameters/stage/method") == std::vector<std::string>{"minimize", "baoab"});
    CHECK(file.texts("parameters/stage/ensemble") == std::vector<std::string>{"", "NVT"});
    CHECK(file.dataset("parameters/stage/bath_temperature").read<double>() ==
          std::vector<double>{0.0, 1.5});
    CHECK(file.dataset("parameters/stage/degrees_of_freedom").read<double>() ==
          std::vector<double>{9.0, 12.0});
}
