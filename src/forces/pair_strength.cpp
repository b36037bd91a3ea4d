// SPDX-License-Identifier: BSD-3-Clause
#include "pair_strength.hpp"

namespace shadow {

double read_strength(const Parameters& table, PairStrength strength, double coulomb) {
    switch (strength) {
    case PairStrength::masses:
        return -table.positive("g");
    case PairStrength::planar:
        return table.positive("strength", 1.0);
    case PairStrength::given:
    case PairStrength::charges:
        break;
    }
    return coulomb / table.positive("dielectric", 1.0);
}

const ParameterInfo& strength_key(PairStrength strength) {
    using enum KeyType;
    static const ParameterInfo dielectric{"dielectric", number, "", "1.0",
                                          "relative permittivity: divides k"},
        gravitational_constant{
            "g", number, "energy*length/mass^2", "", "the gravitational constant", "1.0"},
        planar{"strength", number, "energy", "1.0", "of two unit charges"};
    switch (strength) {
    case PairStrength::masses:
        return gravitational_constant;
    case PairStrength::planar:
        return planar;
    case PairStrength::given:
    case PairStrength::charges:
        break;
    }
    return dielectric;
}

} // namespace shadow
