// SPDX-License-Identifier: BSD-3-Clause
#include "src/forces/potential_visit.hpp"
#include "support/catch.hpp"
#include "support/oracle.hpp"

#include "shadow/forces/pair_table.hpp"

#include "kernels/potentials/list.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

using namespace shadow;

namespace {

/// One row per potential of the list: parameters, a cut-off, and the textbook formula.
struct Row {
    std::vector<double> numbers;
    double cutoff;
    oracle::Curve curve;
};

std::vector<Row> rows() {
    return {{{0.9, 1.1}, 2.5, oracle::lennard_jones(0.9, 1.1)},
            {{1.2, 3.0, 1.1}, 2.5, oracle::morse(1.2, 3.0, 1.1)},
            {{1.1, 0.9, 7.5}, 2.5, oracle::inverse_power(1.1, 0.9, 7.5)},
            {{0.9, 1.1}, 1.1 * std::pow(2.0, 1.0 / 6.0), oracle::wca(0.9, 1.1)},
            {{100.0, 1.3}, 1.3, oracle::harmonic_contact(100.0, 1.3)},
            {{-1.7, 0.6, 0.0}, 2.5, oracle::coulomb(-1.7, 0.6)},
            {{-1.7, 0.4}, 2.5, oracle::damped_shifted_force(-1.7, 0.4, 2.5)},
            {{-1.7, 0.9}, 4.5, oracle::logarithmic(-1.7, 0.9)}};
}

template <class T>
using Functor = std::function<PairResult<T>(T r2)>;

template <class T, template <class> class... P>
std::vector<Functor<T>> functors(PotentialList<P...>, const std::vector<Row>& all) {
    std::vector<Functor<T>> made;
    (made.emplace_back(P<T>::from(all[made.size()].numbers.data(), all[made.size()].cutoff)), ...);
    return made;
}

/// Sixth-order central difference; h^6 u^(7)/140 is below 1e-12 of u for powers up to 12.
long double derivative(const std::function<long double(long double)>& u, long double r) {
    const long double h = 3e-4L * r;
    return (45 * (u(r + h) - u(r - h)) - 9 * (u(r + 2 * h) - u(r - 2 * h)) +
            (u(r + 3 * h) - u(r - 3 * h))) /
           (60 * h);
}

/// The row of a Lennard-Jones table in double with any truncation, as a functor.
Truncated<LennardJones>::Of<double> truncated(Truncation truncation, double inner, double cutoff,
                                              PairPotential::Part part = PairPotential::Part::whole,
                                              DistanceSplit split = {}) {
    PairForceDescription d;
    d.potential.truncation = truncation;
    d.potential.pairs = {{{1.0, 1.0}, cutoff, inner}};
    d.potential.part = part;
    d.potential.split = split;
    const PairTable table = make_pair_table(d);
    REQUIRE(table.interaction == 0);
    Truncated<LennardJones>::Of<double> row;
    REQUIRE(table.rows.size() * sizeof(double) == sizeof(row));
    std::memcpy(&row, table.rows.data(), sizeof(row));
    return row;
}

} // namespace

TEST_CASE("every potential is its textbook formula") {
    const auto all = rows();
    REQUIRE(all.size() == Potentials::size);
    const auto potentials = functors<double>(Potentials{}, all);
    for (std::size_t k = 0; k < all.size(); ++k)
        for (double r = 0.7; r < all[k].cutoff; r += 0.0173) {
            CAPTURE(k, r);
            const auto [f_over_r, u] = potentials[k](r * r);
            const auto expected_u = static_cast<double>(all[k].curve.u(r));
            const auto expected_f = static_cast<double>(all[k].curve.f(r));
            // Errors of r^2 and of the functions are a few units in the last place, times the
            // exponents (up to 13) and the terms that cancel (u and f go through zero).
            const double scale = std::abs(expected_u) + std::abs(expected_f) + 1.0;
            CHECK(std::abs(u - expected_u) < 2e-14 * scale);
            CHECK(std::abs(f_over_r * r - expected_f) < 2e-14 * 13.0 * scale);
        }
}

TEST_CASE("the energy of a reaction field ends at the cut-off, of a conductor the force too") {
    for (const double e : {1.0, 80.0, HUGE_VAL}) {
        const double number[] = {-1.7, 0.0, e};
        const auto [f_over_r, u] = Coulomb<double>::from(number, 2.5)(2.5 * 2.5);
        CHECK(std::abs(u) < 1e-15);
        CHECK((std::abs(f_over_r) < 1e-15) == std::isinf(e));
    }
}

TEST_CASE("the tail of every potential is the integral of its energy") {
    const auto all = rows();
    for (std::size_t k = 0; k < all.size(); ++k)
        for (int dim = 1; dim <= 3; ++dim) {
            const Row& row = all[k];
            visit_potential(static_cast<int>(k), [&]<template <class> class P>(PotentialTag<P>) {
                if constexpr (has_tail<P>) {
                    // Of u(r) r^(dim-1) dr with r = cutoff / s, by Gauss's rule of two points,
                    // which asks for nothing at s = 0: what is left of a power s^3.5 there is
                    // 1e-12.
                    constexpr int cells = 4000;
                    long double sum = 0;
                    for (int i = 0; i < cells; ++i)
                        for (const long double side : {-1.0L, 1.0L}) {
                            const long double s = (i + 0.5L + side / std::sqrt(12.0L)) / cells;
                            const long double r = row.cutoff / s;
                            sum += row.curve.u(r) * std::pow(r, dim - 1) * r / s / (2.0L * cells);
                        }
                    const auto expected = static_cast<double>(sum);
                    const double found =
                        P<double>::tail_integral(row.numbers.data(), row.cutoff, dim);
                    CAPTURE(k, dim);
                    CHECK(std::abs(found - expected) < 1e-9 * std::abs(expected));
                }
            });
        }
}

TEST_CASE("the force of every potential is -dU/dr") {
    const auto all = rows();
    const auto potentials = functors<long double>(Potentials{}, all);
    for (std::size_t k = 0; k < all.size(); ++k)
        for (double r = 0.7; r < all[k].cutoff; r += 0.0173) {
            CAPTURE(k, r);
            const auto& potential = potentials[k];
            const long double f = potential(static_cast<long double>(r) * r).f_over_r * r;
            const long double slope =
                derivative([&](long double x) { return potential(x * x).u; }, r);
            CHECK(std::abs(f + slope) < 1e-11L * (std::abs(f) + std::abs(slope) + 1));
        }
}

TEST_CASE("the force of every truncation is -dU/dr, and ends as it claims") {
    struct Case {
        Truncation truncation;
        int continuity; ///< derivatives of u that are continuous at the cut-off, 0: u alone
    };
    const auto c = GENERATE(values<Case>(
        {{Truncation::force_shift, 1}, {Truncation::smooth_c1, 1}, {Truncation::smooth_c2, 2}}));
    const double inner = 1.9, cutoff = 2.5;
    const auto row = truncated(c.truncation, inner, cutoff);
    const auto u = [&](long double r) -> long double {
        return row(static_cast<double>(r * r), Ending::split).u;
    };
    const auto f = [&](double r) { return row(r * r, Ending::split).f_over_r * r; };
    for (double r = 0.9; r < cutoff - 0.01; r += 0.0173) {
        if (std::abs(r - inner) < 0.01) continue;
        CAPTURE(r);
        // u is in double here: 1e-16 / h
        CHECK(std::abs(f(r) + static_cast<double>(derivative(u, r))) <
              1e-11 * (1.0 + std::abs(f(r))));
    }
    // Approached from both sides at distance h, a function with a jump in derivative k differs by
    // h^k; u ~ C^m leaves h^(m+1) times derivatives of order 1e2.
    const double h = 1e-4;
    const bool smooth = c.truncation != Truncation::force_shift;
    for (const double place : {inner, cutoff}) {
        if (place == inner && !smooth) continue;
        CAPTURE(place);
        const double before = f(place - h), after = place == cutoff ? 0.0 : f(place + h);
        const double at = f(place - 2 * h), beyond = place == cutoff ? 0.0 : f(place + 2 * h);
        const double slope_jump = ((beyond - after) - (before - at)) / h;
        CHECK(std::abs(before - after) < 4.0 * h); // |f'| < 2 here
        if (c.continuity == 2)
            CHECK(std::abs(slope_jump) < 0.05);
        else
            CHECK(std::abs(slope_jump) > 0.1); // a claim that is not made does not hold either
    }
}

TEST_CASE("no truncation leaves two particles at one place without a force") {
    const DistanceSplit split{1.2, 1.6};
    for (const Truncation truncation :
         {Truncation::force_shift, Truncation::smooth_c1, Truncation::smooth_c2}) {
        const auto whole = truncated(truncation, 1.9, 2.5);
        CHECK_FALSE(std::isfinite(whole(0.0, Ending::split).f_over_r));
        CHECK_FALSE(std::isfinite(whole(0.0, Ending::switched).f_over_r));
        const auto fast = truncated(truncation, 1.9, 2.5, PairPotential::Part::fast, split);
        CHECK_FALSE(std::isfinite(fast(0.0, Ending::split).f_over_r));
    }
}

TEST_CASE("the quintic cut-off of Leimkuhler and Reich matches three derivatives") {
    // seed-002 M11-23: sigma = epsilon = 1, R1 = 2, R2 = 2.5
    const auto row = truncated(Truncation::smooth_c2, 2.0, 2.5);
    const double u = row.tail.c[0], d1 = row.tail.c[1] * row.tail.inverse_length,
                 d2 = 2.0 * row.tail.c[2] * row.tail.inverse_length * row.tail.inverse_length;
    CHECK(std::abs(u - -0.0615234) < 1e-7);
    CHECK(std::abs(d1 - 0.1816406) < 1e-7);
    CHECK(std::abs(d2 - -0.6181641) < 1e-7);
    double sum = 0.0, slope = 0.0, bend = 0.0; // at x = 1
    for (int k = 0; k < 6; ++k) {
        sum += row.tail.c[k];
        slope += k * row.tail.c[k];
        bend += k * (k - 1) * row.tail.c[k];
    }
    CHECK(std::abs(sum) < 1e-14);
    CHECK(std::abs(slope) < 1e-14);
    CHECK(std::abs(bend) < 1e-14);
    double last = -1.0;
    for (double r = 2.0; r <= 2.5; r += 0.01) { // monotone between u(R1) and 0
        const double now = row(r * r, Ending::split).u;
        CHECK(now >= last);
        CHECK(now <= 1e-16); // rounding of coefficients of size 1 at the end
        last = now;
    }
}

TEST_CASE("the fast and the slow part of a split potential add up to the whole") {
    const auto truncation = GENERATE(Truncation::force_shift, Truncation::smooth_c2);
    const DistanceSplit split{1.3, 1.7};
    const auto whole = truncated(truncation, 1.9, 2.5);
    const auto fast = truncated(truncation, 1.9, 2.5, PairPotential::Part::fast, split);
    const auto slow = truncated(truncation, 1.9, 2.5, PairPotential::Part::slow, split);
    for (double r = 0.9; r < 2.5; r += 0.0123) {
        const auto w = whole(r * r, Ending::split), f = fast(r * r, Ending::split),
                   s = slow(r * r, Ending::split);
        CAPTURE(r);
        CHECK(std::abs(f.u + s.u - w.u) <= 1e-15 * (1.0 + std::abs(w.u)));
        CHECK(std::abs(f.f_over_r + s.f_over_r - w.f_over_r) <=
              1e-14 * (1.0 + std::abs(w.f_over_r)));
        if (r < split.inner) {
            CHECK(s.f_over_r == 0.0);
            CHECK(s.u == 0.0);
        }
        if (r > split.outer) {
            CHECK(f.f_over_r == 0.0);
            CHECK(f.u == 0.0);
        }
    }
    CHECK(fast.cutoff2 == split.outer * split.outer);
}
