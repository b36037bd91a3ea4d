// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow {

/// The parts of the input that determine the past of a run: not its length, its files, or the
/// number of threads.
struct Identity {
    std::string common;              ///< seed, system, species and forces, as TOML
    std::vector<std::string> stages; ///< "[stage NAME]", its integrator and observables, as TOML

    [[nodiscard]] std::string text() const;
    [[nodiscard]] static Identity of_text(const std::string& text);
};

[[nodiscard]] Identity identity_of(const Parameters& root, const RunPlan& plan);

/// Why a run that was `then`, in which `begun` stages have begun, cannot be continued as `now`: the
/// key that differs, human-readable; "" if it can. Stages that have not begun may change in any
/// way.
[[nodiscard]] std::string changed_past(const Identity& then, const Identity& now,
                                       std::size_t begun);

} // namespace shadow
