// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/tensor.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace shadow {

/// Forces by a plain sum over all pairs, in double, without lists, clusters or threads: what
/// those of a device are checked against. The mesh of periodic charges is that of a CPU. The sum of
/// one particle takes a time proportional to the number of particles.
template <int Dim>
class DirectSum {
  public:
    /// Keeps references to `box` and `particles`. `pair_is_double`: as of the forces to be checked.
    DirectSum(const ForcePlan& forces, const Box<Dim>& box, const Snapshot<Dim>& particles,
              bool pair_is_double);

    struct Result {
        PairTotals<Dim> value;
        /// How far the rounding of the engine's pair kernels may take them off it, by component.
        ///
        /// With eps that of the numbers a pair is computed in, and L the extent of the system: two
        /// coordinates relative to a centre, each at most L, are rounded, and so is their
        /// difference; a distance is wrong by less than 4 eps L, and a force, an energy by as much
        /// as they change over that. Terms of the size of the result, or of its change over 5 % of
        /// the distance where it is near zero, are rounded some 20 times while a pair is computed,
        /// and up to 200 times while the pairs are added.
        PairTotals<Dim> rounding;
    };
    [[nodiscard]] Result operator()(std::size_t particle) const;
    [[nodiscard]] std::size_t size() const { return particles_.size(); }

  private:
    struct Pair {
        double force, energy;                   ///< along the distance
        double force_rounding, energy_rounding; ///< of these
    };
    void add_fields(Result& sums, std::size_t particle) const;
    void add_bonded(Result& sums, const BondedDescription& force, std::size_t k) const;
    [[nodiscard]] bool is_excluded(std::size_t i, std::size_t j) const;
    [[nodiscard]] Pair evaluate(const PairTable& table, int row, double r) const;
    void add(Result& sums, const std::array<double, Dim>& delta, double r, const Pair& pair) const;

    std::vector<PairTable> tables_;
    std::vector<FieldDescription> fields_;
    std::vector<BondedDescription> bonded_;
    std::vector<PairTotals<Dim>> fourier_; ///< of periodic charges, by particle
    PairTotals<Dim> fourier_rounding_;
    std::vector<std::array<std::uint32_t, 2>> excluded_; ///< ascending, the first id the lower
    std::vector<std::vector<double>> self_; ///< energies of single particles, by force and species
    const Box<Dim>& box_;
    const Snapshot<Dim>& particles_;
    double epsilon_, distance_rounding_, reach_;
};

} // namespace shadow
