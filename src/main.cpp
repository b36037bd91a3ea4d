// SPDX-License-Identifier: BSD-3-Clause
#include "src/command_line.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/run/catalogue.hpp"
#include "shadow/run/report_page.hpp"
#include "shadow/run/simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace {

using namespace shadow;

struct CommandLine {
    RunOptions run;
    std::string list;
    std::string describe;
    std::string progress;
    double accuracy = 1e-3;
    bool certify = false;
    bool markdown = false;
    bool devices = false;
    bool version = false;
};

void declare(CLI::App& app, CommandLine& line) {
    app.add_option("INPUT", line.run.input, "the input, a TOML file");
    app.add_option("--set", line.run.overrides,
                   "override any key, one for each --set: --set integrator.dt=0.002")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_flag("--resume", line.run.resume, "continue from the last checkpoint");
    app.add_flag("--continue", line.run.resume_or_start,
                 "the same if there is one, else start: for job scripts");
    app.add_flag("--check", line.run.check, "validate and print the resolved input, run nothing");
    auto* certify =
        app.add_flag("--certify", line.certify,
                     "a short trial: is the step stable, what drift to expect, what the "
                     "step does to averages");
    app.add_option("--accuracy", line.accuracy, "of averages, for which --certify gives the step")
        ->type_name("RELATIVE")
        ->needs(certify);
    app.add_option("--list", line.list, "what exists: table, force, integrator, observe, or all")
        ->type_name("KIND")
        ->expected(0, 1);
    auto* describe =
        app.add_option("--describe", line.describe, "keys, units, equation, reference; or all")
            ->type_name("NAME");
    app.add_flag("--markdown", line.markdown, "describe as Markdown, as in docs/input.md")
        ->needs(describe);
    app.add_flag("--devices", line.devices, "what this machine offers, and what \"auto\" takes");
    app.add_option("--summary", line.run.summary, "write the summary as JSON; - is standard output")
        ->type_name("FILE.json");
    app.add_flag("--quiet", line.run.quiet, "only warnings and errors");
    app.add_option("--progress", line.progress, "how to show progress")
        ->type_name("plain|bar|none");
    app.add_flag("--version", line.version, "version and commit");
}

ProgressStyle progress_style(const std::string& name) {
    if (name.empty()) return ProgressStyle::automatic;
    if (name == "plain") return ProgressStyle::plain;
    if (name == "bar") return ProgressStyle::bar;
    if (name == "none") return ProgressStyle::none;
    throw InputError(
        fmt::format("--progress {}: unknown style (it must be {}); choose one of these",
                    in_quotes(name, 60), quoted_list({"plain", "bar", "none"})));
}

void refuse_pair(bool one, const char* name, bool other, const char* other_name, const char* why) {
    if (one && other)
        throw InputError(fmt::format("{} with {} ({}); give one of them", name, other_name, why));
}

int act(const CLI::App& app, CommandLine& line) {
    line.run.progress = progress_style(line.progress);
    if (line.version) {
        print(version_text("mdrun"));
        return 0;
    }
    if (line.devices || app.count("--list") > 0 || app.count("--describe") > 0) {
        if (app.count("--list") > 0) print(list_text(line.list));
        if (app.count("--describe") > 0) print(describe_text(line.describe, line.markdown));
        if (line.devices) print(devices_text());
        return 0;
    }
    if (line.run.input.empty())
        throw InputError("no input (there is nothing to run); give a TOML file: mdrun INPUT.toml, "
                         "or see mdrun --help");
    refuse_pair(line.run.resume, "--resume", line.run.check, "--check", "one runs, the other not");
    refuse_pair(line.run.resume_or_start, "--continue", line.run.check, "--check",
                "one runs, the other not");
    refuse_pair(line.run.resume, "--resume", line.run.resume_or_start, "--continue",
                "one needs a checkpoint, the other does not");
    refuse_pair(line.certify, "--certify", line.run.resume, "--resume",
                "one tries a start, the other continues");
    refuse_pair(line.certify, "--certify", line.run.resume_or_start, "--continue",
                "one tries a start, the other continues");
    refuse_pair(line.certify, "--certify", !line.run.summary.empty(), "--summary",
                "a trial has none");
    refuse_pair(line.certify, "--certify", line.run.check, "--check", "one runs, the other not");
    if (line.run.quiet) log::set_level(log::Level::warning);
    if (line.certify) return certify_input(line.run, line.accuracy, print) ? 0 : 3;
    return run_simulation(line.run);
}

/// GCC's OpenMP threads spin for milliseconds while they wait for each other. On a machine with
/// other load a spinning thread keeps its core from a working one, and small systems run twenty
/// times slower. A short spin bridges the gaps inside a step; after it the thread sleeps. The
/// runtime reads this from the environment when it is loaded, so the program restarts itself once;
/// if that fails it is only slower.
void spin_briefly(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error && setenv("GOMP_SPINCOUNT", "1000", 0) == 0) execv(program.c_str(), argv);
}

int fail(int status, const std::string& message) {
    log::status("");
    for (std::size_t begin = 0;
         begin <= message.size();) { // an input may have several errors, a line each
        const std::size_t end = std::min(message.find('\n', begin), message.size());
        log::error(std::string_view(message).substr(begin, end - begin));
        begin = end + 1;
    }
    return status;
}

} // namespace

int main(int argc, char** argv) {
    spin_briefly(argv);
    CLI::App app("Molecular dynamics of Lennard-Jones and Coulomb systems.\n"
                 "mdrun report RUN.h5 makes a page of its results.",
                 "mdrun");
    CommandLine line;
    try {
        if (argc > 1 && std::string_view(argv[1]) == "report") become_report(argv);
        declare(app, line);
        try {
            app.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            print(app.help());
            return 0;
        } catch (const CLI::ParseError& error) {
            throw InputError(usage_error(app, error, "mdrun runs one input"));
        }
        return act(app, line);
    } catch (const Error& error) {
        return fail(error.exit_status(), error.what());
    } catch (const std::bad_alloc&) {
        return fail(4, "out of memory (the system needs more than there is); take fewer particles, "
                       "or see the estimate of mdrun --check");
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(4, fmt::format("a file operation failed ({}); check the path and the disk",
                                   error.what()));
    } catch (const std::exception& error) {
        return fail(3,
                    fmt::format("unexpected fault ({}); report it with the input", error.what()));
    }
}
