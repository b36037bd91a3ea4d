// SPDX-License-Identifier: BSD-3-Clause
#include "bonded_parameters.hpp"

#include "append_row.hpp"

#include "kernels/bonded/list.hpp"

#include <cmath>
#include <numbers>

namespace shadow {

int bonded_form(std::string_view name) {
    const std::vector<const BondedInfo*> all = bonded_infos();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (name == all[k]->name) return static_cast<int>(k);
    return -1;
}

const char* unmet_requirement(const BondedParameter& parameter, double x) {
    using Range = BondedParameter::Range;
    if (!std::isfinite(x)) return "it is finite";
    switch (parameter.range) {
    case Range::any:
        return nullptr;
    case Range::positive:
        return x > 0.0 ? nullptr : "it is above zero";
    case Range::not_negative:
        return x >= 0.0 ? nullptr : "it is not below zero";
    case Range::whole:
        return x >= 0.0 && x <= 100.0 && x == std::floor(x) ? nullptr
                                                            : "it is a whole number up to 100";
    case Range::angle:
        return x >= 0.0 && x <= 180.0 ? nullptr : "it is from 0 to 180 degrees";
    }
    return nullptr;
}

void append_parameters(std::vector<double>& rows, int form, std::span<const double> numbers) {
    const BondedInfo& info = *bonded_infos()[static_cast<std::size_t>(form)];
    std::vector<double> given(numbers.begin(), numbers.end());
    for (std::size_t k = 0; k < given.size(); ++k)
        if (std::string_view(info.parameters[k].unit) == "degree")
            given[k] = given[k] * std::numbers::pi / 180.0;
    visit_bonded(OwnForms{}, form, [&]<class Form>(BondedTag<Form>) {
        if constexpr (!Form::info.internal) append_row(rows, Form::from(given.data()));
    });
}

} // namespace shadow
