// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/system/molecules.hpp"
#include "src/system/placed_points.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace shadow {

template <int Dim>
using Place = std::array<double, Dim>;

template <int Dim>
double distance_between(const Place<Dim>& a, const Place<Dim>& b) {
    double square = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) square += (a[d] - b[d]) * (a[d] - b[d]);
    return std::sqrt(square);
}

/// Random sequential insertion. Random numbers depend on the seed and the number of the molecule:
/// positions from the stream `placement`, directions of a walk from `orientations`.
template <int Dim>
class Insertion {
  public:
    static constexpr std::uint64_t trials = 20'000;            ///< positions of a rigid molecule
    static constexpr int directions = 100, dead_ends = 10'000; ///< for a step; in a walk

    Insertion(const Box<Dim>& box, const Place<Dim>& region, double distance, std::int64_t atoms,
              std::uint64_t seed)
        : region_(region), periodic_(box.periodic()), seed_(seed),
          placed_(atoms, distance, region, periodic_) {
        all_.reserve(static_cast<std::size_t>(atoms));
    }

    /// Inserts atoms as in `shape`, around the centre of mass. False, with nothing changed, if
    /// there is no room.
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
            most_ = placed_.size();
            return true;
        }
        return false;
    }

    /// Inserts a molecule by a walk that undoes its last steps, ever more of them, at a dead end.
    bool grow(const Growth& growth, std::uint32_t number) {
        const std::size_t base = placed_.size(), n = growth.steps.size();
        Points<Dim> x(n);
        std::uint64_t draw = 0;
        std::size_t k = 0, farthest = 0, back = 1;
        for (int dead = 0; k < n;) {
            if (take_step(growth, k, base, number, draw, x)) {
                most_ = std::max(most_, placed_.size());
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

    /// The largest number of atoms inserted at any time.
    [[nodiscard]] std::size_t most() const { return most_; }
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

    /// A point at this distance from x, in a random direction.
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

    /// Wraps into the region; false if outside of it in an open direction.
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
    std::size_t most_ = 0;
    Points<Dim> all_; ///< whole molecules, not wrapped
};

} // namespace shadow
