// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/system.hpp"
#include "shadow/neighbours/neighbours.hpp"
#include "shadow/system/net_motion.hpp"

#include "kernels/tensor.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace shadow {

template <int Dim>
struct Advance;
template <int Dim>
struct Share;

/// What is summed besides forces; energies with the virial.
enum class ForceSums { none, virial, energies };

/// Where forces go. Arrays are in memory order of the particles. Energy and virial are null unless
/// both are requested, or the virial alone from a term that `sums_virial_alone`. Each particle gets
/// half of the energy of each of its pairs, and its own energy, so that the sum over particles is
/// the total; the virial is one tensor, W = sum over pairs of r f.
template <int Dim>
struct ForceOutput {
    VectorView<Dim, double> force;
    double* energy = nullptr;
    SymmetricTensor<Dim>* virial = nullptr;
    /// Backend memory, one int: 0, or 1 + id of a particle whose force is not finite.
    std::int32_t* status = nullptr;
    bool accumulate = false; ///< add to what is there instead of overwriting
    /// For a term that `can_advance`: applied to each particle as soon as its force is known, which
    /// is not written then; `force` is the array from which its kicks would read it. Null: forces
    /// alone.
    const Advance<Dim>* advance = nullptr;
    /// Particles are where `advance` of the previous call has moved them.
    bool follows = false;
};

/// Properties of a force, which its description gives before the term is made. Tests are generated
/// from them, and they determine the conserved momenta.
template <int Dim>
struct ForceClaims {
    bool conservative = true;        ///< minus the gradient of its energy
    Invariance<Dim> invariance = {}; ///< of its energy
    /// Of a force that does not depend on positions: its total on all particles, which other such
    /// forces may cancel. Else zero.
    std::array<double, Dim> uniform = {};
    bool has_virial = true;         ///< minus the derivative of its energy by a strain
    bool constant = true;           ///< does not change in time
    bool local_to_molecule = false; ///< acts within molecules alone
    double accuracy = 0.0;          ///< relative, of all these; 0: to rounding
    int members = 2; ///< largest number of particles on which a term of its energy depends
    /// Of a force on single particles whose second derivatives have a bound: by species a tensor
    /// that they do not exceed anywhere, along any direction. Else empty.
    std::vector<std::array<std::array<double, Dim>, Dim>> stiffness = {};

    bool operator==(const ForceClaims&) const = default;
};

/// The invariance of the energy of all forces together: uniform forces may cancel if they are
/// constant in time.
template <int Dim>
[[nodiscard]] Invariance<Dim> invariance_of(const std::vector<ForceClaims<Dim>>& forces);

/// One term of the potential energy.
template <int Dim>
class ForceTerm {
  public:
    virtual ~ForceTerm() = default;

    /// Enqueues the evaluation at the current positions; the lists are up to date.
    virtual void compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>& neighbours,
                         const ForceOutput<Dim>& output) = 0;

    /// Can it apply flows (ForceOutput::advance)? Then it comes last of the forces of its level.
    [[nodiscard]] virtual bool can_advance() const { return false; }

    /// Does it sum the virial without energies?
    [[nodiscard]] virtual bool sums_virial_alone() const { return false; }

    /// To be called when the lengths of the box have changed.
    virtual void follow_box() {}
    /// From now on evaluations of a force that changes in time are means over this time.
    virtual void set_time(double /*from*/, double /*to*/) {}
    /// Of a force that changes in time: enqueues adding, to `work` in backend memory, the change of
    /// the energy of each particle over the time set, at the current positions.
    virtual void add_work(const ParticlesView<Dim>&, double* /*work*/) {}

    /// The number of terms of which it is the sum: charges may be computed in the pass of another
    /// potential.
    [[nodiscard]] virtual std::size_t parts() const { return 1; }
    static constexpr std::size_t all_parts = static_cast<std::size_t>(-1);
    /// Enqueues the shares of the particles in energy and virial (kernels/ops/shares.hpp) of part
    /// `part`, in double, or of `all_parts`, in the precision of forces, into `share`, added to
    /// what is there if `accumulate`; in backend memory, by particle. Forces have been computed at
    /// the current positions.
    virtual void share(std::size_t part, const ParticlesView<Dim>& particles,
                       const Neighbours<Dim>& neighbours, bool accumulate, Share<Dim>* share) = 0;

    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual ForceLevel level() const { return 1; }
    [[nodiscard]] virtual ForceClaims<Dim> claims() const = 0;
    /// Where it is infinite, in words for an error; "" if that is where particles overlap.
    [[nodiscard]] virtual std::string infinite() const { return ""; }
    /// The particles at positions where it is not defined, in words for an error; "" if there are
    /// none.
    [[nodiscard]] virtual std::string ends_at(const Snapshot<Dim>& /*now*/,
                                              const Box<Dim>& /*box*/) const {
        return "";
    }
    /// A particle that has left the region where the force is known: problem, reason and what to
    /// do, for an error; "" if there is none.
    [[nodiscard]] virtual std::string escape() const { return ""; }
    /// Memory that it keeps for itself between evaluations.
    [[nodiscard]] virtual std::size_t bytes() const { return 0; }
    /// Frees what the next evaluation makes again, with the same bits.
    virtual void release() {}
    /// Mean-field corrections for what a cut-off leaves out; constants of the run. The energy is
    /// that of a part, or of `all_parts`.
    [[nodiscard]] virtual double tail_energy(std::size_t /*part*/ = all_parts) const { return 0.0; }
    [[nodiscard]] virtual double tail_virial() const { return 0.0; }
};

} // namespace shadow
