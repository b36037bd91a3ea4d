// SPDX-License-Identifier: BSD-3-Clause
#include "wire.hpp"

#include "slab.hpp"

#include "shadow/core/error.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {
namespace {

using std::numbers::pi;
constexpr std::int32_t max_moments = 60;

/// 2 (2 pi)^l / (l - 1)! times the sum over n of n^power q^n / (1 - q^n)^pole, with q = exp(-2 pi)
/// of a square lattice. Terms are largest at n = l / 2 pi.
double exponential_sum(int l, int power, int pole) {
    const double log_factor = std::log(2.0) + l * std::log(2.0 * pi) - std::lgamma(l);
    double sum = 0.0;
    for (int n = 1; n < 40 + l / 2; ++n)
        sum += std::exp(log_factor + power * std::log(n) - 2.0 * pi * n) /
               std::pow(-std::expm1(-2.0 * pi * n), pole);
    return sum;
}

int orders_apart(int dimension) {
    return dimension == 3 ? 4 : 2;
}

/// So many moments that errors of forces are a tenth of the accuracy for any charges, even if all
/// were at the ends of the longest diagonal. Nothing: images are too near for any number.
std::optional<std::int32_t> enough_moments(const ChargedSystem& system, const Wire& wire,
                                           double accuracy) {
    const double reach = (system.dimension == 3 ? std::numbers::sqrt2 : 1.0) * wire.height,
                 ratio = reach / wire.length;
    if (ratio >= 1.0) return {};
    const int step = orders_apart(system.dimension);
    // A sum is at most 4; the first omitted moment is of order + step.
    const double all = system.squares * 8.0 * system.coulomb /
                       (wire.length * system.lengths[wire.along] * system.force_scale() *
                        (1.0 - std::pow(ratio, step)));
    for (std::int32_t order = step; order <= max_moments; order += step)
        if (all * std::pow(ratio, order + step - 1) < 0.1 * accuracy) return order;
    return {};
}

/// Reads a wire in its box.
class WireReader {
  public:
    WireReader(const Parameters& table, double accuracy, ChargedSystem& system, Wire wire)
        : table_(table), accuracy_(accuracy), system_(system), wire_(wire),
          period_(system.lengths[wire.along]) {}

    Wire read() {
        // Thick wires are a multiple of their height apart.
        const double step = 0.1 + 0.02 * wire_.height / period_;
        const double most = max_vacuum + 10.0 * wire_.height / period_;
        double least = min_vacuum;
        for (set(least); !enough_moments(system_, wire_, accuracy_); set(least)) least += step;
        double enough = least;
        for (; enough < most && wire_error(system_, wire_) > 0.3 * accuracy_; set(enough))
            enough += step;
        set(read_vacuum(table_, enough, least, most));
        wire_.order = *enough_moments(system_, wire_, accuracy_);
        return wire_;
    }

  private:
    void set(double vacuum) { wire_.length = wire_.height + vacuum * period_; }

    const Parameters& table_;
    double accuracy_;
    const ChargedSystem& system_;
    Wire wire_;
    double period_;
};

} // namespace

double image_sum(int dimension, int l) {
    const double row = 2.0 * std::riemann_zeta(static_cast<double>(l));
    return dimension == 3 ? row + exponential_sum(l, l - 1, 1) : row;
}

/// (2 i / l) times the derivative by t, at t = i, of the sum of (n + m t)^-l, which itself is 0
/// there. The background adds pi / 2.
double image_shape_sum(int l) {
    return 4.0 * pi / l * exponential_sum(l, l, 2) + (l == 2 ? 0.5 * pi : 0.0);
}

/// Besides its average a line of images has a potential of (4 / L) cos(k z) K0(k rho) for each wave
/// number k of the period L: with any phase, a force of mean square (4 k / L)^2 (K0^2 + K1^2) / 2.
/// Half of the charges are as far apart as they may be along each open direction.
double wire_error(const ChargedSystem& system, const Wire& wire) {
    constexpr int enough = 8;
    const double period = system.lengths[wire.along];
    const auto line = [&](double x, double y) {
        double square = 0.0;
        for (int n = 1; n <= enough; ++n) {
            const double k = 2.0 * pi * n / period, r = k * std::hypot(x, y);
            if (r > 300.0) break; // 1e-130
            square +=
                8.0 * std::pow(k / period, 2) *
                (std::pow(std::cyl_bessel_k(0.0, r), 2) + std::pow(std::cyl_bessel_k(1.0, r), 2));
        }
        return square;
    };
    const bool plane = system.dimension == 2;
    double sum = 0.0;
    for (int a = -1; a <= 1; ++a)
        for (int b = plane ? 0 : -1; b <= (plane ? 0 : 1); ++b) {
            if (a == 0 && b == 0) continue;
            const double x = a * wire.length, y = b * wire.length, h = wire.height;
            sum += plane
                       ? 0.5 * (line(x, y) + line(x - h, y))
                       : 0.25 * (line(x, y) + line(x - h, y) + line(x, y - h) + line(x - h, y - h));
        }
    return system.coulomb * system.squares / std::sqrt(system.particles) * std::sqrt(sum) /
           system.force_scale();
}

/// In four lines, or in two in 2D, charges have nearer neighbours, and errors grow as the root of
/// how much nearer these are, with a cut-off of about half the period. With these factors errors
/// are 0.97 of what is requested or less, measured for heights of 0.15 to 5 periods, in 2D 0.5 to
/// 10.
double wire_crowding(const ChargedSystem& system, const Wire& wire) {
    const double thick = wire.height / system.lengths[wire.along];
    return std::sqrt(1.0 + (system.dimension == 3 ? 2.0 * thick * thick : thick));
}

template <int Dim>
std::optional<Wire> read_wire(const Parameters& table, const Box<Dim>& box,
                              const Snapshot<Dim>& start, double accuracy, ChargedSystem& system) {
    if (Dim < 2 || std::count(box.periodic().begin(), box.periodic().end(), true) != 1) return {};
    Wire wire;
    std::vector<double> thick; // extents along open directions
    for (std::size_t d = 0; d < Dim; ++d)
        if (box.periodic()[d]) wire.along = d;
    const double period = box.lengths()[wire.along];
    for (std::size_t d = 0; d < Dim; ++d) {
        if (d == wire.along) continue;
        thick.push_back(extent_of(start, d).length());
        wire.height = std::max(wire.height, read_height(table, thick.back(), d, period));
    }
    // At least as thick as the spacing of charges.
    std::sort(thick.rbegin(), thick.rend());
    system.filled = period;
    for (std::size_t k = 0; k < thick.size(); ++k)
        system.filled *= std::max(thick[k], std::pow(system.filled / system.particles,
                                                     1.0 / (1.0 + static_cast<double>(k))));
    wire = WireReader(table, accuracy, system, wire).read();
    for (std::size_t d = 0; d < Dim; ++d)
        if (d != wire.along) system.lengths[d] = wire.length;
    return wire;
}

template <int Dim>
WireCorrection<Dim>::WireCorrection(const Backend& backend, const Wire& wire, double coulomb,
                                    double period)
    : backend_(backend), extent_(backend, 1) {
    view_.along = static_cast<int>(wire.along);
    for (int d = 0, k = 0; d < Dim; ++d)
        if (d != view_.along) view_.open[k++] = d;
    view_.height = wire.height;
    view_.inverse = 1.0 / wire.length;
    view_.factor = coulomb / period;
    view_.order = wire.order;
    const auto row = static_cast<std::size_t>(wire.order + 1);
    std::vector<double> weight(row * row), shape(row * row);
    const auto fill = [&](std::vector<double>& table, int l, double sum) {
        double choose = sum;
        for (int m = 0; m <= l; choose *= -static_cast<double>(l - m) / (m + 1), ++m)
            table[static_cast<std::size_t>(l - m) * row + static_cast<std::size_t>(m)] = choose;
    };
    const int step = orders_apart(Dim);
    for (int l = step; l <= wire.order; l += step) {
        fill(weight, l, image_sum(Dim, l) / l);
        if (Dim == 3) fill(shape, l - 2, image_shape_sum(l - 2));
    }
    weight_ = Array<double>(backend, weight);
    shape_ = Array<double>(backend, shape);
    const std::size_t blocks = (row + wire_block - 1) / wire_block;
    moment_ = Array<WireMoments>(backend, blocks);
    twisted_ = Array<WireMoments>(backend, blocks);
    field_ = Array<PlaneNumber>(backend, row);
    strain_ = Array<PlaneNumber>(backend, row);
    view_.weight = weight_.data();
    view_.shape = shape_.data();
    view_.moment = moment_.data()->of;
    view_.twisted = twisted_.data()->of;
    view_.field = field_.data();
    view_.strain = strain_.data();
}

template <int Dim>
void WireCorrection<Dim>::measure(const ParticlesView<Dim>& particles, const double* charge,
                                  bool all) {
    reduce(backend_, MeasureWire<Dim>{particles, charge, view_}, particles.size, extent_.data());
    for (const bool twisted : {false, true}) {
        if (twisted && !all) continue;
        WireMoments* const sums = twisted ? twisted_.data() : moment_.data();
        for (std::int32_t first = 0; first <= view_.order; first += wire_block)
            reduce(backend_,
                   SumWireMoments<Dim>{particles, charge, view_, extent_.data(), first, twisted},
                   particles.size, sums + first / wire_block);
    }
    launch(backend_, FinishWire<Dim>{view_, all}, view_.order + 1);
}

template <int Dim>
void WireCorrection<Dim>::add(const ParticlesView<Dim>& particles, const double* charge,
                              VectorView<Dim, double> force, double* energy,
                              SymmetricTensor<Dim>* virial) {
    measure(particles, charge, energy || virial);
    launch(backend_, AddWire<Dim>{particles, charge, view_, extent_.data(), force, energy},
           particles.size);
    if (virial)
        reduce(backend_, SumWireVirial<Dim>{{}, particles, charge, view_, extent_.data(), virial},
               particles.size, virial);
}

template <int Dim>
void WireCorrection<Dim>::share(const ParticlesView<Dim>& particles, const double* charge,
                                Share<Dim>* share) {
    measure(particles, charge, true);
    launch(backend_, ShareWire<Dim>{particles, charge, view_, extent_.data(), share},
           particles.size);
}

template class WireCorrection<2>;
template class WireCorrection<3>;
#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::optional<Wire> read_wire(const Parameters&, const Box<Dim>&,                     \
                                           const Snapshot<Dim>&, double, ChargedSystem&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
