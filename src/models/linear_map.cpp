// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/linear_map.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace shadow::models {
namespace {

double trace(const Matrix& m) {
    double sum = 0.0;
    for (std::size_t i = 0; i < m.size; ++i) sum += m(i, i);
    return sum;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size);
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::size_t k = 0; k < a.size; ++k)
            for (std::size_t j = 0; j < a.size; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

/// S M S
Matrix turned(Matrix m) {
    const std::size_t half = m.size / 2;
    for (std::size_t i = 0; i < m.size; ++i)
        for (std::size_t j = 0; j < m.size; ++j)
            if ((i < half) != (j < half)) m(i, j) = -m(i, j);
    return m;
}

} // namespace

Matrix matrix_of(const Map& map, std::size_t size) {
    Matrix m(size);
    for (std::size_t j = 0; j < size; ++j) {
        State z(size);
        z[j] = 1.0;
        map(z);
        for (std::size_t i = 0; i < size; ++i) m(i, j) = z[i];
    }
    return m;
}

std::vector<double> solution(Matrix m, std::vector<double> right) {
    const std::size_t n = m.size;
    for (std::size_t p = 0; p < n; ++p) {
        std::size_t best = p;
        for (std::size_t i = p + 1; i < n; ++i)
            if (std::abs(m(i, p)) > std::abs(m(best, p))) best = i;
        for (std::size_t j = 0; j < n; ++j) std::swap(m(p, j), m(best, j));
        std::swap(right[p], right[best]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == p) continue;
            const double factor = m(i, p) / m(p, p);
            for (std::size_t j = p; j < n; ++j) m(i, j) -= factor * m(p, j);
            right[i] -= factor * right[p];
        }
    }
    for (std::size_t i = 0; i < n; ++i) right[i] /= m(i, i);
    return right;
}

std::vector<std::complex<double>> eigenvalues(const Matrix& m) {
    if (m.size != 2 && m.size != 4) throw std::logic_error("eigenvalues of neither 2 nor 4 rows");
    std::vector<std::complex<double>> sums = {trace(m)};
    if (m.size == 4) {
        const double a = trace(m), b = 0.5 * (a * a - trace(product(m, m)));
        const auto root = std::sqrt(std::complex<double>(0.25 * a * a - b + 2.0));
        sums = {0.5 * a + root, 0.5 * a - root};
    }
    std::vector<std::complex<double>> all;
    for (const auto mu : sums) {
        const auto root = std::sqrt(0.25 * mu * mu - 1.0);
        all.push_back(0.5 * mu + root);
        all.push_back(0.5 * mu - root);
    }
    return all;
}

std::array<std::complex<double>, 2> eigenvalues_of_two(const Matrix& m) {
    const double half = 0.5 * (m(0, 0) + m(1, 1)), det = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
    const std::complex<double> root = std::sqrt(std::complex<double>(half * half - det));
    return {half + root, half - root};
}

double growth(const Matrix& m) {
    double largest = 0.0;
    for (const auto lambda : eigenvalues(m)) largest = std::max(largest, std::abs(lambda));
    return largest;
}

double symplectic_defect(const Matrix& m) {
    const std::size_t half = m.size / 2;
    double defect = 0.0;
    for (std::size_t i = 0; i < m.size; ++i)
        for (std::size_t j = 0; j < m.size; ++j) {
            double form = j == i + half ? -1.0 : i == j + half ? 1.0 : 0.0;
            for (std::size_t k = 0; k < half; ++k)
                form += m(k, i) * m(k + half, j) - m(k + half, i) * m(k, j);
            defect = std::max(defect, std::abs(form));
        }
    return defect;
}

double reversal_defect(const Matrix& m) {
    const Matrix there_and_back = product(turned(m), m);
    double defect = 0.0;
    for (std::size_t i = 0; i < m.size; ++i)
        for (std::size_t j = 0; j < m.size; ++j)
            defect = std::max(defect, std::abs(there_and_back(i, j) - (i == j ? 1.0 : 0.0)));
    return defect;
}

} // namespace shadow::models
