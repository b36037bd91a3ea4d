// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/toml.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace shadow;

namespace {

/// Asks for keys as the readers of an input do; everything it throws must be an InputError.
void read(const Parameters& p) {
    (void)p.text("title", "");
    (void)p.integer("seed", 1);
    const Parameters system = p.table("system");
    (void)system.choice("units", {"lj", "akma", "real", "metal"}, "lj");
    const Parameters box = system.table("box");
    if (box.type("periodic") == "array") (void)box.booleans("periodic");
    (void)box.numbers("lengths", {});
    for (const Parameters& force : p.tables("force")) {
        (void)force.number_or_infinity("cutoff", 2.5);
        for (const Parameters& pair : force.tables("pairs")) (void)pair.texts("species", {});
    }
    (void)p.table("integrator").positive("dt");
}

/// What the resolved text says must be what it was made from.
void require_round_trip(const Parameters& p) {
    const std::string once = p.resolved();
    try {
        if (read_toml_text(once, "again").resolved() == once) return;
        std::fprintf(stderr, "does not read back to itself:\n%s\n", once.c_str());
    } catch (const InputError& error) {
        std::fprintf(stderr, "%s in:\n%s\n", error.what(), once.c_str());
    }
    std::abort();
}

} // namespace

/// The bytes are a TOML text; a first line "#set a.b=c" stands for an override.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> overrides;
    while (text.substr(0, 5) == "#set ") {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        overrides.emplace_back(text.substr(5, end - 5));
        text.remove_prefix(end + 1);
    }
    try {
        const Parameters p = read_toml_text(text, "fuzz.toml", overrides);
        require_round_trip(p);
        try {
            read(p);
            p.refuse_unused();
        } catch (const InputError&) {
            // The input is refused, as it should be; the defaults taken so far are in.
        }
        require_round_trip(p);
    } catch (const InputError&) {
        return 0;
    }
    return 0;
}
