// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

#include "kernels/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

/// A periodic system in a box of twice the area, rotated by 45 degrees.
namespace shadow::test {

/// x' = (x + y) / sqrt 2, y' = (y - x) / sqrt 2 for directions x and y.
struct TurnedFrame {
    std::size_t x, y;

    template <int Dim>
    [[nodiscard]] std::array<double, Dim> turn(std::array<double, Dim> v) const {
        const double a = v[x], b = v[y];
        v[x] = (a + b) / std::numbers::sqrt2;
        v[y] = (b - a) / std::numbers::sqrt2;
        return v;
    }
    /// R W R^T
    template <int Dim>
    [[nodiscard]] SymmetricTensor<Dim> turn(const SymmetricTensor<Dim>& w) const {
        std::array<std::array<double, Dim>, Dim> half{}; // W R^T
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b < Dim; ++b)
                half[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
                    w.component[tensor_index<Dim>(a, b)];
        for (auto& row : half) row = turn<Dim>(row);
        SymmetricTensor<Dim> result{};
        for (std::size_t b = 0; b < Dim; ++b) {
            std::array<double, Dim> column;
            for (std::size_t a = 0; a < Dim; ++a) column[a] = half[a][b];
            column = turn<Dim>(column);
            for (std::size_t a = 0; a < Dim; ++a)
                result.component[tensor_index<Dim>(static_cast<int>(a), static_cast<int>(b))] =
                    column[a];
        }
        return result;
    }
};

template <int Dim>
std::vector<std::size_t> periodic_directions(const Box<Dim>& box) {
    std::vector<std::size_t> all;
    for (std::size_t d = 0; d < Dim; ++d)
        if (box.periodic()[d]) all.push_back(d);
    return all;
}

/// Copies of bonds and exclusions, each between the copies of its particles that are nearest to
/// each other.
template <int Dim>
class TurnedTopology {
  public:
    TurnedTopology(const Setup<Dim>& turned, std::uint32_t particles)
        : turned_(turned), particles_(particles) {}

    [[nodiscard]] Topology of(const Topology& before) const {
        Topology after = before;
        for (BondedGroup& group : after.groups) group.members = copies(group);
        after.excluded.clear();
        after.scaled.clear();
        for (const std::uint32_t copy : {0U, particles_}) {
            for (const auto& pair : before.excluded) after.excluded.push_back(of_pair(pair, copy));
            for (ScaledPair pair : before.scaled) {
                pair.members = of_pair(pair.members, copy);
                after.scaled.push_back(pair);
            }
        }
        std::sort(after.excluded.begin(), after.excluded.end());
        std::sort(after.scaled.begin(), after.scaled.end(),
                  [](const auto& a, const auto& b) { return a.members < b.members; });
        return after;
    }

  private:
    [[nodiscard]] std::uint32_t nearest(std::uint32_t from, std::uint32_t to) const {
        const auto distance = [&](std::uint32_t id) {
            return length_of<Dim>(between<Dim>(turned_.start.position[from],
                                               turned_.start.position[id], turned_.box));
        };
        return distance(to) < distance(to + particles_) ? to : to + particles_;
    }
    [[nodiscard]] std::array<std::uint32_t, 2> of_pair(std::array<std::uint32_t, 2> pair,
                                                       std::uint32_t copy) const {
        const std::uint32_t a = pair[0] + copy, b = nearest(a, pair[1]);
        return {std::min(a, b), std::max(a, b)};
    }
    [[nodiscard]] std::vector<std::uint32_t> copies(const BondedGroup& group) const {
        std::vector<std::uint32_t> all;
        for (const std::uint32_t copy : {0U, particles_})
            for (std::size_t k = 0; k < group.members.size(); ++k)
                all.push_back(k % group.span() == 0 ? group.members[k] + copy
                                                    : nearest(all.back(), group.members[k]));
        return all;
    }

    const Setup<Dim>& turned_;
    std::uint32_t particles_;
};

/// The rotated system; the box must have equal edges along x and y.
template <int Dim>
Setup<Dim> turned(const Setup<Dim>& setup, const TurnedFrame& frame) {
    Setup<Dim> there = setup;
    auto lengths = setup.box.lengths();
    const double edge = lengths[frame.x];
    lengths[frame.x] = lengths[frame.y] = edge * std::numbers::sqrt2;
    there.box = Box<Dim>(lengths, setup.box.periodic());
    const auto particles = static_cast<std::uint32_t>(setup.start.size());
    for (const double shift : {0.0, edge})
        for (std::size_t i = 0; i < particles; ++i) {
            std::array<double, Dim> x = setup.start.position[i];
            x[frame.x] += shift;
            if (shift == 0.0) {
                there.start.position[i] = frame.turn<Dim>(x);
                continue;
            }
            there.start.position.push_back(frame.turn<Dim>(x));
            there.start.momentum.push_back(setup.start.momentum[i]);
            there.start.species.push_back(setup.start.species[i]);
        }
    there.start.image.assign(there.start.position.size(), {});
    there.topology = TurnedTopology<Dim>(there, particles).of(setup.topology);
    return there;
}

} // namespace shadow::test
