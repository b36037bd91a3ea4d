// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_list.hpp"
#include "kernels/cpu/tile_task.hpp"
#include "kernels/pair_force.hpp"

#include <atomic>
#include <optional>

namespace shadow::cpu {

/// A pair force over tiles: its list, which is rebuilt with each generation of the neighbour
/// ranges, and the memory of its passes.
template <int Dim>
class TileForce {
  public:
    /// Returns false and does nothing if there can be no tiles because blocks would be too large.
    template <class Pair>
    [[nodiscard]] bool compute(const Backend& backend, const PairForcePayload<Dim, Pair>& payload);

    /// Shares of particles in pairs (kernels/ops/shares.hpp), written to `share`, or added to it
    /// with `payload.accumulate`; forces must have been computed. Returns false as above.
    template <class Pair>
    [[nodiscard]] bool share(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                             Share<Dim>* share);

    /// Frees memory that the next `compute` fills again, with the same bits.
    void release();

    [[nodiscard]] std::size_t bytes() const {
        return list_.bytes() + place_.capacity() + sums_.capacity() +
               virial_.capacity() * sizeof(virial_[0]);
    }

  private:
    /// Brings superclusters and tiles up to date; std::nullopt if there can be none.
    template <class Pair>
    std::optional<TileTask<Dim, Pair>> follow(const Backend& backend,
                                              const PairForcePayload<Dim, Pair>& payload);
    template <class Pair>
    TileTask<Dim, Pair> task(const PairForcePayload<Dim, Pair>& payload);
    template <class Pair>
    float gather(const Backend& backend, const TileTask<Dim, Pair>& task);
    /// Does the work of the task, batch by batch.
    template <class Pair>
    void run(const Backend& backend, TileTask<Dim, Pair>& task);
    template <class Pair>
    void compute_chunks(const Backend& backend, const TileTask<Dim, Pair>& task,
                        const TileBatch& batch);
    template <class Pair>
    void collect(const Backend& backend, const TileTask<Dim, Pair>& task, const TileBatch& batch);
    /// Collects targets [first, last), advances their particles and gathers their new positions.
    template <class Pair>
    void advance(const Backend& backend, const TileTask<Dim, Pair>& task,
                 const TileBatchView& batch, std::int32_t first, std::int32_t last);
    template <class Pair>
    void advance_divided(const Backend& backend, const TileTask<Dim, Pair>& task);

    TileList<Dim> list_;
    std::int64_t generation_ = -1;
    bool usable_ = false, listed_ = false;
    /// The positions after the last pass are gathered, with this strain and largest squared
    /// displacement.
    bool gathered_ = false;
    Strain<Dim> gathered_strain_{};
    std::atomic<float> farthest_ = 0.0F;
    BoxView<Dim> listed_box_{};              ///< when tiles were listed
    std::vector<double> listed_centre_[Dim]; ///< likewise, where images slide
    std::vector<unsigned char> place_, sums_;
    std::vector<SymmetricTensor<Dim>> virial_; ///< by supercluster
    std::vector<TileChunkView> chunks_;        ///< of a batch
};

/// In one dimension pairs are few, and no tiles are compiled.
template <>
class TileForce<1> {
  public:
    template <class... Arguments>
    [[nodiscard]] bool compute(const Arguments&...) {
        return false;
    }
    template <class... Arguments>
    [[nodiscard]] bool share(const Arguments&...) {
        return false;
    }
    void release() {}
    [[nodiscard]] std::size_t bytes() const { return 0; }
};

} // namespace shadow::cpu
