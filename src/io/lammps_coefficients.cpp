// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/lammps_data.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace shadow {
namespace {

/// The style as write_data gives it after the title of the section.
std::string style_of(const Words& comment, BondedKind kind, const Lines& lines) {
    const std::string section = title_of(kind) + " Coeffs";
    const auto& known = coefficient_styles(kind);
    const std::string all = fmt::format("{}", fmt::join(known, ", "));
    if (comment.empty())
        lines.refuse(fmt::format("{} without a style", section),
                     "their numbers mean something else in each",
                     fmt::format("write it after the title, as \"{}  # {}\"; known are {}", section,
                                 known.front(), all));
    std::string style(comment.front());
    if (style == "hybrid")
        lines.refuse(
            fmt::format("{} of style hybrid", section),
            "each of these sections is of one style here",
            fmt::format("leave {}s out of `of` and give them [[force]] tables", name(kind)));
    if (std::find(known.begin(), known.end(), style) == known.end())
        lines.refuse(
            fmt::format("{} of style {}", section, in_quotes(style, 40)),
            fmt::format("known are {}", all),
            fmt::format("leave {}s out of `of` and give them [[force]] tables", name(kind)));
    return style;
}

/// Throws if the title of the next section is found where a type is expected.
void refuse_other_section(const DataFile& file, BondedKind kind, std::string_view word) {
    const DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
    const bool label =
        std::find(terms.labels.begin(), terms.labels.end(), word) != terms.labels.end();
    if (label || word.find_first_not_of("+-.0123456789") == std::string_view::npos) return;
    const auto& all = file.raw.topology.coefficients;
    for (std::int64_t type = 1; type <= terms.types; ++type) {
        const std::string called = type_named(std::to_string(type), kind, file);
        const auto is = [&](const auto& one) { return one.kind == kind && one.type == called; };
        if (std::none_of(all.begin(), all.end(), is))
            file.lines.refuse(fmt::format("coefficients of {} type {} are missing", name(kind),
                                          in_quotes(called, 40)),
                              fmt::format("the header announces {} types", terms.types),
                              "add them, or correct the header");
    }
}

} // namespace

std::string title_of(BondedKind kind) {
    std::string title = name(kind);
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

void read_coefficients(DataFile& file, BondedKind kind, std::string_view comment) {
    DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
    if (terms.coefficients_read)
        file.lines.refuse(fmt::format("a second section {} Coeffs", title_of(kind)), "there is one",
                          "correct the file");
    terms.coefficients_read = true;
    const std::string style = style_of(words_of(comment), kind, file.lines);
    std::vector<TypeCoefficients>& all = file.raw.topology.coefficients;
    for (std::int64_t k = 0; k < terms.types; ++k) {
        const Words words = next_words(file.lines);
        if (!words.empty()) refuse_other_section(file, kind, words[0]);
        need_columns(file, words, words.size() > 1,
                     "a line of coefficients has the type and its numbers");
        TypeCoefficients here{
            kind, type_named(words[0], kind, file), style, {}, file.lines.place()};
        const auto before = std::find_if(all.begin(), all.end(), [&](const auto& other) {
            return other.kind == kind && other.type == here.type;
        });
        if (before != all.end())
            file.lines.refuse(fmt::format("coefficients of {} type {} twice", name(kind),
                                          in_quotes(here.type, 40)),
                              fmt::format("they are at {} too", before->place), "remove one");
        for (std::size_t n = 1; n < words.size(); ++n)
            here.numbers.push_back(real_of(words[n], file.lines));
        all.push_back(std::move(here));
    }
}

} // namespace shadow
