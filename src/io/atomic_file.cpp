// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/atomic_file.hpp"

#include "shadow/core/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace shadow {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what) {
    const int error = errno;
    throw MachineError(
        fmt::format("{}: {} ({}); {}", path.string(), what, std::strerror(error),
                    error == ENOSPC || error == EDQUOT
                        ? "make room on this disk, then continue from the last checkpoint"
                        : "check the folder and the disk"));
}

void write_all(int id, const fs::path& path, const char* from, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t written = ::write(id, from, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, "cannot be written");
        from += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

/// Is there something other than a regular file: a device, a pipe, a folder?
bool is_special(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// An open file descriptor.
class OpenFile {
  public:
    OpenFile(const fs::path& path, int flags) : path_(path) {
        id_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
        if (id_ < 0) fail(path, "cannot be opened");
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (id_ >= 0) ::close(id_);
    }
    [[nodiscard]] int get() const { return id_; }
    void sync() const {
        // Some network and special file systems cannot be synchronised and report this.
        if (::fsync(id_) != 0 && errno != EINVAL && errno != ENOTSUP)
            fail(path_, "cannot be synchronised with the disk");
    }
    void write(const char* from, std::size_t bytes) const { write_all(id_, path_, from, bytes); }

  private:
    fs::path path_;
    int id_;
};

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Eight tables, to process eight bytes at a time (Kounavis and Berry, 2005).
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
    CrcTables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) ? 0xEDB88320u : 0u);
        tables[0][byte] = crc;
    }
    for (std::size_t byte = 0; byte < 256; ++byte)
        for (std::size_t t = 1; t < 8; ++t)
            tables[t][byte] = (tables[t - 1][byte] >> 8) ^ tables[0][tables[t - 1][byte] & 0xFFu];
    return tables;
}

std::uint32_t crc32(std::uint32_t crc, const unsigned char* data, std::size_t bytes) {
    static constexpr CrcTables t = make_crc_tables();
    crc = ~crc;
    for (; bytes >= 8; data += 8, bytes -= 8) {
        std::uint32_t low, high;
        std::memcpy(&low, data, 4);
        std::memcpy(&high, data + 4, 4);
        low ^= crc;
        crc = t[7][low & 0xFF] ^ t[6][(low >> 8) & 0xFF] ^ t[5][(low >> 16) & 0xFF] ^
              t[4][low >> 24] ^ t[3][high & 0xFF] ^ t[2][(high >> 8) & 0xFF] ^
              t[1][(high >> 16) & 0xFF] ^ t[0][high >> 24];
    }
    for (; bytes > 0; ++data, --bytes) crc = (crc >> 8) ^ t[0][(crc ^ *data) & 0xFF];
    return ~crc;
}

} // namespace

void replace_file(const fs::path& temporary, const fs::path& target) {
    OpenFile(temporary, O_RDONLY).sync();
    if (::rename(temporary.c_str(), target.c_str()) != 0) fail(target, "cannot be replaced");
    OpenFile(folder_of(target), O_RDONLY | O_DIRECTORY).sync();
}

void clone_file(const fs::path& from, const fs::path& to) {
    const OpenFile source(from, O_RDONLY), copy(to, O_WRONLY | O_CREAT | O_TRUNC);
    if (::ioctl(copy.get(), FICLONE, source.get()) == 0) return;
    struct stat status {};
    if (::fstat(source.get(), &status) != 0) fail(from, "cannot be read");
    for (off_t left = status.st_size; left > 0;) {
        const ssize_t copied = ::copy_file_range(source.get(), nullptr, copy.get(), nullptr,
                                                 static_cast<std::size_t>(left), 0);
        if (copied < 0 && errno == EINTR) continue;
        if (copied < 0 && errno != EXDEV && errno != EINVAL && errno != ENOSYS &&
            errno != EOPNOTSUPP)
            fail(to, "cannot be written");
        if (copied <= 0) break;
        left -= copied;
    }
    // If the kernel does not copy, or stopped before the end, the rest is copied through memory.
    std::vector<char> buffer(1 << 20);
    for (;;) {
        const ssize_t got = ::read(source.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(from, "cannot be read");
        if (got == 0) return;
        copy.write(buffer.data(), static_cast<std::size_t>(got));
    }
}

void write_file(const fs::path& path, std::string_view text) {
    if (is_open_as(path, STDERR_FILENO))
        return write_all(STDERR_FILENO, path, text.data(), text.size());
    if (is_special(path)) return OpenFile(path, O_WRONLY).write(text.data(), text.size());
    const fs::path temporary = path.string() + ".tmp";
    try {
        OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC).write(text.data(), text.size());
        replace_file(temporary, path);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

void append_to_file(const fs::path& path, std::string_view bytes) {
    OpenFile(path, O_WRONLY | O_APPEND).write(bytes.data(), bytes.size());
}

void require_writable_folder(const fs::path& path, std::string_view instead) {
    const fs::path folder = folder_of(path);
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("no file can be made in {} ({}); make the folder writable or "
                                     "give {}",
                                     folder.string(), why, instead));
    };
    std::error_code error;
    if (is_special(path)) {
        const bool is_folder = fs::is_directory(path, error);
        if (!is_folder && ::access(path.c_str(), W_OK) == 0) return;
        throw InputError(fmt::format("{} cannot be written ({}); give {}", path.string(),
                                     is_folder ? "it is a folder" : std::strerror(errno), instead));
    }
    fs::create_directories(folder, error);
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0)
        refuse(error ? error.message() : std::strerror(errno));
    if (!S_ISDIR(status.st_mode)) refuse("it is not a folder");
    // Only an attempt is reliable: permissions, read-only and special file systems can all refuse.
    const fs::path probe = path.string() + ".probe";
    const int id = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (id < 0 && (errno == ENOSPC || errno == EDQUOT)) fail(probe, "cannot be made");
    if (id < 0) refuse(std::strerror(errno));
    ::close(id);
    ::unlink(probe.c_str());
}

bool same_file(const fs::path& one, const fs::path& other) {
    std::error_code error;
    if (fs::equivalent(one, other, error)) return true;
    const auto plain = [&error](const fs::path& path) {
        return fs::weakly_canonical(fs::absolute(path), error);
    };
    return plain(one) == plain(other) && !error;
}

bool is_open_as(const fs::path& path, int descriptor) {
    struct stat there {};
    struct stat here {};
    return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &here) == 0 &&
           there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

bool is_locked_by_another(const fs::path& path) {
    const int id = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (id < 0) return false;
    const bool locked = ::flock(id, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(id);
    return locked;
}

void remove_file(const fs::path& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "cannot be removed");
}

std::uint32_t file_crc32(const fs::path& path, std::uint64_t bytes) {
    const OpenFile file(path, O_RDONLY);
    std::vector<unsigned char> buffer(1 << 20);
    std::uint32_t crc = 0;
    while (bytes > 0) {
        const ssize_t got =
            ::read(file.get(), buffer.data(), std::min<std::uint64_t>(bytes, buffer.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, "cannot be read");
        if (got == 0) break;
        crc = crc32(crc, buffer.data(), static_cast<std::size_t>(got));
        bytes -= static_cast<std::uint64_t>(got);
    }
    return crc;
}

} // namespace shadow
