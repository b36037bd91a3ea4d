// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/log.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::log {
namespace {

/// At most so many bytes are kept for a file that is not open yet.
constexpr std::size_t max_early = 1 << 16;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

struct State {
    Level level = Level::info;
    std::string status;
    std::function<void(std::string_view)> sink;
    std::unique_ptr<std::FILE, Close> file;
    std::filesystem::path path; ///< of the file
    std::string early;          ///< lines written before there was a file

    /// Writes to the file; closes it with one warning when it can no longer be written.
    void keep(std::string_view bytes) {
        if (!file) {
            if (early.size() + bytes.size() <= max_early) early += bytes;
        } else if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
                   std::fflush(file.get()) != 0) {
            const std::string why = std::strerror(errno);
            file.reset();
            warning(fmt::format("{} can no longer be written ({}); the rest of the log goes to "
                                "standard error only: make room for the results",
                                path.string(), why));
        }
    }

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

/// Does standard output or standard error go to this file?
bool is_ours(const std::filesystem::path& path) {
    struct stat there {};
    if (stat(path.c_str(), &there) != 0) return false;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat here {};
        if (fstat(descriptor, &here) == 0 && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return true;
    }
    return false;
}

constexpr const char* erase_line = "\r\x1b[K";

void write(Level level, std::string_view prefix, std::string_view line) {
    State& s = state();
    s.keep(std::string(prefix).append(line).append("\n"));
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

void open_file(const std::filesystem::path& path, bool anew) {
    State& s = state();
    s.file.reset();
    if (is_ours(path)) return;
    std::string said;
    std::swap(said, s.early);
    s.path = path;
    s.file.reset(std::fopen(path.c_str(), anew ? "w" : "a"));
    if (s.file)
        s.keep(said);
    else
        warning(fmt::format("{} cannot be written ({}); the log is on standard error alone",
                            path.string(), std::strerror(errno)));
}

void record(std::string_view text) {
    state().keep(text);
}

void set_sink(std::function<void(std::string_view)> sink) {
    state().sink = std::move(sink);
}

} // namespace shadow::log
