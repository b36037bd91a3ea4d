// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/toml.hpp"

#include "src/core/parameter_node.hpp"
#include "src/io/overrides.hpp"
#include "src/io/toml_guard.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <toml++/toml.h>

namespace shadow {
namespace {

using Node = Parameters::Node;
using Kind = Node::Kind;

constexpr std::size_t max_bytes = std::size_t{16} << 20U;

constexpr std::size_t max_depth = 32;

[[noreturn]] void too_deep(const std::string& where) {
    throw InputError(fmt::format("{}: nested more than {} levels deep (no input is); flatten it",
                                 where, max_depth));
}

/// Overrides add levels to the tables read.
void refuse_deep(const Node& node, std::size_t depth = 0) {
    if (depth > max_depth) too_deep(node.where);
    for (const Node::Entry& entry : node.entries) refuse_deep(*entry.value, depth + 1);
    for (const auto& element : node.elements) refuse_deep(*element, depth + 1);
}

class Converter {
  public:
    explicit Converter(std::string_view name) : name_(name) {}

    std::shared_ptr<Node> convert(const toml::node& from, const std::string& path,
                                  std::size_t depth = 0) const {
        if (depth > max_depth) too_deep(place(from.source()));
        auto node = std::make_shared<Node>();
        node->path = path;
        node->where = place(from.source());
        if (const auto* table = from.as_table()) {
            convert_table(*table, *node, depth);
        } else if (const auto* array = from.as_array()) {
            node->kind = Kind::array;
            for (const toml::node& element : *array)
                node->elements.push_back(convert(
                    element, fmt::format("{}[{}]", path, node->elements.size()), depth + 1));
        } else {
            convert_value(from, *node);
        }
        return node;
    }

  private:
    [[nodiscard]] std::string place(const toml::source_region& region) const {
        return fmt::format("{}:{}:{}", name_, std::max(region.begin.line, 1U),
                           std::max(region.begin.column, 1U));
    }

    /// toml++ keeps keys sorted by name; this restores the order of the file.
    void convert_table(const toml::table& table, Node& node, std::size_t depth) const {
        std::vector<std::pair<toml::source_position, Node::Entry>> found;
        for (auto&& [key, value] : table)
            found.push_back({key.source().begin,
                             {std::string(key.str()), place(key.source()),
                              convert(value, node.path_of(key.str()), depth + 1)}});
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& entry : found) node.entries.push_back(std::move(entry.second));
    }

    static void convert_value(const toml::node& from, Node& node) {
        if (const auto* integer = from.as_integer()) {
            node.kind = Kind::integer;
            node.integer = integer->get();
        } else if (const auto* number = from.as_floating_point()) {
            node.kind = Kind::number;
            node.number = number->get();
        } else if (const auto* boolean = from.as_boolean()) {
            node.kind = Kind::boolean;
            node.boolean = boolean->get();
        } else if (const auto* text = from.as_string()) {
            node.kind = Kind::text;
            node.text = text->get();
        } else {
            throw InputError(node.where + ": a date (an input holds no dates and times); put it in "
                                          "double quotes");
        }
    }

    std::string_view name_;
};

std::string advice(std::string_view why) {
    const auto says = [&](std::string_view part) {
        return why.find(part) != std::string_view::npos;
    };
    if (says("end-of-file")) return "the file seems cut short, complete it";
    if (says("redefine") || says("already")) return "keep one of the two";
    return "correct the syntax (a line is key = value, a text is in double quotes)";
}

std::shared_ptr<Node> parse(std::string_view text, std::string_view name) {
    refuse_odd_text(text, name);
    try {
        const toml::table table = toml::parse(text);
        auto node = Converter(name).convert(table, "");
        node->where = fmt::format("{}:1:1", name);
        return node;
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        std::string why = in_quotes(error.description(), 300);
        why = why.substr(1, why.size() - 2);
        throw InputError(fmt::format("{}:{}:{}: not valid TOML ({}); {}", name,
                                     std::max(at.line, 1U), std::max(at.column, 1U), why,
                                     advice(why)));
    }
}

} // namespace

std::shared_ptr<Node> parse_override_value(const std::string& text, const std::string& where,
                                           const std::string& path) {
    std::shared_ptr<Node> node;
    // The newline ends a comment; anything after it would be another key.
    if (text.find('\n') == std::string::npos) {
        try {
            const auto table = parse("value = " + text, where);
            if (table->entries.size() == 1) node = table->entries.front().value;
        } catch (const InputError& error) {
            if (text.find_first_of("\"'[{") == 0)
                throw InputError(fmt::format("{}: the value {} is not valid TOML (it starts as a "
                                             "text, an array or a table and is none); close it, "
                                             "and mind the quotes of the shell",
                                             where, in_quotes(text, 60)));
        }
    }
    if (node == nullptr) {
        node = std::make_shared<Node>();
        node->kind = Kind::text;
        node->text = text;
    }
    relocate(*node, where, path);
    return node;
}

bool is_stream(const std::filesystem::path& input) {
    std::error_code error;
    const std::string place = std::filesystem::absolute(input, error).lexically_normal().string();
    return place.starts_with("/dev/") || place.starts_with("/proc/") ||
           !std::filesystem::is_regular_file(input, error);
}

std::filesystem::path input_folder(const std::filesystem::path& input) {
    return is_stream(input) ? std::filesystem::path() : input.parent_path();
}

std::string read_input_file(const std::filesystem::path& path) {
    const auto fail = [&](std::string_view why, std::string_view advice_text) {
        throw InputError(
            fmt::format("{}: cannot read the input ({}); {}", path.string(), why, advice_text));
    };
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        fail("there is no such file", "check the name and the folder");
    if (std::filesystem::is_directory(status)) fail("it is a folder", "name a TOML file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(std::strerror(errno), "check the permissions of the file");
    std::string text(max_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) fail("reading failed", "check the disk");
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_bytes)
        fail("it is larger than 16 MiB",
             "give the TOML input; particles go to a file of their own");
    return text;
}

Parameters read_toml_text(std::string_view text, std::string_view name,
                          const std::vector<std::string>& overrides) {
    auto root = parse(text, name);
    for (const std::string& item : overrides) apply_override(*root, item);
    refuse_deep(*root);
    return Parameters(std::move(root));
}

Parameters read_toml(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
    return read_toml_text(read_input_file(path), path.string(), overrides);
}

} // namespace shadow
