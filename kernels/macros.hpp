// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// `SHADOW_FUNCTION` marks what both the host compiler and nvcc compile; it is empty on the host.
#if defined(__CUDACC__)
#define SHADOW_FUNCTION __host__ __device__
#else
#define SHADOW_FUNCTION
#endif

/// In objects of one instruction set nothing shared may be left to the linker to choose.
#if defined(SHADOW_ISA)
#define SHADOW_INLINE SHADOW_FUNCTION __attribute__((always_inline)) inline
#else
#define SHADOW_INLINE SHADOW_FUNCTION inline
#endif
