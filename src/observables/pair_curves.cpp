// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/pair_curves.hpp"

namespace shadow {

PairCurves::PairCurves(std::string name, const std::vector<Population>& species, Axis axis)
    : axis_(std::move(axis)), average_(0) {
    names_.push_back(name);
    for (std::size_t a = 0; a < species.size(); ++a)
        for (std::size_t b = a; b < species.size(); ++b) {
            pairs_.push_back({static_cast<int>(a), static_cast<int>(b)});
            if (species.size() > 1)
                names_.push_back(name + "_" + species[a].name + "_" + species[b].name);
        }
    average_ = ProfileAverage(names_.size() * axis_.values.size());
}

void PairCurves::add(std::vector<double> curves) {
    curves.resize(average_.size());
    average_.add(curves);
}

std::vector<ArrayEstimate> PairCurves::estimates() const {
    const std::vector<double> mean = average_.mean(), error = average_.error();
    const auto size = static_cast<std::ptrdiff_t>(axis_.values.size());
    std::vector<ArrayEstimate> all;
    for (const std::string& name : names_) {
        const auto first = static_cast<std::ptrdiff_t>(all.size()) * size;
        all.push_back({name,
                       "",
                       {axis_},
                       {mean.begin() + first, mean.begin() + first + size},
                       {error.begin() + first, error.begin() + first + size},
                       average_.samples()});
    }
    return all;
}

} // namespace shadow
