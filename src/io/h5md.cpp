// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/h5md.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/system/units.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>

namespace shadow {
namespace {

namespace fs = std::filesystem;

/// Largest number of numbers kept in memory between two publishes (32 MiB).
constexpr std::size_t buffer_limit = std::size_t{1} << 22;

/// Rows in a chunk of a series: about 16 KiB, so that files of short runs are small.
hdf5::Shape series_chunk(const hdf5::Shape& row) {
    std::uint64_t numbers = 1;
    for (const std::uint64_t size : row) numbers *= size;
    hdf5::Shape chunk{
        std::clamp<std::uint64_t>(2048 / std::max<std::uint64_t>(numbers, 1), 1, 512)};
    for (const std::uint64_t size : row) chunk.push_back(std::max<std::uint64_t>(size, 1));
    return chunk;
}

/// Number of rows with step <= last_step; steps are ascending.
std::uint64_t rows_until(const hdf5::Dataset& step, std::int64_t last_step) {
    const std::vector<std::int64_t> steps = step.read<std::int64_t>();
    return static_cast<std::uint64_t>(std::upper_bound(steps.begin(), steps.end(), last_step) -
                                      steps.begin());
}

/// Truncates every element of a group (H5MD: a group with step, time and value) after a step.
void truncate_elements(const hdf5::Group& group, std::int64_t last_step) {
    for (const std::string& name : group.names()) {
        if (!group.has_group(name)) continue;
        const hdf5::Group element = group.group(name);
        if (!element.has_dataset("step")) {
            truncate_elements(element, last_step);
            continue;
        }
        const std::uint64_t rows = rows_until(element.dataset("step"), last_step);
        for (const char* part : {"step", "time", "value", "error", "samples", "stage"})
            if (element.has_dataset(part)) element.dataset(part).resize_rows(rows);
    }
}

/// Does any dataset named `step` have rows?
bool has_rows(const hdf5::Group& group) {
    for (const std::string& name : group.names()) {
        if (group.has_group(name) ? has_rows(group.group(name))
                                  : name == "step" && group.dataset(name).rows() > 0)
            return true;
    }
    return false;
}

/// Is this the result file of a run that was killed before its first measurement?
bool is_empty_result(const fs::path& path) {
    try {
        const hdf5::File file = hdf5::File::open(path);
        return file.has_group("observables") && file.has_group("parameters") && !has_rows(file);
    } catch (const Error&) {
        return false;
    }
}

std::string user_name() {
    const char* user = std::getenv("USER");
    return user && *user ? user : "unknown";
}

} // namespace

fs::path result_path(const fs::path& prefix) {
    return prefix.string() + ".h5";
}
fs::path log_path(const fs::path& prefix) {
    return prefix.string() + ".log";
}
fs::path checkpoint_path(const fs::path& prefix) {
    return prefix.string() + ".checkpoint.h5";
}

ResultFile::ResultFile(const fs::path& prefix)
    : path_(result_path(prefix)), part_(prefix.string() + ".h5.part"),
      checkpoint_(checkpoint_path(prefix)) {
    require_writable_folder(path_);
    if (is_locked_by_another(part_))
        throw InputError(fmt::format("{} is in use (another run writes these results); wait for it "
                                     "or give another `output.prefix`",
                                     part_.string()));
    remove_file(part_);
    remove_file(path_.string() + ".tmp"); // left by a run that was killed
}

ResultFile::~ResultFile() {
    if (!owns_part_.value) return;
    // Handles first: the working file is closed before it is removed.
    series_.clear();
    trajectory_.close();
    final_.close();
    file_ = {};
    std::error_code ignored;
    fs::remove(part_, ignored);
}

ResultFile ResultFile::create(const fs::path& prefix, const RunInformation& run, bool overwrite) {
    const fs::path old = result_path(prefix), checkpoint = checkpoint_path(prefix);
    if (!overwrite && fs::exists(checkpoint))
        throw InputError(fmt::format(
            "{} exists (existing results are never overwritten by default); use `output.overwrite "
            "= true`, another `output.prefix`, or --resume to continue",
            fs::exists(old) ? old.string() : checkpoint.string()));
    if (!overwrite && fs::exists(old) && !is_empty_result(old))
        throw InputError(fmt::format("{} exists, without a checkpoint to continue from (existing "
                                     "results are never overwritten by default); move it away, use "
                                     "`output.overwrite = true`, or another `output.prefix`",
                                     old.string()));
    ResultFile results(prefix);
    results.file_ = hdf5::File::create(results.part_);
    results.owns_part_.value = true;
    results.remove_checkpoint_ = true;
    results.file_.make_group("observables");
    results.write_information(run);
    return results;
}

ResultFile ResultFile::resume(const fs::path& prefix, const RunInformation& run,
                              std::int64_t last_step) {
    const fs::path published = result_path(prefix);
    if (!fs::exists(published))
        throw InputError(fmt::format("{} is missing (the results that {} continues are gone); "
                                     "restore them, or remove the checkpoint and start again",
                                     published.string(), checkpoint_path(prefix).string()));
    static_cast<void>(hdf5::File::open(published));
    ResultFile results(prefix);
    clone_file(published, results.part_);
    results.owns_part_.value = true;
    results.file_ = hdf5::File::open_for_writing(results.part_);
    for (const char* group : {"observables", "averages", "particles"})
        if (results.file_.has_group(group))
            truncate_elements(results.file_.group(group), last_step);
    if (results.file_.has("parameters/stage/last_step"))
        results.ended_ = results.file_.dataset("parameters/stage/last_step").read<std::int64_t>();
    results.write_information(run);
    return results;
}

void ResultFile::write_information(const RunInformation& run) {
    units_ = run.units;
    hdf5::Group h5md = file_.make_group("h5md");
    const std::vector<std::int64_t> version{1, 1};
    h5md.set_attribute("version", version);
    h5md.make_group("author").set_attribute("name", run.author.empty() ? user_name() : run.author);
    hdf5::Group creator = h5md.make_group("creator");
    creator.set_attribute("name", std::string("Shadow"));
    creator.set_attribute("version", run.version);
    hdf5::Group parameters = file_.make_group("parameters");
    const std::pair<const char*, const std::string&> texts[] = {
        {"input", run.input},   {"title", run.title},   {"version", run.version},
        {"commit", run.commit}, {"device", run.device}, {"precision", run.precision},
        {"units", run.units},   {"tune", run.tune},     {"past", run.past},
        {"start", run.start}};
    for (const auto& [name, text] : texts) {
        parameters.remove(name);
        parameters.write_text(name, text);
    }
    parameters.remove("failed"); // a failed run that is continued
    parameters.remove("seed");
    parameters.write_scalar("seed", run.seed);
}

void ResultFile::set_stages(std::span<const std::int64_t> first,
                            std::span<const std::int64_t> last) {
    const Writing writing(*this);
    hdf5::Group stage = file_.make_group("parameters/stage");
    for (const char* part : {"first_step", "last_step"}) stage.remove(part);
    stage.write("first_step", first, {first.size()});
    stage.write("last_step", last, {last.size()});
    ended_.assign(last.begin(), last.end());
    changed_ = true;
}

void ResultFile::note_checkpoint(std::int64_t step) {
    const Writing writing(*this);
    hdf5::Group parameters = file_.make_group("parameters");
    parameters.remove("checkpoint_step");
    parameters.write_scalar("checkpoint_step", step);
    changed_ = true;
}

void ResultFile::note_failure(const std::string& why) {
    const Writing writing(*this);
    hdf5::Group parameters = file_.make_group("parameters");
    parameters.remove("failed");
    parameters.write_text("failed", why);
    changed_ = true;
}

void ResultFile::describe_stages(std::span<const StageFacts> stages) {
    const Writing writing(*this);
    hdf5::Group group = file_.make_group("parameters/stage");
    const auto put_texts = [&](const char* part, std::string StageFacts::*text) {
        std::vector<std::string> all;
        for (const StageFacts& stage : stages) all.push_back(stage.*text);
        group.remove(part);
        group.write_texts(part, all);
    };
    const auto put_numbers = [&](const char* part, double StageFacts::*number) {
        std::vector<double> all;
        for (const StageFacts& stage : stages) all.push_back(stage.*number);
        group.remove(part);
        return group.write(part, all);
    };
    put_texts("name", &StageFacts::name);
    put_texts("method", &StageFacts::method);
    put_texts("ensemble", &StageFacts::ensemble);
    put_numbers("bath_temperature", &StageFacts::bath_temperature)
        .set_attribute("unit", units_named(units_).express("temperature"));
    put_numbers("degrees_of_freedom", &StageFacts::degrees_of_freedom);
    changed_ = true;
}

/// Rows of one step belong together. After a failed write some may be missing, so the working file
/// is not published again.
ResultFile::Writing::Writing(ResultFile& results)
    : results_(results), exceptions_(std::uncaught_exceptions()) {
    if (results.broken_)
        throw MachineError(fmt::format("{} cannot be written any more (an earlier write failed); "
                                       "continue from the last checkpoint",
                                       results.path_.string()));
}

ResultFile::Writing::~Writing() {
    if (std::uncaught_exceptions() > exceptions_) results_.broken_ = true;
}

int ResultFile::add_series(const Series& series) {
    for (std::size_t i = 0; i < series_.size(); ++i)
        if (series_[i].series.name == series.name && series_[i].series.shape == series.shape)
            return static_cast<int>(i);
    const std::string group = "observables/" + series.name;
    Open open;
    open.series = series;
    if (!file_.has(group)) {
        open.step = file_.write_appendable(group + "/step", hdf5::Type::int64, {}, {512});
        open.time = file_.write_appendable(group + "/time", hdf5::Type::float64, {}, {512});
        open.value = file_.write_appendable(group + "/value", hdf5::Type::float64, series.shape,
                                            series_chunk(series.shape));
        open.time.set_attribute("unit", units_named(units_).express("time"));
        open.value.set_attribute("unit", units_named(units_).express(series.unit));
    } else {
        open.step = file_.dataset(group + "/step");
        open.time = file_.dataset(group + "/time");
        open.value = file_.dataset(group + "/value");
        hdf5::Shape shape = open.value.shape();
        if (shape.empty() || hdf5::Shape(shape.begin() + 1, shape.end()) != series.shape)
            throw InputError(fmt::format("{} has rows of another shape (an observable of this name "
                                         "was written with other parameters); give this one "
                                         "another `name`",
                                         open.value.place()));
        open.written = open.step.rows();
        if (open.written > 0)
            open.last_step = open.step.read_rows<std::int64_t>(open.written - 1, 1)[0];
    }
    changed_ = true;
    series_.push_back(std::move(open));
    return static_cast<int>(series_.size()) - 1;
}

void ResultFile::append(int series, std::int64_t step, double time, std::span<const double> value) {
    Open& open = series_.at(static_cast<std::size_t>(series));
    if (open.last_step && step <= *open.last_step) return;
    open.last_step = step;
    open.steps.push_back(step);
    open.times.push_back(time);
    open.values.insert(open.values.end(), value.begin(), value.end());
    changed_ = true;
    buffered_ += value.size() + 2;
    if (buffered_ > buffer_limit) flush_rows();
}

void ResultFile::flush_rows() {
    const Writing writing(*this);
    for (Open& open : series_) {
        open.step.append<std::int64_t>(open.steps);
        open.time.append<double>(open.times);
        open.value.append<double>(open.values);
        open.written += open.steps.size();
        open.steps.clear();
        open.times.clear();
        open.values.clear();
    }
    buffered_ = 0;
}

std::uint64_t ResultFile::rows(int series) const {
    const Open& open = series_.at(static_cast<std::size_t>(series));
    return open.written + open.steps.size();
}

void ResultFile::publish() {
    if (!changed_) return;
    flush_rows();
    {
        const Writing writing(*this);
        file_.flush();
    }
    const fs::path temporary = path_.string() + ".tmp";
    try {
        clone_file(part_, temporary);
        put_in_place(temporary);
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

void ResultFile::finish() {
    flush_rows();
    series_.clear();
    trajectory_.close();
    final_.close();
    file_.close();
    put_in_place(part_);
    owns_part_.value = false;
}

void ResultFile::put_in_place(const fs::path& temporary) {
    if (remove_checkpoint_) remove_file(checkpoint_);
    remove_checkpoint_ = false;
    replace_file(temporary, path_);
    changed_ = false;
}

} // namespace shadow
