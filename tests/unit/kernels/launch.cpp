// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/launch.hpp"

#include "support/catch.hpp"

#include "shadow/core/array.hpp"

#include <numeric>

using namespace shadow;

namespace {
struct Harmonic {
    using Value = double;
    static double identity() { return 0.0; }
    static double combine(double a, double b) { return a + b; }
    double operator()(std::int64_t i) const { return 1.0 / static_cast<double>(i + 1); }
};
} // namespace

TEST_CASE("a reduction has the same bits for any number of threads") {
    const std::int64_t n = GENERATE(0, 1, 1023, 1024, 1025, 100'000);
    const Backend one = Backend::cpu(1);
    double reference;
    cpu::reduce(one, Harmonic{}, n, &reference, nullptr);
    for (const int threads : {2, 3, 7}) {
        const Backend backend = Backend::cpu(threads);
        double result;
        cpu::reduce(backend, Harmonic{}, n, &result, nullptr);
        CHECK(result == reference);
    }
}

TEST_CASE("an exclusive scan sums what stands before") {
    const std::int64_t n = GENERATE(0, 1, 65535, 65536, 65537, 200'000);
    const Backend backend = Backend::cpu(3);
    std::vector<std::int32_t> in(static_cast<std::size_t>(n)), out(in.size() + 1, -1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i % 7);
    cpu::exclusive_scan(backend, in.data(), out.data(), n, nullptr);
    std::int32_t sum = 0;
    bool right = true;
    for (std::size_t i = 0; i < in.size(); ++i) {
        right = right && out[i] == sum;
        sum += in[i];
    }
    CHECK(right);
    CHECK(out.back() == sum);
}

TEST_CASE("a gate at zero stops everything") {
    const Backend backend = Backend::cpu(1);
    const int shut = 0;
    double result = -1.0;
    cpu::reduce(backend, Harmonic{}, 10, &result, &shut);
    CHECK(result == -1.0);
}
