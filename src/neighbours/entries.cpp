// SPDX-License-Identifier: BSD-3-Clause
#include "neighbours_state.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

/// Excluded pairs and bonded particles: given by id, kept in memory order.
namespace shadow {

template <int Dim>
int Neighbours<Dim>::keep(const ParticleEntries& entries) {
    return state_->keep(entries);
}

template <int Dim>
EntryView Neighbours<Dim>::entries(int number) const {
    const auto& kept = state_->entries.at(static_cast<std::size_t>(number));
    return {kept.begin.data(), kept.partner.data(), kept.tag.data()};
}

template <int Dim>
const std::int32_t* Neighbours<Dim>::index_of_id(const ParticlesView<Dim>& particles) const {
    State& s = *state_;
    if (s.index_of_id.size() == 0) {
        s.index_of_id = Array<std::int32_t>(s.backend, static_cast<std::size_t>(particles.size));
        s.place_ids(particles, nullptr);
    }
    return s.index_of_id.data();
}

/// Particles start in the order of their ids, and stay so if nothing sorts them.
template <int Dim>
int Neighbours<Dim>::State::keep(const ParticleEntries& given) {
    const auto count = static_cast<std::size_t>(given.begin.back());
    if (index_of_id.size() == 0) {
        std::vector<std::int32_t> same(given.begin.size() - 1);
        std::iota(same.begin(), same.end(), 0);
        index_of_id = Array<std::int32_t>(backend, same);
    }
    const std::vector<std::int32_t> partner(given.partner.begin(), given.partner.end());
    Entries& kept = entries.emplace_back();
    kept.begin_by_id = Array<std::int32_t>(backend, given.begin);
    kept.partner_by_id = Array<std::uint32_t>(backend, given.partner);
    kept.begin = Array<std::int32_t>(backend, given.begin);
    kept.partner = Array<std::int32_t>(backend, partner);
    if (!given.tag.empty()) {
        kept.tag_by_id = Array<std::int32_t>(backend, given.tag);
        kept.tag = Array<std::int32_t>(backend, given.tag);
    }
    kept.width = count > 0 ? static_cast<std::int32_t>(given.partner.size() / count) : 1;
    return static_cast<int>(entries.size()) - 1;
}

template <int Dim>
ExclusionView Neighbours<Dim>::State::excluded_view() const {
    if (excluded < 0) return {};
    const Entries& kept = entries[static_cast<std::size_t>(excluded)];
    return {kept.begin.data(), kept.partner.data()};
}

/// Lists each pair from both sides.
template <int Dim>
void Neighbours<Dim>::State::plan_exclusions() {
    auto both = std::exchange(excluded_pairs, {});
    if (both.empty()) return;
    const std::size_t given = both.size();
    for (std::size_t k = 0; k < given; ++k) {
        const auto [a, b] = both[k];
        if (a == b)
            throw InputError(fmt::format("particle {} excluded from itself (a pair has two "
                                         "particles); name another",
                                         a));
        if (std::max(a, b) >= static_cast<std::uint64_t>(n))
            throw InputError(fmt::format("excluded pair of particles {} and {} (there are {}, "
                                         "counted from 0); name others",
                                         a, b, n));
        both.push_back({b, a});
    }
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    ParticleEntries listed;
    listed.begin.resize(static_cast<std::size_t>(n) + 1);
    for (const auto& [a, b] : both) {
        ++listed.begin[a + 1];
        listed.partner.push_back(b);
    }
    std::partial_sum(listed.begin.begin(), listed.begin.end(), listed.begin.begin());
    excluded = keep(listed);
}

template <int Dim>
void Neighbours<Dim>::State::place_ids(const ParticlesView<Dim>& p, const std::int32_t* gate) {
    if (index_of_id.size() > 0) launch(backend, InvertIds{p.id, index_of_id.data()}, p.size, gate);
}

template <int Dim>
void Neighbours<Dim>::State::place_entries(const ParticlesView<Dim>& p) {
    for (Entries& kept : entries) {
        count_and_scan(CountEntries{p.id, kept.begin_by_id.data(), entry_count.data()}, n,
                       {entry_count.data(), kept.begin.data(), n});
        run(PlaceEntries{p.id, kept.begin_by_id.data(), kept.partner_by_id.data(),
                         kept.tag_by_id.data(), kept.width, index_of_id.data(), kept.begin.data(),
                         kept.partner.data(), kept.tag.data()},
            n);
    }
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template struct Neighbours<Dim>::State;                                                        \
    template int Neighbours<Dim>::keep(const ParticleEntries&);                                    \
    template EntryView Neighbours<Dim>::entries(int) const;                                        \
    template const std::int32_t* Neighbours<Dim>::index_of_id(const ParticlesView<Dim>&) const;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
