// SPDX-License-Identifier: BSD-3-Clause
// What docs/ must have of everything that can be named in an input.
#include "support/catch.hpp"

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/run/catalogue.hpp"

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

using namespace shadow;

static std::string page_of(const std::string& name) {
    std::ifstream file(SHADOW_SOURCE_DIR "/docs/" + name);
    std::stringstream page;
    page << file.rdbuf();
    return page.str();
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
