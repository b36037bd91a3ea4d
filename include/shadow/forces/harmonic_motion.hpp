// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/forces/bonded.hpp"
#include "shadow/forces/field.hpp"

#include "kernels/ops/harmonic_motion.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// The largest number of particles in a molecule: matrices of all of them are kept.
inline constexpr std::size_t max_harmonic_atoms = 1000;

/// The exact motion of particles under linear forces alone: springs of rest length 0 between bonded
/// particles, harmonic traps and uniform fields. With w the root of M^-1/2 K M^-1/2 of a molecule
/// (K: stiffness, M: masses), in coordinates weighted by roots of masses,
///     q(t) = q + sin(w t)/w v + (1 - cos(w t))/w^2 a,    v(t) = cos(w t) v + sin(w t)/w a,
/// a the acceleration at q (variation of constants; Leimkuhler and Reich 2004, section 10.1).
template <int Dim>
class HarmonicMotion {
  public:
    /// `bonded` and `fields`: all forces of the motion, each linear. Throws InputError for a
    /// molecule with more than `max_harmonic_atoms`.
    HarmonicMotion(const Backend& backend, std::span<const BondedDescription> bonded,
                   std::span<const FieldDescription> fields, const Snapshot<Dim>& start);

    /// Enqueues the motion over a time t of either sign. `force`: of the motion, at the current
    /// positions; null: zero. `index_of_id`: indices of particles in memory, backend memory.
    void move(double t, const ParticlesView<Dim>& particles,
              const VectorView<Dim, const double>& force, const std::int32_t* index_of_id);

    [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Of a molecule along one direction: squares of frequencies, and modes as columns, weighted by
    /// roots of masses.
    struct Modes {
        std::vector<double> mass, square, vector;
    };

    [[nodiscard]] HarmonicKind<Dim> add_kind(const std::vector<std::vector<double>>& stiffness,
                                             const std::vector<double>& mass);
    [[nodiscard]] std::vector<double> matrices_of(double t) const;

    const Backend& backend_;
    std::vector<Modes> modes_; ///< their matrices are one after the other
    std::int64_t numbers_ = 0; ///< of all matrices together
    Array<HarmonicKind<Dim>> kinds_;
    Array<HarmonicPlace> place_;
    Array<std::uint32_t> ids_;
    std::map<double, Array<double>> matrices_; ///< by time
    std::array<Array<double>, Dim> move_, momentum_;
};

} // namespace shadow
