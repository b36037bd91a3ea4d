// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace shadow::test {

/// Sets an environment variable during the lifetime of the object.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
    ~Environment() { unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
};

} // namespace shadow::test
