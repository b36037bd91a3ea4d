// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// A GPU of this machine; its number is its position among all.
struct Gpu {
    std::string name;
    std::string unusable; ///< why it cannot be used; empty: it can
};

/// The GPUs of a machine.
struct Gpus {
    std::vector<Gpu> all;
    std::string problem; ///< why there is none although there is a driver; empty: no problem

    /// The number of the first GPU that can be used.
    [[nodiscard]] std::optional<int> first() const {
        for (std::size_t k = 0; k < all.size(); ++k)
            if (all[k].unusable.empty()) return static_cast<int>(k);
        return std::nullopt;
    }
    /// `problem`, or, where no GPU can be used, why the first cannot; empty: nothing is wrong.
    [[nodiscard]] std::string complaint() const;
};

[[nodiscard]] Gpus find_gpus();

} // namespace shadow
