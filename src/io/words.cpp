// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view blanks = " \t\v\f\r";
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t begin = line.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return words;
        const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
}

double real_of(std::string_view word, const Lines& lines) {
    double value = 0.0;
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    // Numbers too small for a double are read as zero, as in other programs.
    const bool tiny = error == std::errc::result_out_of_range &&
                      word.find_first_of("eE") != std::string_view::npos &&
                      word.find('-', word.find_first_of("eE")) != std::string_view::npos;
    if ((error != std::errc{} && !tiny) || end != word.data() + word.size())
        lines.refuse(fmt::format("{} is not a number", in_quotes(word, 40)),
                     "a number belongs here", "correct the file");
    if (!std::isfinite(value))
        lines.refuse(fmt::format("{} is not finite", in_quotes(word, 40)),
                     "all numbers of a file must be", "correct the file");
    return tiny ? 0.0 : value;
}

std::int64_t integer_of(std::string_view word, const Lines& lines) {
    std::int64_t value = 0;
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size())
        lines.refuse(fmt::format("{} is not a whole number", in_quotes(word, 40)),
                     "a whole number belongs here", "correct the file");
    return value;
}

std::size_t index_of(std::vector<std::string>& names, std::string_view name, const Lines& lines) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    if (names.size() >= 65'535)
        lines.refuse("too many species", "there may be 65535", "give particles the same name");
    names.emplace_back(name);
    return names.size() - 1;
}

} // namespace shadow
