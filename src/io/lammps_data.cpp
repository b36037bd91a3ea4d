// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/lammps_data.hpp"

#include "shadow/io/load.hpp"
#include "shadow/system/species.hpp"

#include <algorithm>

namespace shadow {
namespace {

bool ends_with_words(const Words& words, std::initializer_list<const char*> end) {
    return words.size() > end.size() &&
           std::equal(end.begin(), end.end(),
                      words.end() - static_cast<std::ptrdiff_t>(end.size()));
}

/// A line without its comment, which is stored in `comment`.
std::string_view strip(std::string_view line, std::string_view* comment = nullptr) {
    const std::size_t hash = line.find('#');
    if (comment) *comment = hash == line.npos ? std::string_view{} : line.substr(hash + 1);
    return line.substr(0, hash);
}

void read_bounds(DataFile& file, std::size_t d, const Words& words) {
    const double low = real_of(words[0], file.lines), high = real_of(words[1], file.lines);
    if (!(high > low))
        file.lines.refuse(fmt::format("the box goes from {} to {}", low, high),
                          "the second must be larger", "correct the file");
    file.raw.origin[d] = low;
    file.raw.lengths[d] = high - low;
    file.raw.periodic[d] = true;
    file.bounds[d] = true;
}

/// A name of file_units(), or "" if the title does not mention units: "units = real" ends the title
/// of write_data, "units real" that of older files of mdexport.
std::string units_of_title(std::string_view title, const Lines& lines) {
    std::string spaced;
    for (const char c : title) spaced += c == '=' ? std::string(" = ") : std::string(1, c);
    const Words title_words = words_of(spaced);
    const auto mark = std::find(title_words.begin(), title_words.end(), "units");
    Words words(mark == title_words.end() ? mark : mark + 1, title_words.end());
    const bool meant = !words.empty() && words[0] == "=";
    if (meant) words.erase(words.begin());
    const std::string units = words.empty() ? "" : units_called(words[0]);
    if (!units.empty() || !meant) return units;
    lines.refuse(
        fmt::format("the file is in units {}", in_quotes(words.empty() ? "" : words[0], 40)),
        "units lj, real and metal are read", "write it in one of these");
}

/// "20 bonds" or "2 bond types"; false if it is neither. Lines of extra terms per atom are skipped.
bool read_term_count(DataFile& file, const Words& words, std::int64_t count) {
    if (words.size() > 1 && words[1] == "extra") return true;
    for (const BondedKind kind : bonded_kinds) {
        DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
        const std::string many = std::string(name(kind)) + "s";
        const bool types = ends_with_words(words, {name(kind), "types"});
        if (!types && !(words.size() == 2 && words[1] == many)) continue;
        if (count < 0 || static_cast<std::uint64_t>(count) > file.lines.bytes_left() / 4 + 1)
            file.lines.refuse(fmt::format("{} {} cannot follow", count, many),
                              "the file is too short for them, it may be truncated",
                              "correct the file");
        (types ? terms.types : terms.count) = count;
        return true;
    }
    return false;
}

/// A line such as "100 atoms" or "0 10 xlo xhi"; false if it begins a section.
bool read_header_line(DataFile& file, const Words& words) {
    static const char* const low[] = {"xlo", "ylo", "zlo"};
    static const char* const high[] = {"xhi", "yhi", "zhi"};
    for (std::size_t d = 0; d < 3; ++d)
        if (ends_with_words(words, {low[d], high[d]}) && words.size() == 4) {
            read_bounds(file, d, words);
            return true;
        }
    if (ends_with_words(words, {"xy", "xz", "yz"}) && words.size() == 6) {
        const double xy = real_of(words[0], file.lines), xz = real_of(words[1], file.lines),
                     yz = real_of(words[2], file.lines);
        file.raw.tilt = {{{}, {xy}, {xz, yz}}};
        return true;
    }
    if (words.back() == "avec" || words.back() == "bvec" || words.back() == "cvec" ||
        ends_with_words(words, {"abc", "origin"}))
        file.lines.refuse("the box is a general triclinic one", "its edges may point anywhere",
                          "write the file with edges along the axes and tilt factors (write_data "
                          "without triclinic/general)");
    const bool number = words[0].find_first_not_of("+-0123456789") == std::string_view::npos;
    if (!number) return false;
    const std::int64_t count = integer_of(words[0], file.lines);
    if (ends_with_words(words, {"atoms"}) && words.size() == 2) {
        // A particle takes at least ten bytes, so this bounds the memory allocated.
        if (count < 0 || static_cast<std::uint64_t>(count) > file.lines.bytes_left() / 9 + 1)
            file.lines.refuse(fmt::format("{} atoms cannot follow", count),
                              "the file is too short for them, it may be truncated",
                              "correct the file");
        file.atoms = count;
    } else if (ends_with_words(words, {"atom", "types"})) {
        if (count < 1 || count > 65'535)
            file.lines.refuse(fmt::format("there are {} atom types", count),
                              "from 1 to 65535 make sense", "correct the file");
        file.types = count;
    } else if (!read_term_count(file, words, count) && count != 0) {
        file.lines.refuse(fmt::format("the file has {}", in_quotes(words.back(), 40)),
                          "atoms, bonds, angles, dihedrals and impropers are read from LAMMPS data "
                          "files",
                          "remove them from the file");
    }
    return true;
}

void need_header(const DataFile& file) {
    if (file.atoms < 0 || file.types < 0)
        file.lines.refuse("the header is incomplete",
                          "it needs a number of atoms and of atom types",
                          "give a LAMMPS data file, extended XYZ (.xyz), or an H5MD file (.h5)");
}

/// Skips coefficients, as the input declares the forces.
void skip_coefficients(DataFile& file, std::string_view of, std::int64_t lines,
                       const char* more = "") {
    for (std::int64_t i = 0; i < lines; ++i)
        if (next_words(file.lines).empty()) break;
    file.raw.notes.push_back(fmt::format("{}: {} Coeffs are not read; forces are declared in the "
                                         "input{}",
                                         file.raw.name, of, more));
}

/// A section by its title. Force coefficients are skipped unless the input requests them.
void read_section(DataFile& file, const Words& title, std::string_view comment,
                  const std::vector<BondedKind>& coefficients) {
    need_header(file);
    if (title.size() == 1 && title[0] == "Masses") return read_masses(file);
    if (title.size() == 1 && title[0] == "Velocities") return read_velocities(file);
    if (title.size() == 1 && title[0] == "Atoms") {
        if (file.has_atoms)
            file.lines.refuse("a second section Atoms", "there is one", "correct the file");
        const Words style = words_of(comment);
        return read_atoms(file, style.empty() ? std::string_view{} : style[0]);
    }
    if (title.size() == 3 && title[0] == "Atom" && title[1] == "Type" && title[2] == "Labels") {
        file.labels = read_labels(file, file.types, "atom");
        return;
    }
    for (const BondedKind kind : bonded_kinds) {
        const std::string of = title_of(kind);
        DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
        if (title.size() == 1 && title[0] == of + "s") return read_terms(file, kind);
        if (title.size() == 3 && title[0] == of && title[1] == "Type" && title[2] == "Labels") {
            terms.labels = read_labels(file, terms.types, name(kind));
            return;
        }
        if (title.back() == "Coeffs" && title[0] == of) {
            if (std::count(coefficients.begin(), coefficients.end(), kind) > 0)
                return read_coefficients(file, kind, comment);
            return skip_coefficients(file, of, terms.types, " (or taken by data-coefficients)");
        }
    }
    if (title.back() == "Coeffs" && title[0].starts_with("Pair")) {
        const bool per_pair = title[0] == "PairIJ";
        return skip_coefficients(file, title[0],
                                 per_pair ? file.types * (file.types + 1) / 2 : file.types);
    }
    if (title[0].find_first_not_of("+-.0123456789") == std::string_view::npos)
        file.lines.refuse("a section has more lines than the header announces",
                          "the next one has no title yet", "correct the header");
    file.lines.refuse(fmt::format("section {} is not known", in_quotes(title[0], 40)),
                      "Masses, Atoms, Velocities, Bonds, Angles, Dihedrals, Impropers and "
                      "labels of types are read",
                      "correct the file, or give extended XYZ (.xyz) or an H5MD file (.h5)");
}

/// Do all types have valid and distinct names in the list?
bool name_all(std::vector<std::string> names) {
    const auto no_name = [](const std::string& name) {
        return name.empty() || !why_no_species_name(name).empty();
    };
    if (names.empty() || std::any_of(names.begin(), names.end(), no_name)) return false;
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// Names of species: labels, else comments after the masses, if they are distinct for all types and
/// the input declares no species; else numbers.
void name_species(DataFile& file, const LoadOptions& options) {
    std::vector<std::string>& names = file.raw.names;
    if (file.labels.empty() && options.species.empty() && name_all(file.comments)) {
        names = file.comments;
        std::string said;
        for (std::size_t type = 0; type < std::min<std::size_t>(names.size(), 8); ++type)
            said += fmt::format("{}{} {}", type == 0 ? "" : ", ", type + 1, names[type]);
        file.raw.notes.push_back(
            fmt::format("{}: species have the names that follow the masses: {}{}", file.raw.name,
                        said, names.size() > 8 ? " ..." : ""));
        return;
    }
    for (std::size_t type = 0; type < static_cast<std::size_t>(file.types); ++type) {
        const bool labelled = !file.labels.empty() && !file.labels[type].empty();
        names.push_back(labelled ? file.labels[type] : std::to_string(type + 1));
    }
}

} // namespace

Words next_words(Lines& lines, std::string_view* comment) {
    while (const auto line = lines.next()) {
        Words words = words_of(strip(*line, comment));
        if (!words.empty()) return words;
    }
    return {};
}

void need_columns(const DataFile& file, const Words& words, bool right, const char* wanted) {
    if (words.empty())
        file.lines.refuse("the file ends inside a section", "more lines were announced",
                          "correct the file");
    if (!right)
        file.lines.refuse(fmt::format("there are {} columns", words.size()), wanted,
                          "correct the file");
}

std::vector<std::string> read_labels(DataFile& file, std::int64_t types, const char* what) {
    std::vector<std::string> labels(static_cast<std::size_t>(types));
    for (std::int64_t i = 0; i < types; ++i) {
        const Words words = next_words(file.lines);
        need_columns(file, words, words.size() == 2, "a type label line has 2: type, label");
        const std::int64_t type = integer_of(words[0], file.lines);
        if (type < 1 || type > types)
            file.lines.refuse(fmt::format("there is no {} type {}", what, type),
                              fmt::format("the header announces {}", types), "correct the file");
        labels[static_cast<std::size_t>(type - 1)] = words[1];
    }
    return labels;
}

template <int Dim>
LoadedSystem<Dim> load_lammps_data(std::string_view text, const std::string& name,
                                   const LoadOptions& options) {
    DataFile file{.lines = Lines(text, name), .raw = {}};
    file.raw.name = name;
    refuse_frames(name, options.frame, "a data file is one moment");
    // The title; that of write_data ends in "units = real".
    file.raw.units = units_of_title(file.lines.next().value_or(""), file.lines);
    bool in_header = true;
    std::string_view comment;
    for (Words words = next_words(file.lines, &comment); !words.empty();
         words = next_words(file.lines, &comment)) {
        if (in_header && read_header_line(file, words)) continue;
        if (in_header) {
            in_header = false;
            need_header(file);
            file.raw.table.resize(static_cast<std::size_t>(file.types));
        }
        read_section(file, words, comment, options.coefficients);
    }
    need_header(file);
    for (std::size_t d = 0; d < 3; ++d)
        if (!file.bounds[d])
            refuse_file(name, fmt::format("the box has no bounds along {}", "xyz"[d]),
                        fmt::format("the header has no {0}lo {0}hi", "xyz"[d]), "correct the file");
    if (!file.has_atoms)
        refuse_file(name, "there is no section Atoms", "a system has particles",
                    "correct the file");
    for (const BondedKind kind : bonded_kinds)
        if (const DataTerms& terms = file.terms[static_cast<std::size_t>(kind)];
            terms.count > 0 && !terms.read)
            refuse_file(name, fmt::format("there is no section of {}s", shadow::name(kind)),
                        fmt::format("the header announces {}", terms.count), "correct the file");
    name_species(file, options);
    file.raw.first_number = 1;
    if (!file.has_masses) {
        file.raw.table.clear();
    }
    return finish<Dim>(std::move(file.raw), options);
}

template LoadedSystem<1> load_lammps_data(std::string_view, const std::string&, const LoadOptions&);
template LoadedSystem<2> load_lammps_data(std::string_view, const std::string&, const LoadOptions&);
template LoadedSystem<3> load_lammps_data(std::string_view, const std::string&, const LoadOptions&);

} // namespace shadow
