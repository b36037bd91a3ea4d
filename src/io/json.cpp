// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/json.hpp"

#include "shadow/core/text.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

void JsonWriter::separate() {
    if (!after_key_) {
        if (!first_) out_ += ',';
        if (depth_ > 0) {
            out_ += '\n';
            out_.append(2 * depth_, ' ');
        }
    }
    after_key_ = false;
    first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    ++depth_;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    --depth_;
    if (!first_) {
        out_ += '\n';
        out_.append(2 * depth_, ' ');
    }
    out_ += bracket;
    first_ = false;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    out_ += ": ";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(double x) {
    separate();
    out_ += std::isfinite(x) ? fmt::format("{}", x) : std::string("null");
    return *this;
}

JsonWriter& JsonWriter::value(std::int64_t x) {
    separate();
    out_ += std::to_string(x);
    return *this;
}

JsonWriter& JsonWriter::value(bool x) {
    separate();
    out_ += x ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    std::string clean(text);
    if (!is_utf8(text))
        for (char& c : clean)
            if ((static_cast<unsigned char>(c) & 0x80U) != 0) c = '?';
    out_ += in_quotes(clean);
    return *this;
}

} // namespace shadow
