// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/core/error.hpp"

/// X(namespace) for each instruction set, whether the build has it or not; for declarations.
#define SHADOW_EACH_SET(X) X(sse) X(avx2) X(avx512)

/// A build may leave out instruction sets (SHADOW_INSTRUCTION_SETS).
#if !defined(SHADOW_HAS_SSE)
#define SHADOW_HAS_SSE 1
#endif
#if !defined(SHADOW_HAS_AVX2)
#define SHADOW_HAS_AVX2 1
#endif
#if !defined(SHADOW_HAS_AVX512)
#define SHADOW_HAS_AVX512 1
#endif

/// Expand to their arguments if the build has the instruction set.
#if SHADOW_HAS_SSE
#define SHADOW_SSE(...) __VA_ARGS__
#else
#define SHADOW_SSE(...)
#endif
#if SHADOW_HAS_AVX2
#define SHADOW_AVX2(...) __VA_ARGS__
#else
#define SHADOW_AVX2(...)
#endif
#if SHADOW_HAS_AVX512
#define SHADOW_AVX512(...) __VA_ARGS__
#else
#define SHADOW_AVX512(...)
#endif

/// Calls `function` of an instruction set; it must be declared in the namespaces of all three.
/// Nothing refers to a set that was left out, with or without optimisation.
// clang-format off
#define SHADOW_CALL(isa, function, ...)                                                            \
    (SHADOW_AVX512((isa) == InstructionSet::avx512 ? avx512::function(__VA_ARGS__) :)              \
     SHADOW_AVX2((isa) == InstructionSet::avx2 ? avx2::function(__VA_ARGS__) :)                    \
     SHADOW_SSE((isa) == InstructionSet::sse ? sse::function(__VA_ARGS__) :)                       \
     throw MachineError("this instruction set was not compiled"))
// clang-format on

/// Calls `function` of the backend's instruction set.
#define SHADOW_DISPATCH(backend, function, ...)                                                    \
    SHADOW_CALL((backend).instruction_set(), function, __VA_ARGS__)
