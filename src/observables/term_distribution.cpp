// SPDX-License-Identifier: BSD-3-Clause
#include "histogram_rows.hpp"
#include "keys.hpp"

#include "shadow/observables/molecules.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace shadow {
namespace {

/// In the order of `bonded_kinds`.
std::vector<std::string> kind_words() {
    return {"bonds", "angles", "dihedrals", "impropers"};
}

struct KindWords {
    const char* name;
    const char* axis;
    const char* unit;
};

KindWords words_of(BondedKind kind) {
    switch (kind) {
    case BondedKind::bond:
        return {"bond_length_distribution", "r", "length"};
    case BondedKind::angle:
        return {"angle_distribution", "theta", "degree"};
    case BondedKind::dihedral:
        return {"dihedral_distribution", "phi", "degree"};
    case BondedKind::improper:
        break;
    }
    return {"improper_distribution", "phi", "degree"};
}

/// A type as part of the name of an array: characters that are not allowed become "_", and no two
/// names are the same.
std::string array_name(std::string type, const std::vector<Population>& before) {
    for (char& c : type)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    const auto is_same = [&](const Population& other) { return other.name == type; };
    while (std::any_of(before.begin(), before.end(), is_same)) type += "_";
    return type;
}

} // namespace

template <int Dim>
TermDistribution<Dim>::TermDistribution(const Topology& topology, BondedKind kind, double low,
                                        double high, int bins)
    : AveragingObservable<Dim>({{}, "", {}}), kind_(kind), bins_(equal_bins(low, high, bins)),
      closed_(kind != BondedKind::bond && high == 180.0) {
    for (const BondedGroup& group : topology.groups) {
        if (group.kind != kind) continue;
        type_.insert(type_.end(), group.size(), static_cast<std::int32_t>(types_.size()));
        members_.insert(members_.end(), group.members.begin(), group.members.end());
        types_.push_back({array_name(group.type, types_), static_cast<std::int64_t>(group.size())});
    }
    const KindWords words = words_of(kind);
    this->average_ =
        AveragedArrays(names_by_species(words.name, types_), std::string("1/") + words.unit,
                       {middles(words.axis, words.unit, low, high, bins)});
}

template <int Dim>
void TermDistribution<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) {
        histogram_ = Array<std::int64_t>(backend, width());
        member_ = Array<std::uint32_t>(backend, members_);
        backend_type_ = Array<std::int32_t>(backend, type_);
    }
    const CountTerms<Dim> op{system.particles(),
                             system.index_of_id(),
                             member_.data(),
                             backend_type_.data(),
                             kind_,
                             bins_,
                             closed_,
                             histogram_.data()};
    const auto bins = static_cast<std::int64_t>(width());
    count(backend, op, static_cast<std::int64_t>(type_.size()), bins);
    launch(backend, TakeCounts{histogram_.data(), row}, bins);
}

template <int Dim>
void TermDistribution<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    this->average_.add(scaled(row, types_.size(), densities(types_, 1, bins_)));
}

SHADOW_INSTANTIATE_EACH_DIMENSION(TermDistribution)

namespace {

template <int Dim>
Made<Dim> make_bonded_distribution(const ObservableInput<Dim>& in) {
    const std::vector<std::string> kinds = kind_words();
    const std::string of = in.choice("of");
    const auto at = std::find(kinds.begin(), kinds.end(), of) - kinds.begin();
    const BondedKind kind = bonded_kinds[static_cast<std::size_t>(at)];
    const bool any =
        in.context.topology &&
        std::any_of(in.context.topology->groups.begin(), in.context.topology->groups.end(),
                    [&](const BondedGroup& group) { return group.kind == kind; });
    if (!any)
        in.fail("of", fmt::format("bonded-distribution of {} where there are none (molecules "
                                  "have them); give some in a [[molecule]], or remove it",
                                  of));
    const bool bonds = kind == BondedKind::bond;
    std::vector<double> range = {kind == BondedKind::angle ? 0.0 : -180.0, 180.0};
    if (bonds && !in.has("range"))
        in.fail("range", "bonded-distribution of bonds without a range (they may have any "
                         "length); give range = [shortest, longest]");
    range = in.numbers("range", range);
    if (range.size() != 2 || !(range[0] < range[1]) || (bonds && range[0] < 0.0))
        in.fail("range", "a range that is not two ascending numbers, of lengths not below zero "
                         "(bins are between them); give [lowest, highest]");
    return std::make_unique<TermDistribution<Dim>>(*in.context.topology, kind, range[0], range[1],
                                                   read_bins(in));
}

} // namespace

ObservableEntry bonded_distribution_entry() {
    using enum KeyType;
    return {{"bonded-distribution",
             "Distribution of the lengths of bonds, or of angles, dihedrals or impropers, of all "
             "and of each type",
             "density of probability of r, theta or phi (from -180 to 180 degrees, 0 is cis), not "
             "divided by r^2 or sin(theta)",
             "",
             {every_key(),
              {"of", text, "", "\"bonds\"", "bonds, angles, dihedrals or impropers", "\"angles\"",
               kind_words()},
              {"range", numbers, "length or degree", "all angles; required by bonds",
               "values outside are not counted", "[0.5, 1.5]"},
              bins_key(100, "of the range")}},
            SHADOW_EACH_DIMENSION(make_bonded_distribution)};
}

} // namespace shadow
