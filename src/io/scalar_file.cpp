// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/scalar_file.hpp"

#include "src/io/raw_system.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace shadow {
namespace {

/// The variables of checkpoints of format 1, which have no names; older ones have only the first of
/// them.
constexpr const char* of_format_1 =
    "one s pi drift_scale kinetic potential energy_0 failed work mollified unmollified "
    "level_energy_0 chain_kinetic chain_first chain_last chain_position chain_velocity strain "
    "volume virial normal uniform squares box_volume box_drift box_energy box_work box_tried "
    "box_accepted momentum_factor bath_heat box_least box_chain_position box_chain_velocity "
    "box_velocity box_strain box_friction kinetic_along virial_along elapsed step_factor "
    "step_weight step_density step_rate step_reference step_shortest step_longest "
    "motion_kinetic motion_power motion_speed motion_acceleration motion_largest box_momentum "
    "box_mass shear_work bath_size bath_position bath_momentum boost boosted_kick "
    "boost_reference kick_scale action species_kinetic species_held species_first species_last "
    "species_position species_velocity step_sum slope_power slope_square step_count";

/// The variables that older checkpoints of format 2 store as one group, "descent".
constexpr const char* of_descent =
    "descent_power descent_speed descent_force descent_largest descent_step descent_mixing "
    "descent_downhill descent_keep descent_turn";

bool is_kept(const ScalarGroup& group) {
    return group.begins != ScalarGroup::Begins::with_each_step;
}

[[noreturn]] void refuse_other_version(const hdf5::Group& group, const std::string& problem,
                                       const std::string& why) {
    refuse_file(group.place(), problem, why + ", so another version wrote the checkpoint",
                "continue with that version, or start from a frame of its results");
}

[[noreturn]] void refuse_damaged(const hdf5::Group& group) {
    refuse_file(group.place(), "the variables of the ensemble do not fit their names",
                "the checkpoint is damaged", "restore it, or start without it");
}

/// Reads the numbers of a checkpoint into their slots, name by name.
class ScalarReader {
  public:
    ScalarReader(const hdf5::Group& file, std::span<const ScalarGroup> groups)
        : file_(file), groups_(groups), numbers_(file.dataset("scalars").read<double>()),
          left_(numbers_), found_(groups.size()) {
        const ScalarGroup& last = groups.back();
        scalars_.resize(static_cast<std::size_t>(last.first + last.length));
    }
    /// Reads the next numbers as those of `name`: `length` of them, or as many as it has and
    /// remain.
    void take(std::string_view name, std::optional<int> length = {}) {
        const auto known = std::find_if(groups_.begin(), groups_.end(),
                                        [&](const ScalarGroup& one) { return one.name == name; });
        if (known == groups_.end())
            refuse_other_version(file_, fmt::format("unknown variables \"{}\"", name),
                                 "this version has none of that name");
        if (length.value_or(known->length) != known->length)
            refuse_other_version(file_, fmt::format("{} variables \"{}\"", *length, name),
                                 fmt::format("this version has {}", known->length));
        const auto all = static_cast<std::size_t>(known->length),
                   count = std::min(all, left_.size());
        if (length && count < all) refuse_damaged(file_);
        std::copy_n(left_.begin(), count, scalars_.begin() + known->first);
        left_ = left_.subspan(count);
        found_[static_cast<std::size_t>(known - groups_.begin())] = true;
    }
    [[nodiscard]] bool at_end() const { return left_.empty(); }
    /// A part that is absent as a whole is newer than the checkpoint, and starts at 0.
    void refuse_absent() const {
        std::set<int> parts;
        for (std::size_t k = 0; k < groups_.size(); ++k)
            if (found_[k]) parts.insert(groups_[k].part);
        for (std::size_t k = 0; k < groups_.size(); ++k)
            if (!found_[k] && is_kept(groups_[k]) && parts.contains(groups_[k].part))
                refuse_other_version(file_, fmt::format("no variables \"{}\"", groups_[k].name),
                                     "this version has them");
    }
    [[nodiscard]] std::vector<double> scalars() const { return scalars_; }

  private:
    const hdf5::Group& file_;
    std::span<const ScalarGroup> groups_;
    std::vector<double> numbers_, scalars_;
    std::span<const double> left_;
    std::vector<bool> found_;
};

} // namespace

void write_scalars(hdf5::Group& group, const std::vector<double>& scalars,
                   std::span<const ScalarGroup> groups) {
    std::vector<std::string> names;
    std::vector<std::int32_t> lengths;
    std::vector<double> numbers;
    for (const ScalarGroup& one : groups) {
        if (!is_kept(one)) continue;
        names.emplace_back(one.name);
        lengths.push_back(one.length);
        const auto first = scalars.begin() + one.first;
        numbers.insert(numbers.end(), first, first + one.length);
    }
    group.write("scalars", numbers);
    group.write_texts("scalar_names", names);
    group.write("scalar_lengths", lengths);
}

std::vector<double> read_scalars(const hdf5::Group& group, std::span<const ScalarGroup> groups) {
    ScalarReader reader(group, groups);
    if (!group.has_dataset("scalar_names")) {
        std::istringstream all(of_format_1);
        for (std::string name; all >> name;) reader.take(name);
    } else {
        const std::vector<std::string> names = group.texts("scalar_names");
        const auto lengths = group.dataset("scalar_lengths").read<std::int32_t>();
        if (lengths.size() != names.size()) refuse_damaged(group);
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (names[k] != "descent") {
                reader.take(names[k], lengths[k]);
                continue;
            }
            std::istringstream all(of_descent);
            for (std::string name; all >> name;) reader.take(name, 1);
        }
        reader.refuse_absent();
    }
    if (!reader.at_end()) refuse_damaged(group);
    return reader.scalars();
}

} // namespace shadow
