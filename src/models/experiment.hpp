// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace shadow::models {

/// A number that is known of an experiment, and what came out.
struct Finding {
    std::string quantity;
    double known, found;
    double within; ///< by how much the two may differ

    [[nodiscard]] bool agrees() const;
};

/// What a figure is drawn from; written as NAME.csv.
struct Curves {
    std::string name;
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

struct Results {
    std::vector<Finding> findings;
    std::deque<Curves> curves; ///< a deque, so that references stay

    void compare(std::string quantity, double known, double found, double within);
    /// Curves without rows, to which these are added.
    Curves& add_curves(std::string name, std::vector<std::string> columns) {
        return curves.emplace_back(Curves{std::move(name), std::move(columns), {}});
    }
};

/// A published experiment.
struct Experiment {
    std::string name, summary, source;
    Results (*run)();
};

/// Every experiment.
[[nodiscard]] const std::vector<Experiment>& experiments();

/// Throws InputError with the nearest name where there is no such experiment.
[[nodiscard]] const Experiment& find_experiment(const std::string& name);

/// Names, summaries and sources, a line each.
[[nodiscard]] std::string list_text();
/// What is known and what was found, as a table.
[[nodiscard]] std::string findings_text(const Experiment& experiment, const Results& results);
/// Writes the curves, and the findings as NAME_findings.csv, into a folder, which is made.
void write_results(const std::filesystem::path& folder, const Experiment& experiment,
                   const Results& results);

} // namespace shadow::models
