// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

/// The report page of a run: made by `mdreport`, which is next to mdrun (installed, or linked into
/// the build folder) or else on the PATH.
namespace shadow {

/// PREFIX.html.
[[nodiscard]] std::filesystem::path report_path(const std::filesystem::path& prefix);

/// Makes the page PREFIX.html from the results PREFIX.h5, with `summary` (JSON) for the
/// performance. Returns "", or why there is no page: a failure here must not spoil a finished run.
[[nodiscard]] std::string make_report(const std::filesystem::path& prefix,
                                      const std::string& summary);

/// `mdrun report ARGUMENTS`: replaces this process by mdreport with the arguments after the first
/// two of `argv`. Throws MachineError if it cannot be started.
[[noreturn]] void become_report(char** argv);

} // namespace shadow
