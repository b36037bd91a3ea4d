// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

/// The number of the mutant which the environment variable SHADOW_MUTANT plants; 0: none. Included
/// by the copies of sources that tests/mutants/run.py makes, and by nothing else.
inline const int shadow_mutant = [] {
    const char* const number = std::getenv("SHADOW_MUTANT");
    return number ? std::atoi(number) : 0;
}();
