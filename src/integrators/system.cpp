// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/system.hpp"

#include <stdexcept>

namespace shadow {
namespace {

[[noreturn]] void fail_without_box() {
    throw std::logic_error("this system has no box");
}

} // namespace

void System::scale_box(Scalar, Axes) {
    fail_without_box();
}
void System::measure_virial(Axes) {
    fail_without_box();
}
void System::measure_kinetic_along() {
    fail_without_box();
}

} // namespace shadow
