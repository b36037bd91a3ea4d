// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/summary.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shadow {

/// `[compute] tune`: fixed defaults; rules without timing; or trials at the start of a run.
enum class TuneMode { off, quick, full };

/// The facts used by rules: of the input and of the machine.
struct TuneFacts {
    int dimension = 3;
    std::int64_t particles = 0;
    double cutoff = 0.0;           ///< the longest finite one, length; 0: none
    double default_skin = 1.0;     ///< length
    double density = 0.0;          ///< around a particle at the start, 1 / length^dimension
    bool all_pairs = false;        ///< there is also an infinite cut-off
    double fastest_move = 0.0;     ///< of a particle in one step at the start, length; 0: at rest
    bool forces_need_lists = true; ///< false: a GPU sums them over all pairs
    bool pair_is_double = false;
    bool takes_threads = true; ///< `[compute] threads` applies
    int cores = 1;
};

/// A setting that changes the speed of a run on a machine, not its physics.
struct Tunable {
    const char* name; ///< its key in `[compute]`
    /// It affects the last bits too (through the order of sums), so a resumed run keeps it on any
    /// machine. Other settings are kept if the number of cores is the same.
    bool decides_bits;
    bool (*applies)(const TuneFacts&);
    double (*plain)(const TuneFacts&); ///< for `off`
    double (*rule)(const TuneFacts&);  ///< for `quick`, and the start of `full`
    /// The candidates of `full`; `rule` is one of them.
    std::vector<double> (*candidates)(const TuneFacts&, double rule);
};

/// All settings. A new one needs a row here, and a line in Run::particles that uses it.
[[nodiscard]] const std::vector<Tunable>& tunables();
[[nodiscard]] const Tunable& find_tunable(const std::string& name);

/// A value for every setting that applies, without timing: that `given` by the input, the default
/// or that of the rule. The same arguments give the same bits.
[[nodiscard]] std::vector<TunedSetting> settings(TuneMode mode, const TuneFacts& facts,
                                                 const std::map<std::string, double>& given);
/// The value of a setting, or `otherwise` if it does not apply.
[[nodiscard]] double value_of(const std::vector<TunedSetting>& all, const std::string& name,
                              double otherwise);

/// Timed repeats of a candidate in a trial.
inline constexpr int trial_rounds = 5;
/// Steps before the first repeat, so that a lattice melts.
inline constexpr std::int64_t trial_warm_up = 200;
/// Steps of one repeat, such that a trial of this many candidates takes at most 5% of a run; 0 if
/// the run is too short for a useful trial.
[[nodiscard]] std::int64_t trial_steps(std::int64_t run_steps, std::size_t candidates);

/// The index of the candidate with the shortest time. `preferred` wins unless another is faster by
/// more than 2%, and if nothing was timed; times that are not finite are ignored.
[[nodiscard]] std::size_t choose(const std::vector<std::vector<double>>& times,
                                 std::size_t preferred);
/// The shortest finite time; NaN if there is none. All repeats do bitwise the same work, so any
/// extra time is caused by other load on the machine.
[[nodiscard]] double least(const std::vector<double>& times);

} // namespace shadow
