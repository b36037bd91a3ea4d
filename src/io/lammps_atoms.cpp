// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/lammps_data.hpp"

#include <algorithm>

namespace shadow {
namespace {

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

/// Can this word be the type of an atom?
bool is_type(std::string_view word, const DataFile& file) {
    if (std::find(file.labels.begin(), file.labels.end(), word) != file.labels.end()) return true;
    std::int64_t type = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), type);
    return error == std::errc{} && end == word.data() + word.size() && type >= 1 &&
           type <= file.types;
}

/// Indices of the columns of an atom style; x, y, z may be followed by three images.
struct AtomStyle {
    const char* name;
    const char* columns;
    std::size_t type, charge, position; ///< charge 0: no such column
};

constexpr AtomStyle styles[] = {
    {"atomic", "atomic has 5, or 8 with images: id, type, x, y, z", 1, 0, 2},
    {"charge", "charge has 6, or 9 with images: id, type, charge, x, y, z", 1, 2, 3},
    {"bond", "bond has 6, or 9 with images: id, molecule, type, x, y, z", 2, 0, 3},
    {"angle", "angle has 6, or 9 with images: id, molecule, type, x, y, z", 2, 0, 3},
    {"molecular", "molecular has 6, or 9 with images: id, molecule, type, x, y, z", 2, 0, 3},
    {"full", "full has 7, or 10 with images: id, molecule, type, charge, x, y, z", 2, 3, 4}};

/// The style by name.
const AtomStyle& style_called(std::string_view name, const DataFile& file) {
    for (const AtomStyle& style : styles)
        if (name == style.name) return style;
    file.lines.refuse(fmt::format("the atom style is {}", in_quotes(name, 40)),
                      "atomic, charge, bond, angle, molecular and full are read",
                      "write the data file in one of these");
}

std::string_view style_of(std::size_t columns, const DataFile& file) {
    if (columns == 7 || columns == 10) return "full";
    if (columns != 6 && columns != 9) return "atomic";
    return file.bonded() ? "molecular" : "charge";
}

/// Style molecular has as many columns as style charge: id, molecule, type, x, y, z.
[[noreturn]] void refuse_style(const std::string& place) {
    refuse_file(place, "the style of Atoms is not known",
                "their columns can be id, type, charge or id, molecule, type",
                "write `Atoms # charge` or `Atoms # molecular`");
}

void read_images(const Words& words, std::size_t first, DataFile& file) {
    std::array<std::int32_t, 3> image{};
    for (std::size_t d = 0; d < 3 && first < words.size(); ++d) {
        const std::int64_t crossed = integer_of(words[first + d], file.lines);
        if (crossed < -1'000'000'000 || crossed > 1'000'000'000)
            file.lines.refuse(fmt::format("image {} is out of range", crossed),
                              "images up to 1e9 are read", "correct the file");
        image[d] = static_cast<std::int32_t>(crossed);
    }
    file.raw.image.push_back(image);
}

} // namespace

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

void read_atoms(DataFile& file, std::string_view style) {
    const std::string place = file.lines.place();
    bool third_is_type = style.empty();
    const AtomStyle* columns = style.empty() ? nullptr : &style_called(style, file);
    RawSystem& raw = file.raw;
    bool images = false;
    for (std::int64_t i = 0; i < file.atoms; ++i) {
        const Words words = next_words(file.lines);
        if (!columns) columns = &style_called(style_of(words.size(), file), file);
        const std::size_t base = columns->position + 3;
        need_columns(file, words, words.size() == base || words.size() == base + 3,
                     (std::string("style ") + columns->columns).c_str());
        const std::int64_t id = integer_of(words[0], file.lines);
        if (!file.row.emplace(id, raw.position.size()).second)
            file.lines.refuse(fmt::format("atom {} is there twice", id), "ids are unique",
                              "correct the file");
        raw.id.push_back(id);
        third_is_type = third_is_type && columns->charge == 2 && is_type(words[2], file);
        if (third_is_type && !is_type(words[1], file)) refuse_style(place);
        raw.species.push_back(type_of(words[columns->type], file));
        if (columns->charge > 0) raw.charge.push_back(real_of(words[columns->charge], file.lines));
        std::array<double, 3> position{};
        for (std::size_t d = 0; d < 3; ++d)
            position[d] = real_of(words[columns->position + d], file.lines);
        raw.position.push_back(position);
        read_images(words, base, file);
        images = images || words.size() > base;
    }
    if (third_is_type && file.atoms > 0) refuse_style(place);
    if (!images) raw.image.clear();
    file.has_atoms = true;
}

void read_velocities(DataFile& file) {
    if (!file.has_atoms)
        file.lines.refuse("Velocities come before Atoms", "atoms are not known yet",
                          "move the section after Atoms");
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

} // namespace shadow
