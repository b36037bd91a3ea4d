// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/core/parameter_node.hpp"

#include <memory>
#include <string>

namespace shadow {

/// Applies `a.b.c=value` to the table `root`; throws InputError located at "--set a.b.c".
void apply_override(Parameters::Node& root, const std::string& item);

/// The value of an override as TOML, or as a text if it is not TOML; implemented with the parser.
std::shared_ptr<Parameters::Node>
parse_override_value(const std::string& text, const std::string& where, const std::string& path);

/// Sets the location and path of `node` and of all nodes below it.
void relocate(Parameters::Node& node, const std::string& where, const std::string& path);

} // namespace shadow
