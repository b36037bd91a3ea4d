// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

template <int Dim>
using Points = std::vector<std::array<double, Dim>>;

/// The rectangular cell of a lattice in units of the lattice constant.
template <int Dim>
struct LatticeCell {
    std::array<double, Dim> edge;
    Points<Dim> basis; ///< positions in the cell, in units of the lattice constant
    std::vector<std::uint16_t> sublattice = {}; ///< of each; empty: all are on one

    /// Number of sublattices.
    [[nodiscard]] std::size_t sublattices() const;
};

/// Names of the lattices in `Dim` dimensions: "chain" (1); "square", "triangular", "checkerboard",
/// "honeycomb" (2); "sc", "bcc", "fcc", "hcp", "diamond", "rock-salt" or "nacl", "cscl",
/// "zincblende", "fluorite" (3).
template <int Dim>
[[nodiscard]] std::vector<std::string> lattice_names();

/// The cell of a lattice. Holds 1 particle (chain, square, sc), 2 (bcc; triangular with edges 1 and
/// sqrt(3), nearest neighbours at distance 1), 4 (fcc; ideal hcp with edges 1, sqrt(3) and
/// sqrt(8/3), nearest neighbours at distance 1) or 8 (diamond). Ordered mixtures of two
/// sublattices: rock-salt (4 + 4, nearest neighbours at 1/2), cscl (1 + 1), zincblende (4 + 4),
/// fluorite (4 of the cation + 8 of the anion), in 2D checkerboard (2 + 2, nearest neighbours at
/// 1/2) and honeycomb (2 + 2, edges 1 and sqrt(3), nearest neighbours at 1 / sqrt(3)). Throws
/// InputError for another name.
template <int Dim>
[[nodiscard]] LatticeCell<Dim> lattice_cell(std::string_view name);

/// The lattice constant at which the lattice has `density` particles per volume.
template <int Dim>
[[nodiscard]] double lattice_constant(const LatticeCell<Dim>& cell, double density);

/// `repeat` cells in each direction from the origin on; the last direction runs fastest.
template <int Dim>
[[nodiscard]] Points<Dim> lattice_points(const LatticeCell<Dim>& cell,
                                         const std::array<std::int64_t, Dim>& repeat,
                                         double constant);

/// Displaces every point by uniform numbers in [-amplitude, amplitude] in each component. Draws
/// depend on the seed and the index of the point alone.
template <int Dim>
void jitter_points(Points<Dim>& points, double amplitude, std::uint64_t seed);

/// `count` points in the region [0, lengths), uniform under the condition that no two are closer
/// than `min_distance` (random sequential addition), across the boundaries too where `periodic`.
/// Throws InputError when no room is left for a point after 20,000 trials: random addition jams at
/// a covered fraction of 0.748 in 1D (Rényi 1958), 0.547 in 2D and 0.384 in 3D.
template <int Dim>
[[nodiscard]] Points<Dim> random_points(std::int64_t count, double min_distance,
                                        const std::array<double, Dim>& lengths,
                                        const std::array<bool, Dim>& periodic, std::uint64_t seed);

} // namespace shadow
