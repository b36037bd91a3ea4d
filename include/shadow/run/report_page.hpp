// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

/// The report page of a run: made by `mdreport`, which lies beside mdrun (installed, or linked into
/// the build folder) or else on the PATH.
namespace shadow {

/// PREFIX.html.
[[nodiscard]] std::filesystem::path report_path(const std::filesystem::path& prefix);

/// Makes the page PREFIX.html of the results PREFIX.h5, with `summary` (JSON) for the performance.
/// Returns "", or why there is none: nothing that this needs may spoil a run which is done.
[[nodiscard]] std::string make_report(const std::filesystem::path& prefix,
                                      const std::string& summary);

/// `mdrun report ARGUMENTS`: turns this process into mdreport with the arguments behind the first
/// two of `argv`. Throws MachineError if it cannot be started.
[[noreturn]] void become_report(char** argv);

} // namespace shadow
