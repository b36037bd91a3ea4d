// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <array>
#include <complex>
#include <vector>

namespace shadow::models {

/// A square matrix: row after row.
struct Matrix {
    explicit Matrix(std::size_t n) : size(n), value(n * n) {}
    [[nodiscard]] double& operator()(std::size_t i, std::size_t j) { return value[i * size + j]; }
    [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
        return value[i * size + j];
    }

    std::size_t size;
    std::vector<double> value;
};

/// The matrix of a linear map, from its images of unit vectors.
[[nodiscard]] Matrix matrix_of(const Map& map, std::size_t size);

/// x with m x = right, by elimination with pivots.
[[nodiscard]] std::vector<double> solution(Matrix m, std::vector<double> right);

/// The eigenvalues of a symplectic or a reversible matrix of 2 or 4 rows, which are pairs lambda
/// and 1 / lambda: lambda + 1 / lambda = mu, where mu is the trace, or with four rows mu^2 - a mu +
/// b - 2 = 0, a = tr M, b = (a^2 - tr M^2) / 2.
[[nodiscard]] std::vector<std::complex<double>> eigenvalues(const Matrix& m);

/// The eigenvalues of any matrix of two rows.
[[nodiscard]] std::array<std::complex<double>, 2> eigenvalues_of_two(const Matrix& m);

/// The largest growth of a state in a step: the largest modulus of the eigenvalues.
[[nodiscard]] double growth(const Matrix& m);

/// Largest entry of M^T J M - J; zero where M is symplectic.
[[nodiscard]] double symplectic_defect(const Matrix& m);

/// Largest entry of S M S M - 1, where S reverses momenta; zero where M is time-reversible.
[[nodiscard]] double reversal_defect(const Matrix& m);

} // namespace shadow::models
