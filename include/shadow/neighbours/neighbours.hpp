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

/// Entries of particles: the particle with id i has those from begin[i] to begin[i + 1].
struct ParticleEntries {
    std::vector<std::int32_t> begin;
    std::vector<std::uint32_t> partner; ///< ids of other particles, equally many in each entry
    std::vector<std::int32_t> tag = {}; ///< a number for each entry; may be empty
};

/// Are particles so few that a GPU may sum their forces over all pairs? Then each has one image in
/// range. If pairs are excluded it uses lists all the same.
template <int Dim>
[[nodiscard]] bool small_for_all_pairs(const Box<Dim>& box, std::int64_t particles, double cutoff);

/// If all pair forces sum over all pairs, lists are made on demand: by the first update, which
/// sorts particles, and then by `build`.
template <int Dim>
class Neighbours {
  public:
    /// `cluster_size` is that of the pair kernel; `skin` > 0 in units of length. `tile_skin`, at
    /// most `skin`, is for the tiles which pair forces on the CPU make from these lists.
    Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size, double skin,
               double tile_skin);
    Neighbours(const Backend& backend, const Box<Dim>& box, int cluster_size, double skin);
    ~Neighbours();
    Neighbours(Neighbours&&) noexcept;

    /// Declares that box lengths may shrink to this fraction of their present values, for which
    /// memory of lists is planned. Without a call they stay or grow. Before the first `update`.
    void may_shrink(double least);
    /// Lists are never on demand: after each update particles are sorted by position, whether or
    /// not forces need lists. Before the first update.
    void keep_sorted();
    /// Requests a list of all pairs within `cutoff` (may be infinite: then every range is "all").
    /// Returns its index. Before the first `update`. A GPU prepares more for a list that is
    /// `for_forces`; there is only one such list for each cut-off.
    int add_list(double cutoff, bool for_forces = true);
    /// The list with the shortest cut-off that holds all pairs within a radius. Throws
    /// std::logic_error if there is none.
    [[nodiscard]] int list_within(double radius) const;
    /// Pair forces leave out these pairs of ids, in their nearest image (bonded particles, say). A
    /// pair may be given twice. Before the first `update`, which throws InputError for an unknown
    /// id and for a pair of a particle with itself.
    void exclude(std::vector<std::array<std::uint32_t, 2>> pairs);
    /// Keeps entries in memory order, up to date after each `update`. Returns the index of these
    /// entries. Before the first `update`.
    int keep(const ParticleEntries& entries);
    [[nodiscard]] EntryView entries(int number) const;
    /// The indices of particles in memory, by id; backend memory. Made at the first call and
    /// updated by each later build, at the same address.
    [[nodiscard]] const std::int32_t* index_of_id(const ParticlesView<Dim>& particles) const;
    /// Registers a property of particles in memory order, which is sorted together with them; it
    /// may be empty temporarily. Its elements have 2 or 4 bytes, or a multiple of 8.
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
    /// moved. `done`: the op that moved particles has applied `displacement_test`, and has wrapped
    /// those that are `far_outside`.
    void update(Particles<Dim>& particles, bool done = false);
    /// The test of the next update, for an op that moves particles; without a flag if that update
    /// needs no test.
    [[nodiscard]] TestDisplacement<Dim>
    displacement_test(const ParticlesView<Dim>& particles) const;
    /// With lists on demand, the distance outside of the box, in its lengths, from which a particle
    /// is wrapped. Else infinite.
    [[nodiscard]] double far_outside() const;
    [[nodiscard]] bool on_demand() const; ///< known after the first update
    /// Builds lists on demand for the current positions, after an update.
    void build(Particles<Dim>& particles);

    /// From now on each build counts whole lengths by which images of this box, in backend memory,
    /// have slid as turns.
    void slide_with(BoxView<Dim>* box);
    /// To be called when the box has changed, and particles with it as described at
    /// Strain (kernels/ops/strain.hpp).
    void follow_box(const ParticlesView<Dim>& particles);
    /// Has the box shrunk further than memory is planned for? Waits for the device.
    [[nodiscard]] bool box_too_small() const;

    [[nodiscard]] PairListView list(int index) const;
    /// Positions at the last build, in memory order; null where all lists are of all pairs.
    [[nodiscard]] VectorView<Dim, double> reference() const;
    /// The box at the last build, in backend memory.
    [[nodiscard]] const BoxView<Dim>* reference_box() const;
    /// Upper bound of the number of clusters, for launches over clusters; the exact count is in
    /// backend memory.
    [[nodiscard]] std::int64_t cluster_bound() const;
    [[nodiscard]] double skin() const noexcept;
    /// Number of rebuilds so far; waits for the device.
    [[nodiscard]] std::int64_t rebuilds() const;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// On the CPU, frees what only a rebuild needs, until the next one.
    void release();

    /// For bitwise restart: positions at the last build, in id order (empty before the first), and
    /// the lengths of the box then. `restore`, with a box of these lengths, builds from these
    /// positions, then uses `particles` as they are. Same bits as a run that never stopped.
    [[nodiscard]] std::vector<std::array<double, Dim>> reference(Particles<Dim>&) const;
    [[nodiscard]] std::vector<double> reference_lengths() const;
    [[nodiscard]] SlidingImages reference_sliding() const; ///< of its images
    void restore(Particles<Dim>& particles, const std::vector<std::array<double, Dim>>& reference,
                 std::int64_t rebuilds);
    /// Restores within a run, after other builds: builds from these positions in memory order,
    /// which `particles` have afterwards.
    void build_again(Particles<Dim>& particles, const VectorView<Dim, double>& reference,
                     std::int64_t rebuilds);

  private:
    void attach(std::function<Property()> property);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace shadow
