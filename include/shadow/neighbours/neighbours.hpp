// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/ops/displacement.hpp"
#include "kernels/ops/properties.hpp"
#include "kernels/views.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace shadow {

/// What belongs to particles: those with id i have the entries from begin[i] to begin[i + 1].
struct ParticleEntries {
    std::vector<std::int32_t> begin;
    std::vector<std::uint32_t> partner; ///< ids of other particles, equally many in each entry
    std::vector<std::int32_t> tag = {}; ///< a number that belongs to each; or none
};

/// Can a GPU sum the forces between so few particles over all pairs? Each has one image in range
/// then. Where pairs are excluded it still goes by lists.
template <int Dim>
[[nodiscard]] bool small_for_all_pairs(const Box<Dim>& box, std::int64_t particles, double cutoff);

/// Cell grid and pair lists of one system. Space is cut into columns over the first Dim - 1
/// directions; inside a column particles are sorted along the last direction, and every
/// `cluster_size` of them make a cluster. A list stores for each cluster one neighbour range per
/// column in reach, so it is small and cannot overflow. Rebuilding re-sorts the particles in
/// memory.
///
/// Whether to rebuild is decided on the backend, without the host: when any particle has moved more
/// than skin/2 since the last build (then no pair inside a cut-off can be missing).
///
/// Where all pair forces go over all pairs, lists are made on demand: by the first update, which
/// sorts particles, and then when `build` asks for them.
template <int Dim>
class Neighbours {
  public:
    /// `cluster_size` is that of the pair kernel; `skin` > 0 in units of length. `tile_skin`, at
    /// most that, is for the tiles which pair forces on the CPU make from these lists.
    Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size, double skin,
               double tile_skin);
    Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size, double skin);
    ~Neighbours();
    Neighbours(Neighbours&&) noexcept;

    /// Lengths of the box may shrink to this part of what they are now: memory of lists is planned
    /// for it. Without a call they stay or grow. Before the first `update`.
    void may_shrink(double least);
    /// Never on demand: after each update particles are in the order of where they are, whoever
    /// needs lists. Before the first one.
    void keep_sorted();
    /// Asks for a list of all pairs within `cutoff` (may be infinite: then every range is "all").
    /// Returns its index. Before the first `update`. A GPU prepares more of a list that is
    /// `for_forces`; of these there is one for each cut-off.
    int add_list(double cutoff, bool for_forces = true);
    /// Of the lists that hold all pairs within a radius that with the shortest cut-off. Throws
    /// std::logic_error where there is none.
    [[nodiscard]] int list_within(double radius) const;
    /// Pair forces leave out these pairs of ids, in their nearest image (bonded particles, say). A
    /// pair may be given twice. Before the first `update`, which throws InputError for an id that
    /// no particle has and for a particle beside itself.
    void exclude(std::vector<std::array<std::uint32_t, 2>> pairs);
    /// Keeps entries in memory order, current after each `update`. Returns their number. Before the
    /// first `update`.
    int keep(const ParticleEntries& entries);
    [[nodiscard]] EntryView entries(int number) const;
    /// Of particles by id: where they are in memory; in backend memory. Made at the first call
    /// and from then on current after each build, at the same address.
    [[nodiscard]] const std::int32_t* index_of_id(const ParticlesView<Dim>& particles) const;
    /// A property of particles in memory order, which is sorted together with them; it may be empty
    /// for a time. Numbers of 2 or 4 bytes, or anything of a multiple of 8.
    template <class T>
    void attach(Array<T>& property) {
        static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) % 8 == 0);
        attach([&property] {
            return Property{property.size() == 0 ? 0 : static_cast<std::int32_t>(sizeof(T)),
                            property.data(), nullptr};
        });
    }

    /// Brings the lists up to date for the current positions: enqueues the displacement test and
    /// the rebuild, which the device skips where it is not needed. Wraps positions into the box
    /// when it rebuilds; with lists on demand only those far outside. Cheap to call when nothing
    /// moved. `done`: what moved particles has done `displacement_test`, and has brought back those
    /// that are `far_outside`.
    void update(Particles<Dim>& particles, bool done = false);
    /// The test of the next update, for an op that moves particles; without a flag where that
    /// needs none.
    [[nodiscard]] TestDisplacement<Dim>
    displacement_test(const ParticlesView<Dim>& particles) const;
    /// With lists on demand: so many box lengths outside of it a particle has to come back. Else
    /// infinite.
    [[nodiscard]] double far_outside() const;
    [[nodiscard]] bool on_demand() const; ///< known after the first update
    /// Lists on demand for the current positions, after an update.
    void build(Particles<Dim>& particles);

    /// Each build counts what images of this box, in backend memory, have slid by whole lengths as
    /// turns.
    void slide_with(BoxView<Dim>* box);
    /// To be called when the box has changed, and particles with it as TestDisplacement says.
    void follow_box(const ParticlesView<Dim>& particles);
    /// Has it shrunk further than memory is planned for? Waits for the device.
    [[nodiscard]] bool box_too_small() const;

    [[nodiscard]] PairListView list(int index) const;
    /// Positions at the last build, in memory order; null where all lists are of all pairs.
    [[nodiscard]] VectorView<Dim, double> reference() const;
    /// The box then, in backend memory.
    [[nodiscard]] const BoxView<Dim>* reference_box() const;
    /// Clusters at most, the `n` to launch over clusters with; the device knows the exact count.
    [[nodiscard]] std::int64_t cluster_bound() const;
    [[nodiscard]] double skin() const noexcept;
    /// Number of rebuilds so far; waits for the device.
    [[nodiscard]] std::int64_t rebuilds() const;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Gives back, on the CPU, what only rebuilding needs, until it is needed.
    void release();

    /// For bitwise restart: positions at the last build, in id order (empty before the first), the
    /// lengths of the box then, and the way back: with a box of these lengths builds from these
    /// positions, then takes `particles` as they are. Same bits as a run that never stopped.
    [[nodiscard]] std::vector<std::array<double, Dim>> reference(Particles<Dim>&) const;
    [[nodiscard]] std::vector<double> reference_lengths() const;
    [[nodiscard]] SlidingImages reference_sliding() const; ///< of its images
    void restore(Particles<Dim>& particles, const std::vector<std::array<double, Dim>>& reference,
                 std::int64_t rebuilds);
    /// The way back within a run, where lists have been built since: from these positions in memory
    /// order, which `particles` have then.
    void build_again(Particles<Dim>& particles, const VectorView<Dim, double>& reference,
                     std::int64_t rebuilds);

  private:
    void attach(std::function<Property()> property);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace shadow
