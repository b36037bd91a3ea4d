// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"
#include "shadow/io/load.hpp"
#include "shadow/system/tilt.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Types and functions shared by the readers of `system.file`.
namespace shadow {

/// The contents of a file, in three dimensions, before they are checked against the input.
struct RawSystem {
    std::string name; ///< of the file
    std::array<double, 3> lengths{}, origin{};
    std::array<bool, 3> periodic{};
    Edges tilt{};              ///< of the box: components of edges along other directions
    std::size_t dimension = 3; ///< number of coordinates in use

    std::vector<std::array<double, 3>> position, velocity;
    bool velocity_is_momentum = false;
    std::string units; ///< as given by the file: a name of file_units(); or empty
    std::vector<std::array<std::int32_t, 3>> image;
    std::vector<std::int64_t> id;      ///< order of particles; empty: that of the file
    std::vector<double> mass, charge;  ///< by particle; or empty
    std::vector<std::size_t> species;  ///< index into the names
    std::vector<std::string> names;    ///< of species
    std::vector<Species> table;        ///< masses and charges by species; or empty
    std::optional<int> first_number{}; ///< species are numbers starting here, not names
    Topology topology;                 ///< by index of particles in this structure
    bool has_exclusions = false;       ///< the topology specifies the excluded pairs
    std::vector<std::string> notes;

    /// The number of a particle in messages: its id if the file gives ids.
    [[nodiscard]] std::int64_t called(std::size_t i) const {
        return id.empty() ? static_cast<std::int64_t>(i) : id[i];
    }
};

/// The box with the edges of `raw`, reduced to tilts of at most half a length; images are converted
/// to those of that box. Throws InputError.
template <int Dim>
[[nodiscard]] Box<Dim> tilted_box(Box<Dim> box, RawSystem& raw);

/// The name of file_units() for a name or a style of LAMMPS; or "".
std::string units_called(std::string_view word);

/// Converts velocities or momenta to the units of the run; sets `raw.units`. Throws InputError.
void convert_units(RawSystem& raw, const LoadOptions& options);

/// Checks the contents of a file against the input and converts them. Throws InputError.
template <int Dim>
LoadedSystem<Dim> finish(RawSystem raw, const LoadOptions& options);

/// "NAME: problem (why); what to do"
[[noreturn]] inline void refuse_file(const std::string& place, const std::string& problem,
                                     const std::string& why, const std::string& advice) {
    throw InputError(fmt::format("{}: {} ({}); {}", place, problem, why, advice));
}

/// Throws for a `system.frame` of a file that has no frames.
inline void refuse_frames(const std::string& name, std::int64_t frame, const std::string& why) {
    if (frame != -1 && frame != 0)
        refuse_file(name, fmt::format("there is no frame {}", frame), why,
                    "leave `system.frame` out");
}

/// Lines of a text, counted, with either kind of line ending.
class Lines {
  public:
    Lines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

    /// The next line; empty at the end.
    std::optional<std::string_view> next() {
        if (rest_.empty()) return std::nullopt;
        const std::size_t end = rest_.find('\n');
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++number_;
        return line;
    }
    [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }
    [[nodiscard]] std::string_view rest() const { return rest_; }
    [[nodiscard]] std::string place() const { return fmt::format("{}:{}", name_, number_); }
    [[noreturn]] void refuse(const std::string& problem, const std::string& why,
                             const std::string& advice) const {
        refuse_file(place(), problem, why, advice);
    }

  private:
    std::string_view rest_;
    const std::string& name_;
    std::int64_t number_ = 0;
};

/// Words separated by blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Converts the whole word to a finite number; throws InputError at the line of `lines`.
double real_of(std::string_view word, const Lines& lines);
std::int64_t integer_of(std::string_view word, const Lines& lines);

/// The index of a name in a growing list; throws InputError beyond 65535 names.
std::size_t index_of(std::vector<std::string>& names, std::string_view name, const Lines& lines);

} // namespace shadow
