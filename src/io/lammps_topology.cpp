// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/lammps_data.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace shadow {

std::string type_named(std::string_view word, BondedKind kind, const DataFile& file) {
    const DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
    if (std::find(terms.labels.begin(), terms.labels.end(), word) != terms.labels.end())
        return std::string(word);
    if (!terms.labels.empty() && word.find_first_not_of("0123456789") != std::string_view::npos)
        file.lines.refuse(fmt::format("there is no {} type {}", name(kind), in_quotes(word, 40)),
                          fmt::format("labels are {}", fmt::join(terms.labels, ", ")),
                          "correct the file");
    const std::int64_t type = integer_of(word, file.lines);
    if (type < 1 || type > terms.types)
        file.lines.refuse(fmt::format("there is no {} type {}", name(kind), type),
                          fmt::format("the header announces {}", terms.types), "correct the file");
    if (terms.labels.empty()) return std::to_string(type);
    return terms.labels[static_cast<std::size_t>(type - 1)];
}

void read_terms(DataFile& file, BondedKind kind) {
    DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
    if (!file.has_atoms)
        file.lines.refuse(fmt::format("{}s come before Atoms", name(kind)),
                          "atoms are not known yet", "move the section after Atoms");
    if (terms.read)
        file.lines.refuse(fmt::format("a second section of {}s", name(kind)), "there is one",
                          "correct the file");
    terms.read = true;
    const auto members = static_cast<std::size_t>(members_of(kind));
    const std::string wanted =
        fmt::format("a line of {}s has {}: number, type, atoms", name(kind), 2 + members);
    for (std::int64_t k = 0; k < terms.count; ++k) {
        const Words words = next_words(file.lines);
        need_columns(file, words, words.size() == 2 + members, wanted.c_str());
        BondedGroup& group = file.raw.topology.group(kind, type_named(words[1], kind, file));
        for (std::size_t m = 0; m < members; ++m) {
            const auto row = file.row.find(integer_of(words[2 + m], file.lines));
            if (row == file.row.end())
                file.lines.refuse(fmt::format("atom {} is unknown", words[2 + m]),
                                  fmt::format("{}s are between atoms of the file", name(kind)),
                                  "correct the file");
            group.members.push_back(static_cast<std::uint32_t>(row->second));
        }
    }
}

} // namespace shadow
