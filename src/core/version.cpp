// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/version.hpp"

#include "shadow_version.hpp" // made by cmake/Version.cmake

namespace shadow {

std::string version() {
    return SHADOW_VERSION;
}
std::string commit() {
    return SHADOW_COMMIT;
}

} // namespace shadow
