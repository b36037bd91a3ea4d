// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// Collects the errors of independent parts of an input, to report them together.
class InputErrors {
  public:
    /// Runs `read` and keeps the InputError that it throws; false if it throws one. What depends on
    /// a part that failed must not be read afterwards: it would fail for no reason of its own.
    template <class Read>
    bool attempt(const Read& read) {
        try {
            read();
            return true;
        } catch (const InputError& error) {
            add(error.what());
            return false;
        }
    }
    /// One message, or several, a line each.
    void add(std::string_view messages);
    [[nodiscard]] bool any() const { return !messages_.empty(); }
    [[nodiscard]] std::size_t count() const { return messages_.size(); }
    /// Is there a message at this position, "file:line:column"?
    [[nodiscard]] bool has_place(const std::string& where) const;
    /// Throws one InputError with all messages, a line each, in the order of the file; does nothing
    /// if there are none.
    void raise() const;

  private:
    std::vector<std::string> messages_;
};

} // namespace shadow
