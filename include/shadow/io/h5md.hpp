// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/particle_frames.hpp"
#include "shadow/system/topology.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shadow {

/// The information about the run in a result file: the groups `h5md` and `parameters`.
struct RunInformation {
    std::string input; ///< the resolved input as text
    std::string title, author;
    std::string version, commit, device, precision;
    std::string units = "lj"; ///< `system.units`
    std::string tune;         ///< settings chosen by tuning, as in the summary
    std::uint64_t seed = 0;
    std::string past;  ///< what determines the past of the run, as in checkpoints
    std::string start; ///< digest of the initial state
};

/// A quantity measured over time: `observables/NAME`.
struct Series {
    std::string name;
    std::string unit;                 ///< a word such as "energy" or "energy/length^2", or ""
    std::vector<std::uint64_t> shape; ///< of one value; empty: a number
};

/// A result with axes that is averaged over a stage: `averages/NAME`, one row per stage. It is not
/// under `observables`, where readers of trajectories expect a row for each frame.
struct ArraySeries {
    struct Axis {
        std::string name, unit;
        std::span<const double> values;
    };
    std::string name;
    std::string unit;
    std::vector<Axis> axes;
    std::span<const double> value, error;
    std::int64_t samples = 0;
    std::int64_t equilibration_steps = 0; ///< at the start of the stage, excluded from the average
};

/// The ensemble that a stage samples.
struct StageFacts {
    std::string name, method;
    std::string ensemble;            ///< "NVE, ...", "NVT, ..."; empty: a minimisation
    double bath_temperature = 0.0;   ///< 0: no bath
    double degrees_of_freedom = 0.0; ///< used for the temperature
};

/// The results of a run: one H5MD 1.1 file (de Buyl, Colberg and Höfling, Comput. Phys. Commun. 185
/// (2014) 1546), PREFIX.h5. It is complete and readable at every moment, also after a kill: rows go
/// to a working file PREFIX.h5.part, and `publish` replaces PREFIX.h5 by a copy of it. Rows are in
/// id order. Units are attributes: `unit`, in the words of `system.units`.
///
/// h5py reads the whole file; MDAnalysis reads systems in three dimensions, and only if each series
/// has at least as many rows as there are frames, because it looks up both by the number of the
/// frame; tools/mdexport makes a view in which rows and frames match.
///
/// Every function that writes throws MachineError if the disk fails; published results remain.
class ResultFile {
  public:
    /// Starts new results. Throws InputError if the folder is not writable, another run writes
    /// there, or results or a checkpoint exist and `overwrite` is false. Old results stay until the
    /// first `publish`, which also removes their checkpoint.
    static ResultFile create(const std::filesystem::path& prefix, const RunInformation& run,
                             bool overwrite = false);
    /// Continues published results, truncated after `last_step`. Throws InputError if there are
    /// none or they are damaged.
    static ResultFile resume(const std::filesystem::path& prefix, const RunInformation& run,
                             std::int64_t last_step);
    ResultFile(ResultFile&&) = default;
    ResultFile& operator=(ResultFile&&) = delete;
    /// Removes the working file; published results remain.
    ~ResultFile();

    /// Replaces the information about the run.
    void write_information(const RunInformation& run);
    /// The first steps of all stages so far, and the last steps of the finished ones:
    /// `parameters/stage/first_step` and `last_step`. Replaces earlier values.
    void set_stages(std::span<const std::int64_t> first, std::span<const std::int64_t> last);
    /// The step of the next checkpoint: `parameters/checkpoint_step`.
    void note_checkpoint(std::int64_t step);
    /// Why the run failed: `parameters/failed`, until `write_information` is called by a run that
    /// continues.
    void note_failure(const std::string& why);
    /// The ensembles of the stages so far: `parameters/stage/name`, `method`, `ensemble`,
    /// `bath_temperature`, `degrees_of_freedom`.
    void describe_stages(std::span<const StageFacts> stages);
    /// Creates the series, or continues it if it exists (a later stage, a resumed run); throws
    /// InputError if it exists with another shape. Returns the index of the series.
    int add_series(const Series& series);
    /// Adds a row. Steps of a series must increase; a second row for the same step (the end of a
    /// stage and the start of the next) is ignored. Rows are buffered until `publish`, up to a
    /// limit.
    void append(int series, std::int64_t step, double time, std::span<const double> value);
    void append(int series, std::int64_t step, double time, double value) {
        append(series, step, time, {&value, 1});
    }

    /// The row of an array that is averaged over a stage, with its error and the number of samples:
    /// replaces the last row if that is of the same stage, otherwise adds one. `value` and `error`
    /// have the shape of the axes (none: a number). If earlier stages have written the array with
    /// other axes, the stage gets its own group NAME_stage_NUMBER.
    void set_array(const ArraySeries& array, std::int64_t stage, std::int64_t step, double time);

    /// The topology: `parameters/topology`, absent if nothing is bonded. Written once.
    void describe_topology(const Topology& topology);
    /// Creates `particles/all` for this system, or continues it. Call it before `append_frame`; a
    /// later call may change the fields only if no frame has been written.
    template <int Dim>
    void describe_particles(const Box<Dim>& box, const Snapshot<Dim>& system,
                            const TrajectoryFields& fields);
    /// Adds a frame. Positions are wrapped into the box, images updated accordingly; velocities are
    /// physical. `extra` has one array for each extra field, in id order, of size() * width
    /// numbers.
    template <int Dim>
    void append_frame(const Box<Dim>& box, const Snapshot<Dim>& frame,
                      std::span<const std::vector<double>> extra = {});

    /// The last configuration: `particles/final` has one for each finished stage, and one for the
    /// current stage, which is replaced each time. Arguments as in `append_frame`; it has position,
    /// velocity and image.
    template <int Dim>
    void set_final(const Box<Dim>& box, const Snapshot<Dim>& frame);

    /// Publishes everything so far as PREFIX.h5, synchronised with the disk. Costs a copy of the
    /// file (free on file systems that share blocks). Call it before the checkpoint of the same
    /// step is written.
    void publish();
    /// The same without a copy, at the end: no rows can be added afterwards.
    void finish();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Rows of a series, including buffered ones.
    [[nodiscard]] std::uint64_t rows(int series) const;
    [[nodiscard]] std::uint64_t frames() const noexcept { return trajectory_.frames(); }

  private:
    struct Open {
        Series series;
        hdf5::Dataset step, time, value;
        std::uint64_t written = 0;
        std::optional<std::int64_t> last_step;
        std::vector<std::int64_t> steps;
        std::vector<double> times, values;
    };

    /// A flag that moves with its owner.
    struct Owned {
        bool value = false;
        Owned() = default;
        Owned(Owned&& other) noexcept : value(std::exchange(other.value, false)) {}
    };

    class Writing {
      public:
        explicit Writing(ResultFile& results);
        ~Writing();

      private:
        ResultFile& results_;
        int exceptions_;
    };

    explicit ResultFile(const std::filesystem::path& prefix);
    void flush_rows();
    void put_in_place(const std::filesystem::path& temporary);

    std::filesystem::path path_, part_, checkpoint_;
    Owned owns_part_;
    bool changed_ = true;
    bool broken_ = false;
    bool remove_checkpoint_ = false;
    std::string units_;
    hdf5::File file_;
    std::vector<Open> series_;
    std::size_t buffered_ = 0; ///< numbers in memory
    ParticleFrames trajectory_{"particles/all"}, final_{"particles/final"};
    std::vector<std::int64_t> ended_; ///< last steps of the finished stages
};

/// The run that published results belong to. Results of older versions lack some of this.
struct ResultOrigin {
    std::string input, past, start, precision; ///< as in RunInformation; "": absent
    std::optional<std::int64_t> checkpoint_step;
    std::vector<std::int64_t> ended; ///< last steps of the finished stages
    bool unfinished = false;         ///< there is also a working file
};

/// Throws InputError if the results are damaged; empty if there are none.
[[nodiscard]] std::optional<ResultOrigin> origin_of_results(const std::filesystem::path& prefix);

/// PREFIX.h5, PREFIX.checkpoint.h5 and PREFIX.log.
[[nodiscard]] std::filesystem::path result_path(const std::filesystem::path& prefix);
[[nodiscard]] std::filesystem::path log_path(const std::filesystem::path& prefix);
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& prefix);

} // namespace shadow
