// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shadow {

/// Writes JSON (RFC 8259), indented by two spaces per level; the caller opens and closes in order.
class JsonWriter {
  public:
    JsonWriter& open(char bracket);  ///< '{' or '['
    JsonWriter& close(char bracket); ///< '}' or ']'
    JsonWriter& key(std::string_view name);
    JsonWriter& value(double x); ///< null unless finite
    JsonWriter& value(std::int64_t x);
    JsonWriter& value(bool x);
    JsonWriter& value(std::string_view text); ///< bytes that are not UTF-8 become '?'
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }

    /// key and value
    template <class T>
    JsonWriter& item(std::string_view name, const T& x) {
        return key(name).value(x);
    }

    [[nodiscard]] std::string text() const { return out_ + "\n"; }

  private:
    void separate();
    std::string out_;
    std::size_t depth_ = 0;
    bool first_ = true; ///< the innermost bracket is still empty
    bool after_key_ = false;
};

} // namespace shadow
