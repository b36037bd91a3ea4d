// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace shadow {

/// How a mollified kick averages the motion under fast forces: over times from -`dt` `steps` to
/// `dt` `steps`, symmetric about the present.
struct Mollifier {
    double dt = 0.0;            ///< step of the averaged motion
    std::vector<double> weight; ///< of q(k dt) and q(-k dt) together, k = 0 ... steps; sum 1
    /// Instead of an average over times, the positions at which the fast forces are at rest.
    bool at_rest = false;

    [[nodiscard]] bool operator==(const Mollifier&) const = default;
};

/// The named averages, over the time T between two kicks (García-Archilla, Sanz-Serna and Skeel
/// 1998, SIAM J. Sci. Comput. 20, 930), and the factor by which each reduces a vibration of
/// frequency w:
///     short-average   constant from -T/2 to T/2      sin(w T/2) / (w T/2)
///     long-average    constant from -T to T          sin(w T) / (w T)
///     linear-average  falls off linearly to 0 at T   the square of the first
///     cosine-average  1 + cos(pi t/T) from -T to T   the second over 1 - (w T/pi)^2
///     equilibrium     bonds and angles at rest       nothing
/// The cosine is Hann's window (Harris 1978, Proc. IEEE 66, 51); the last is of Izaguirre, Reich
/// and Skeel 1999 (J. Chem. Phys. 110, 9853).
[[nodiscard]] const std::vector<std::string>& mollifier_names();
inline constexpr const char* equilibrium_mollifier = "equilibrium";

/// `steps` steps of `dt` span T. Weights are integrals over the linear interpolant of the motion.
[[nodiscard]] Mollifier make_mollifier(const std::string& name, double dt, int steps);

} // namespace shadow
