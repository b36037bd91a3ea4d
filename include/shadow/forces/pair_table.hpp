// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/description.hpp"
#include "shadow/forces/pair_curve.hpp"

#include "kernels/potentials/truncation.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// How a pair potential u(r) ends at its cut-off R. The smooth ones leave it unchanged below
/// `inner` and continue it by the Hermite polynomial that ends at R with as many vanishing
/// derivatives as match at `inner`.
enum class Truncation {
    none,        ///< u jumps to 0
    shift,       ///< u(r) - u(R)
    force_shift, ///< u(r) - u(R) - u'(R) (r - R)
    smooth_c1,   ///< cubic: force continuous
    smooth_c2    ///< quintic: force once continuously differentiable
};

/// One potential between two species.
struct PairParameters {
    std::vector<double> numbers;                    ///< in the order of PotentialInfo::parameters
    double cutoff = 0.0;                            ///< may be infinite
    double inner = 0.0;                             ///< of the smooth truncations
    std::shared_ptr<const PairCurve> curve = {};    ///< of a potential that is not compiled
    std::shared_ptr<const SplineTable> spline = {}; ///< of the curve with its truncation
};

/// A smooth split of a potential by distance for multiple time steps: the fast part is
/// u switched to zero (C2) between `inner` and `outer`, the slow part the rest.
struct DistanceSplit {
    double inner, outer;
};

/// One potential between all species.
struct PairPotential {
    enum class Part { whole, fast, slow };

    int potential = 0; ///< position in `GeneralInteractions`, kernels/potentials/list.hpp
    Truncation truncation = Truncation::none;
    std::vector<PairParameters> pairs;         ///< (a * species_count + b), symmetric
    std::vector<PairParameters> pairs_14 = {}; ///< of scaled pairs; empty: the same
    Part part = Part::whole;
    DistanceSplit split{};
    bool tail = false; ///< mean-field correction for what the cut-off leaves out
    /// Do its energy and force vanish at the cut-off (coulomb-dsf)? Else it is truncated.
    bool vanishes = true;
    bool charged = false;  ///< does it act on charges?
    bool periodic = false; ///< is it the pair part of a sum over all images, which has no end?
    double accuracy = 0.0; ///< of its tables
    std::string name = {}; ///< of the series of its energy; empty: that of the potential

    /// The end for which a potential is made: the cut-off, or infinity if it is truncated.
    [[nodiscard]] double end(const PairParameters& p) const {
        return vanishes ? p.cutoff : HUGE_VAL;
    }
};

/// What one pass over the pairs computes: a potential, and perhaps another one with it.
struct PairForceDescription : CommonDescription {
    PairPotential potential;
    std::optional<PairPotential> electrostatic = {}; ///< or another that is fused, see `can_fuse`
    std::vector<std::shared_ptr<const SplineTable>> sums = {}; ///< of both, where they are tables

    /// The potential that acts on charges, if one does.
    [[nodiscard]] const PairPotential& charges() const {
        return electrostatic ? *electrostatic : potential;
    }
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] bool acts_on_charges() const { return charges().charged; }
    [[nodiscard]] ForceList list() const;
    [[nodiscard]] bool gives_hessian() const { return true; }
    [[nodiscard]] bool jumps(bool tails = false) const;
    [[nodiscard]] bool is_same(const PairForceDescription& other) const;
    template <int Dim>
    [[nodiscard]] std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
                                                       Neighbours<Dim>& neighbours) const;
    template <int Dim>
    [[nodiscard]] DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
};

/// Whether charges of `b` can be computed in the pass of `a`: Lennard-Jones with any truncation and
/// damped shifted charges, or with truncation none or shift and Coulomb charges, with the same
/// cut-offs and level.
[[nodiscard]] bool can_fuse(const PairForceDescription& a, const PairForceDescription& b);
/// Whether both can be one table: if one of them is a curve, with the same cut-offs and level.
[[nodiscard]] bool can_share_table(const PairForceDescription& a, const PairForceDescription& b);
/// One pass for both.
[[nodiscard]] PairForceDescription fused(const PairForceDescription& a,
                                         const PairForceDescription& b);

/// The potentials of a description, each by itself, with a name of its own: "lennard-jones", or
/// "lennard-jones_fast" of a part.
[[nodiscard]] std::vector<PairForceDescription> parts_of(const PairForceDescription& description);

/// A description compiled for the kernels.
struct PairTable {
    int interaction = 0; ///< position in `Interactions`, kernels/potentials/list.hpp
    Ending ending = Ending::shifted;
    double cutoff = 0.0; ///< the longest
    int species_count = 1;
    std::vector<double> rows; ///< species_count^2 rows, followed by segments of curves
};

/// Makes the tables of a curve with its truncation for all pairs of species, each within its
/// accuracy if possible (`make_spline_table`); `beyond_barriers`: see CurveRange.
void tabulate(PairPotential& potential, bool beyond_barriers = false);

[[nodiscard]] PairTable make_pair_table(const PairForceDescription& description);
/// The table of one potential in its general form: `interaction` is its position in
/// `GeneralInteractions`.
[[nodiscard]] PairTable make_general_table(const PairPotential& potential);

/// The self-energy of a particle of each species; empty if it is zero.
[[nodiscard]] std::vector<double> self_energies(const PairForceDescription& description);

/// Integral of u(r) r^(dim-1) from the cut-off to infinity; infinite if none is known.
[[nodiscard]] double tail_integral(const PairPotential& potential, const PairParameters& p,
                                   int dimension);

/// Energy and virial (sum r.f) that the cut-offs leave out, for uniform density beyond them:
/// energy = sum over a, b of N_a N_b / (2 V) times the integral of u from R on (Allen and Tildesley
/// 1987, section 2.8). Zero where `tail` is not set.
struct TailCorrection {
    double energy = 0.0, virial = 0.0;
};
[[nodiscard]] TailCorrection tail_correction(const PairPotential& potential, int dimension,
                                             const std::vector<std::int64_t>& counts,
                                             double volume);

} // namespace shadow
