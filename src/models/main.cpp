// SPDX-License-Identifier: BSD-3-Clause
#include "src/command_line.hpp"
#include "src/models/experiment.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/atomic_file.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

using namespace shadow;
using namespace shadow::models;

struct CommandLine {
    std::vector<std::string> names;
    std::string output;
    bool all = false;
    bool version = false;
};

void declare(CLI::App& app, CommandLine& line) {
    app.add_option("NAME", line.names, "experiments to run");
    app.add_flag("--all", line.all, "run all of them");
    app.add_option("-o,--output", line.output, "write the curves of the figures there, as CSV")
        ->type_name("FOLDER");
    app.add_flag("--version", line.version, "version and commit");
}

std::vector<const Experiment*> chosen(const CommandLine& line) {
    if (line.all && !line.names.empty())
        throw InputError("--all with names (it runs every experiment); give one of them");
    std::vector<const Experiment*> found;
    for (const std::string& name : line.names) found.push_back(&find_experiment(name));
    if (line.all)
        for (const Experiment& e : experiments()) found.push_back(&e);
    if (found.empty() && !line.output.empty())
        throw InputError("--output without experiments (there is nothing to write); name some, or "
                         "give --all");
    return found;
}

/// Status 1 where a number differs from the known one.
int act(const CommandLine& line) {
    if (line.version) {
        print(version_text("shadow-models"));
        return 0;
    }
    const auto wanted = chosen(line);
    const std::filesystem::path folder = line.output;
    if (wanted.empty()) {
        print(list_text());
        return 0;
    }
    if (!folder.empty()) require_writable_folder(folder / "findings", "another --output");
    std::size_t numbers = 0, agree = 0;
    for (const Experiment* e : wanted) {
        const Results results = e->run();
        print(findings_text(*e, results) + "\n");
        if (!folder.empty()) write_results(folder, *e, results);
        numbers += results.findings.size();
        agree +=
            static_cast<std::size_t>(std::count_if(results.findings.begin(), results.findings.end(),
                                                   [](const Finding& f) { return f.agrees(); }));
    }
    print(fmt::format("{} of {} numbers are as known\n", agree, numbers));
    return agree == numbers ? 0 : 1;
}

int fail(int status, const std::string& message) {
    const std::string text = "shadow-models: error: " + message + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
    return status;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Published experiments on small model systems: what is known, and what comes out.\n"
        "Without arguments: what there is.",
        "shadow-models");
    CommandLine line;
    try {
        declare(app, line);
        try {
            app.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            print(app.help());
            return 0;
        } catch (const CLI::ParseError& error) {
            throw InputError(usage_error(app, error, "there are no more"));
        }
        return act(line);
    } catch (const Error& error) {
        return fail(error.exit_status(), error.what());
    } catch (const std::exception& error) {
        return fail(3, fmt::format("unexpected fault ({}); report it", error.what()));
    }
}
