// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/io/h5md.hpp"
#include "shadow/system/units.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

namespace {

/// Creates the datasets of an array; a row is a chunk.
void make_array(hdf5::File& file, const std::string& group, const ArraySeries& array,
                const Units& units) {
    hdf5::Shape row, chunk{1};
    for (const ArraySeries::Axis& axis : array.axes) row.push_back(axis.values.size());
    chunk.insert(chunk.end(), row.begin(), row.end());
    for (const char* part : {"/step", "/stage", "/samples", "/equilibration_steps"})
        file.write_appendable(group + part, hdf5::Type::int64, {}, {16});
    file.write_appendable(group + "/time", hdf5::Type::float64, {}, {16})
        .set_attribute("unit", units.express("time"));
    for (const char* part : {"/value", "/error"})
        file.write_appendable(group + part, hdf5::Type::float64, row, chunk)
            .set_attribute("unit", units.express(array.unit));
    std::vector<std::string> names;
    for (const ArraySeries::Axis& axis : array.axes) {
        file.write(group + "/" + axis.name, axis.values, {axis.values.size()})
            .set_attribute("unit", units.express(axis.unit));
        names.push_back(axis.name);
    }
    if (!names.empty()) file.dataset(group + "/value").set_attribute("axes", names);
}

/// Does the array exist with the axes of `array`?
bool has_axes(const hdf5::File& file, const std::string& group, const ArraySeries& array) {
    if (!file.has(group) || file.dataset(group + "/value").shape().size() != array.axes.size() + 1)
        return false;
    return std::all_of(array.axes.begin(), array.axes.end(), [&](const ArraySeries::Axis& axis) {
        const std::string place = group + "/" + axis.name;
        if (!file.has(place)) return false;
        const std::vector<double> values = file.dataset(place).read<double>();
        return std::equal(values.begin(), values.end(), axis.values.begin(), axis.values.end());
    });
}

/// The group for the row of a stage: that with the name of the array, unless earlier stages have
/// written it with other axes; then a separate group for this stage.
std::string group_of(const hdf5::File& file, const ArraySeries& array, std::int64_t stage) {
    const std::string common = "averages/" + array.name;
    if (!file.has(common) || has_axes(file, common, array)) return common;
    const std::vector<std::int64_t> stages = file.dataset(common + "/stage").read<std::int64_t>();
    const bool earlier =
        std::any_of(stages.begin(), stages.end(), [stage](std::int64_t s) { return s != stage; });
    return earlier ? fmt::format("{}_stage_{}", common, stage) : common;
}

} // namespace

void ResultFile::set_array(const ArraySeries& array, std::int64_t stage, std::int64_t step,
                           double time) {
    const std::string group = group_of(file_, array, stage);
    const Writing writing(*this);
    if (!has_axes(file_, group, array)) {
        file_.remove(group);
        make_array(file_, group, array, units_named(units_));
    }
    const std::vector<std::int64_t> stages = file_.dataset(group + "/stage").read<std::int64_t>();
    const std::uint64_t earlier = stages.size() - (!stages.empty() && stages.back() == stage);
    const auto renew = [&]<class T>(const char* part, std::span<const T> values) {
        hdf5::Dataset dataset = file_.dataset(group + part);
        dataset.resize_rows(earlier);
        dataset.append(values);
    };
    renew("/step", std::span<const std::int64_t>(&step, 1));
    renew("/stage", std::span<const std::int64_t>(&stage, 1));
    renew("/samples", std::span<const std::int64_t>(&array.samples, 1));
    renew("/equilibration_steps", std::span<const std::int64_t>(&array.equilibration_steps, 1));
    renew("/time", std::span<const double>(&time, 1));
    renew("/value", array.value);
    renew("/error", array.error);
    changed_ = true;
}

} // namespace shadow
