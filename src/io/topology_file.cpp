// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/topology_file.hpp"

#include "src/io/raw_system.hpp"

#include <algorithm>
#include <limits>

namespace shadow {
namespace {

std::vector<std::uint32_t> read_ids(const hdf5::Dataset& dataset, std::size_t width) {
    const hdf5::Shape shape = dataset.shape();
    if (shape.size() != 2 || shape[1] != width)
        refuse_file(dataset.place(), "the array has a wrong shape",
                    fmt::format("each row has {} particles", width), "correct the file");
    std::vector<std::uint32_t> ids;
    for (const std::int64_t id : dataset.read<std::int64_t>()) {
        if (id < 0 || id > std::numeric_limits<std::int32_t>::max())
            refuse_file(dataset.place(), fmt::format("there is no particle {}", id),
                        "ids are counted from 0", "correct the file");
        ids.push_back(static_cast<std::uint32_t>(id));
    }
    return ids;
}

template <class T>
void write_rows(hdf5::Group& group, const std::string& name, const std::vector<T>& numbers,
                std::size_t width) {
    group.write<T>(name, numbers, {numbers.size() / width, width});
}

/// Reads the scaled pairs, which must be among the excluded pairs.
std::vector<ScaledPair> read_scaled(const hdf5::Group& group,
                                    std::vector<std::array<std::uint32_t, 2>> excluded) {
    const std::vector<std::uint32_t> ids = read_ids(group.dataset("scaled"), 2);
    const auto factors = group.dataset("scaled_factors").read<double>();
    std::sort(excluded.begin(), excluded.end());
    std::vector<ScaledPair> all;
    for (std::size_t k = 0; k + 1 < ids.size(); k += 2) {
        const ScaledPair pair{{ids[k], ids[k + 1]},
                              k < factors.size() ? factors[k] : -1.0,
                              k + 1 < factors.size() ? factors[k + 1] : -1.0};
        const auto is_factor = [](double x) { return x >= 0.0 && x <= 1.0; };
        if (!is_factor(pair.lj) || !is_factor(pair.coulomb) ||
            !std::binary_search(excluded.begin(), excluded.end(), pair.members))
            refuse_file(group.place(), fmt::format("the scaled pair {} cannot be", k / 2),
                        "it is excluded and has two factors from 0 to 1", "correct the file");
        all.push_back(pair);
    }
    return all;
}

/// For each kind: types, styles and number of coefficients of each type, and the coefficients, type
/// by type.
void write_coefficients(hdf5::Group& group, BondedKind kind, const Topology& topology) {
    std::vector<std::string> types, styles;
    std::vector<std::int32_t> counts;
    std::vector<double> numbers;
    for (const TypeCoefficients& one : topology.coefficients) {
        if (one.kind != kind) continue;
        types.push_back(one.type);
        styles.push_back(one.style);
        counts.push_back(static_cast<std::int32_t>(one.numbers.size()));
        numbers.insert(numbers.end(), one.numbers.begin(), one.numbers.end());
    }
    if (types.empty()) return;
    const std::string of = std::string(name(kind)) + "s_coefficients";
    group.write_texts(of + "_types", types);
    group.write_texts(of + "_styles", styles);
    group.write(of + "_counts", counts);
    group.write(of, numbers);
}

void read_coefficients(const hdf5::Group& group, BondedKind kind, Topology& topology) {
    const std::string of = std::string(name(kind)) + "s_coefficients";
    if (!group.has_dataset(of)) return;
    const std::vector<std::string> types = group.texts(of + "_types");
    const std::vector<std::string> styles = group.texts(of + "_styles");
    const auto counts = group.dataset(of + "_counts").read<std::int32_t>();
    const auto numbers = group.dataset(of).read<double>();
    std::size_t next = 0;
    for (std::size_t k = 0; k < types.size(); ++k) {
        const std::int32_t count = k < counts.size() ? counts[k] : -1;
        if (k >= styles.size() || count < 0 ||
            static_cast<std::size_t>(count) > numbers.size() - next)
            refuse_file(group.place(),
                        fmt::format("the coefficients of {} type {} are not all there", name(kind),
                                    in_quotes(types[k], 40)),
                        "each has a style and its numbers", "correct the file");
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(next);
        topology.coefficients.push_back(
            {kind, types[k], styles[k], {first, first + count}, group.place()});
        next += static_cast<std::size_t>(count);
    }
}

} // namespace

void write_topology(hdf5::Group& parent, const Topology& topology) {
    if (topology.empty() || parent.has_group("topology")) return;
    hdf5::Group group = parent.make_group("topology");
    for (const BondedKind kind : bonded_kinds) {
        std::vector<std::uint32_t> members;
        std::vector<std::int32_t> type;
        std::vector<std::string> types;
        for (const BondedGroup& part : topology.groups) {
            if (part.kind != kind) continue;
            members.insert(members.end(), part.members.begin(), part.members.end());
            type.insert(type.end(), part.size(), static_cast<std::int32_t>(types.size()));
            types.push_back(part.type);
        }
        if (types.empty()) continue;
        const std::string of = std::string(name(kind)) + "s";
        write_rows(group, of, members, static_cast<std::size_t>(members_of(kind)));
        group.write(of + "_type", type);
        group.write_texts(of + "_types", types);
        write_coefficients(group, kind, topology);
    }
    std::vector<std::uint32_t> excluded;
    for (const auto& pair : topology.excluded)
        excluded.insert(excluded.end(), pair.begin(), pair.end());
    if (!excluded.empty()) write_rows(group, "excluded", excluded, 2);
    std::vector<std::uint32_t> scaled;
    std::vector<double> factors;
    for (const ScaledPair& pair : topology.scaled) {
        scaled.insert(scaled.end(), pair.members.begin(), pair.members.end());
        factors.insert(factors.end(), {pair.lj, pair.coulomb});
    }
    if (scaled.empty()) return;
    write_rows(group, "scaled", scaled, 2);
    write_rows(group, "scaled_factors", factors, 2);
}

Topology read_topology(const hdf5::Group& parent) {
    Topology topology;
    if (!parent.has_group("topology")) return topology;
    const hdf5::Group group = parent.group("topology");
    for (const BondedKind kind : bonded_kinds) {
        const std::string of = std::string(name(kind)) + "s";
        if (!group.has_dataset(of)) continue;
        read_coefficients(group, kind, topology);
        const auto width = static_cast<std::size_t>(members_of(kind));
        const std::vector<std::uint32_t> members = read_ids(group.dataset(of), width);
        const auto type = group.dataset(of + "_type").read<std::int32_t>();
        const std::vector<std::string> types = group.texts(of + "_types");
        for (std::size_t k = 0; k < members.size(); ++k) {
            const std::int32_t t = k / width < type.size() ? type[k / width] : -1;
            if (t < 0 || static_cast<std::size_t>(t) >= types.size())
                refuse_file(group.place(),
                            fmt::format("the {} {} has no type", name(kind), k / width),
                            fmt::format("there are {}", types.size()), "correct the file");
            topology.group(kind, types[static_cast<std::size_t>(t)]).members.push_back(members[k]);
        }
    }
    if (group.has_dataset("excluded")) {
        const std::vector<std::uint32_t> ids = read_ids(group.dataset("excluded"), 2);
        for (std::size_t k = 0; k + 1 < ids.size(); k += 2)
            topology.excluded.push_back({ids[k], ids[k + 1]});
    }
    if (group.has_dataset("scaled")) topology.scaled = read_scaled(group, topology.excluded);
    return topology;
}

} // namespace shadow
