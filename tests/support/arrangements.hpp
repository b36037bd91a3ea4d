// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/backends.hpp"

#include "shadow/neighbours/neighbours.hpp"

#include <cmath>
#include <random>

/// Particles in many arrangements, for tests of neighbour lists.
namespace shadow::test::arrangements {

inline constexpr double cutoff = 1.5, skin = 0.4;

template <int Dim>
Snapshot<Dim> at(std::vector<std::array<double, Dim>> positions) {
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 2.0, 0.0}};
    s.position = std::move(positions);
    s.image.resize(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
        s.momentum.emplace_back();
        for (std::size_t d = 0; d < Dim; ++d)
            s.momentum[i][d] = static_cast<double>(i) + 0.25 * static_cast<double>(d);
        s.species.push_back(i % 2);
    }
    return s;
}

enum class Shape { uniform, droplet, slab, corner, level, points, escaped, lattice };

inline constexpr Shape shapes[] = {Shape::uniform, Shape::droplet, Shape::slab,    Shape::corner,
                                   Shape::level,   Shape::points,  Shape::escaped, Shape::lattice};

/// Positions in [0, length) or around it.
template <int Dim>
std::vector<std::array<double, Dim>> arranged(Shape shape, std::size_t n, double length,
                                              unsigned seed, double far = 1e6) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::normal_distribution<double> normal;
    std::vector<std::array<double, Dim>> x(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const bool last = d + 1 == Dim;
            const double u = uniform(random);
            switch (shape) {
            case Shape::uniform:
                x[i][d] = length * u;
                break;
            case Shape::droplet:
                x[i][d] = 0.3 * length + 0.05 * length * normal(random);
                break;
            case Shape::slab:
                x[i][d] = last ? 0.99 * length + 0.02 * length * u : length * u;
                break;
            case Shape::corner:
                x[i][d] = 1e-3 * u;
                break;
            case Shape::level:
                x[i][d] = last ? 0.0 : length * u;
                break;
            case Shape::points:
                x[i][d] = i % 3 == 0 ? 0.0 : 0.5 * length;
                break;
            case Shape::escaped:
                x[i][d] = i == n / 2 ? far * (u - 0.5) : length * u;
                break;
            case Shape::lattice:
                x[i][d] = length / 8.0 * std::floor(8.0 * u);
                break;
            }
        }
    return x;
}

/// All, none, only the first, only the last.
template <int Dim>
std::vector<std::array<bool, Dim>> periodicities() {
    std::vector<std::array<bool, Dim>> masks(2);
    masks[0].fill(true);
    if constexpr (Dim > 1) {
        masks.resize(4);
        masks[2][0] = true;
        masks[3][Dim - 1] = true;
    }
    return masks;
}

template <int Dim>
Box<Dim> cube(double length, const std::array<bool, Dim>& periodic) {
    std::array<double, Dim> lengths{};
    for (std::size_t d = 0; d < Dim; ++d) lengths[d] = periodic[d] ? length : 0.0;
    return Box<Dim>(lengths, periodic);
}

/// Moves every particle by `length` in a random direction.
template <int Dim>
void shake(const Backend& backend, Particles<Dim>& particles, double length, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    const auto n = static_cast<std::size_t>(particles.size());
    std::array<std::vector<double>, Dim> x;
    for (std::size_t d = 0; d < Dim; ++d)
        x[d] = fetch(backend, particles.view().position.component[d], n);
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> step;
        double norm = 0.0;
        for (auto& s : step) {
            s = normal(random);
            norm += s * s;
        }
        for (std::size_t d = 0; d < Dim; ++d) x[d][i] += step[d] * length / std::sqrt(norm);
    }
    for (std::size_t d = 0; d < Dim; ++d)
        detail::copy_to_backend(backend, particles.view().position.component[d], x[d].data(),
                                n * sizeof(double));
}

} // namespace shadow::test::arrangements
