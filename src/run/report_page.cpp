// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/report_page.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/h5md.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace shadow {
namespace {

namespace fs = std::filesystem;

/// The location of mdreport; a name without a folder is searched on the PATH.
std::string program() {
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / "mdreport";
    return !error && fs::exists(beside, error) ? beside.string() : "mdreport";
}

std::string not_started(int error) {
    return fmt::format(
        "mdreport cannot be started: {}; it needs python3 and is installed next to mdrun",
        std::strerror(error));
}

/// A file in memory that can be the input or output of a child process.
class MemoryFile {
  public:
    explicit MemoryFile(const std::string& text = "") : id_(memfd_create("report", MFD_CLOEXEC)) {
        complete_ =
            id_ >= 0 && ::write(id_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
        ::lseek(id_, 0, SEEK_SET);
    }
    ~MemoryFile() { ::close(id_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] int get() const { return id_; }
    /// Its last line: the message of a program, after any other output.
    [[nodiscard]] std::string last_line() const {
        std::string text(4096, '\0');
        const off_t end = ::lseek(id_, 0, SEEK_END);
        const auto from = std::max<off_t>(0, end - static_cast<off_t>(text.size()));
        const ssize_t got = ::pread(id_, text.data(), text.size(), from);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        while (text.ends_with('\n')) text.pop_back();
        return text.substr(text.rfind('\n') + 1);
    }

  private:
    int id_;
    bool complete_ = false;
};

/// Starts mdreport; returns 0 or the error.
int start(const fs::path& prefix, const MemoryFile& summary, const MemoryFile& said, pid_t& child) {
    std::array<std::string, 6> words = {"mdreport",  result_path(prefix).string(),
                                        "--output",  report_path(prefix).string(),
                                        "--summary", "-"};
    std::array<char*, words.size() + 1> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, summary.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said.get(), STDERR_FILENO);
    const int error =
        posix_spawnp(&child, program().c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace

fs::path report_path(const fs::path& prefix) {
    return prefix.string() + ".html";
}

std::string make_report(const fs::path& prefix, const std::string& summary) {
    const MemoryFile input(summary), said;
    if (!input.complete() || said.get() < 0) return "no memory for its summary";
    pid_t child = 0;
    if (const int error = start(prefix, input, said, child); error != 0) return not_started(error);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return std::strerror(errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    if (WIFSIGNALED(status)) return fmt::format("mdreport: stopped by signal {}", WTERMSIG(status));
    const std::string text = said.last_line();
    return text.empty() ? fmt::format("mdreport: exit status {}", WEXITSTATUS(status)) : text;
}

void become_report(char** argv) {
    const std::string path = program();
    std::string name = "mdreport";
    argv[1] = name.data();
    ::execvp(path.c_str(), argv + 1);
    throw MachineError(fmt::format("no report ({}); install it", not_started(errno)));
}

} // namespace shadow
