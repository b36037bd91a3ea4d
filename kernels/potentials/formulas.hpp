// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// All potentials with their formulas. What includes it is compiled anew whenever one changes.
#define SHADOW_FORMULAS
#include "kernels/potentials/list.hpp"
#undef SHADOW_FORMULAS
#include "kernels/potentials/tabulated.hpp"
#include "kernels/potentials/truncation.hpp"
