// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/forces/long_range.hpp"

#include "kernels/ops/wire.hpp"

namespace shadow {

/// The wire of a box with one periodic direction; nothing in other boxes. `system` gets its
/// lengths, from image to image along the open directions, and the volume with charges. Throws
/// InputError, located in the table.
template <int Dim>
[[nodiscard]] std::optional<Wire> read_wire(const Parameters& table, const Box<Dim>& box,
                                            const Snapshot<Dim>& start, double accuracy,
                                            ChargedSystem& system);

/// The factor by which errors of pairs and wave vectors may exceed those of charges all over the
/// cross-section: if all are at its corners.
[[nodiscard]] double wire_crowding(const ChargedSystem& system, const Wire& wire);

/// The sum of w^-l over the images w of a charge at distance 1 from each other: in a plane (charges
/// in 3D) for l = 4, 8, ..., in a row (charges in 2D) for l = 2, 4, ...
[[nodiscard]] double image_sum(int dimension, int l);
/// For a plane and l = 2, 6, ...: the sum of conj(w) w^(-l-1). For l = 2 the value
/// depends on the order of summation; this is the one by which D (kernels/ops/wire.hpp) changes
/// with the shape of the lattice.
[[nodiscard]] double image_shape_sum(int l);

/// Subtracts the interaction of images of a wire from forces, energies and virial.
template <int Dim>
class WireCorrection {
  public:
    WireCorrection(const Backend& backend, const Wire& wire, double coulomb, double period);

    void add(const ParticlesView<Dim>& particles, const double* charge,
             VectorView<Dim, double> force, double* energy, SymmetricTensor<Dim>* virial);
    void share(const ParticlesView<Dim>& particles, const double* charge, Share<Dim>* share);
    [[nodiscard]] const WireView<Dim>& view() const { return view_; }
    /// The extent at the last `add` or `share`.
    [[nodiscard]] const WireExtent<Dim>* extent() const { return extent_.data(); }

  private:
    void measure(const ParticlesView<Dim>& particles, const double* charge, bool all);

    const Backend& backend_;
    WireView<Dim> view_{};
    Array<double> weight_, shape_;
    Array<WireMoments> moment_, twisted_;
    Array<PlaneNumber> field_, strain_;
    Array<WireExtent<Dim>> extent_;
};

} // namespace shadow
