// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// `SHADOW_FUNCTION` marks functions compiled by both the host compiler and nvcc; it is empty on
/// the host.
#if defined(__CUDACC__)
#define SHADOW_FUNCTION __host__ __device__
#else
#define SHADOW_FUNCTION
#endif

/// In objects of one instruction set the linker must not choose among shared functions.
#if defined(SHADOW_ISA)
#define SHADOW_INLINE SHADOW_FUNCTION __attribute__((always_inline)) inline
#else
#define SHADOW_INLINE SHADOW_FUNCTION inline
#endif
