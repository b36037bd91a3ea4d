// SPDX-License-Identifier: BSD-3-Clause
#include "shared_files.hpp"

#include "shadow/io/atomic_file.hpp"
#include "shadow/io/h5md.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/run/report_page.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

namespace fs = std::filesystem;

/// A file and its role in the run.
struct Role {
    fs::path path;
    const char* what;
};

std::vector<Role> written_by(const OutputPlan& output) {
    const fs::path results = result_path(output.prefix);
    const fs::path checkpoint = checkpoint_path(output.prefix);
    std::vector<Role> all = {{results, "the results"},
                             {checkpoint, "the checkpoint"},
                             {log_path(output.prefix), "the log"}};
    for (const fs::path& file : {results, checkpoint})
        for (const char* ending : {".part", ".tmp"})
            all.push_back({file.string() + ending, "a working file"});
    if (output.report) all.push_back({report_path(output.prefix), "the report"});
    return all;
}

const Role* find(const std::vector<Role>& files, const fs::path& path) {
    for (const Role& file : files)
        if (same_file(file.path, path)) return &file;
    return nullptr;
}

} // namespace

void refuse_shared_files(const Parameters& root, const OutputPlan& output,
                         const RunOptions& options) {
    std::vector<Role> files = written_by(output);
    const Parameters system = root.table("system");
    if (const Role* role = find(files, options.input))
        root.table("output").fail(
            "prefix", fmt::format("{} is the input and would be {} of this run (it would be "
                                  "replaced); give another `output.prefix`",
                                  options.input.string(), role->what));
    if (system.type("file") == "text") {
        const fs::path start = input_folder(options.input) / system.text("file");
        if (const Role* role = find(files, start))
            system.fail("file", fmt::format("{} is the start and would be {} of this run (which "
                                            "replaces it); give another `output.prefix`",
                                            start.string(), role->what));
        files.push_back({start, "the start"});
    }
    files.push_back({options.input, "the input"});
    const fs::path& summary = options.summary;
    // A file that is not regular is written to directly, and is not replaced.
    if (summary.empty() || summary == "-" || (fs::exists(summary) && !fs::is_regular_file(summary)))
        return;
    // A summary is written to a temporary file, then renamed.
    for (const fs::path& path : {summary, fs::path(summary.string() + ".tmp")})
        if (const Role* role = find(files, path))
            throw InputError(fmt::format("--summary {} would replace {} ({} of this run); give "
                                         "another file to --summary",
                                         summary.string(), path.string(), role->what));
}

} // namespace shadow
