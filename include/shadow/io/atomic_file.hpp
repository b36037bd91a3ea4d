// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

/// Files that are whole at every moment: written under another name, synchronised with the disk,
/// then renamed over the old one. Functions throw MachineError with the
/// system's reason.
namespace shadow {

/// Synchronises `temporary` with the disk and renames it to `target`, replacing it in one step.
void replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target);

/// A copy that shares blocks with the original where the file system can; `to` is replaced.
void clone_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Writes `text` to `path` as above, through PATH.tmp. What is no regular file (a device, a pipe)
/// is written into, and so is standard error where `path` is that.
void write_file(const std::filesystem::path& path, std::string_view text);

void append_to_file(const std::filesystem::path& path, std::string_view bytes);

/// Makes the folder of `path` where it is missing, and throws InputError unless files can be made
/// in it, or `path` can be written where it is no regular file; `instead` tells what else to give.
void require_writable_folder(const std::filesystem::path& path,
                             std::string_view instead = "another `output.prefix`");

/// Nothing happens if it is not there.
void remove_file(const std::filesystem::path& path);

/// Do both name one file, through links of either kind, or the same one that is yet to be made?
[[nodiscard]] bool same_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// Is it what this process has open as `descriptor`?
[[nodiscard]] bool is_open_as(const std::filesystem::path& path, int descriptor);

/// Does another process hold the lock which the HDF5 library puts on a file it writes?
[[nodiscard]] bool is_locked_by_another(const std::filesystem::path& path);

/// CRC-32 (the polynomial of IEEE 802.3) of the first `bytes` bytes of a file.
[[nodiscard]] std::uint32_t file_crc32(const std::filesystem::path& path, std::uint64_t bytes);

} // namespace shadow
