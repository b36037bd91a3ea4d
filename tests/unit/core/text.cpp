// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/text.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <limits>

using namespace shadow;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("cutoff", "cutof") == 1);
    CHECK(edit_distance("cutoff", "cuttoff") == 1);
    CHECK(edit_distance("cutoff", "cutoft") == 1);
    CHECK(edit_distance("tempreature", "temperature") == 1);
    CHECK(edit_distance("Cut-Off", "cut_off") == 0);
    CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is near, or none") {
    const std::vector<std::string> names = {"epsilon", "sigma", "cutoff", "r_min", "dt"};
    CHECK(nearest("epsilom", names) == "epsilon");
    CHECK(nearest("cut_off", names) == "cutoff");
    CHECK(nearest("sgima", names) == "sigma");
    CHECK(nearest("DT", names) == "dt");
    CHECK_FALSE(nearest("xy", names));
    CHECK_FALSE(nearest("temperature", names));
    CHECK_FALSE(nearest("anything", {}));
}

TEST_CASE("texts are quoted so that TOML and JSON read them back") {
    CHECK(shadow::in_quotes("a\"b\\c\n\t\r") == R"("a\"b\\c\n\t\r")");
    CHECK(shadow::in_quotes(std::string("\0\x01\x7f", 3)) == R"("\u0000\u0001\u007F")");
    CHECK(shadow::in_quotes("abcdef", 3) == "\"abc...\"");
    CHECK(shadow::in_quotes("\xC3\xA4\xC3\xB6", 3) == "\"\xC3\xA4...\""); // never half a character
    CHECK(quoted_list({"a", "b", "c"}) == R"("a", "b" or "c")");
    CHECK(quoted_list({}).empty());
}

TEST_CASE("UTF-8 is told from other bytes") {
    for (const char* good : {"", "abc", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"})
        CHECK(is_utf8(good));
    for (const char* bad : {"\xFF", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                            "\xF4\x90\x80\x80", "\xF0\x9F\x98", "a\x80", "\xE2\x82z"})
        CHECK_FALSE(is_utf8(bad));
}

TEST_CASE("digests are those of FNV-1a") {
    // Test vectors of the authors (RFC 9923, appendix C).
    CHECK(digest("") == "cbf29ce484222325");
    CHECK(digest("a") == "af63dc4c8601ec8c");
    CHECK(digest("foobar") == "85944171f73967e8");
}

TEST_CASE("numbers are written as TOML reads them") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1_000");
    CHECK(grouped(-123456) == "-123_456");
    CHECK(grouped(std::numeric_limits<std::int64_t>::max()) == "9_223_372_036_854_775_807");
    CHECK(float_text(1.0) == "1.0");
    CHECK(float_text(-0.1) == "-0.1");
    CHECK(float_text(1e300) == "1e+300");
    CHECK(float_text(INFINITY) == "inf");
    CHECK(float_text(-INFINITY) == "-inf");
}
