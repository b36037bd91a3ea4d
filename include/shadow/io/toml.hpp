// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// Reads a TOML file. Each override is `a.b.c=value` as after --set: it creates or replaces a key
/// and is located at "--set a.b.c" in messages; tables of an array are counted from 0, as in
/// `force.0.cutoff=3` or `force[0].cutoff=3`, and the number after the last one appends a table. A
/// value that is not TOML is read as a text. Throws InputError with file, line and column if the
/// file is missing, not a file, larger than 16 MiB, or not TOML.
[[nodiscard]] Parameters read_toml(const std::filesystem::path& path,
                                   const std::vector<std::string>& overrides = {});

/// The same for text in memory; `name` stands for the file in messages.
[[nodiscard]] Parameters read_toml_text(std::string_view text, std::string_view name,
                                        const std::vector<std::string>& overrides = {});

/// Is it a pipe or a device, such as /dev/stdin, instead of a file in a folder?
[[nodiscard]] bool is_stream(const std::filesystem::path& input);

/// The folder to which paths in an input are relative: that of the input; the working directory for
/// a stream.
[[nodiscard]] std::filesystem::path input_folder(const std::filesystem::path& input);

/// The bytes of an input file, read as `read_toml` does; throws InputError likewise.
[[nodiscard]] std::string read_input_file(const std::filesystem::path& path);

} // namespace shadow
