// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

/// Files that are complete at every moment: written under another name, synchronised with the disk,
/// then renamed over the old one. Functions throw MachineError with the system's reason.
namespace shadow {

/// Synchronises `temporary` with the disk and renames it to `target`, replacing it in one step.
void replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target);

/// A copy that shares blocks with the original if the file system supports this; `to` is replaced.
void clone_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Writes `text` to `path` as above, through PATH.tmp. A path that is not a regular file (a device,
/// a pipe) is written to directly, as is standard error if `path` is the same file.
void write_file(const std::filesystem::path& path, std::string_view text);

void append_to_file(const std::filesystem::path& path, std::string_view bytes);

/// Creates the folder of `path` if it is missing, and throws InputError unless files can be created
/// in it, or `path` can be written if it is not a regular file; `instead`: what the error advises
/// to give.
void require_writable_folder(const std::filesystem::path& path,
                             std::string_view instead = "another `output.prefix`");

/// Removes a file; does nothing if it does not exist.
void remove_file(const std::filesystem::path& path);

/// Do both name the same file, through hard or symbolic links, or the same file that does not exist
/// yet?
[[nodiscard]] bool same_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// Is it the file that this process has open as `descriptor`?
[[nodiscard]] bool is_open_as(const std::filesystem::path& path, int descriptor);

/// Does another process hold the lock that the HDF5 library puts on a file it writes?
[[nodiscard]] bool is_locked_by_another(const std::filesystem::path& path);

/// CRC-32 (IEEE 802.3 polynomial) of the first `bytes` bytes of a file.
[[nodiscard]] std::uint32_t file_crc32(const std::filesystem::path& path, std::uint64_t bytes);

} // namespace shadow
