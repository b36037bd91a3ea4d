// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/averaged_arrays.hpp"

namespace shadow {

namespace {
std::size_t numbers_in(const std::vector<Axis>& axes) {
    std::size_t n = 1;
    for (const Axis& axis : axes) n *= axis.values.size();
    return n;
}
} // namespace

AveragedArrays::AveragedArrays(std::vector<std::string> names, std::string unit,
                               std::vector<Axis> axes)
    : names_(std::move(names)), unit_(std::move(unit)), axes_(std::move(axes)),
      size_(numbers_in(axes_)), average_(names_.size() * size_) {}

void AveragedArrays::add(std::span<const double> arrays) {
    average_.add(arrays.first(average_.size()));
}

std::vector<ArrayEstimate> AveragedArrays::estimates() const {
    const std::vector<double> mean = average_.mean(), error = average_.error();
    const auto size = static_cast<std::ptrdiff_t>(size_);
    std::vector<ArrayEstimate> all;
    for (const std::string& name : names_) {
        const auto first = static_cast<std::ptrdiff_t>(all.size()) * size;
        all.push_back({name,
                       unit_,
                       axes_,
                       {mean.begin() + first, mean.begin() + first + size},
                       {error.begin() + first, error.begin() + first + size},
                       average_.samples()});
    }
    return all;
}

ArrayEstimate lag_curve(const std::string& name, const std::string& unit, std::int64_t samples,
                        const std::vector<LagValue>& values, double factor) {
    ArrayEstimate curve{name, unit, {{"lag", "time", {}}}, {}, {}, samples};
    for (const LagValue& lag : values) {
        curve.axes[0].values.push_back(lag.time);
        curve.value.push_back(factor * lag.value);
        curve.error.push_back(factor * lag.error);
    }
    return curve;
}

ArrayEstimate lag_curves(const std::string& name, const std::string& unit, std::int64_t samples,
                         const Axis& axis, const std::vector<std::vector<LagValue>>& curves,
                         double factor) {
    std::vector<LagValue> values;
    for (const auto& curve : curves) values.insert(values.end(), curve.begin(), curve.end());
    ArrayEstimate all = lag_curve(name, unit, samples, values, factor);
    all.axes[0].values.resize(curves.front().size());
    all.axes.insert(all.axes.begin(), axis);
    return all;
}

std::int64_t population(const std::vector<Population>& species) {
    std::int64_t sum = 0;
    for (const Population& p : species) sum += p.particles;
    return sum;
}

std::vector<SpeciesPair> species_pairs(const std::vector<Population>& species) {
    const int kinds = static_cast<int>(species.size());
    std::vector<SpeciesPair> all;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b) all.push_back({a, b});
    return all;
}

std::vector<std::string> names_by_species(const std::string& name,
                                          const std::vector<Population>& species) {
    std::vector<std::string> names{name};
    if (species.size() > 1)
        for (const Population& p : species) names.push_back(name + "_" + p.name);
    return names;
}

std::vector<std::string> names_by_pair(const std::string& name,
                                       const std::vector<Population>& species) {
    std::vector<std::string> names{name};
    if (species.size() > 1)
        for (const SpeciesPair& pair : species_pairs(species))
            names.push_back(name + "_" + species[static_cast<std::size_t>(pair.a)].name + "_" +
                            species[static_cast<std::size_t>(pair.b)].name);
    return names;
}

} // namespace shadow
