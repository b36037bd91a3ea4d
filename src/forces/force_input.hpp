// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "read_force.hpp"

#include "shadow/core/descriptor.hpp"
#include "shadow/core/input_errors.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/registry.hpp"

#include <cstddef>
#include <vector>

/// How tables of forces are read: one `ForceReader` for types that are read alike.
namespace shadow {

/// A [[force]] to be read.
template <int Dim>
struct ForceInput {
    const Parameters& table;
    std::size_t type; ///< among the descriptors of the reader
    const ForceContext<Dim>& context;
    const std::vector<ForceDescription>& before; ///< of the tables read before

    /// The key `level`, by default the last of `levels`.
    [[nodiscard]] ForceLevel level() const {
        return read_level(table, context.levels, context.levels.back());
    }
    /// Empty if nothing is bonded.
    [[nodiscard]] const Topology& topology() const {
        static const Topology none;
        return context.topology ? *context.topology : none;
    }
};

template <int Dim>
struct ForceReader {
    std::vector<Descriptor> (*descriptors)();
    /// Throws InputError, located in the input, also for other forces with which it cannot be
    /// combined, and for a start that it does not allow.
    std::vector<ForceDescription> (*read)(const ForceInput<Dim>& in);
    bool is_last = false; ///< it needs the descriptions of all others
};

[[nodiscard]] std::vector<Descriptor> potential_descriptors();
[[nodiscard]] std::vector<Descriptor> curve_descriptors();
[[nodiscard]] std::vector<Descriptor> field_descriptors();
[[nodiscard]] std::vector<Descriptor> bonded_descriptors();
[[nodiscard]] std::vector<Descriptor> data_coefficients_descriptors();
[[nodiscard]] std::vector<Descriptor> long_range_descriptors();

template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_potential(const ForceInput<Dim>& in);
template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_curve(const ForceInput<Dim>& in);
template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_field(const ForceInput<Dim>& in);
template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_bonded(const ForceInput<Dim>& in);
template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_data_coefficients(const ForceInput<Dim>& in);
template <int Dim>
[[nodiscard]] std::vector<ForceDescription> read_long_range(const ForceInput<Dim>& in);

/// The type of forces from the file of the start.
inline constexpr const char* data_coefficients = "data-coefficients";

/// The key `level` of all forces, for `--describe`.
[[nodiscard]] const ParameterInfo& level_key();

/// `[[step_sum]]`: sums that steps may follow, as a pair force without anything else.
template <int Dim>
[[nodiscard]] std::vector<PairForceDescription>
read_step_sums(const Parameters& root, const ForceContext<Dim>& context, InputErrors& errors);

} // namespace shadow
