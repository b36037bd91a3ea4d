// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/kepler_flow.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace shadow::models {
namespace {

/// x with f(x) = 0, by Newton's method until only rounding changes x; f returns value and slope.
template <class Function>
double zero_of(double x, const Function& f) {
    for (int round = 0; round < 50; ++round) {
        const auto [value, slope] = f(x);
        const double change = value / slope;
        x -= change;
        if (std::abs(change) <= 1e-15 * (1.0 + std::abs(x))) break;
    }
    return x;
}

struct ValueAndSlope {
    double value, slope;
};

} // namespace

double eccentric_anomaly(double mean_anomaly, double eccentricity) {
    return zero_of(mean_anomaly + eccentricity * std::sin(mean_anomaly), [&](double e) {
        return ValueAndSlope{e - eccentricity * std::sin(e) - mean_anomaly,
                             1.0 - eccentricity * std::cos(e)};
    });
}

PlaceAndVelocity on_orbit(const Elements& o, double mu) {
    constexpr double degree = std::numbers::pi / 180.0;
    const double e = o.eccentricity,
                 anomaly = eccentric_anomaly((o.longitude - o.of_perihelion) * degree, e),
                 c = std::cos(anomaly), s = std::sin(anomaly), flat = std::sqrt(1.0 - e * e),
                 speed = std::sqrt(mu / o.semi_axis) / (1.0 - e * c);
    Three x = {o.semi_axis * (c - e), o.semi_axis * flat * s, 0.0},
          v = {-speed * s, speed * flat * c, 0.0};
    for (const Nine& turn : {rotation_of({0.0, 0.0, (o.of_perihelion - o.of_node) * degree}),
                             rotation_of({o.inclination * degree, 0.0, 0.0}),
                             rotation_of({0.0, 0.0, o.of_node * degree})}) {
        x = times(turn, x);
        v = times(turn, v);
    }
    return {x, v};
}

void move_on_ellipse(Three& x, Three& v, double mu, double t) {
    const double r = std::sqrt(dot(x, x)), inverse = 2.0 / r - dot(v, v) / mu;
    if (!(inverse > 0.0)) throw std::runtime_error("the orbit of a planet is no ellipse");
    const double a = 1.0 / inverse, rate = std::sqrt(mu * inverse * inverse * inverse),
                 along = dot(x, v) / std::sqrt(mu * a), less = 1.0 - r / a;
    // The change of the eccentric anomaly.
    const double angle = zero_of(rate * t, [&](double e) {
        const double c = std::cos(e), s = std::sin(e);
        return ValueAndSlope{e - less * s + along * (1.0 - c) - rate * t,
                             1.0 - less * c + along * s};
    });
    const double s = std::sin(angle), half = std::sin(0.5 * angle), lack = 2.0 * half * half;
    const double there = a * (1.0 - less * (1.0 - lack) + along * s);
    const double f = 1.0 - a / r * lack, g = t - (angle - s) / rate,
                 f_rate = -std::sqrt(mu * a) * s / (r * there), g_rate = 1.0 - a / there * lack;
    const Three old = x;
    x = plus(scaled(f, old), g, v);
    v = plus(scaled(f_rate, old), g_rate, v);
}

} // namespace shadow::models
