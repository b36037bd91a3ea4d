// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"
#include "src/system/placed_points.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>

namespace shadow {
namespace {

template <int Dim>
using Place = std::array<double, Dim>;

template <int Dim>
double distance_between(const Place<Dim>& a, const Place<Dim>& b) {
    double square = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) square += (a[d] - b[d]) * (a[d] - b[d]);
    return std::sqrt(square);
}

/// Random sequential insertion. What it draws depends on the seed and the number of the molecule:
/// places from the stream of placement, directions of a walk in the place of an orientation.
template <int Dim>
class Insertion {
  public:
    static constexpr std::uint64_t trials = 20'000;          ///< places of a rigid molecule
    static constexpr int directions = 100, dead_ends = 1000; ///< of a step, of a walk

    Insertion(const Box<Dim>& box, const Place<Dim>& region, double distance, std::int64_t atoms,
              std::uint64_t seed)
        : region_(region), periodic_(box.periodic()), seed_(seed),
          placed_(atoms, distance, region, periodic_) {
        all_.reserve(static_cast<std::size_t>(atoms));
    }

    /// Atoms as in `shape`, around the centre of mass. False, with nothing done: there is no room.
    bool place(const Points<Dim>& shape, std::uint32_t number) {
        Points<Dim> atoms(shape.size()), inside(shape.size());
        for (std::uint64_t trial = 0; trial < trials; ++trial) {
            const Place<Dim> centre = somewhere(number, trial);
            const auto rotation = random_rotation<Dim>(seed_, number, trial);
            bool room = true;
            for (std::size_t i = 0; i < shape.size() && room; ++i) {
                atoms[i] = shape.size() == 1 ? centre : turned<Dim>(shape[i], rotation, centre);
                room = wrap(atoms[i], inside[i]) && placed_.has_room(inside[i]);
            }
            if (!room) continue;
            for (const Place<Dim>& x : inside) placed_.add(x);
            all_.insert(all_.end(), atoms.begin(), atoms.end());
            return true;
        }
        return false;
    }

    /// A walk, which takes back its last steps, ever more of them, where it comes to a dead end.
    bool grow(const Growth& growth, std::uint32_t number) {
        const std::size_t base = placed_.size(), n = growth.steps.size();
        Points<Dim> x(n);
        std::uint64_t draw = 0;
        std::size_t k = 0, farthest = 0, back = 1;
        for (int dead = 0; k < n;) {
            if (take_step(growth, k, base, number, draw, x)) {
                if (++k > farthest) {
                    farthest = k;
                    back = 1;
                }
                continue;
            }
            const bool given_up = ++dead > dead_ends;
            const std::size_t gone = given_up ? k : std::min(back, k);
            for (std::size_t j = 0; j < gone; ++j) placed_.remove();
            if (given_up) return false;
            k -= gone;
            back = k == 0 ? 1 : 2 * back;
            if (k == 0) farthest = 0;
        }
        all_.resize(base + n);
        for (std::size_t j = 0; j < n; ++j) all_[base + growth.steps[j].atom] = x[j];
        return true;
    }

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] Points<Dim> take() { return std::move(all_); }

  private:
    /// Draws directions until one has room.
    bool take_step(const Growth& growth, std::size_t k, std::size_t base, std::uint32_t number,
                   std::uint64_t& draw, Points<Dim>& x) {
        const Growth::Step& step = growth.steps[k];
        const auto is_near = [&](std::size_t j) {
            return k > 0 && (j == base + step.from ||
                             std::any_of(step.second.begin(), step.second.end(),
                                         [&](std::size_t other) { return j == base + other; }));
        };
        const auto is_bent = [&](std::size_t other) {
            return distance_between<Dim>(x[k], x[other]) < growth.distance;
        };
        for (int trial = 0; trial < directions; ++trial) {
            x[k] = k == 0 ? somewhere(number, draw++)
                          : beside(x[step.from], step.length, number, draw++);
            if (std::any_of(step.second.begin(), step.second.end(), is_bent)) continue;
            Place<Dim> inside;
            if (!wrap(x[k], inside) || !placed_.has_room(inside, is_near)) continue;
            placed_.add(inside);
            return true;
        }
        return false;
    }

    [[nodiscard]] Place<Dim> somewhere(std::uint32_t number, std::uint64_t trial) const {
        Place<Dim> x;
        for (std::size_t d = 0; d < Dim; ++d) {
            const Philox draw(seed_, static_cast<std::uint32_t>(RandomStream::placement), number,
                              trial, static_cast<std::uint32_t>(d / 2));
            x[d] = region_[d] * draw.uniform(static_cast<int>(d % 2));
        }
        return x;
    }

    /// Uniform on a sphere.
    [[nodiscard]] Place<Dim> beside(Place<Dim> x, double length, std::uint32_t number,
                                    std::uint64_t trial) const {
        const Philox draw(seed_, static_cast<std::uint32_t>(RandomStream::orientations), number,
                          trial);
        const double angle = 2.0 * std::numbers::pi * draw.uniform(0);
        if constexpr (Dim == 1) {
            x[0] += draw.uniform(0) < 0.5 ? length : -length;
        } else {
            const double z = Dim == 3 ? 2.0 * draw.uniform(1) - 1.0 : 0.0;
            const double across = length * std::sqrt((1.0 - z) * (1.0 + z));
            x[0] += across * std::cos(angle);
            x[1] += across * std::sin(angle);
            if constexpr (Dim == 3) x[2] += length * z;
        }
        return x;
    }

    /// Into the region; false where an open direction ends.
    bool wrap(const Place<Dim>& x, Place<Dim>& inside) const {
        for (std::size_t d = 0; d < Dim; ++d) {
            inside[d] = x[d];
            if (periodic_[d]) {
                inside[d] -= region_[d] * std::floor(x[d] / region_[d]);
                if (!(inside[d] < region_[d])) inside[d] = 0.0; // rounded
            } else if (!(inside[d] >= 0.0 && inside[d] < region_[d])) {
                return false;
            }
        }
        return true;
    }

    Place<Dim> region_;
    std::array<bool, Dim> periodic_;
    std::uint64_t seed_;
    PlacedPoints<Dim> placed_;
    Points<Dim> all_; ///< whole molecules, not wrapped
};

/// What no trial could place.
template <int Dim>
void refuse_large(const Molecule<Dim>& molecule, const Place<Dim>& region, const Box<Dim>& box,
                  double distance) {
    double shortest = std::numeric_limits<double>::infinity(), diagonal = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        if (box.periodic()[d]) shortest = std::min(shortest, region[d]);
        diagonal = std::hypot(diagonal, region[d]);
    }
    if (molecule.growth) {
        if (4.0 * molecule.growth->longest > shortest)
            molecule.table.fail("grow", fmt::format("a bond of length {} in a box of {} (four of "
                                                    "them go around it, so that atoms two bonds "
                                                    "apart would meet images); lengthen the box",
                                                    molecule.growth->longest, shortest));
        return;
    }
    double longest = 0.0;
    for (const auto& a : molecule.places)
        for (const auto& b : molecule.places)
            longest = std::max(longest, distance_between<Dim>(a, b));
    if (molecule.atoms() > 1 && !(longest + distance <= shortest))
        molecule.table.fail("places", fmt::format("a molecule {:.6g} long in a box of {:.6g} (it "
                                                  "would come within {} of its own image); "
                                                  "lengthen the box, or place the molecules on a "
                                                  "lattice",
                                                  longest, shortest, distance));
    if (!(longest <= diagonal))
        molecule.table.fail("places", fmt::format("a molecule {:.6g} long in a region with a "
                                                  "diagonal of {:.6g} (its atoms are all inside); "
                                                  "lengthen the box",
                                                  longest, diagonal));
}

double read_distance(const Parameters& lattice) {
    const double distance = lattice.number("distance");
    if (!(distance >= 0.0 && distance < 1e100))
        lattice.fail("distance", fmt::format("distance {} (between atoms of different molecules, "
                                             "at least); give a length, or 0 where they may "
                                             "overlap",
                                             distance));
    return distance;
}

template <int Dim>
Points<Dim> insert_all(const std::vector<Molecule<Dim>>& molecules, const Parameters& lattice,
                       double distance, Insertion<Dim>& insertion, const Setup<Dim>& setup,
                       const Place<Dim>& region) {
    std::int64_t count = 0;
    for (const Molecule<Dim>& molecule : molecules) count += molecule.count;
    std::uint32_t number = 0;
    for (const Molecule<Dim>& molecule : molecules) {
        const Points<Dim> shape =
            molecule.growth ? Points<Dim>{} : centred(molecule, setup.start.species_table);
        for (std::int64_t k = 0; k < molecule.count; ++k, ++number) {
            if (molecule.growth ? insertion.grow(*molecule.growth, number)
                                : insertion.place(shape, number))
                continue;
            double volume = 1.0;
            for (const double length : region) volume *= length;
            const std::string why =
                molecule.growth
                    ? fmt::format("its walk came to {} dead ends", Insertion<Dim>::dead_ends)
                    : fmt::format("none of {} random places will do", Insertion<Dim>::trials);
            lattice.fail("distance",
                         fmt::format("no room for molecule {} of {} ({}, where atoms stay {} away "
                                     "from those of others; the density has come to {:.4g} of "
                                     "{:.4g}); lower distance or the density, put large molecules "
                                     "first, or place them on a lattice",
                                     number + 1, count, why, distance,
                                     static_cast<double>(insertion.size()) / volume,
                                     static_cast<double>(count_atoms(molecules)) / volume));
        }
    }
    return insertion.take();
}

} // namespace

template <int Dim>
Setup<Dim> start_by_insertion(const Parameters& root, const BoxInput<Dim>& box,
                              const Parameters& lattice, std::vector<Species> species,
                              std::uint64_t seed) {
    const double distance = read_distance(lattice);
    const auto molecules =
        read_molecules<Dim>(root, species, std::numeric_limits<std::int64_t>::max());
    if (molecules.empty())
        lattice.fail("type", "insertion without a [[molecule]] (molecules are inserted, be it of "
                             "one atom); add one, or use type = \"random\"");
    const std::int64_t atoms = count_atoms(molecules);
    const Place<Dim> region = region_of<Dim>(box, atoms, lattice);
    Setup<Dim> setup;
    setup.box = Box<Dim>(region, box.periodic);
    setup.start.species_table = std::move(species);
    for (const Molecule<Dim>& molecule : molecules) {
        if (molecule.places.empty() && !molecule.growth)
            molecule.table.fail("places", "a molecule with neither `places` nor `grow` (it is "
                                          "inserted as it is, or grown); give one of them");
        refuse_large<Dim>(molecule, region, setup.box, distance);
    }
    Insertion<Dim> insertion(setup.box, region, distance, atoms, seed);
    fill_start<Dim>(molecules,
                    insert_all<Dim>(molecules, lattice, distance, insertion, setup, region), setup);
    setup.start.momentum.assign(setup.start.size(), {});
    return setup;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Setup<Dim> start_by_insertion(const Parameters&, const BoxInput<Dim>&,                \
                                           const Parameters&, std::vector<Species>,                \
                                           std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
