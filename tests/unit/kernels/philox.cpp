// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/philox.hpp"

#include "support/catch.hpp"

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
    // 4e5 draws: the mean has standard error 1.6e-3, the variance 2.2e-3, the kurtosis 7.7e-3;
    // bounds are five of them.
    double sum = 0, square = 0, fourth = 0;
    const int n = 200000;
    for (int i = 0; i < n; ++i) {
        double a, b;
        Philox(7, 3, static_cast<std::uint32_t>(i), 11).normal(a, b);
        sum += a + b;
        square += a * a + b * b;
        fourth += a * a * a * a + b * b * b * b;
    }
    CHECK(std::abs(sum / (2 * n)) < 8e-3);
    CHECK(std::abs(square / (2 * n) - 1) < 11e-3);
    CHECK(std::abs(fourth / (2 * n) - 3) < 0.08);
}
