// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace shadow {

/// One key of a force, integrator or observable, as `mdrun --describe` prints it.
struct ParameterInfo {
    std::string name;
    std::string unit;          ///< in terms of system.units: "energy", "length", "1/time", "" ...
    std::string default_value; ///< empty: required
    std::string meaning;
};

/// What `mdrun --list` and `--describe` tell about an entry of a registry.
struct Descriptor {
    std::string name;     ///< as written in the input
    std::string summary;  ///< one sentence
    std::string equation; ///< plain text
    std::string reference;
    std::vector<ParameterInfo> parameters;
};

} // namespace shadow
