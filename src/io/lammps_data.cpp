// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include "shadow/io/load.hpp"
#include "shadow/system/species.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace shadow {
namespace {

using Words = std::vector<std::string_view>;

/// A data file while it is read.
struct DataFile {
    Lines lines;
    RawSystem raw;
    std::int64_t atoms = -1, types = -1;
    std::array<bool, 3> bounds{};
    bool has_atoms = false, has_masses = false;
    std::vector<std::string> labels;                   ///< of types, where the file gives them
    std::vector<std::string> comments;                 ///< behind the masses of types
    std::unordered_map<std::int64_t, std::size_t> row; ///< of an id
};

bool ends_with_words(const Words& words, std::initializer_list<const char*> end) {
    return words.size() > end.size() &&
           std::equal(end.begin(), end.end(),
                      words.end() - static_cast<std::ptrdiff_t>(end.size()));
}

/// A line without its comment; `comment` receives that.
std::string_view strip(std::string_view line, std::string_view* comment = nullptr) {
    const std::size_t hash = line.find('#');
    if (comment) *comment = hash == line.npos ? std::string_view{} : line.substr(hash + 1);
    return line.substr(0, hash);
}

/// The next line with words on it; empty at the end of the file.
Words next_words(Lines& lines, std::string_view* comment = nullptr) {
    while (const auto line = lines.next()) {
        Words words = words_of(strip(*line, comment));
        if (!words.empty()) return words;
    }
    return {};
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

/// A name of file_units(), or "" where the title does not speak of units: "units = real" ends that
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
    lines.refuse(fmt::format("the file is in units {}", quoted(words.empty() ? "" : words[0], 40)),
                 "units lj, real and metal are read", "write it in one of these");
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
        for (std::size_t i = 0; i < 3; ++i)
            if (real_of(words[i], file.lines) != 0.0)
                file.lines.refuse("the box is triclinic", "a tilt factor is not 0",
                                  "give a rectangular box");
        return true;
    }
    if (words.back() == "avec" || words.back() == "bvec" || words.back() == "cvec" ||
        ends_with_words(words, {"abc", "origin"}))
        file.lines.refuse("the box is triclinic", "it is given by general edge vectors",
                          "give a rectangular box");
    const bool number = words[0].find_first_not_of("+-0123456789") == std::string_view::npos;
    if (!number) return false;
    const std::int64_t count = integer_of(words[0], file.lines);
    if (ends_with_words(words, {"atoms"}) && words.size() == 2) {
        // A particle takes ten bytes at least, so this bounds the memory that is asked for.
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
    } else if (count != 0 && !ends_with_words(words, {"types"})) {
        file.lines.refuse(fmt::format("the file has {}", quoted(words.back(), 40)),
                          "only atoms are read from LAMMPS data files",
                          "remove them from the file");
    }
    return true;
}

/// 1-based type number, or label, as an index.
std::size_t type_of(std::string_view word, const DataFile& file) {
    if (const auto label = std::find(file.labels.begin(), file.labels.end(), word);
        label != file.labels.end() && !word.empty())
        return static_cast<std::size_t>(label - file.labels.begin());
    const std::int64_t type = integer_of(word, file.lines);
    if (type < 1 || type > file.types)
        file.lines.refuse(fmt::format("there is no atom type {}", type),
                          fmt::format("the header announces {}", file.types), "correct the file");
    return static_cast<std::size_t>(type - 1);
}

void need_columns(const DataFile& file, const Words& words, bool right, const char* wanted) {
    if (words.empty())
        file.lines.refuse("the file ends inside a section", "more lines were announced",
                          "correct the file");
    if (!right)
        file.lines.refuse(fmt::format("there are {} columns", words.size()), wanted,
                          "correct the file");
}

void read_type_labels(DataFile& file) {
    file.labels.assign(static_cast<std::size_t>(file.types), "");
    for (std::int64_t i = 0; i < file.types; ++i) {
        const Words words = next_words(file.lines);
        need_columns(file, words, words.size() == 2, "a type label line has 2: type, label");
        const std::int64_t type = integer_of(words[0], file.lines);
        if (type < 1 || type > file.types)
            file.lines.refuse(fmt::format("there is no atom type {}", type),
                              fmt::format("the header announces {}", file.types),
                              "correct the file");
        file.labels[static_cast<std::size_t>(type - 1)] = words[1];
    }
}

void read_masses(DataFile& file) {
    file.comments.assign(static_cast<std::size_t>(file.types), "");
    for (std::int64_t i = 0; i < file.types; ++i) {
        std::string_view comment;
        const Words words = next_words(file.lines, &comment);
        need_columns(file, words, words.size() == 2, "a mass line has 2: type, mass");
        const std::size_t type = type_of(words[0], file);
        file.raw.table[type].mass = real_of(words[1], file.lines);
        if (const Words said = words_of(comment); said.size() == 1) file.comments[type] = said[0];
    }
    file.has_masses = true;
}

/// Whether this word can stand for the type of an atom.
bool is_type(std::string_view word, const DataFile& file) {
    if (std::find(file.labels.begin(), file.labels.end(), word) != file.labels.end()) return true;
    std::int64_t type = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), type);
    return error == std::errc{} && end == word.data() + word.size() && type >= 1 &&
           type <= file.types;
}

/// Style molecular has as many columns as style charge: id, molecule, type, x, y, z.
[[noreturn]] void refuse_molecules(const std::string& place) {
    refuse_file(place, "the style of Atoms is not known",
                "their columns can be id, type, charge or id, molecule, type",
                "write `Atoms # charge` if the third is a charge; molecules are not read");
}

/// Atoms of style `style` ("" where the file does not say: then columns tell).
void read_atoms(DataFile& file, std::string_view style) {
    const std::string place = file.lines.place();
    bool third_is_type = style.empty();
    if (style != "" && style != "atomic" && style != "charge")
        file.lines.refuse(fmt::format("the atom style is {}", quoted(style, 40)),
                          "only atomic and charge are read", "write the data file in one of these");
    std::size_t base = style == "charge" ? 6 : style == "atomic" ? 5 : 0;
    RawSystem& raw = file.raw;
    bool images = false;
    for (std::int64_t i = 0; i < file.atoms; ++i) {
        const Words words = next_words(file.lines);
        if (base == 0) base = words.size() == 6 || words.size() == 9 ? 6 : 5;
        need_columns(file, words, words.size() == base || words.size() == base + 3,
                     base == 6 ? "style charge has 6, or 9 with images: id, type, charge, x, y, z"
                               : "style atomic has 5, or 8 with images: id, type, x, y, z");
        const std::int64_t id = integer_of(words[0], file.lines);
        if (!file.row.emplace(id, raw.position.size()).second)
            file.lines.refuse(fmt::format("atom {} is there twice", id), "ids are unique",
                              "correct the file");
        raw.id.push_back(id);
        third_is_type = third_is_type && base == 6 && is_type(words[2], file);
        if (third_is_type && !is_type(words[1], file)) refuse_molecules(place);
        raw.species.push_back(type_of(words[1], file));
        if (base == 6) raw.charge.push_back(real_of(words[2], file.lines));
        std::array<double, 3> position{};
        std::array<std::int32_t, 3> image{};
        for (std::size_t d = 0; d < 3; ++d) {
            position[d] = real_of(words[base - 3 + d], file.lines);
            if (words.size() > base) {
                const std::int64_t crossed = integer_of(words[base + d], file.lines);
                if (crossed < -1'000'000'000 || crossed > 1'000'000'000)
                    file.lines.refuse(fmt::format("image {} is out of range", crossed),
                                      "images up to 1e9 are read", "correct the file");
                image[d] = static_cast<std::int32_t>(crossed);
                images = true;
            }
        }
        raw.position.push_back(position);
        raw.image.push_back(image);
    }
    if (third_is_type && file.atoms > 0) refuse_molecules(place);
    if (!images) raw.image.clear();
    file.has_atoms = true;
}

void read_velocities(DataFile& file) {
    if (!file.has_atoms)
        file.lines.refuse("Velocities come before Atoms", "atoms are not known yet",
                          "move the section behind Atoms");
    file.raw.velocity.resize(file.raw.position.size());
    std::vector<bool> seen(file.raw.position.size(), false);
    for (std::int64_t i = 0; i < file.atoms; ++i) {
        const Words words = next_words(file.lines);
        need_columns(file, words, words.size() == 4, "a velocity line has 4: id, vx, vy, vz");
        const auto row = file.row.find(integer_of(words[0], file.lines));
        if (row == file.row.end() || seen[row->second])
            file.lines.refuse(fmt::format("atom {} {}", words[0],
                                          row == file.row.end() ? "is unknown" : "is there twice"),
                              "each atom has one velocity", "correct the file");
        seen[row->second] = true;
        for (std::size_t d = 0; d < 3; ++d)
            file.raw.velocity[row->second][d] = real_of(words[1 + d], file.lines);
    }
}

void need_header(const DataFile& file) {
    if (file.atoms < 0 || file.types < 0)
        file.lines.refuse("the header is incomplete",
                          "it needs a number of atoms and of atom types",
                          "give a LAMMPS data file, extended XYZ (.xyz), or an H5MD file (.h5)");
}

/// A section by its title. Those about forces are left out: the input has the forces.
void read_section(DataFile& file, const Words& title, std::string_view comment) {
    need_header(file);
    if (title.size() == 1 && title[0] == "Masses") return read_masses(file);
    if (title.size() == 1 && title[0] == "Velocities") return read_velocities(file);
    if (title.size() == 1 && title[0] == "Atoms") {
        if (file.has_atoms)
            file.lines.refuse("a second section Atoms", "there is one", "correct the file");
        const Words style = words_of(comment);
        return read_atoms(file, style.empty() ? std::string_view{} : style[0]);
    }
    if (title.size() == 3 && title[0] == "Atom" && title[1] == "Type" && title[2] == "Labels")
        return read_type_labels(file);
    if (title.back() == "Coeffs") {
        const bool per_pair = title[0] == "PairIJ";
        const std::int64_t count = per_pair ? file.types * (file.types + 1) / 2 : file.types;
        for (std::int64_t i = 0; i < count; ++i)
            if (next_words(file.lines).empty()) break;
        file.raw.notes.push_back(fmt::format("{}: {} Coeffs are not read; forces are declared in "
                                             "the input",
                                             file.raw.name, title[0]));
        return;
    }
    file.lines.refuse(fmt::format("section {} is not known", quoted(title[0], 40)),
                      "Masses, Atoms, Velocities and Atom Type Labels are read",
                      "correct the file, or give extended XYZ (.xyz) or an H5MD file (.h5)");
}

/// Do all types have names in the list, other ones?
bool name_all(std::vector<std::string> names) {
    const auto no_name = [](const std::string& name) {
        return name.empty() || !why_no_species_name(name).empty();
    };
    if (names.empty() || std::any_of(names.begin(), names.end(), no_name)) return false;
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// Labels, else comments behind the masses, where each type has one of its own and the input does
/// not declare what there is; else numbers.
void name_species(DataFile& file, const LoadOptions& options) {
    std::vector<std::string>& names = file.raw.names;
    if (file.labels.empty() && options.species.empty() && name_all(file.comments)) {
        names = file.comments;
        std::string said;
        for (std::size_t type = 0; type < std::min<std::size_t>(names.size(), 8); ++type)
            said += fmt::format("{}{} {}", type == 0 ? "" : ", ", type + 1, names[type]);
        file.raw.notes.push_back(fmt::format("{}: species have the names behind the masses: {}{}",
                                             file.raw.name, said, names.size() > 8 ? " ..." : ""));
        return;
    }
    for (std::size_t type = 0; type < static_cast<std::size_t>(file.types); ++type) {
        const bool labelled = !file.labels.empty() && !file.labels[type].empty();
        names.push_back(labelled ? file.labels[type] : std::to_string(type + 1));
    }
}

} // namespace

template <int Dim>
LoadedSystem<Dim> load_lammps_data(std::string_view text, const std::string& name,
                                   const LoadOptions& options) {
    DataFile file{Lines(text, name), {}, -1, -1, {}, false, false, {}, {}, {}};
    file.raw.name = name;
    // A title; of write_data it ends in "units = real".
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
        read_section(file, words, comment);
    }
    need_header(file);
    for (std::size_t d = 0; d < 3; ++d)
        if (!file.bounds[d])
            refuse_file(name, fmt::format("the box has no bounds along {}", "xyz"[d]),
                        fmt::format("the header has no {0}lo {0}hi", "xyz"[d]), "correct the file");
    if (!file.has_atoms)
        refuse_file(name, "there is no section Atoms", "a system has particles",
                    "correct the file");
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
