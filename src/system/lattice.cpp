// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/lattice.hpp"

#include "shadow/core/error.hpp"

#include "kernels/philox.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <>
std::vector<std::string> lattice_names<1>() {
    return {"chain"};
}
template <>
std::vector<std::string> lattice_names<2>() {
    return {"square", "triangular", "checkerboard", "honeycomb"};
}
template <>
std::vector<std::string> lattice_names<3>() {
    return {"sc",        "bcc",  "fcc",  "hcp",        "diamond",
            "rock-salt", "nacl", "cscl", "zincblende", "fluorite"};
}

namespace {
template <int Dim>
[[noreturn]] void unknown_lattice(std::string_view name) {
    std::string known;
    for (const auto& candidate : lattice_names<Dim>())
        known += (known.empty() ? "\"" : ", \"") + candidate + '"';
    throw InputError(fmt::format("lattice \"{}\" (not a lattice in {} dimension{}); use {}", name,
                                 Dim, Dim == 1 ? "" : "s", known));
}

/// Adds `points`, moved by `by`, as another sublattice.
template <int Dim>
void add_sublattice(LatticeCell<Dim>& cell, const Points<Dim>& points,
                    const std::array<double, Dim>& by) {
    const auto next = static_cast<std::uint16_t>(cell.sublattices());
    cell.sublattice.resize(cell.basis.size(), 0);
    for (auto point : points) {
        for (std::size_t d = 0; d < Dim; ++d) point[d] = std::fmod(point[d] + by[d], cell.edge[d]);
        cell.basis.push_back(point);
        cell.sublattice.push_back(next);
    }
}

/// Points, and the same points moved by `by`.
template <int Dim>
LatticeCell<Dim> two_sublattices(const std::array<double, Dim>& edge, const Points<Dim>& points,
                                 const std::array<double, Dim>& by) {
    LatticeCell<Dim> cell{edge, points};
    add_sublattice<Dim>(cell, points, by);
    return cell;
}

} // namespace

template <int Dim>
std::size_t LatticeCell<Dim>::sublattices() const {
    return sublattice.empty() ? 1 : std::size_t{1} + sublattice.back();
}

template <>
LatticeCell<1> lattice_cell<1>(std::string_view name) {
    if (name == "chain") return {{1.0}, {{0.0}}};
    unknown_lattice<1>(name);
}

template <>
LatticeCell<2> lattice_cell<2>(std::string_view name) {
    const double root3 = std::sqrt(3.0);
    if (name == "square") return {{1.0, 1.0}, {{0.0, 0.0}}};
    const Points<2> triangular = {{0.0, 0.0}, {0.5, 0.5 * root3}};
    if (name == "triangular") return {{1.0, root3}, triangular};
    if (name == "checkerboard")
        return two_sublattices<2>({1.0, 1.0}, {{0.0, 0.0}, {0.5, 0.5}}, {0.5, 0.0});
    if (name == "honeycomb")
        return two_sublattices<2>({1.0, root3}, triangular, {0.0, 1.0 / root3});
    unknown_lattice<2>(name);
}

template <>
LatticeCell<3> lattice_cell<3>(std::string_view name) {
    if (name == "sc") return {{1.0, 1.0, 1.0}, {{0.0, 0.0, 0.0}}};
    if (name == "bcc") return {{1.0, 1.0, 1.0}, {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}}};
    const Points<3> fcc = {{0.0, 0.0, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.0}};
    if (name == "fcc") return {{1.0, 1.0, 1.0}, fcc};
    if (name == "hcp") { // triangular layers, every other one above the gaps of its neighbours
        const double root3 = std::sqrt(3.0), height = std::sqrt(8.0 / 3.0);
        return {{1.0, root3, height},
                {{0.0, 0.0, 0.0},
                 {0.5, 0.5 * root3, 0.0},
                 {0.5, root3 / 6.0, 0.5 * height},
                 {0.0, 2.0 / root3, 0.5 * height}}};
    }
    const std::array<double, 3> cube = {1.0, 1.0, 1.0}, quarter = {0.25, 0.25, 0.25};
    if (name == "rock-salt" || name == "nacl")
        return two_sublattices<3>(cube, fcc, {0.5, 0.5, 0.5});
    if (name == "cscl") return two_sublattices<3>(cube, {{0.0, 0.0, 0.0}}, {0.5, 0.5, 0.5});
    if (name == "zincblende") return two_sublattices<3>(cube, fcc, quarter);
    if (name == "diamond") {
        auto cell = two_sublattices<3>(cube, fcc, quarter);
        cell.sublattice.clear();
        return cell;
    }
    if (name == "fluorite") {
        Points<3> anions;
        for (const double x : {0.25, 0.75})
            for (const double y : {0.25, 0.75})
                for (const double z : {0.25, 0.75}) anions.push_back({x, y, z});
        LatticeCell<3> cell{cube, fcc};
        add_sublattice<3>(cell, anions, {0.0, 0.0, 0.0});
        return cell;
    }
    unknown_lattice<3>(name);
}

template <int Dim>
double lattice_constant(const LatticeCell<Dim>& cell, double density) {
    double volume = 1.0;
    for (const double edge : cell.edge) volume *= edge;
    const double cube = static_cast<double>(cell.basis.size()) / (density * volume);
    if constexpr (Dim == 1) return cube;
    if constexpr (Dim == 2) return std::sqrt(cube);
    return std::cbrt(cube);
}

template <int Dim>
Points<Dim> lattice_points(const LatticeCell<Dim>& cell,
                           const std::array<std::int64_t, Dim>& repeat, double constant) {
    std::int64_t cells = 1;
    for (const std::int64_t count : repeat) cells *= count;
    Points<Dim> points;
    points.reserve(static_cast<std::size_t>(cells) * cell.basis.size());
    for (std::int64_t index = 0; index < cells; ++index) {
        std::array<double, Dim> corner;
        std::int64_t rest = index;
        for (std::size_t d = Dim; d-- > 0;) {
            corner[d] = static_cast<double>(rest % repeat[d]) * cell.edge[d];
            rest /= repeat[d];
        }
        for (auto point : cell.basis) {
            for (std::size_t d = 0; d < Dim; ++d) point[d] = (corner[d] + point[d]) * constant;
            points.push_back(point);
        }
    }
    return points;
}

template <int Dim>
void jitter_points(Points<Dim>& points, double amplitude, std::uint64_t seed) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::jitter);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t d = 0; d < Dim; ++d) {
            const Philox draw(seed, stream, static_cast<std::uint32_t>(i), 0,
                              static_cast<std::uint32_t>(d / 2));
            points[i][d] += amplitude * (2.0 * draw.uniform(static_cast<int>(d % 2)) - 1.0);
        }
    }
}

template struct LatticeCell<1>;
template struct LatticeCell<2>;
template struct LatticeCell<3>;
template double lattice_constant(const LatticeCell<1>&, double);
template double lattice_constant(const LatticeCell<2>&, double);
template double lattice_constant(const LatticeCell<3>&, double);
template Points<1> lattice_points<1>(const LatticeCell<1>&, const std::array<std::int64_t, 1>&,
                                     double);
template Points<2> lattice_points<2>(const LatticeCell<2>&, const std::array<std::int64_t, 2>&,
                                     double);
template Points<3> lattice_points<3>(const LatticeCell<3>&, const std::array<std::int64_t, 3>&,
                                     double);
template void jitter_points<1>(Points<1>&, double, std::uint64_t);
template void jitter_points<2>(Points<2>&, double, std::uint64_t);
template void jitter_points<3>(Points<3>&, double, std::uint64_t);

} // namespace shadow
