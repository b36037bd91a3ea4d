// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/log.hpp"

#include <cstdio>
#include <string>

namespace shadow::log {
namespace {

struct State {
    Level level = Level::info;
    std::string status;
    std::function<void(std::string_view)> sink;

    void put(const std::string& bytes) const {
        if (sink) {
            sink(bytes);
        } else {
            // One call for each line, so that lines of several processes do not mix.
            std::fwrite(bytes.data(), 1, bytes.size(), stderr);
            std::fflush(stderr);
        }
    }
};

State& state() {
    static State instance;
    return instance;
}

constexpr const char* erase_line = "\r\x1b[K";

void write(Level level, std::string_view prefix, std::string_view line) {
    const State& s = state();
    if (level < s.level) return;
    std::string bytes = s.status.empty() ? "" : erase_line;
    bytes += prefix;
    bytes += line;
    bytes += '\n';
    s.put(bytes + s.status);
}

} // namespace

void set_level(Level level) {
    state().level = level;
}
bool shows(Level level) {
    return level >= state().level;
}

void debug(std::string_view line) {
    write(Level::debug, "", line);
}
void info(std::string_view line) {
    write(Level::info, "", line);
}
void warning(std::string_view line) {
    write(Level::warning, "mdrun: warning: ", line);
}
void error(std::string_view line) {
    write(Level::error, "mdrun: error: ", line);
}

void status(std::string_view line) {
    State& s = state();
    if (line.empty() && s.status.empty()) return;
    s.status = line;
    s.put(erase_line + s.status);
}

void set_sink(std::function<void(std::string_view)> sink) {
    state().sink = std::move(sink);
}

} // namespace shadow::log
