// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/io/h5md.hpp"
#include "shadow/system/units.hpp"

#include <fmt/format.h>

namespace shadow {

namespace {

/// Makes the datasets of an array; a row is a chunk.
void make_array(hdf5::File& file, const std::string& group, const ArraySeries& array,
                const hdf5::Shape& row, const Units& units) {
    hdf5::Shape chunk{1};
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

} // namespace

void ResultFile::set_array(const ArraySeries& array, std::int64_t stage, std::int64_t step,
                           double time) {
    const std::string group = "averages/" + array.name;
    hdf5::Shape row;
    for (const ArraySeries::Axis& axis : array.axes) row.push_back(axis.values.size());
    const bool known = file_.has(group);
    hdf5::Shape all{known ? file_.dataset(group + "/step").rows() : 0};
    all.insert(all.end(), row.begin(), row.end());
    if (known && file_.dataset(group + "/value").shape() != all)
        throw InputError(fmt::format("{} has another shape (an earlier stage wrote it with other "
                                     "parameters); give the observables of all stages the same",
                                     group));
    const Writing writing(*this);
    if (!known) make_array(file_, group, array, row, units_named(units_));
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
