// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/transport.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("a transport coefficient and its error have the same factor") {
    TransportAverage average({2, 0.1, LagLadder(8, 2, 32)});
    Correlated x(0.7, 1), y(0.7, 2);
    for (int t = 0; t < 4000; ++t) {
        const double flux[] = {x.next(), y.next()};
        average.add(flux, 1.5);
    }
    CHECK(average.temperature() == 1.5);
    const std::array<TransportAverage::Name, 3> names{{{"a", ""}, {"b", ""}, {"c", ""}}};
    const auto once = average.estimates(1.0, names), thrice = average.estimates(3.0, names);
    int known = 0;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t lag = 0; lag < once[k].value.size(); ++lag) {
            if (!std::isfinite(once[k].error[lag])) continue;
            known += once[k].error[lag] > 0.0;
            CHECK(thrice[k].value[lag] == 3.0 * once[k].value[lag]);
            CHECK(thrice[k].error[lag] == 3.0 * once[k].error[lag]);
        }
    CHECK(known > 20);
}
