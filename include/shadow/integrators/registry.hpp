// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/integrators/composition.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow {

/// A method as the input names it.
struct IntegratorEntry {
    Descriptor descriptor;            ///< its parameters are the keys of the input
    std::vector<std::string> aliases; ///< other names for it
    std::function<std::unique_ptr<Integrator>(const MethodSettings&)> make;
};

/// The entry of a method that is constructed from its settings and further arguments.
template <class Method, class... Further>
[[nodiscard]] IntegratorEntry entry_of(Descriptor descriptor, Further... further) {
    return {std::move(descriptor), {}, [further...](const MethodSettings& settings) {
                return std::make_unique<Method>(settings, further...);
            }};
}

/// All integrators. A splitting method is added by its row of splitting_methods().
[[nodiscard]] const std::vector<IntegratorEntry>& integrators();

/// The keys that all methods have.
[[nodiscard]] const Descriptor& integrator_table();

/// The entry of a name or an alias; null if there is none.
[[nodiscard]] const IntegratorEntry* find_integrator(std::string_view name);

/// What a method needs besides its table.
struct MethodContext {
    double boltzmann = 1.0; ///< energy per temperature in the units of the run
    int levels = 2;         ///< of forces
};

/// The integrator of a table `[integrator]` with `method` and the keys of the method's descriptor.
/// Throws InputError, located in the input, for an unknown method (naming the nearest) and for a
/// value out of range.
[[nodiscard]] std::unique_ptr<Integrator> make_integrator(const Parameters& params,
                                                          const MethodContext& context);

} // namespace shadow
