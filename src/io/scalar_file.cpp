// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/scalar_file.hpp"

#include "src/io/raw_system.hpp"

#include <algorithm>

namespace shadow {
namespace {

/// How many a checkpoint has that holds them by position.
constexpr std::size_t slots_before_names = 287;
static_assert(static_cast<std::size_t>(Scalar::step_count) + 1 == slots_before_names,
              "slots have moved: checkpoints from before groups had names need a table of theirs");

[[noreturn]] void refuse_other_version(const hdf5::Group& group, const std::string& problem,
                                       const std::string& why) {
    refuse_file(group.place(), problem, why + ", so another version wrote the checkpoint",
                "go on with that version, or start from a frame of its results");
}

[[noreturn]] void refuse_damaged(const hdf5::Group& group) {
    refuse_file(group.place(), "the variables of the ensemble do not fit their names",
                "the checkpoint is damaged", "restore it, or start without it");
}

} // namespace

void write_scalars(hdf5::Group& group, const std::vector<double>& scalars,
                   std::span<const ScalarGroup> groups) {
    std::vector<std::string> names;
    std::vector<std::int32_t> lengths;
    for (const ScalarGroup& one : groups) {
        names.emplace_back(one.name);
        lengths.push_back(one.length);
    }
    group.write("scalars", scalars);
    group.write_texts("scalar_names", names);
    group.write("scalar_lengths", lengths);
}

std::vector<double> read_scalars(const hdf5::Group& group, std::span<const ScalarGroup> groups) {
    const auto numbers = group.dataset("scalars").read<double>();
    if (!group.has_dataset("scalar_names")) {
        if (numbers.size() > slots_before_names) refuse_damaged(group);
        return numbers;
    }
    const std::vector<std::string> names = group.texts("scalar_names");
    const auto lengths = group.dataset("scalar_lengths").read<std::int32_t>();
    if (lengths.size() != names.size()) refuse_damaged(group);
    std::size_t slots = 0;
    std::vector<bool> found(groups.size());
    for (const ScalarGroup& one : groups) slots += static_cast<std::size_t>(one.length);
    std::vector<double> scalars(slots);
    std::size_t next = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto known = std::find_if(groups.begin(), groups.end(), [&](const ScalarGroup& one) {
            return one.name == names[k];
        });
        if (known == groups.end())
            refuse_other_version(group, fmt::format("unknown variables \"{}\"", names[k]),
                                 "this version has none of that name");
        if (lengths[k] != known->length)
            refuse_other_version(group, fmt::format("{} variables \"{}\"", lengths[k], names[k]),
                                 fmt::format("this version has {}", known->length));
        const auto length = static_cast<std::size_t>(known->length);
        if (numbers.size() - next < length) refuse_damaged(group);
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(next), length,
                    scalars.begin() + static_cast<std::ptrdiff_t>(known->first));
        next += length;
        found[static_cast<std::size_t>(known - groups.begin())] = true;
    }
    if (next != numbers.size()) refuse_damaged(group);
    for (std::size_t k = 0; k < groups.size(); ++k)
        if (!found[k] && !groups[k].may_be_absent)
            refuse_other_version(group, fmt::format("no variables \"{}\"", groups[k].name),
                                 "this version has them");
    return scalars;
}

} // namespace shadow
