// SPDX-License-Identifier: BSD-3-Clause
#include "row_analysis.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

[[noreturn]] void refuse_unknown_source(const Parameters& in, const std::string& name,
                                        const std::vector<MeasuredQuantity>& measured) {
    std::vector<std::string> numbers;
    for (const MeasuredQuantity& one : measured)
        if (one.quantity.width == 1) numbers.push_back(one.quantity.name);
    if (numbers.empty())
        in.fail("of", fmt::format("{} of {} in a stage that measures no numbers (it is made of the "
                                  "rows of other tables); add [[observe]] with type = \"thermo\"",
                                  in.text("type"), in_quotes(name, 60)));
    const auto near = nearest(name, numbers);
    in.fail("of", fmt::format("{} of {} (no other [[observe]] of the stage measures it); {}",
                              in.text("type"), in_quotes(name, 60),
                              near ? fmt::format("did you mean {}?", in_quotes(*near))
                                   : "name one of " + quoted_list(numbers)));
}

MeasuredQuantity find_source(const Parameters& in, const std::string& name,
                             const std::vector<MeasuredQuantity>& measured, bool all_known) {
    const auto found =
        std::find_if(measured.begin(), measured.end(),
                     [&](const MeasuredQuantity& one) { return one.quantity.name == name; });
    if (found == measured.end()) {
        if (all_known) refuse_unknown_source(in, name, measured);
        return {{name, ""}, 1};
    }
    if (found->quantity.width != 1)
        in.fail("of", fmt::format("{} of {}, which has {} numbers a row (it is made of one); take "
                                  "a quantity that is a number",
                                  in.text("type"), name, found->quantity.width));
    return *found;
}

} // namespace

std::vector<ParameterInfo> source_keys(const char* meaning, const char* example) {
    return {{"of", KeyType::texts, "", "", meaning, example},
            {"every", KeyType::integer, "steps", "that of the quantities",
             "between two rows of the quantities", "100"}};
}

RowSources read_sources(const DescribedTable& in, std::size_t most,
                        const std::vector<MeasuredQuantity>& measured, bool all_known) {
    const std::vector<std::string> names = in.texts("of");
    if (names.empty() || names.size() > most)
        in.fail("of", fmt::format("{} of {} quantities (it is made of {}); name {}",
                                  in.text("type"), names.size(), most == 1 ? "one" : "one or two",
                                  names.empty() ? "one that is measured"
                                                : "fewer, and write a table for each"));
    RowSources sources;
    for (const std::string& name : names) {
        const MeasuredQuantity one = find_source(in, name, measured, all_known);
        for (const Quantity& other : sources.quantities)
            if (other.name == name)
                in.fail("of", fmt::format("{} of {} twice (with itself a quantity is named once); "
                                          "remove one",
                                          in.text("type"), name));
        if (!sources.quantities.empty() && one.every != sources.every && all_known)
            in.fail("of", fmt::format("{} of {} every {} steps and of {} every {} (a row has both "
                                      "at the same step); give the tables that measure them the "
                                      "same `every`",
                                      in.text("type"), names[0], sources.every, name, one.every));
        sources.every = one.every;
        sources.quantities.push_back(one.quantity);
    }
    const std::int64_t every = in.integer("every", sources.every);
    if (every != sources.every && all_known)
        in.fail("every", fmt::format("{} every {} steps of {}, which is measured every {} (each of "
                                     "its rows is taken); remove it",
                                     in.text("type"), every, names[0], sources.every));
    return sources;
}

} // namespace shadow
