// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/forces/description.hpp"
#include "shadow/forces/pair_table.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Quantities on which the errors of charges in a periodic box depend.
struct ChargedSystem {
    int dimension;
    std::vector<double> lengths; ///< of the box
    double particles;
    double squares;                 ///< sum of q^2
    double net;                     ///< sum of q
    double coulomb;                 ///< k: energy * length per charge squared
    double filled = 0.0;            ///< volume with charges in it; 0: that of the box
    bool logarithmic = false;       ///< in 2D: -ln r in place of 1/r, k an energy
    std::vector<double> edges = {}; ///< of a tilted box; empty: its lengths

    [[nodiscard]] double volume() const;
    /// k <q^2> (N/V)^(2/dimension), for -ln r with the square root of that density: about the RMS
    /// force on a charge in a dense liquid, to which errors are relative.
    [[nodiscard]] double force_scale() const;
};

/// How the potential of charges is divided between pairs and Fourier space.
struct EwaldSplit {
    double alpha = 0.0, cutoff = 0.0;
    std::vector<std::int32_t> count = {}; ///< points of the mesh along each direction
    int order = 0;                        ///< of the splines; 0: a sum over wave vectors ...
    double longest = 0.0;                 ///< ... up to this wave number
};

/// A layer of charges in a box with one open direction. Its images are stacked with a vacuum
/// between, and the interaction of their dipoles is subtracted.
struct Slab {
    std::size_t direction = 0; ///< which is open
    double middle = 0.0;       ///< of the layer at the start
    double height = 0.0;       ///< of the layer: the largest allowed distance of charges
    double length = 0.0;       ///< from image to image
};

/// RMS error of forces, over `force_scale`, from the remaining interaction of images, for charges
/// at random positions between faces `height` apart. It falls as exp(-2 pi vacuum / edge).
[[nodiscard]] double slab_error(const ChargedSystem& system, const Slab& slab);

/// Charges in a box with one periodic direction. Images of the wire are side by side with a vacuum
/// between, and the interaction of their averages along the wire is subtracted, by moments.
struct Wire {
    std::size_t along = 0;  ///< which is periodic
    double height = 0.0;    ///< the largest allowed distance of charges along any other direction
    double length = 0.0;    ///< from image to image, along all others
    std::int32_t order = 0; ///< of moments
};

/// RMS error of forces, over `force_scale`, from the remaining interaction of images, for charges
/// at the corners of the cross-section. It falls as exp(-2 pi vacuum / period).
[[nodiscard]] double wire_error(const ChargedSystem& system, const Wire& wire);

/// The pair part of two charges of 1: erfc(alpha r)/r, or E1(alpha^2 r^2)/2 for -ln r.
[[nodiscard]] double screened_potential(bool logarithmic, double alpha, double r);

/// RMS errors of forces, over `force_scale`: of what the cut-off leaves out (Kolafa and Perram
/// 1992, Mol. Simul. 9, 351, eq. 18), and of the mesh or of wave vectors that are left out, for
/// charges without correlations.
[[nodiscard]] double pair_error(const ChargedSystem& system, double alpha, double cutoff);
[[nodiscard]] double fourier_error(const ChargedSystem& system, const EwaldSplit& split);

/// The cheapest split for which the squares of its two errors add up to that of `accuracy`. What is
/// not zero in `given` stays; if that is not accurate enough, the split with the smallest error.
/// `shared`: a cut-off with which pairs need no pass of their own; 0: there is none.
[[nodiscard]] EwaldSplit choose_split(const ChargedSystem& system, const EwaldSplit& given,
                                      bool mesh, double accuracy, double shared);

/// The Fourier part of a `[[force]]` between periodic charges.
struct LongRangeDescription : CommonDescription {
    double coulomb = 1.0;
    bool logarithmic = false;   ///< -ln r in place of 1/r
    std::vector<double> charge; ///< by species
    bool neutral = true;        ///< else a background neutralises them
    EwaldSplit split;
    double accuracy = 0.0;   ///< requested
    double pair_shift = 0.0; ///< shift of the pair part, over k q_i q_j
    /// Estimated RMS errors of forces, and the force to which they are relative.
    double pair_error = 0.0, fourier_error = 0.0, force_scale = 0.0;
    bool fftw = false;             ///< does FFTW transform the mesh of a CPU?
    std::optional<Slab> slab = {}; ///< if one direction in 3D is open
    std::optional<Wire> wire = {}; ///< if one direction alone is periodic
    double image_error = 0.0;      ///< of slab or wire

    template <int Dim>
    [[nodiscard]] ForceClaims<Dim> claims() const {
        return {.accuracy = split.order > 0 ? accuracy : 0.0}; // a sum over waves: to rounding
    }
    [[nodiscard]] bool acts_on_charges() const { return true; }
    [[nodiscard]] ForceList list() const { return {ForceList::Of::all_images}; }
    template <int Dim>
    [[nodiscard]] std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
                                                       Neighbours<Dim>& neighbours) const;
    template <int Dim>
    [[nodiscard]] DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
};

/// The box of the wave vectors: along open directions of slabs and wires, from image to image.
template <int Dim>
[[nodiscard]] Box<Dim> fourier_box(const LongRangeDescription& description, const Box<Dim>& box);

/// The forces of a description on all particles, by the CPU, in double; alone, or with all totals.
template <int Dim>
[[nodiscard]] std::vector<std::array<double, Dim>>
long_range_forces(const LongRangeDescription& description, const Box<Dim>& box,
                  const Snapshot<Dim>& particles);
template <int Dim>
[[nodiscard]] std::vector<PairTotals<Dim>>
long_range_totals(const LongRangeDescription& description, const Box<Dim>& box,
                  const Snapshot<Dim>& particles);

/// The RMS error of forces, over the scale of the description: of some particles, against a finer
/// mesh and a longer cut-off. Nothing for a sum over wave vectors, or if that mesh is too large.
template <int Dim>
[[nodiscard]] std::optional<double> measured_error(const LongRangeDescription& description,
                                                   const Box<Dim>& box,
                                                   const Snapshot<Dim>& particles);

} // namespace shadow
