// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/system/setup.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <vector>

/// Where particles start: what `make_system` is made of.
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

/// The box of `setup` as the input tilts it. Throws InputError.
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

/// The edges of the region that so many particles fill: those of the box, or of a cube by its
/// density. `lattice` is for the message.
template <int Dim>
std::array<double, Dim> region_of(const BoxInput<Dim>& box, std::int64_t count,
                                  const Parameters& lattice);

/// Throws InputError at a key of `table` where memory does not hold the start of so many particles.
template <int Dim>
void refuse_beyond_memory(const Parameters& table, const char* key, std::int64_t count);

/// On a lattice, or at random.
template <int Dim>
Setup<Dim> start_from_places(const Parameters& root, std::uint64_t seed);
/// Takes the particles out of `loaded`.
template <int Dim>
Setup<Dim> start_from_file(const Parameters& root, LoadedSystem<Dim>& loaded);

} // namespace shadow
