// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_list.hpp"
#include "kernels/pair_force.hpp"

namespace shadow::cpu {

/// A pair force over tiles: its list, which follows the generations of the runs it is made from,
/// and the memory its passes work in.
template <int Dim>
class TileForce {
  public:
    /// False, with nothing done, if there can be no tiles: the cut-off is infinite, or blocks would
    /// be too large.
    template <class State, class Pair>
    [[nodiscard]] bool compute(const Backend& backend,
                               const PairForcePayload<Dim, State, Pair>& payload);

    [[nodiscard]] std::size_t bytes() const;

  private:
    template <class T>
    T* reserve(std::vector<unsigned char>& memory, std::size_t count);

    TileList<Dim> list_;
    std::int64_t generation_ = -1;
    bool usable_ = false;
    std::vector<unsigned char> place_, output_;
};

} // namespace shadow::cpu
