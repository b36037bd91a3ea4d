// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_influence.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace shadow {
namespace {

/// Of index m along one direction, with U the transform of the spline: U^2 over the square of its
/// sum over aliases; that sum; and the sum of U times U of the next alias.
struct SplineFactors {
    double sharpening = 0.0, all = 0.0, next = 0.0;
};

SplineFactors spline_factors(int m, int count, int order) {
    constexpr int reach = 5;
    std::array<double, 2 * reach + 2> u{};
    for (int s = -reach; s <= reach + 1; ++s) {
        const double n = m + static_cast<double>(s) * count, x = std::numbers::pi * n / count;
        u[static_cast<std::size_t>(s + reach)] = n == 0.0 ? 1.0 : std::pow(std::sin(x) / x, order);
    }
    SplineFactors sums;
    for (std::size_t s = 0; s + 1 < u.size(); ++s) {
        sums.all += u[s] * u[s];
        sums.next += u[s] * u[s + 1];
    }
    sums.sharpening = u[reach] * u[reach] / (sums.all * sums.all);
    return sums;
}

/// Adds what a charge of 1 has in its own field by mode `m` with influence `g`.
template <int Dim, class T>
void add_self(ChargeMesh<Dim, T>& mesh, const std::vector<SplineFactors> (&table)[Dim],
              const std::int32_t (&m)[Dim], double g) {
    const double sign = mesh.order % 2 == 0 ? 1.0 : -1.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        double product = sign * g;
        for (std::size_t e = 0; e < Dim; ++e) {
            const SplineFactors& f = table[e][static_cast<std::size_t>(m[e])];
            product *= e == d ? f.next : f.all;
        }
        mesh.self_energy[d] += product;
        for (int c = 0; c < tensor_size<Dim>; ++c)
            mesh.self_virial[d][c] += product * mesh.virial_factor(m, c);
    }
}

} // namespace

template <int Dim, class T>
void fill_influence(ChargeMesh<Dim, T>& mesh, double coulomb, std::vector<T>& influence) {
    std::vector<SplineFactors> table[Dim];
    double volume = 1.0;
    std::int64_t modes = 1;
    for (std::size_t d = 0; d < Dim; ++d) {
        volume /= mesh.inverse_length[d];
        modes *= mesh.count[d];
        for (std::int32_t m = 0; m < mesh.count[d]; ++m)
            table[d].push_back(spline_factors(2 * m > mesh.count[d] ? m - mesh.count[d] : m,
                                              mesh.count[d], mesh.order));
    }
    const std::int64_t rows = mesh.count[Dim - 2];
    const std::int64_t filled = (rows + mesh.row_block - 1) / mesh.row_block * mesh.row_block;
    const bool all = mesh.kept == mesh.count[Dim - 1];
    influence.assign(static_cast<std::size_t>(all ? modes / rows * filled : mesh.mode_count()),
                     T(0));
    for (std::int64_t mode = 1; mode < modes; ++mode) {
        std::int32_t m[Dim];
        std::int64_t rest = mode;
        double sharpening = 1.0, k[Dim], k2 = 0.0;
        for (int d = Dim - 1; d >= 0; --d) {
            m[d] = static_cast<std::int32_t>(rest % mesh.count[d]);
            rest /= mesh.count[d];
            sharpening *=
                table[static_cast<std::size_t>(d)][static_cast<std::size_t>(m[d])].sharpening;
        }
        mesh.wave_vector(m, k);
        for (int d = 0; d < Dim; ++d) k2 += k[d] * k[d];
        const double g = coulomb / volume * mesh.screening(k2) * sharpening;
        if (g == 0.0) continue;
        if (m[Dim - 1] < mesh.kept)
            influence[static_cast<std::size_t>(mesh.influence_index(m))] =
                static_cast<T>(g / mesh.unit);
        add_self(mesh, table, m, g);
    }
}

template void fill_influence(ChargeMesh<2, float>&, double, std::vector<float>&);
template void fill_influence(ChargeMesh<2, double>&, double, std::vector<double>&);
template void fill_influence(ChargeMesh<3, float>&, double, std::vector<float>&);
template void fill_influence(ChargeMesh<3, double>&, double, std::vector<double>&);

} // namespace shadow
