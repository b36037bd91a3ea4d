// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// All potentials with their formulas. Files that include it are recompiled whenever a formula
/// changes.
#define SHADOW_FORMULAS
#include "kernels/potentials/list.hpp"
#undef SHADOW_FORMULAS
#include "kernels/potentials/tabulated.hpp"
#include "kernels/potentials/truncation.hpp"
