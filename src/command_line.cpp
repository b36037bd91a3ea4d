// SPDX-License-Identifier: BSD-3-Clause
#include "src/command_line.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"
#include "shadow/core/version.hpp"

#include <fmt/format.h>
#include <vector>

namespace shadow {

std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        std::string_view one_word) {
    const std::string program = app.get_name(), help = "see " + program + " --help";
    if (const auto extras = app.remaining(); !extras.empty()) {
        const std::string& word = extras.front();
        if (word.substr(0, 1) != "-")
            return fmt::format("{}: one word too many ({}); {}", in_quotes(word, 60), one_word,
                               help);
        std::vector<std::string> names;
        for (const CLI::Option* option : app.get_options())
            if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
        const auto near = nearest(word, names);
        return fmt::format("{}: unknown option ({} has none of this name); {}", in_quotes(word, 60),
                           program, near ? "did you mean " + *near + "?" : help);
    }
    std::string why = in_quotes(error.what(), 200);
    return fmt::format("the command line is wrong ({}); {}", why.substr(1, why.size() - 2), help);
}

std::string version_text(const std::string& program) {
    const std::string from = commit();
    return program + " " + version() + (from.empty() ? "" : " (" + from + ")") + "\n";
}

} // namespace shadow
