// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/system.hpp"

#include <stdexcept>

namespace shadow {
namespace {

[[noreturn]] void fail_without_box() {
    throw std::logic_error("this system has no box");
}

[[noreturn]] void fail_with_equal_steps() {
    throw std::logic_error("the steps of this system do not follow its motion");
}

[[noreturn]] void fail_without_descent() {
    throw std::logic_error("this system is for motion alone");
}

[[noreturn]] void fail_without_species() {
    throw std::logic_error("this system has no species");
}

} // namespace

void System::scale_momenta_by_species(Scalar) {
    fail_without_species();
}
void System::measure_kinetic_by_species() {
    fail_without_species();
}
void System::scale_box(Scalar, Axes) {
    fail_without_box();
}
void System::set_shear(double rate) {
    if (rate != 0.0) fail_without_box();
}
void System::set_boost(const Boost& boost) {
    if (boost.of_forces())
        throw std::logic_error("the potential energy of this system stays as it is");
}
void System::measure_virial(Axes) {
    fail_without_box();
}
void System::measure_kinetic_along() {
    fail_without_box();
}
void System::measure_motion() {
    fail_with_equal_steps();
}
void System::measure_slope(StepMeasure) {
    fail_with_equal_steps();
}
void System::end_step() {
    fail_with_equal_steps();
}
void System::begin_clock() {
    fail_with_equal_steps();
}
void System::measure_descent() {
    fail_without_descent();
}
void System::descend(double) {
    fail_without_descent();
}
void System::keep() {
    throw std::logic_error("this system keeps one state");
}
void System::put_back() {
    keep();
}

} // namespace shadow
