// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace shadow::models {

/// A known number of an experiment, and the number found.
struct Finding {
    std::string quantity;
    double known, found;
    double within; ///< the largest allowed difference

    [[nodiscard]] bool agrees() const;
};

/// The data of a figure; written as NAME.csv.
struct Curves {
    std::string name;
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

struct Results {
    std::vector<Finding> findings;
    std::deque<Curves> curves; ///< a deque, so that references stay valid

    void compare(std::string quantity, double known, double found, double within);
    /// New curves, to which rows may be added.
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

/// Throws InputError with the nearest name if there is no such experiment.
[[nodiscard]] const Experiment& find_experiment(const std::string& name);

/// Names, summaries and sources, a line each.
[[nodiscard]] std::string list_text();
/// Known and found numbers, as a table.
[[nodiscard]] std::string findings_text(const Experiment& experiment, const Results& results);
/// Writes the curves, and the findings as NAME_findings.csv, into a folder, which is created.
void write_results(const std::filesystem::path& folder, const Experiment& experiment,
                   const Results& results);

} // namespace shadow::models
