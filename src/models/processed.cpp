// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/processed.hpp"

#include <array>
#include <fmt/format.h>
#include <string>

namespace shadow::models {

Processed blanes_processed_6() {
    constexpr std::array<double, 5> c = {-0.224512214195200, -0.461165940466494, -0.074332422810238,
                                         0.384998538774070, 0.375012038697862};
    std::string before, after;
    for (const double sign : {1.0, -1.0})
        for (std::size_t k = 0; k < c.size(); ++k) {
            before += fmt::format("V{:.15f} ", sign * c[k]);
            after += fmt::format("V{:.15f} ", sign * c[c.size() - 1 - k]);
        }
    return {parse_word(before),
            parse_word("V0.513910778424374 V0.364193022833858 V-0.867423280969274 V* |"),
            parse_word(after)};
}

} // namespace shadow::models
