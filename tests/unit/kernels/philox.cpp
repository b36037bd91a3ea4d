// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/philox.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

using shadow::Philox;

TEST_CASE("Philox4x32-10 gives the published known answers") {
    // Random123 kat_vectors: counter 0, key 0; the constructor's counter is (id, stream, step).
    const Philox zero(0, 0, 0, 0);
    CHECK(zero.x[0] == 0x6627e8d5u);
    CHECK(zero.x[1] == 0xe169c58du);
    CHECK(zero.x[2] == 0xbc57ac4cu);
    CHECK(zero.x[3] == 0x9b00dbd8u);
    // Counter and key all ones; the second counter word 0xffffffff = stream 0xffffff, block 0xff.
    const Philox ones(~0ull, 0xffffffu, ~0u, ~0ull, 0xffu);
    CHECK(ones.x[0] == 0x408f276du);
    CHECK(ones.x[1] == 0x41c83b0eu);
    CHECK(ones.x[2] == 0xa20bc7c6u);
    CHECK(ones.x[3] == 0x6d5451fdu);
}

TEST_CASE("normal numbers have the moments of a Gaussian") {
    // 8e5 draws: the mean has standard error 1.1e-3, the variance 1.6e-3, the kurtosis 5.5e-3, the
    // product of two 1.6e-3; bounds are five of them.
    const bool single = GENERATE(false, true);
    double sum = 0, square = 0, fourth = 0, product = 0, largest = 0;
    const int n = 200000;
    for (int i = 0; i < n; ++i) {
        const Philox numbers(7, 3, static_cast<std::uint32_t>(i), 11), more(7, 3, i, 12);
        double z[4];
        if (single) {
            float drawn[4];
            numbers.normals(drawn);
            for (int k = 0; k < 4; ++k) z[k] = drawn[k];
        } else {
            numbers.normal(z[0], z[1]);
            more.normal(z[2], z[3]);
        }
        for (const double x : z) {
            sum += x;
            square += x * x;
            fourth += x * x * x * x;
            largest = std::max(largest, std::abs(x));
        }
        product += z[0] * z[1] + z[1] * z[2] + z[2] * z[3] + z[3] * z[0];
    }
    CHECK(std::abs(sum / (4 * n)) < 5.5e-3);
    CHECK(std::abs(square / (4 * n) - 1) < 8e-3);
    CHECK(std::abs(fourth / (4 * n) - 3) < 0.028);
    CHECK(std::abs(product / (4 * n)) < 5.5e-3);
    CHECK(largest > 4.2); // missed once in 1e9
    CHECK(largest < 6.0);
}

TEST_CASE("normal numbers in single precision have tails") {
    Philox numbers(0, 0, 0, 0);
    float z[4];
    for (int k = 0; k < 4; k += 2) {
        numbers.x[k] = 0;
        numbers.x[k + 1] = k == 0 ? 0 : 0x80000000u; // to either side
    }
    numbers.normals(z);
    const double last = std::sqrt(2.0 * 32.0 * std::log(2.0));
    CHECK(std::abs(z[0] - last) < 1e-5);
    CHECK(std::abs(z[2] + last) < 1e-5);
    numbers.x[0] = 0xFFFFFFFFu;
    numbers.normals(z);
    CHECK(std::abs(z[0]) < 3e-4);
}
