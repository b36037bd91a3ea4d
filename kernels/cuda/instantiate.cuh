// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__CUDACC__)
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/pair_force.cuh"
#include "kernels/cuda/scan.cuh"
#else // a host compiler, with SHADOW_CUDA=EMULATE
#include "kernels/cuda/emulated/drivers.hpp"
#endif
#include "kernels/cuda/instances.hpp"
