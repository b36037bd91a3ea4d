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

/// A [[force]] that is to be read.
template <int Dim>
struct ForceInput {
    const Parameters& table;
    std::size_t type; ///< among the descriptors of the reader
    const ForceContext<Dim>& context;
    const std::vector<ForceDescription>& before; ///< of the tables that are read

    /// The key `level`, by default the last of `levels`.
    [[nodiscard]] ForceLevel level() const {
        return read_level(table, context.levels, context.levels.back());
    }
    /// An empty one where nothing is bonded.
    [[nodiscard]] const Topology& topology() const {
        static const Topology none;
        return context.topology ? *context.topology : none;
    }
};

template <int Dim>
struct ForceReader {
    std::vector<Descriptor> (*descriptors)();
    /// Throws InputError, located in the input, also for what the force cannot stand beside, and
    /// for a start that it does not fit.
    std::vector<ForceDescription> (*read)(const ForceInput<Dim>& in);
    bool is_last = false; ///< it looks at what all others have become
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

/// The key `level` of all of them, for `--describe`.
[[nodiscard]] const ParameterInfo& level_key();

/// `[[step_sum]]`: what steps may follow, as a pair force, of which nothing else is left.
template <int Dim>
[[nodiscard]] std::vector<PairForceDescription>
read_step_sums(const Parameters& root, const ForceContext<Dim>& context, InputErrors& errors);

} // namespace shadow
