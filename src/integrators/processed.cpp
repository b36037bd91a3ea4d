// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/processed.hpp"

#include <array>
#include <fmt/format.h>
#include <string>

namespace shadow {

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

void ProcessedComposition::prepare(System& system) {
    system.mollify({});
    apply_word(system, method_.before, dt_);
}

void ProcessedComposition::step(System& system) {
    apply_word(system, method_.kernel, dt_);
    system.end_step(dt_);
}

IntegratorEntry processed_entry(const ParameterInfo& dt) {
    const Claims claims = {6,
                           true,
                           true,
                           false,
                           true,
                           "Blanes 2001, Appl. Numer. Math. 37, 289; Leimkuhler and Reich 2004, "
                           "table 6.3"};
    return {{"blanes-processed-6",
             "Order 6 by seven Verlet steps by a processor: ten steps more at the start and at "
             "each output, from which the motion does not continue",
             "V0.513910778424374 V0.364193022833858 V-0.867423280969274 V* | between the processor "
             "V-0.2245121942152 V-0.461165940466494 V-0.074332422810238 V0.38499853877407 "
             "V0.375012038697862, the same with other signs, and its inverse (V (B½ A1 B½), * the "
             "remainder to 1, | then the same in reverse order)",
             claims.citation,
             {dt}},
            {},
            [claims](const MethodSettings& settings) {
                return std::make_unique<ProcessedComposition>(blanes_processed_6(), claims,
                                                              settings.dt);
            }};
}

} // namespace shadow
