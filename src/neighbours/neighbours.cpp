// SPDX-License-Identifier: BSD-3-Clause
#include "neighbours_state.hpp"

#include "shadow/core/error.hpp"
#include "shadow/system/id_order.hpp"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace shadow {

template <int Dim>
Neighbours<Dim>::Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size,
                            double skin, double tile_skin)
    : state_(std::make_unique<State>(backend, box, cluster_size, skin, tile_skin)) {
    if (cluster_size < 1)
        throw InputError(fmt::format("clusters of {} particles (a cluster holds at least one); use "
                                     "the size of the pair kernel",
                                     cluster_size));
    if (!(tile_skin > 0.0) || !(skin >= tile_skin) || !std::isfinite(skin))
        throw InputError(fmt::format("skin {} (lists last while particles move less than half of "
                                     "it, so it must be positive and finite); use about 0.1 to "
                                     "0.3 of the particle diameter",
                                     skin));
}

template <int Dim>
Neighbours<Dim>::Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size,
                            double skin)
    : Neighbours(backend, box, cluster_size, skin, skin) {}

template <int Dim>
Neighbours<Dim>::~Neighbours() = default;
template <int Dim>
Neighbours<Dim>::Neighbours(Neighbours&&) noexcept = default;

template <int Dim>
int Neighbours<Dim>::add_list(double cutoff, bool for_forces) {
    if (!(cutoff > 0.0))
        throw InputError(fmt::format("cut-off {} (not positive); give the largest distance at "
                                     "which pairs matter",
                                     cutoff));
    if (std::isinf(cutoff) && !state_->box.is_open())
        throw InputError("an infinite cut-off in a periodic box (there are infinitely many "
                         "images); use a finite cut-off or an open box");
    const auto is_same = [&](const auto& list) { return list.for_forces && list.cutoff == cutoff; };
    const auto same = std::find_if(state_->lists.begin(), state_->lists.end(), is_same);
    if (for_forces && same != state_->lists.end())
        return static_cast<int>(same - state_->lists.begin());
    auto& list = state_->lists.emplace_back();
    list.cutoff = cutoff;
    list.for_forces = for_forces;
    return static_cast<int>(state_->lists.size()) - 1;
}

template <int Dim>
int Neighbours<Dim>::list_within(double radius) const {
    int found = -1;
    for (int k = 0; k < static_cast<int>(state_->lists.size()); ++k) {
        const auto cutoff = [this](int list) {
            return state_->lists[static_cast<std::size_t>(list)].cutoff;
        };
        if (cutoff(k) >= radius && (found < 0 || cutoff(k) < cutoff(found))) found = k;
    }
    if (found < 0) throw std::logic_error("no list of pairs reaches so far");
    return found;
}

template <int Dim>
void Neighbours<Dim>::exclude(std::vector<std::array<std::uint32_t, 2>> pairs) {
    state_->excluded_pairs = std::move(pairs);
}

template <int Dim>
void Neighbours<Dim>::attach(std::function<Property()> property) {
    state_->attached.push_back(std::move(property));
}

template <int Dim>
void Neighbours<Dim>::update(Particles<Dim>& particles, bool done) {
    State& s = *state_;
    const auto p = particles.view();
    const bool first = !s.made;
    if (!s.planned) s.plan(p.size);
    if (s.n == 0) return;
    if (s.lists.empty()) {
        // Without lists positions stay near the box, too.
        if (s.sliding) launch(s.backend, ReduceSlide<Dim>{s.sliding}, 1);
        if (!s.box.is_open())
            launch(s.backend, WrapPositions<Dim>{p.box, p.position, p.image}, s.n);
        return;
    }
    if (!s.any_finite && !first) return;
    if (s.on_demand && !first) {
        if (!done)
            launch(s.backend, WrapPositions<Dim>{p.box, p.position, p.image, far_outside()}, s.n);
        return;
    }
    if (!first && !done) launch(s.backend, s.displacement_test(p), s.n);
    s.rebuild(p);
}

template <int Dim>
void Neighbours<Dim>::build(Particles<Dim>& particles) {
    State& s = *state_;
    if (!s.on_demand || s.n == 0) return;
    const auto p = particles.view();
    launch(s.backend, s.displacement_test(p), s.n);
    s.rebuild(p);
}

template <int Dim>
bool Neighbours<Dim>::on_demand() const {
    return state_->on_demand;
}

template <int Dim>
double Neighbours<Dim>::far_outside() const {
    return state_->on_demand ? State::far_outside : HUGE_VAL;
}

template <int Dim>
TestDisplacement<Dim>
Neighbours<Dim>::displacement_test(const ParticlesView<Dim>& particles) const {
    const State& s = *state_;
    if (!s.planned || !s.any_finite || s.on_demand || s.n == 0) return {};
    return state_->displacement_test(particles);
}

template <int Dim>
void Neighbours<Dim>::may_shrink(double least) {
    state_->least = least;
}

template <int Dim>
void Neighbours<Dim>::keep_sorted() {
    state_->keeps_sorted = true;
}

template <int Dim>
void Neighbours<Dim>::slide_with(BoxView<Dim>* box) {
    state_->sliding = box;
}

template <int Dim>
void Neighbours<Dim>::follow_box(const ParticlesView<Dim>& particles) {
    launch(state_->backend, state_->follow_box(particles), 1);
}

template <int Dim>
bool Neighbours<Dim>::box_too_small() const {
    return state_->too_small.get(0) != 0;
}

template <int Dim>
std::vector<double> Neighbours<Dim>::reference_lengths() const {
    const BoxView<Dim> built = state_->built.get(0);
    return {built.length, built.length + Dim};
}

template <int Dim>
SlidingImages Neighbours<Dim>::reference_sliding() const {
    return state_->built.get(0).sliding;
}

template <int Dim>
PairListView Neighbours<Dim>::list(int index) const {
    return state_->view(state_->lists.at(static_cast<std::size_t>(index)));
}

template <int Dim>
PairListView Neighbours<Dim>::State::view(List& list) const {
    const std::int32_t members = list.max_rows > 0 ? staged_members<Dim> : 0;
    return {cluster_count(),
            cluster_begin.data(),
            cluster_end.data(),
            list.range_count.data(),
            list.ranges.data(),
            list.stride,
            (list.cutoff + skin) * pad,
            (list.cutoff + tile_skin) * pad,
            generation,
            {list.member.data(), list.member_count.data(), list.rows.data(), list.row_count.data(),
             list.centre.data(), members, list.max_rows, &built.data()->sliding.slide},
            excluded_view(),
            list.all_pairs};
}

template <int Dim>
VectorView<Dim, double> Neighbours<Dim>::reference() const {
    return state_->reference_view();
}

template <int Dim>
const BoxView<Dim>* Neighbours<Dim>::reference_box() const {
    return state_->built.data();
}

template <int Dim>
std::int64_t Neighbours<Dim>::cluster_bound() const {
    return state_->clusters;
}

template <int Dim>
double Neighbours<Dim>::skin() const noexcept {
    return state_->skin;
}

template <int Dim>
std::int64_t Neighbours<Dim>::rebuilds() const {
    return state_->rebuilds.get(0);
}

template <int Dim>
void Neighbours<Dim>::release() {
    if (!state_->backend.is_asynchronous()) state_->scratch = {};
}

template <int Dim>
std::size_t Neighbours<Dim>::bytes() const noexcept {
    const State& s = *state_;
    std::size_t sum = s.bin_count.bytes() + s.bin_start.bytes() + s.order.bytes() +
                      s.column_cut.bytes() + s.column_clusters.bytes() + s.first_cluster.bytes() +
                      s.cluster_begin.bytes() + s.cluster_end.bytes() + s.scratch.bytes() +
                      s.window.bytes() + s.grid.bytes() + s.index_of_id.bytes() +
                      s.entry_count.bytes();
    for (const auto& kept : s.entries)
        sum += kept.begin_by_id.bytes() + kept.tag_by_id.bytes() + kept.partner_by_id.bytes() +
               kept.begin.bytes() + kept.partner.bytes() + kept.tag.bytes();
    for (const auto& component : s.reference) sum += component.bytes();
    for (const auto& list : s.lists)
        sum += list.range_count.bytes() + list.ranges.bytes() + list.member.bytes() +
               list.member_count.bytes() + list.rows.bytes() + list.row_count.bytes() +
               list.centre.bytes();
    return sum;
}

template <int Dim>
std::vector<std::array<double, Dim>> Neighbours<Dim>::reference(Particles<Dim>& particles) const {
    const State& s = *state_;
    if (!s.made || !s.any_finite) return {};
    std::array<const double*, Dim> components;
    for (std::size_t d = 0; d < Dim; ++d) components[d] = s.reference[d].data();
    std::vector<std::array<double, Dim>> out(static_cast<std::size_t>(s.n));
    copy_by_id<double>(s.backend, particles.view().id, s.n, components, out.data()->data());
    return out;
}

template <int Dim>
void Neighbours<Dim>::restore(Particles<Dim>& particles,
                              const std::vector<std::array<double, Dim>>& reference,
                              std::int64_t rebuilds) {
    State& s = *state_;
    const auto p = particles.view();
    if (!s.planned) s.plan(p.size);
    s.place_ids(p, nullptr); // particles may have been others
    if (s.n == 0 || s.lists.empty()) return;
    s.flag.set(0, 1);
    s.made = false;
    if (!reference.empty() && s.any_finite) {
        const auto n = static_cast<std::size_t>(s.n);
        if (reference.size() != n)
            throw InputError(fmt::format("{} reference positions for {} particles (the checkpoint "
                                         "is of another system); resume with its own input",
                                         reference.size(), n));
        std::vector<std::uint32_t> id(n);
        std::vector<double> component(n);
        std::array<std::vector<double>, Dim> position; // by id
        detail::copy_to_host(s.backend, id.data(), p.id, n * sizeof(std::uint32_t));
        for (std::size_t d = 0; d < Dim; ++d) {
            detail::copy_to_host(s.backend, component.data(), p.position.component[d],
                                 n * sizeof(double));
            position[d].resize(n);
            for (std::size_t i = 0; i < n; ++i) {
                position[d][id[i]] = component[i];
                component[i] = reference[id[i]][d];
            }
            detail::copy_to_backend(s.backend, p.position.component[d], component.data(),
                                    n * sizeof(double));
        }
        s.rebuild(p);
        detail::copy_to_host(s.backend, id.data(), p.id, n * sizeof(std::uint32_t));
        for (std::size_t d = 0; d < Dim; ++d) {
            for (std::size_t i = 0; i < n; ++i) component[i] = position[d][id[i]];
            detail::copy_to_backend(s.backend, p.position.component[d], component.data(),
                                    n * sizeof(double));
        }
    } else if (!s.any_finite) {
        s.rebuild(p);
    }
    s.rebuilds.set(0, rebuilds);
}

template <int Dim>
void Neighbours<Dim>::build_again(Particles<Dim>& particles,
                                  const VectorView<Dim, double>& reference, std::int64_t rebuilds) {
    const auto p = particles.view();
    launch(state_->backend, CopyVectors<Dim>{reference, p.position}, state_->n);
    state_->flag.set(0, 1);
    state_->rebuild(p);
    state_->rebuilds.set(0, rebuilds);
}

template class Neighbours<1>;
template class Neighbours<2>;
template class Neighbours<3>;

} // namespace shadow
