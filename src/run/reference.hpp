// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/input_errors.hpp"
#include "shadow/core/parameters.hpp"

#include <string>
#include <vector>

namespace shadow {

/// Something that can be described: a table of the input, a force, an integrator, an observable.
struct Entry {
    std::string kind; ///< "table", or the table of the input in which it is named
    Descriptor descriptor;
    std::vector<std::string> aliases;
};

/// "table", "force", "integrator" and "observe".
[[nodiscard]] const std::vector<std::string>& catalogue_kinds();

/// Everything, kind by kind.
[[nodiscard]] const std::vector<Entry>& catalogue();

/// Breaks `text` into lines of at most 100 columns, each but the first after `indent` spaces.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent);

/// What to write behind `key =`: the example, or the default where that is one.
[[nodiscard]] std::string example_of(const ParameterInfo& key);

/// For a terminal.
[[nodiscard]] std::string described(const Entry& entry);

/// A section of Markdown. Keys which all entries of its kind have in common are only named.
[[nodiscard]] std::string markdown(const Entry& entry);

/// Adds all unknown keys of an input that was read as far as its errors allow, and throws what
/// there is. Where something was not read, the keys it would have asked for are those of the
/// reference.
void refuse_input(const Parameters& root, InputErrors& errors);

/// docs/input.md: all entries.
[[nodiscard]] std::string reference_page();

} // namespace shadow
