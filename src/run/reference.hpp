// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/input_errors.hpp"
#include "shadow/core/parameters.hpp"

#include <string>
#include <vector>

namespace shadow {

/// Something that `--describe` describes: a table of the input, a force, an integrator, an
/// observable.
struct Entry {
    std::string kind; ///< "table", or the table of the input that selects it
    Descriptor descriptor;
    std::vector<std::string> aliases;
};

/// "table", "force", "integrator" and "observe".
[[nodiscard]] const std::vector<std::string>& catalogue_kinds();

/// All entries, kind by kind.
[[nodiscard]] const std::vector<Entry>& catalogue();

/// Breaks `text` into lines of at most 100 columns, all but the first after `indent` spaces.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent);

/// A value to write after `key =`: the example, or the default if that is a value.
[[nodiscard]] std::string example_of(const ParameterInfo& key);

/// The description for a terminal.
[[nodiscard]] std::string described(const Entry& entry);

/// The description as a section of Markdown. Keys that all entries of its kind share are only
/// named.
[[nodiscard]] std::string markdown(const Entry& entry);

/// Adds all unknown keys of an input that was read as far as its errors allow, and throws all
/// errors, if any. Where something was not read, the keys of the reference are accepted.
void refuse_input(const Parameters& root, InputErrors& errors);

/// docs/input.md: all entries.
[[nodiscard]] std::string reference_page();

} // namespace shadow
