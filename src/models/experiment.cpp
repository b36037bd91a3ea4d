// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"
#include "shadow/io/atomic_file.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace shadow::models {

bool Finding::agrees() const {
    return std::abs(found - known) <= within;
}

void Results::compare(std::string quantity, double known, double found, double within) {
    findings.push_back({std::move(quantity), known, found, within});
}

const Experiment& find_experiment(const std::string& name) {
    std::vector<std::string> names;
    for (const Experiment& e : experiments()) {
        if (edit_distance(e.name, name) == 0) return e;
        names.push_back(e.name);
    }
    const auto near = nearest(name, names);
    throw InputError(fmt::format("{}: unknown experiment (there is none of this name); {}",
                                 in_quotes(name, 60),
                                 near ? "did you mean " + in_quotes(*near) + "?"
                                      : "shadow-models without arguments lists all"));
}

std::string list_text() {
    std::size_t width = 0;
    for (const Experiment& e : experiments()) width = std::max(width, e.name.size());
    std::string text;
    for (const Experiment& e : experiments())
        fmt::format_to(std::back_inserter(text), "{:<{}}  {} ({})\n", e.name, width, e.summary,
                       e.source);
    return text;
}

std::string findings_text(const Experiment& experiment, const Results& results) {
    std::size_t width = 8;
    for (const Finding& f : results.findings) width = std::max(width, f.quantity.size());
    std::string text =
        fmt::format("{}: {} ({})\n", experiment.name, experiment.summary, experiment.source);
    fmt::format_to(std::back_inserter(text), "  {:<{}}  {:>10}  {:>10}  {:>8}\n", "quantity", width,
                   "known", "found", "within");
    for (const Finding& f : results.findings)
        fmt::format_to(std::back_inserter(text), "  {:<{}}  {:>10.7g}  {:>10.7g}  {:>8.1e}{}\n",
                       f.quantity, width, f.known, f.found, f.within,
                       f.agrees() ? "" : "  DIFFERS");
    return text;
}

namespace {

std::string csv_text(const Curves& curves) {
    std::string text = fmt::format("{}\n", fmt::join(curves.columns, ","));
    for (const auto& row : curves.rows)
        fmt::format_to(std::back_inserter(text), "{:.10g}\n", fmt::join(row, ","));
    return text;
}

} // namespace

void write_results(const std::filesystem::path& folder, const Experiment& experiment,
                   const Results& results) {
    for (const Curves& curves : results.curves)
        write_file(folder / (curves.name + ".csv"), csv_text(curves));
    std::string text = "quantity,known,found,within\n";
    for (const Finding& f : results.findings)
        fmt::format_to(std::back_inserter(text), "{},{:.10g},{:.10g},{:.10g}\n",
                       in_quotes(f.quantity), f.known, f.found, f.within);
    write_file(folder / (experiment.name + "_findings.csv"), text);
}

} // namespace shadow::models
