// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/scalar_groups.hpp"

#include <array>
#include <utility>

namespace shadow {
namespace {

/// The name of an enumerator, from the text of compilers ("... [with auto variable =
/// shadow::BoxVariables<9> ::strain; ..."); "" of a number without one: variables that follow the
/// first of a group.
template <auto variable>
consteval std::string_view name_of() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("variable = "));
    text = text.substr(0, text.find_first_of(";]"));
    text.remove_prefix(text.find_last_of(":)") + 1);
    return text.find_first_not_of("0123456789") == text.npos ? "" : text;
}

struct Groups {
    std::array<ScalarGroup, Scalar::count> group;
    std::size_t size = 0;
};

template <class Part, int first, int... k>
constexpr void add(Groups& all, int part, std::integer_sequence<int, k...>) {
    using enum ScalarGroup::Begins;
    int slot = first;
    for (const std::string_view name :
         {name_of<static_cast<typename Part::Variable>(first + k)>()...}) {
        const auto begins = slot < Part::of_stage  ? with_the_run
                            : slot < Part::of_step ? with_each_stage
                                                   : with_each_step;
        if (name.empty())
            ++all.group[all.size - 1].length;
        else
            all.group[all.size++] = {name, Scalar(slot), 1, begins, part};
        ++slot;
    }
}

constexpr void add_parts(Groups&, int, PartsFrom<Scalar::count>) {}

template <int first, template <int> class Part, template <int> class... More>
constexpr void add_parts(Groups& all, int part, PartsFrom<first, Part, More...>) {
    constexpr int next = Part<first>::end;
    add<Part<first>, first>(all, part, std::make_integer_sequence<int, next - first>{});
    add_parts(all, part + 1, PartsFrom<next, More...>{});
}

constexpr Groups groups = [] {
    Groups all{};
    add_parts(all, 0, EnsembleParts{});
    return all;
}();

} // namespace

std::span<const ScalarGroup> scalar_groups() {
    return {groups.group.data(), groups.size};
}

} // namespace shadow
