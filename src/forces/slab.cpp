// SPDX-License-Identifier: BSD-3-Clause
#include "slab.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {
namespace {

using std::numbers::pi;
/// The smallest vacuum with which images have a tenth of the squared error.
double enough_vacuum(const ChargedSystem& system, Slab slab, double edge, double accuracy) {
    double vacuum = min_vacuum;
    for (; vacuum < max_vacuum; vacuum += 0.1) {
        slab.length = slab.height + vacuum * edge;
        if (slab_error(system, slab) < 0.3 * accuracy) break;
    }
    return vacuum;
}

/// Beyond it a mesh would consist of vacuum.
constexpr double max_height = 1000.0;

} // namespace

template <int Dim>
Extent extent_of(const Snapshot<Dim>& start, std::size_t direction) {
    Extent extent;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (start.species_table[start.species[i]].charge == 0.0) continue;
        extent.low = std::min(extent.low, start.position[i][direction]);
        extent.high = std::max(extent.high, start.position[i][direction]);
    }
    return extent;
}

double read_height(const Parameters& table, double extent, std::size_t direction, double edge) {
    if (!table.has("height")) return extent + 0.5 * edge;
    const double height = table.positive("height");
    if (height < extent)
        table.fail("height", fmt::format("height = {} (charges are {:.6g} apart along {} at the "
                                         "start); give more",
                                         height, extent, "xyz"[direction]));
    if (height > max_height * (extent + edge))
        table.fail("height",
                   fmt::format("height = {} is out of range (beyond {:.0f} times {:.6g}, what "
                               "charges at the start and the longest periodic edge take together, "
                               "wave vectors are of vacuum); give less",
                               height, max_height, extent + edge));
    return height;
}

double read_vacuum(const Parameters& table, double found, double least, double most) {
    if (!table.has("vacuum")) return found;
    const double vacuum = table.positive("vacuum");
    if (vacuum < least || vacuum > most)
        table.fail("vacuum", fmt::format("vacuum = {} is out of range (over the longest periodic "
                                         "edge it is {:.3g} to {:.3g}: images must not be too "
                                         "near); give such a number",
                                         vacuum, least, most));
    return vacuum;
}

const ParameterInfo& height_key() {
    static const ParameterInfo key{
        "height",
        KeyType::number,
        "length",
        "height at the start plus half the longest periodic edge",
        "in a box with open directions: of the layer or wire of charges along each of them; if two "
        "charges are farther apart, the run ends with an error",
        "12.0"};
    return key;
}

const ParameterInfo& vacuum_key() {
    static const ParameterInfo key{
        "vacuum",
        KeyType::number,
        "",
        "from accuracy",
        "in a box with open directions: gap between the charges and their images, over the longest "
        "periodic edge; the error of the images falls as exp(-2 pi vacuum)",
        "2.0"};
    return key;
}

/// The images n = -1 and 1 of a charge at distance z along the normal have potentials of 2 pi / (A
/// k) exp(i k.x - k |z + n L|) for each wave vector k != 0 of the plane, of area A. With k and -k
/// in phase, each of the two adds 2 (2 pi / A)^2 exp(-2 k |z + n L|) to the mean square of a force;
/// `spread` is the mean of exp(2 k z) over random pairs, over that of pairs on opposite faces.
double slab_error(const ChargedSystem& system, const Slab& slab) {
    constexpr int enough = 8;
    const std::size_t a = slab.direction == 0 ? 1 : 0, b = 3 - slab.direction - a;
    const double area = system.lengths[a] * system.lengths[b], gap = slab.length - slab.height;
    double sum = 0.0;
    for (int m = -enough; m <= enough; ++m)
        for (int n = -enough; n <= enough; ++n) {
            const double k = 2.0 * pi * std::hypot(m / system.lengths[a], n / system.lengths[b]);
            if (k == 0.0) continue;
            const double x = 2.0 * k * slab.height;
            const double spread = x < 1e-6 ? 1.0 : std::pow(-std::expm1(-x) / x, 2);
            sum += 4.0 * std::exp(-2.0 * k * gap) * spread;
        }
    return system.coulomb * system.squares / std::sqrt(system.particles) * 2.0 * pi / area *
           std::sqrt(sum) / system.force_scale();
}

template <int Dim>
Box<Dim> fourier_box(const LongRangeDescription& description, const Box<Dim>& box) {
    if (!description.slab && !description.wire) return box;
    std::array<double, Dim> lengths = box.lengths();
    std::array<bool, Dim> periodic;
    periodic.fill(true);
    if (description.slab) lengths[description.slab->direction] = description.slab->length;
    for (std::size_t d = 0; d < Dim && description.wire; ++d)
        if (d != description.wire->along) lengths[d] = description.wire->length;
    return Box<Dim>(lengths, periodic, box.origin());
}

template <int Dim>
std::optional<Slab> read_slab(const Parameters& table, const Box<Dim>& box,
                              const Snapshot<Dim>& start, double accuracy, ChargedSystem& system) {
    if (box.is_periodic())
        for (const char* const key : {"height", "vacuum"})
            if (table.has(key))
                table.fail(key, "a layer of charges in a periodic box (it has images in all "
                                "directions); open one by system.box.periodic, or remove it");
    if (Dim != 3 || std::count(box.periodic().begin(), box.periodic().end(), false) != 1) return {};
    Slab slab;
    double edge = 0.0, area = 1.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        if (!box.periodic()[d]) {
            slab.direction = d;
            continue;
        }
        edge = std::max(edge, box.lengths()[d]);
        area *= box.lengths()[d];
    }
    const Extent extent = extent_of(start, slab.direction);
    slab.middle = 0.5 * (extent.low + extent.high);
    slab.height = read_height(table, extent.length(), slab.direction, edge);
    // At least that of a sheet as thick as the spacing of its charges.
    system.filled = area * std::max(extent.length(), std::sqrt(area / system.particles));
    const double enough = enough_vacuum(system, slab, edge, accuracy);
    slab.length = slab.height + edge * read_vacuum(table, enough, min_vacuum, max_vacuum);
    system.lengths[slab.direction] = slab.length;
    return slab;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Extent extent_of(const Snapshot<Dim>&, std::size_t);                                  \
    template Box<Dim> fourier_box(const LongRangeDescription&, const Box<Dim>&);                   \
    template std::optional<Slab> read_slab(const Parameters&, const Box<Dim>&,                     \
                                           const Snapshot<Dim>&, double, ChargedSystem&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
