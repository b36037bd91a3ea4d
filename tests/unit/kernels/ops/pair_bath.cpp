// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/pair_bath.hpp"

#include "support/catch.hpp"
#include "support/larger.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace shadow;

namespace {

/// A sum of terms e e^T with directions e at random, of this trace.
template <int Dim>
SymmetricTensor<Dim> friction_tensor(double trace, std::mt19937& random) {
    std::normal_distribution<double> normal;
    SymmetricTensor<Dim> tensor{};
    for (int pair = 0; pair < 4; ++pair) {
        double e[Dim];
        for (double& x : e) x = normal(random);
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b) tensor.component[tensor_index<Dim>(a, b)] += e[a] * e[b];
    }
    const double factor = trace / tensor.trace();
    for (double& x : tensor.component) x *= factor;
    return tensor;
}

} // namespace

TEMPLATE_TEST_CASE_SIG("a vector over one and the root of what a small or large friction leaves",
                       "", ((int Dim), Dim), 1, 2, 3) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const double c = 0.4;
    double worst = 0.0;
    for (const double trace : {1e-6, 0.01, 0.1, 0.24, 0.26, 0.6, 0.99})
        for (int trial = 0; trial < 50; ++trial) {
            const auto X = friction_tensor<Dim>(trace / c, random);
            double v[Dim], y[Dim];
            for (double& x : v) x = normal(random);
            REQUIRE(over_one_and_root(X, c, v, y));
            // Along each eigenvector y (1 + (1 - c x)^1/2) is v.
            const Eigensystem<Dim> system(X);
            for (int k = 0; k < Dim; ++k) {
                double before = 0.0, after = 0.0;
                for (int d = 0; d < Dim; ++d) {
                    before += system.vector[d][k] * v[d];
                    after += system.vector[d][k] * y[d];
                }
                const double root = std::sqrt(1.0 - c * system.value[k]);
                worst = test::larger(worst, std::abs(after * (1.0 + root) - before));
            }
        }
    CHECK(worst < 200.0 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("a friction of more than there is is told") {
    const SymmetricTensor<2> X{{0.5, 2.6, 0.0}};
    const double v[2] = {1.0, 1.0};
    double y[2];
    CHECK(over_one_and_root(X, 0.38, v, y));
    CHECK_FALSE(over_one_and_root(X, 0.4, v, y));
}
