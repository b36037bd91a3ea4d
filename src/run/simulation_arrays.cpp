// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>

/// Where in a stage the averaged arrays begin.
namespace shadow {

/// With `equilibration = "auto"` they begin anew once the slow quantities are found to be in
/// equilibrium for the later half of what there is. It looks rarely, as it waits for the device.
template <int Dim>
void Simulation<Dim>::settle_arrays(StageType& stage) {
    if (stage.settled || stage.plan.equilibration || !stage.recorder->has_arrays() ||
        !is_look(stage.steps_done, stage.recorder->interval("temperature")))
        return;
    stage.recorder->flush();
    std::int64_t start = 0;
    for (const std::string& name : stage.slow_quantities())
        start = std::max(start, equilibration(stage.recorder->statistics(name)->values) *
                                    stage.recorder->interval(name));
    if (2 * start > stage.steps_done) return;
    stage.settled = true;
    if (start > 0) stage.recorder->restart_arrays(system_->step());
}

/// Arrays go on from where they began; where they have not yet, the input may say otherwise now.
template <int Dim>
void Simulation<Dim>::restore_arrays(StageType& stage, const std::vector<std::int64_t>& begun) {
    stage.recorder->set_array_start(begun.at(0));
    stage.settled = begun.at(1) != 0;
    if (!stage.plan.equilibration || !stage.recorder->has_arrays()) return;
    const std::int64_t asked = stage.first_step + *stage.plan.equilibration;
    if (asked == begun.at(0)) return;
    if (asked > system_->step())
        stage.recorder->restart_arrays(asked - 1);
    else
        log::warning(fmt::format("arrays were averaged from step {} on, not {} (what was left out, "
                                 "or was not, cannot be changed later); start anew if it matters",
                                 begun.at(0), asked));
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
