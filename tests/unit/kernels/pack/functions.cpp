// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/isa/pack_probe.hpp"
#include "support/larger.hpp"

#include "shadow/core/backend.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using namespace shadow;

namespace {

template <class T>
int probe(InstructionSet isa, PackFunction function, const T* x, const T* y, T* out) {
    return SHADOW_CALL(isa, pack_probe, function, x, y, out);
}

using Wide = long double;

/// Largest relative error of a function of x in [low, high] (logarithmic) and y, in units of T's
/// epsilon times `condition(x, y)`.
template <class T>
double worst(InstructionSet isa, PackFunction function, double low, double high,
             const std::function<Wide(Wide, Wide)>& exact,
             const std::function<double(double, double)>& condition, double sign = 1.0) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(std::log(low), std::log(high));
    std::uniform_real_distribution<double> second(-12.0, 3.0);
    double largest = 0.0;
    for (int trial = 0; trial < 2000; ++trial) {
        T x[16], y[16], out[16];
        for (int k = 0; k < 16; ++k) {
            x[k] = static_cast<T>(sign * std::exp(exponent(random)));
            y[k] = static_cast<T>(second(random));
        }
        const int n = probe(isa, function, x, y, out);
        for (int k = 0; k < n; ++k) {
            const Wide right = exact(x[k], y[k]);
            const Wide error = std::abs((out[k] - right) / right);
            largest =
                test::larger(largest, static_cast<double>(error) /
                                          (static_cast<double>(std::numeric_limits<T>::epsilon()) *
                                           condition(x[k], y[k])));
        }
    }
    return largest;
}

template <class T>
void check_functions(InstructionSet isa) {
    const auto one = [](double, double) { return 1.0; };
    const bool wide = std::is_same_v<T, double>;
    CAPTURE(name(isa), wide);
    CHECK(worst<T>(
              isa, PackFunction::reciprocal, 1e-8, 1e8, [](Wide x, Wide) { return 1 / x; }, one) <
          2.0);
    CHECK(worst<T>(
              isa, PackFunction::inverse_sqrt, 1e-8, 1e8,
              [](Wide x, Wide) { return 1 / std::sqrt(x); }, one) < 2.5);
    // Argument reduction loses about one unit; the polynomial another.
    const double largest = wide ? 700.0 : 86.0;
    for (const double sign : {1.0, -1.0})
        CHECK(worst<T>(
                  isa, PackFunction::exponential, 1e-6, largest,
                  [](Wide x, Wide) { return std::exp(x); }, one, sign) < 3.0);
    for (const double sign : {1.0, -1.0})
        CHECK(worst<T>(
                  isa, PackFunction::exponential_minus_one, 1e-9, largest,
                  [](Wide x, Wide) { return std::expm1(x); }, one, sign) < 3.0);
    // x^y = exp(y log x): an error of the logarithm is multiplied by y.
    CHECK(worst<T>(
              isa, PackFunction::power, 0.1, 30.0, [](Wide x, Wide y) { return std::pow(x, y); },
              [](double x, double y) { return 2.0 + std::abs(y * std::log(x)); }) < 2.0);
    // exp(-x^2): x^2 is rounded. Up to where erfc leaves the range of float.
    const auto square = [](double x, double) { return 3.0 + x * x; };
    CHECK(worst<T>(
              isa, PackFunction::erfc, 1e-4, wide ? 20.0 : 8.5,
              [](Wide x, Wide) { return std::erfc(x); }, square) < 2.0);
    CHECK(worst<T>(
              isa, PackFunction::gauss, 1e-4, wide ? 20.0 : 8.5,
              [](Wide x, Wide) { return std::exp(-x * x); }, square) < 2.0);
    // Of screened charges the error in float is over 1/r, not over what is left.
    const auto potential = [](Wide x, Wide) { return std::erfc(x) / x; };
    const auto field = [](Wide x, Wide) {
        return std::erfc(x) / x + 1.12837916709551257390L * std::exp(-x * x);
    };
    const auto over_bare = [&](const std::function<Wide(Wide, Wide)>& f) {
        return [&square, f](double x, double y) {
            return wide ? square(x, y) : static_cast<double>(1 / (x * f(x, y)));
        };
    };
    const double allowed = wide ? 3.0 : 4.0;
    CHECK(worst<T>(isa, PackFunction::screened_potential, 1e-4, 8.5, potential,
                   over_bare(potential)) < allowed);
    CHECK(worst<T>(isa, PackFunction::screened_field, 1e-4, 8.5, field, over_bare(field)) <
          allowed);
}

template <class T>
void check_lanes(InstructionSet isa) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 300; ++trial) {
        T x[16], y[16], out[16];
        for (int k = 0; k < 16; ++k) {
            x[k] = static_cast<T>(static_cast<int>(random() % 9) - 4);
            y[k] = static_cast<T>(static_cast<int>(random() % 9) - 4);
        }
        bool right = true;
        int n = probe(isa, PackFunction::abs, x, y, out);
        for (int k = 0; k < n; ++k) right = right && out[k] == std::abs(x[k]);
        probe(isa, PackFunction::max, x, y, out);
        for (int k = 0; k < n; ++k) right = right && out[k] == std::max(x[k], y[k]);
        probe(isa, PackFunction::select_less, x, y, out);
        for (int k = 0; k < n; ++k) right = right && out[k] == (x[k] < y[k] ? x[k] : T(0));
        n = probe(isa, PackFunction::compress_less, x, y, out);
        int kept = 0;
        for (int k = 0; k < n; ++k)
            if (x[k] < y[k]) right = right && out[kept++] == x[k];
        for (; kept < n; ++kept) right = right && out[kept] == T(-1);
        CHECK(right);
    }
}

} // namespace

TEST_CASE("functions of packs are as good as those of the C library") {
    for (const InstructionSet isa : available_instruction_sets()) {
        check_functions<float>(isa);
        check_functions<double>(isa);
    }
}

TEST_CASE("packs choose, order and compress lane by lane") {
    for (const InstructionSet isa : available_instruction_sets()) {
        check_lanes<float>(isa);
        check_lanes<double>(isa);
    }
}

TEST_CASE("the exponential of a pack ends in zero and infinity") {
    for (const InstructionSet isa : available_instruction_sets()) {
        float x[16], out[16];
        std::fill_n(x, 16, -200.0F);
        probe(isa, PackFunction::exponential, x, x, out);
        CHECK(out[0] == 0.0F);
        std::fill_n(x, 16, 200.0F);
        probe(isa, PackFunction::exponential, x, x, out);
        CHECK(std::isinf(out[0]));
        std::fill_n(x, 16, std::numeric_limits<float>::quiet_NaN());
        probe(isa, PackFunction::exponential, x, x, out);
        CHECK(std::isnan(out[0]));
    }
}

TEST_CASE(
    "normal numbers of packs are those of particles, and the same with all instruction sets") {
    float first[64] = {};
    for (const InstructionSet isa : available_instruction_sets())
        for (std::uint64_t step = 0; step < 500; ++step) {
            float z[64], right[4];
            const int n = SHADOW_CALL(isa, normal_probe, 9, step, z);
            double largest = 0.0;
            for (int id = 0; id < n; ++id) {
                Philox(9, 16, static_cast<std::uint32_t>(id), step).normals(right);
                for (int k = 0; k < 4; ++k)
                    largest = test::larger(largest, std::abs(z[16 * k + id] - right[k]));
            }
            CAPTURE(name(isa), step);
            CHECK(largest < 3e-6);
            if (step > 0) continue;
            for (int k = 0; k < 4 && first[0] != 0.0F; ++k)
                for (int id = 0; id < 4; ++id) CHECK(z[16 * k + id] == first[16 * k + id]);
            std::copy_n(z, 64, first);
        }
}
