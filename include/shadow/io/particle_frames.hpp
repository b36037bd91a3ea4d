// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/hdf5.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// One number or vector per particle in addition to the fields of a snapshot, such as `psi_6`.
struct ParticleSeries {
    std::string name;
    std::string unit;
    std::uint64_t width = 1;
    bool vector = false; ///< has a last dimension even if its width is 1
};

/// The particle fields of a trajectory. Species, ids and masses are always written, once.
struct TrajectoryFields {
    bool position = true, velocity = true, image = true;
    std::vector<ParticleSeries> extra;
};

/// A group of an H5MD file with frames of all particles.
class ParticleFrames {
  public:
    explicit ParticleFrames(std::string group) : group_(std::move(group)) {}

    /// Creates the group for this system, or continues it; `units`: of the run. Throws InputError
    /// if existing frames have other fields or particles.
    template <int Dim>
    void describe(hdf5::File& file, const std::string& units, const Box<Dim>& box,
                  const Snapshot<Dim>& system, const TrajectoryFields& fields);
    [[nodiscard]] bool is_described() const noexcept { return !elements_.empty(); }
    /// Adds a frame. Positions are wrapped into the box, images updated accordingly; velocities are
    /// physical. `extra` has one array for each extra field, in id order. A frame of a step that
    /// already exists is ignored.
    template <int Dim>
    void append(const Box<Dim>& box, const Snapshot<Dim>& frame,
                std::span<const std::vector<double>> extra = {});
    /// Truncates the frames at the first one whose step is not among these.
    void keep(std::span<const std::int64_t> steps);
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    void close();

  private:
    void add_element(hdf5::File& file, const std::string& name, const hdf5::Shape& row,
                     hdf5::Type type, const std::string& quantity);
    void refuse_missing_fields(hdf5::Group& all) const;
    template <int Dim>
    void write_constants(hdf5::File& file, hdf5::Group& all, const Box<Dim>& box,
                         const Snapshot<Dim>& system) const;
    void find_last_frame();
    void set_quantity(hdf5::Dataset& dataset, const std::string& quantity) const;

    std::string group_, units_;
    TrajectoryFields fields_;
    std::uint64_t particles_ = 0, frames_ = 0;
    std::optional<std::int64_t> last_frame_;
    hdf5::Dataset step_, time_;
    std::string first_element_;                     ///< its step and time are linked by the others
    std::map<std::string, hdf5::Dataset> elements_; ///< `value`, by name of the field
};

} // namespace shadow
