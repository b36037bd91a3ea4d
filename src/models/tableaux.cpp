// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/runge_kutta.hpp"

#include <cmath>
#include <stdexcept>

namespace shadow::models {

bool Tableau::is_explicit() const {
    for (const auto* rows : {&a, &of_momenta})
        for (std::size_t i = 0; i < rows->size(); ++i)
            for (std::size_t j = i; j < (*rows)[i].size(); ++j)
                if ((*rows)[i][j] != 0.0) return false;
    return true;
}

Tableau explicit_euler() {
    return {"Euler", {{0.0}}, {1.0}};
}

Tableau implicit_euler() {
    return {"implicit Euler", {{1.0}}, {1.0}};
}

Tableau heun() {
    return {"Heun", {{0.0, 0.0}, {1.0, 0.0}}, {0.5, 0.5}};
}

Tableau explicit_midpoint() {
    return {"explicit midpoint", {{0.0, 0.0}, {0.5, 0.0}}, {0.0, 1.0}};
}

Tableau runge_kutta_4() {
    return {
        "Runge-Kutta",
        {{0.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}},
        {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
}

Tableau trapezoidal_rule() {
    return {"trapezoidal", {{0.0, 0.0}, {0.5, 0.5}}, {0.5, 0.5}};
}

Tableau extrapolated_euler() {
    return {"extrapolated Euler",
            {{1.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.5, 0.5}},
            {-1.0, 1.0, 1.0}};
}

Tableau gauss(int stages) {
    if (stages == 1) return {"implicit midpoint", {{0.5}}, {1.0}};
    if (stages == 2) {
        const double r = std::sqrt(3.0) / 6.0;
        return {"Gauss, two stages", {{0.25, 0.25 - r}, {0.25 + r, 0.25}}, {0.5, 0.5}};
    }
    if (stages != 3) throw std::logic_error("Gauss methods have one to three stages here");
    const double r = std::sqrt(15.0);
    return {"Gauss, three stages",
            {{5.0 / 36.0, 2.0 / 9.0 - r / 15.0, 5.0 / 36.0 - r / 30.0},
             {5.0 / 36.0 + r / 24.0, 2.0 / 9.0, 5.0 / 36.0 - r / 24.0},
             {5.0 / 36.0 + r / 30.0, 2.0 / 9.0 + r / 15.0, 5.0 / 36.0}},
            {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0}};
}

Tableau lobatto_pair() {
    return {
        "Lobatto IIIA-IIIB",
        {{0.0, 0.0, 0.0}, {5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0}, {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}},
        {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0},
        {{1.0 / 6.0, -1.0 / 6.0, 0.0}, {1.0 / 6.0, 1.0 / 3.0, 0.0}, {1.0 / 6.0, 5.0 / 6.0, 0.0}}};
}

} // namespace shadow::models
