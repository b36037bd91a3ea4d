// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/three.hpp"

namespace shadow::models {

/// E with E - e sin E = M.
[[nodiscard]] double eccentric_anomaly(double mean_anomaly, double eccentricity);

/// x, v <- position and velocity after a time of a body on an ellipse around a mass, with v' = -mu
/// x / |x|^3, by Gauss's f and g. Throws std::runtime_error for an orbit that is no ellipse.
void move_on_ellipse(Three& x, Three& v, double mu, double t);

/// Elements of an orbit: lengths in astronomical units, angles in degrees.
struct Elements {
    double semi_axis, eccentricity, inclination, longitude, of_perihelion, of_node;
};

struct PlaceAndVelocity {
    Three x, v;
};

/// The position and velocity of a body with these elements.
[[nodiscard]] PlaceAndVelocity on_orbit(const Elements& o, double mu);

} // namespace shadow::models
