// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include "shadow/io/load.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace shadow {
namespace {

/// The name of a key: known keys may be written in capitals.
std::string key_of(std::string_view word) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::string_view read[] = {"lattice", "origin", "pbc", "properties", "units"};
    return std::find(std::begin(read), std::end(read), lower) != std::end(read) ? lower
                                                                                : std::string(word);
}

/// `key=value key="more values"` of a comment line. Other words are ignored.
std::map<std::string, std::string> attributes_of(std::string_view line, const Lines& lines) {
    std::map<std::string, std::string> attributes;
    std::size_t at = 0;
    const auto until = [&](std::string_view ends) {
        const std::size_t begin = at;
        at = std::min(line.find_first_of(ends, at), line.size());
        return line.substr(begin, at - begin);
    };
    while ((at = line.find_first_not_of(" \t", at)) != std::string_view::npos) {
        const std::string_view word = until(" \t=");
        std::string_view value;
        const std::size_t next = std::min(line.find_first_not_of(" \t", at), line.size());
        if (next == line.size() || line[next] != '=') continue;
        const bool apart = next > at;
        at = next + 1;
        if (apart) at = std::min(line.find_first_not_of(" \t", at), line.size());
        if (at < line.size()) {
            if (line[at] == '"' || line[at] == '\'') {
                const char quote[] = {line[at++], '\0'};
                value = until(quote);
                if (at == line.size())
                    lines.refuse(fmt::format("the value of {} has no end", in_quotes(word, 40)),
                                 fmt::format("its {} is not closed", quote), "close it");
                ++at;
            } else {
                value = until(" \t");
            }
        }
        if (!word.empty() && !attributes.try_emplace(key_of(word), value).second)
            lines.refuse(fmt::format("{} is there twice", in_quotes(word, 40)),
                         "either value may be the one that is meant", "remove one");
    }
    return attributes;
}

/// Indices of the columns of interest; -1: absent.
struct Columns {
    int species = -1, position = -1, velocity = -1, mass = -1, charge = -1, id = -1;
    std::size_t dimension = 3; ///< numbers per position
    std::size_t count = 0;
};

Columns columns_of(const std::string& properties, const Lines& lines, RawSystem& raw) {
    std::vector<std::string> parts{""};
    for (const char c : properties)
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    if (parts.size() % 3 != 0)
        lines.refuse("Properties are damaged", "they come in threes, name:type:count",
                     "correct the file");
    Columns columns;
    for (std::size_t p = 0; p < parts.size(); p += 3) {
        const std::string& name = parts[p];
        const std::int64_t width = integer_of(parts[p + 2], lines);
        if (width < 1 || width > 1000)
            lines.refuse(fmt::format("property {} has {} columns", in_quotes(name, 40), width),
                         "from 1 to 1000 make sense", "correct the file");
        const auto is = [&](std::initializer_list<const char*> spellings) {
            return std::find(spellings.begin(), spellings.end(), name) != spellings.end();
        };
        const auto at = static_cast<int>(columns.count);
        const auto need = [&](std::int64_t wanted) {
            if (width != wanted)
                lines.refuse(fmt::format("property {} has {} columns", in_quotes(name, 40), width),
                             fmt::format("it needs {}", wanted), "correct the file");
            return at;
        };
        if (is({"species", "element", "type"}))
            columns.species = need(1);
        else if (is({"pos", "position", "positions"})) {
            columns.dimension = static_cast<std::size_t>(std::min<std::int64_t>(width, 3));
            columns.position = need(std::int64_t(columns.dimension));
        } else if (is({"vel", "velo", "velocity", "velocities"})) {
            columns.velocity = need(std::int64_t(columns.dimension));
        } else if (is({"momenta", "momentum"})) {
            columns.velocity = need(std::int64_t(columns.dimension));
            raw.velocity_is_momentum = true;
        } else if (is({"mass", "masses"}))
            columns.mass = need(1);
        else if (is({"charge", "charges", "initial_charges"}))
            columns.charge = need(1);
        else if (is({"id"}))
            columns.id = need(1);
        else
            raw.notes.push_back(
                fmt::format("{}: property {} is not read", raw.name, in_quotes(name, 40)));
        columns.count += static_cast<std::size_t>(width);
    }
    if (columns.position < 0)
        lines.refuse("there are no positions", "Properties has no pos:R:3", "correct the file");
    return columns;
}

std::vector<double> numbers_of(const std::string& text, std::size_t count, const char* what,
                               const Lines& lines) {
    std::vector<double> numbers;
    for (const std::string_view word : words_of(text)) numbers.push_back(real_of(word, lines));
    if (numbers.size() != count)
        lines.refuse(fmt::format("{} has {} numbers", what, numbers.size()),
                     fmt::format("it needs {}", count), "correct the file");
    return numbers;
}

void read_box(const std::map<std::string, std::string>& attributes, const Lines& lines,
              RawSystem& raw) {
    if (const auto lattice = attributes.find("lattice"); lattice != attributes.end()) {
        const std::vector<double> edges = numbers_of(lattice->second, 9, "Lattice", lines);
        for (std::size_t i = 0; i < 9; ++i)
            (i % 4 == 0 ? raw.lengths[i / 4] : raw.tilt[i / 3][i % 3]) = edges[i];
        raw.periodic = {true, true, true};
    }
    if (const auto origin = attributes.find("origin"); origin != attributes.end()) {
        const std::vector<double> corner = numbers_of(origin->second, 3, "Origin", lines);
        std::copy(corner.begin(), corner.end(), raw.origin.begin());
    }
    if (const auto pbc = attributes.find("pbc"); pbc != attributes.end()) {
        const auto words = words_of(pbc->second);
        if (words.size() != 3)
            lines.refuse(fmt::format("pbc has {} values", words.size()), "it needs 3",
                         "write pbc=\"T T F\"");
        for (std::size_t d = 0; d < 3; ++d) {
            const bool yes = words[d] == "T" || words[d] == "True" || words[d] == "1";
            if (!yes && words[d] != "F" && words[d] != "False" && words[d] != "0")
                lines.refuse(fmt::format("pbc has {}", in_quotes(words[d], 40)), "it is T or F",
                             "write pbc=\"T T F\"");
            if (yes && !attributes.contains("lattice"))
                lines.refuse("a direction is periodic", "there is no Lattice to say how long it is",
                             "add Lattice or leave pbc out");
            raw.periodic[d] = yes;
        }
    }
}

/// The key `units`, as mdexport writes it. Files of other programs may give units that have no name
/// here; then the input must state them.
void read_units(const std::map<std::string, std::string>& attributes, const LoadOptions& options,
                const Lines& lines, RawSystem& raw) {
    const auto said = attributes.find("units");
    if (said == attributes.end()) return;
    raw.units = units_called(said->second);
    if (raw.units.empty() && options.file_units.empty())
        lines.refuse(fmt::format("the file is in units {}", in_quotes(said->second, 40)),
                     "lj, akma, lammps-real, lammps-metal and ase are read",
                     "say which of them these are by `system.file_units`");
}

/// Reads a line with a number of particles; empty at the end of the file (blank lines may follow).
std::optional<std::int64_t> next_count(Lines& lines) {
    for (auto line = lines.next(); line; line = lines.next()) {
        const auto words = words_of(*line);
        if (words.empty()) continue;
        if (words.size() > 1)
            lines.refuse(fmt::format("{} is not a number of particles", in_quotes(*line, 40)),
                         "each frame of an XYZ file begins with one, alone on its line",
                         "correct the file");
        const std::int64_t count = integer_of(words[0], lines);
        // A line has at least two bytes, so this also bounds the memory allocated.
        if (count < 0 || static_cast<std::uint64_t>(count) > lines.bytes_left() / 2 + 1)
            lines.refuse(fmt::format("{} particles cannot follow", count),
                         "the file is too short for them, it may be truncated", "correct the file");
        return count;
    }
    return std::nullopt;
}

/// Skips a frame without reading it.
void skip_frame(std::int64_t count, Lines& lines) {
    for (std::int64_t i = -1; i < count; ++i)
        if (!lines.next())
            lines.refuse("the file ends inside a frame",
                         fmt::format("{} particles were announced", count), "correct the file");
}

RawSystem read_frame(std::int64_t count, Lines& lines, const std::string& name,
                     const LoadOptions& options) {
    RawSystem raw;
    raw.name = name;
    const auto comment = lines.next();
    const auto attributes = attributes_of(comment.value_or(""), lines);
    read_box(attributes, lines, raw);
    read_units(attributes, options, lines, raw);
    const auto properties = attributes.find("properties");
    const Columns columns = columns_of(
        properties == attributes.end() ? "species:S:1:pos:R:3" : properties->second, lines, raw);
    raw.dimension = columns.dimension;
    if (columns.species < 0) raw.names.emplace_back("A");
    for (std::int64_t i = 0; i < count; ++i) {
        const auto line = lines.next();
        if (!line)
            lines.refuse("the file ends inside a frame",
                         fmt::format("{} of {} particles are there", i, count), "correct the file");
        const auto words = words_of(*line);
        if (words.size() < columns.count ||
            (words.size() > columns.count && properties != attributes.end()))
            lines.refuse(fmt::format("there are {} columns", words.size()),
                         fmt::format("{} were announced", columns.count), "correct the file");
        const auto vector = [&](int first) {
            std::array<double, 3> v{};
            for (std::size_t d = 0; d < columns.dimension; ++d)
                v[d] = real_of(words[static_cast<std::size_t>(first) + d], lines);
            return v;
        };
        const auto word = [&](int column) { return words[static_cast<std::size_t>(column)]; };
        raw.position.push_back(vector(columns.position));
        if (columns.velocity >= 0) raw.velocity.push_back(vector(columns.velocity));
        raw.species.push_back(
            columns.species < 0 ? 0 : index_of(raw.names, word(columns.species), lines));
        if (columns.mass >= 0) raw.mass.push_back(real_of(word(columns.mass), lines));
        if (columns.charge >= 0) raw.charge.push_back(real_of(word(columns.charge), lines));
        if (columns.id >= 0) raw.id.push_back(integer_of(word(columns.id), lines));
    }
    return raw;
}

} // namespace

template <int Dim>
LoadedSystem<Dim> load_extxyz(std::string_view text, const std::string& name,
                              const LoadOptions& options) {
    std::int64_t frames = 0;
    Lines scan(text, name);
    while (const auto count = next_count(scan)) {
        skip_frame(*count, scan);
        ++frames;
    }
    const std::int64_t wanted = options.frame < 0 ? frames + options.frame : options.frame;
    if (wanted < 0 || wanted >= frames)
        refuse_file(name, fmt::format("there is no frame {}", options.frame),
                    fmt::format("the file has {}", frames), "give another file or frame");
    Lines lines(text, name);
    for (std::int64_t f = 0; f < wanted; ++f) skip_frame(*next_count(lines), lines);
    const std::int64_t count = *next_count(lines);
    return finish<Dim>(read_frame(count, lines, name, options), options);
}

template LoadedSystem<1> load_extxyz(std::string_view, const std::string&, const LoadOptions&);
template LoadedSystem<2> load_extxyz(std::string_view, const std::string&, const LoadOptions&);
template LoadedSystem<3> load_extxyz(std::string_view, const std::string&, const LoadOptions&);

} // namespace shadow
