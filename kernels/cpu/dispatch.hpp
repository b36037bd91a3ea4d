// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

/// Calls `function` of the backend's instruction set; it is declared in the three namespaces of
/// these.
#define SHADOW_DISPATCH(backend, function, ...)                                                    \
    ((backend).instruction_set() == InstructionSet::avx512 ? avx512::function(__VA_ARGS__)         \
     : (backend).instruction_set() == InstructionSet::avx2 ? avx2::function(__VA_ARGS__)           \
                                                           : sse::function(__VA_ARGS__))
