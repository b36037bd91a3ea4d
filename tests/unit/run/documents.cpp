// SPDX-License-Identifier: BSD-3-Clause
// What docs/ must have of everything that can be named in an input.
#include "support/catch.hpp"

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/run/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace shadow;

static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}
static std::string page_of(const std::string& name) {
    return text_of(SHADOW_SOURCE_DIR "/docs/" + name);
}

/// All that a pattern finds as its first group in the files of a folder with such a name.
static std::set<std::string> found_in(const std::string& folder, const std::string& names,
                                      const std::string& pattern) {
    std::set<std::string> found;
    const std::regex name(names), looked_for(pattern);
    for (const auto& file : std::filesystem::directory_iterator(SHADOW_SOURCE_DIR "/" + folder)) {
        if (!std::regex_match(file.path().filename().string(), name)) continue;
        const std::string text = text_of(file.path());
        for (std::sregex_iterator at(text.begin(), text.end(), looked_for), end; at != end; ++at)
            found.insert((*at)[1]);
    }
    return found;
}

TEST_CASE("docs/input.md is the reference") {
    INFO("make it anew: build/mdrun --describe all --markdown > docs/input.md");
    CHECK((page_of("input.md") == describe_text("all", true)));
}

TEST_CASE("every force and every style of coefficients stands in a table of docs/") {
    std::set<std::string> cells, styles; // of first columns; of the table of styles
    std::string section;
    for (const char* page : {"pairs.md", "charges.md", "molecules.md", "fields.md"}) {
        std::istringstream lines(page_of(page));
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("|")) continue;
            std::istringstream row(line.substr(1));
            bool first = true;
            for (std::string cell; std::getline(row, cell, '|'); first = false) {
                for (std::size_t k; (k = cell.find('`')) != std::string::npos;) {
                    const std::string name = cell.substr(k + 1, cell.find('`', k + 1) - k - 1);
                    cell.erase(0, k + 2 + name.size());
                    if (first) cells.insert(name);
                    if (name.ends_with(" Coeffs")) section = name;
                    styles.insert(section + " " + name);
                }
            }
        }
    }
    for (const Descriptor& known : forces()) {
        INFO("no row of a table in docs/ has `" << known.name << "`");
        CHECK(cells.contains(known.name));
    }
    for (const BondedKind kind : bonded_kinds)
        for (const std::string& style : coefficient_styles(kind)) {
            std::string title = name(kind);
            title[0] = static_cast<char>(std::toupper(title[0]));
            INFO("no row of docs/molecules.md has " << title << " style " << style);
            CHECK(styles.contains(title + " Coeffs " + style));
        }
}

TEST_CASE("every method has a row of a table in docs/integrators.md") {
    std::istringstream lines(page_of("integrators.md"));
    std::set<std::string> first_cells;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `")) first_cells.insert(line.substr(2, line.find(" |") - 2));
    auto check = [&](const std::string& name) {
        INFO("no row of a table in docs/integrators.md begins with `" << name << "`");
        CHECK(first_cells.contains("`" + name + "`"));
    };
    for (const IntegratorEntry& known : integrators()) check(known.descriptor.name);
}

TEST_CASE("every observable is in the catalogue, in the guide and compared on a GPU") {
    std::set<std::string> made =
        found_in("src/observables", ".*\\.cpp", "ObservableEntry (\\w+)_entry\\(\\) \\{");
    const std::set<std::string> compared =
        found_in("bench/gpu", "agree_.*\\.toml", "\\[\\[observe\\]\\]\ntype = \"([^\"]*)\"");
    std::set<std::string> sections;
    std::istringstream lines(page_of("observables.md"));
    for (std::string line; std::getline(lines, line);)
        for (std::size_t k; line.starts_with("## ") && (k = line.find('`')) != std::string::npos;) {
            const std::size_t end = line.find('`', k + 1);
            sections.insert(line.substr(k + 1, end - k - 1));
            line.erase(3, end - 2);
        }
    std::set<std::string> listed;
    for (const Descriptor& known : observables()) {
        if (!sections.contains(known.name))
            FAIL_CHECK(known.name << " has no section in docs/observables.md");
        if (!compared.contains(known.name))
            FAIL_CHECK(known.name << " has no entry in bench/gpu/agree_*.toml");
        listed.insert(known.name);
    }
    REQUIRE_FALSE(made.empty());
    for (std::string name : made) {
        std::replace(name.begin(), name.end(), '_', '-');
        INFO(name << "_entry() is not in the list of src/observables/registry.cpp");
        CHECK(listed.contains(name));
    }
    CHECK(made.size() == listed.size());
}

TEST_CASE("the glossary of ARCHITECTURE.md has 25 terms at most") {
    const std::string page = text_of(SHADOW_SOURCE_DIR "/ARCHITECTURE.md");
    const std::size_t at = page.find("\n## Glossary\n");
    REQUIRE(at != std::string::npos);
    std::istringstream lines(page.substr(at));
    int rows = 0;
    for (std::string line; std::getline(lines, line);) rows += line.starts_with("| ");
    CHECK(rows - 1 > 0); // the first is the head
    CHECK(rows - 1 <= 25);
}
