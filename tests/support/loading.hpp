// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/load.hpp"

#include <functional>
#include <string>

/// Why start files are rejected.
namespace shadow::test {

/// The error message of an action; empty if there was none.
inline std::string refusal_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

template <int Dim>
std::string refused_xyz(const std::string& text, const LoadOptions& options = {}) {
    return refusal_of([&] { (void)load_extxyz<Dim>(text, "a.xyz", options); });
}

template <int Dim>
std::string refused_data(const std::string& text, const LoadOptions& options = {}) {
    return refusal_of([&] { (void)load_lammps_data<Dim>(text, "a.data", options); });
}

inline void check_part(const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(contains(text, part));
}

} // namespace shadow::test
