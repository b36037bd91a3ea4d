// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/fourier.hpp"
#include "kernels/ops/shares.hpp"

/// Charges that are periodic in one direction, from those that are in all: parallel wires separated
/// by a vacuum, minus the interaction of the images across it. At that distance a wire is its
/// average along its length except for terms of exp(-2 pi vacuum / period), so the images are a
/// lattice of lines with -2 ln(rho) / period each, minus their uniform background. Within the cell
/// that is analytic: with z = x + i y in units of the spacing of images, the difference from one
/// line alone is, for two charges of 1,
///
///   D(z) = -(pi/2) |z|^2 - Re sum_l G_l z^l / l,   G_l = sum over images w of w^-l,
///
/// l = 4, 8, ... for a square lattice; for images in a row, in 2D, l = 2, 4, ... without the first
/// term. With the moments of charges, Q_m = sum q z^m, sums over pairs are sums over orders.
namespace shadow {

using PlaneNumber = ComplexNumber<double>; ///< x + i y

SHADOW_INLINE PlaneNumber conjugate(const PlaneNumber& a) {
    return {a.real, -a.imaginary};
}

/// Extent of the charges along each open direction.
template <int Dim>
struct WireExtent {
    double low[Dim - 1], high[Dim - 1];
};

template <int Dim>
struct WireView {
    static constexpr int open_count = Dim - 1;
    int along;            ///< the periodic direction
    int open[open_count]; ///< the others, ascending
    double height;        ///< maximum distance of charges along any of these
    double inverse;       ///< inverse of the distance of images
    double factor;        ///< k over the period
    std::int32_t order;   ///< of the moments
    /// By n and m, in rows of order + 1, with l = n + m up to the order and zero elsewhere: (-1)^m
    /// binomial(l, m) times G_l / l, and times H_l = sum over images of conj(w) w^(-l-1), the
    /// derivative of G by the shape of their lattice (null in 2D).
    const double *weight, *shape;
    PlaneNumber *moment, *twisted; ///< sums of q z^m and of q conj(z) z^m
    PlaneNumber *field, *strain;   ///< by power of z: see FinishWire

    /// Relative to the middle of the charges; the results do not depend on that.
    SHADOW_INLINE PlaneNumber place(const ParticlesView<Dim>& particles,
                                    const WireExtent<Dim>& extent, std::int64_t i) const {
        double z[2] = {0.0, 0.0};
        for (int d = 0; d < open_count; ++d)
            z[d] = inverse * (particles.position.component[open[d]][i] -
                              0.5 * (extent.low[d] + extent.high[d]));
        return {z[0], z[1]};
    }
    /// The open direction along which the wire is thicker than allowed and this is one of its
    /// uppermost charges; -1: none.
    SHADOW_INLINE int beyond(const ParticlesView<Dim>& particles, const WireExtent<Dim>& extent,
                             double charge, std::int64_t i) const {
        for (int d = 0; d < open_count; ++d)
            if (charge != 0.0 && particles.position.component[open[d]][i] == extent.high[d] &&
                extent.high[d] - extent.low[d] > height)
                return open[d];
        return -1;
    }
};

/// The potential of all charges at z for a charge of 1, over 2 k / period; with its slopes.
struct WirePotential {
    double value, slope[2];
    PlaneNumber strain; ///< see ShareWire
};

template <int Dim>
SHADOW_INLINE WirePotential wire_potential(const WireView<Dim>& wire, const PlaneNumber& z,
                                           bool strained) {
    constexpr double pi = 3.141592653589793238;
    PlaneNumber sum{0.0, 0.0}, slope{0.0, 0.0}, strain{0.0, 0.0};
    for (std::int32_t n = wire.order; n >= 0; --n) {
        slope = slope * z + sum;
        sum = sum * z + wire.field[n];
        if (strained) strain = strain * z + wire.strain[n];
    }
    WirePotential at{-sum.real, {-slope.real, slope.imaginary}, {0.0, 0.0}};
    if (Dim < 3) return at;
    const PlaneNumber dipole = wire.moment[1];
    at.value += pi * (z.real * dipole.real + z.imaginary * dipole.imaginary);
    at.slope[0] += pi * dipole.real;
    at.slope[1] += pi * dipole.imaginary;
    if (!strained) return at;
    const PlaneNumber mirrored = conjugate(z);
    at.value -= 0.5 * pi * wire.twisted[1].real;
    at.strain = strain - mirrored * slope + (mirrored * conjugate(dipole)).times(pi) -
                conjugate(wire.moment[2]).times(0.5 * pi);
    return at;
}

template <int Dim>
struct MeasureWire {
    using Value = WireExtent<Dim>;
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    WireView<Dim> wire;

    static SHADOW_FUNCTION Value identity() {
        Value none{};
        for (int d = 0; d < Dim - 1; ++d) none.low[d] = 1e300, none.high[d] = -1e300;
        return none;
    }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value both;
        for (int d = 0; d < Dim - 1; ++d) {
            both.low[d] = a.low[d] < b.low[d] ? a.low[d] : b.low[d];
            both.high[d] = a.high[d] > b.high[d] ? a.high[d] : b.high[d];
        }
        return both;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value own = identity();
        if (charge[particles.species[i]] == 0.0) return own;
        for (int d = 0; d < Dim - 1; ++d)
            own.low[d] = own.high[d] = particles.position.component[wire.open[d]][i];
        return own;
    }
};

inline constexpr int wire_block = 16;
struct WireMoments {
    PlaneNumber of[wire_block];
};

/// Moments from the order `first` on, as many as a block has.
template <int Dim>
struct SumWireMoments {
    using Value = WireMoments;
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    WireView<Dim> wire;
    const WireExtent<Dim>* extent;
    std::int32_t first; ///< a multiple of the block
    bool twisted;       ///< with conj(z)

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int m = 0; m < wire_block; ++m) sum.of[m] = a.of[m] + b.of[m];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double q = charge[particles.species[i]];
        if (q == 0.0) return identity();
        const PlaneNumber z = wire.place(particles, *extent, i);
        PlaneNumber power = twisted ? conjugate(z).times(q) : PlaneNumber{q, 0.0};
        if (first > 0) {
            PlaneNumber block = z; // to the power of 16
            for (int k = 1; k < wire_block; k *= 2) block = block * block;
            for (std::int32_t m = 0; m < first; m += wire_block) power = power * block;
        }
        Value own;
        for (int m = 0; m < wire_block; ++m, power = power * z) own.of[m] = power;
        return own;
    }
};

/// By power n of z: minus the coefficient of the potential of all charges in the sum over l, and
/// its change with strain.
template <int Dim>
struct FinishWire {
    WireView<Dim> wire;
    bool strained;

    SHADOW_FUNCTION void operator()(std::int64_t n) const {
        const std::int64_t row = wire.order + 1;
        PlaneNumber field{0.0, 0.0}, strain{0.0, 0.0};
        for (std::int64_t m = 0; n + m < row; ++m) {
            field = field + wire.moment[m].times(wire.weight[n * row + m]);
            if (!strained || Dim < 3) continue;
            strain = strain + wire.moment[m].times(wire.shape[n * row + m]);
            if (n + 1 < row)
                strain = strain + wire.twisted[m].times(static_cast<double>(n + 1) *
                                                        wire.weight[(n + 1) * row + m]);
        }
        wire.field[n] = field;
        wire.strain[n] = strain;
    }
};

/// Adds force and energy of each particle.
template <int Dim>
struct AddWire {
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    WireView<Dim> wire;
    const WireExtent<Dim>* extent;
    VectorView<Dim, double> force;
    double* energy; ///< null: not requested

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double q = wire.factor * charge[particles.species[i]];
        if (q == 0.0) return;
        const WirePotential at =
            wire_potential(wire, wire.place(particles, *extent, i), energy != nullptr);
        for (int d = 0; d < Dim - 1; ++d)
            force.component[wire.open[d]][i] -= 2.0 * q * wire.inverse * at.slope[d];
        if (energy) energy[i] += q * at.value;
    }
};

/// Energy and virial of one particle. Along the wire the energy is proportional to 1/period. Across
/// it only the shape matters, since a lattice of logarithms has no length scale: with z -> z + e
/// conj(z) for all charges and images D changes by the real part of e times
///
///   sum_l (H_l z^l - G_l conj(z) z^(l-1)) - (pi/2) conj(z)^2,   H_2 with pi/2 of the background.
template <int Dim>
SHADOW_INLINE Share<Dim> wire_share(const WireView<Dim>& wire, double q, const PlaneNumber& z) {
    const WirePotential at = wire_potential(wire, z, true);
    Share<Dim> own{};
    own.energy = q * at.value;
    own.virial.component[tensor_index<Dim>(wire.along, wire.along)] = own.energy;
    if constexpr (Dim == 3) {
        const int a = wire.open[0], b = wire.open[1];
        own.virial.component[tensor_index<Dim>(a, a)] = -0.5 * q * at.strain.real;
        own.virial.component[tensor_index<Dim>(b, b)] = 0.5 * q * at.strain.real;
        own.virial.component[tensor_index<Dim>(a, b)] = 0.5 * q * at.strain.imaginary;
    }
    return own;
}

/// Adds the energy and virial of each particle.
template <int Dim>
struct ShareWire {
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    WireView<Dim> wire;
    const WireExtent<Dim>* extent;
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double q = wire.factor * charge[particles.species[i]];
        if (q == 0.0) return;
        const Share<Dim> own = wire_share(wire, q, wire.place(particles, *extent, i));
        share[i].energy += own.energy;
        share[i].virial.add(own.virial);
    }
};

/// The total virial, added to the present value.
template <int Dim>
struct SumWireVirial : TensorSum<Dim> {
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    WireView<Dim> wire;
    const WireExtent<Dim>* extent;
    const SymmetricTensor<Dim>* so_far;

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        const double q = wire.factor * charge[particles.species[i]];
        SymmetricTensor<Dim> virial{};
        if (q != 0.0) virial = wire_share(wire, q, wire.place(particles, *extent, i)).virial;
        if (i == 0) virial.add(*so_far);
        return virial;
    }
};

} // namespace shadow
