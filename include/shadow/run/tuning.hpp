// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/summary.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shadow {

/// `[compute] tune`: plain defaults; rules, which time nothing; or trials at the start of a run.
enum class TuneMode { off, quick, full };

/// What rules depend on: the input and the machine.
struct TuneFacts {
    int dimension = 3;
    std::int64_t particles = 0;
    double cutoff = 0.0;           ///< the longest finite one, length; 0: there is none
    double default_skin = 1.0;     ///< length
    double density = 0.0;          ///< about a particle at the start, 1 / length^dimension
    bool all_pairs = false;        ///< an infinite cut-off, too
    double fastest_move = 0.0;     ///< of a particle in one step at the start, length; 0: at rest
    bool forces_need_lists = true; ///< false: a GPU sums them over all pairs
    bool pair_is_double = false;
    bool takes_threads = true; ///< of `[compute] threads`
    int cores = 1;
};

/// A setting that changes the speed of a run on a machine, not its physics.
struct Tunable {
    const char* name; ///< its key in `[compute]`
    /// It decides bits too (by the order of sums), so a resumed run keeps it on any machine. Others
    /// are kept where the number of cores is the same.
    bool decides_bits;
    bool (*applies)(const TuneFacts&);
    double (*plain)(const TuneFacts&); ///< for `off`
    double (*rule)(const TuneFacts&);  ///< for `quick`, and where `full` starts from
    /// What `full` tries; `rule` is one of them.
    std::vector<double> (*candidates)(const TuneFacts&, double rule);
};

/// All there are. One more is a row here, and a line in Simulation::make_particles that uses it.
[[nodiscard]] const std::vector<Tunable>& tunables();
[[nodiscard]] const Tunable& find_tunable(const std::string& name);

/// A value for everything that applies, without timing anything: `given` by the input, plain or by
/// rule. The same arguments give the same bits.
[[nodiscard]] std::vector<TunedSetting> settings(TuneMode mode, const TuneFacts& facts,
                                                 const std::map<std::string, double>& given);
/// The value of a setting, or `otherwise` where it does not apply.
[[nodiscard]] double value_of(const std::vector<TunedSetting>& all, const std::string& name,
                              double otherwise);

/// Timed repeats of a candidate in a trial.
inline constexpr int trial_rounds = 5;
/// Steps before the first of them, so that a lattice melts.
inline constexpr std::int64_t trial_warm_up = 200;
/// Steps of one repeat, such that the trial of so many candidates takes at most 5% of a run; 0 if
/// the run is too short for any to tell.
[[nodiscard]] std::int64_t trial_steps(std::int64_t run_steps, std::size_t candidates);

/// The candidate with the shortest time. `preferred` wins unless another is faster by more than 2%,
/// and where nothing was timed; times that are not finite do not count.
[[nodiscard]] std::size_t choose(const std::vector<std::vector<double>>& times,
                                 std::size_t preferred);
/// The shortest of the finite ones; NaN if there is none. Each repeat does the same work to the
/// last bit, so what it takes longer is what the machine did beside.
[[nodiscard]] double least(const std::vector<double>& times);

} // namespace shadow
