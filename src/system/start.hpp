// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/system/setup.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <vector>

/// Where particles start: the parts of `make_system`.
namespace shadow {

/// `system.box` as written.
template <int Dim>
struct BoxInput {
    Parameters table;
    std::array<bool, Dim> periodic;
    std::optional<std::array<double, Dim>> lengths;
    std::optional<double> density;
    std::optional<SlidingImages> tilt;
};

/// Tilts the box of `setup` as the input says. Throws InputError.
template <int Dim>
void tilt(const BoxInput<Dim>& input, Setup<Dim>& setup);

template <int Dim, class T>
std::array<T, Dim> one_for_each_direction(const Parameters& table, const char* key,
                                          const std::vector<T>& list) {
    if (list.size() != Dim)
        table.fail(key,
                   fmt::format("{} of {} numbers (the system has {} dimension{}); give one for "
                               "each direction",
                               key, list.size(), Dim, Dim == 1 ? "" : "s"));
    std::array<T, Dim> array{};
    std::copy(list.begin(), list.end(), array.begin());
    return array;
}

template <int Dim>
BoxInput<Dim> read_box(const Parameters& system);

/// The edges of the region for so many particles: those of the box, or of a cube with its density.
/// `lattice` is for the message.
template <int Dim>
std::array<double, Dim> region_of(const BoxInput<Dim>& box, std::int64_t count,
                                  const Parameters& lattice);

/// Throws InputError at a key of `table` if the start of so many particles does not fit into
/// memory.
template <int Dim>
void refuse_beyond_memory(const Parameters& table, const char* key, std::int64_t count);

/// A start on a lattice, or at random positions.
template <int Dim>
Setup<Dim> start_from_places(const Parameters& root, std::uint64_t seed);
/// Moves the particles out of `loaded`.
template <int Dim>
Setup<Dim> start_from_file(const Parameters& root, LoadedSystem<Dim>& loaded);

} // namespace shadow
