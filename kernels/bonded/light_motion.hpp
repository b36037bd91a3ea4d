// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/molecule_lanes.hpp"

/// The motion of the light atoms of a molecule under bonded forces alone, by Verlet's method, while
/// the others are fixed or move uniformly; and the mean force on the others during it. These are
/// the two parts of a step of reversible averaging (Leimkuhler and Reich 2001, J. Comput. Phys.
/// 171, 95; 2004, eq. 10.18).
namespace shadow {

/// Work arrays of one number for each coordinate.
inline constexpr int light_motion_arrays = 5;

template <int Dim, int lanes, int stride>
class MoleculeLightMotion : MoleculeLanes<Dim, lanes, stride> {
    using Base = MoleculeLanes<Dim, lanes, stride>;
    using Base::all_, Base::kind_, Base::size_, Base::step;
    using Base::array, Base::at, Base::load, Base::store, Base::inverse_mass;

  public:
    SHADOW_INLINE MoleculeLightMotion(const MoleculeGroupsView<Dim>& molecules,
                                      const LightMotion& how, double time,
                                      const MoleculeGroup& group, int lane, double* scratch)
        : Base(molecules, group, lane, scratch), how_(how), dt_(time / how.steps), place_(array(0)),
          momentum_(array(1)), force_(array(2)) {}

    /// Advances all atoms by the time, and the momenta of light ones.
    SHADOW_INLINE void move(const VectorView<Dim, double>& position,
                            const VectorView<Dim, double>& momentum) const {
        load(position, place_);
        load(momentum, momentum_);
        measure_forces();
        for (int k = 0; k < how_.steps; ++k) advance(dt_, true);
        store(place_, position);
        store(momentum_, momentum);
    }

    /// mean <- the force on atoms that are not light, averaged over the time before and after now
    /// by the trapezoidal rule; 0 for light atoms.
    SHADOW_INLINE void average(const VectorView<Dim, double>& position,
                               const VectorView<Dim, double>& momentum,
                               const VectorView<Dim, double>& mean) const {
        double *sum = array(3), *start = array(4);
        load(position, start);
        for (std::int64_t n = 0; n < size_; n += step) sum[n] = 0.0;
        for (const double dt : {dt_, -dt_}) {
            for (std::int64_t n = 0; n < size_; n += step) place_[n] = start[n];
            load(momentum, momentum_);
            measure_forces();
            add(sum, 0.5);
            for (int k = 1; k <= how_.steps; ++k) {
                advance(dt, false);
                add(sum, k < how_.steps ? 1.0 : 0.5);
            }
        }
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                sum[n] = is_light(a) ? 0.0 : sum[n] / (2 * how_.steps);
        store(sum, mean);
    }

  private:
    [[nodiscard]] SHADOW_INLINE bool is_light(std::int32_t atom) const {
        return inverse_mass(atom) * how_.mass > 1.0;
    }
    SHADOW_INLINE void add(double* sum, double weight) const {
        for (std::int64_t n = 0; n < size_; n += step) sum[n] += weight * force_[n];
    }
    /// A step of Verlet's method for light atoms. The others move with constant momenta, or are
    /// fixed.
    SHADOW_INLINE void advance(double dt, bool others) const {
        for (std::int32_t a = 0; a < kind_.atoms; ++a) {
            const bool light = is_light(a);
            const double push = light ? 0.5 * dt : 0.0,
                         way = light || others ? dt * inverse_mass(a) : 0.0;
            for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step) {
                momentum_[n] += push * force_[n];
                place_[n] += way * momentum_[n];
            }
        }
        measure_forces();
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            if (is_light(a))
                for (std::int64_t n = at(a, 0); n < at(a + 1, 0); n += step)
                    momentum_[n] += 0.5 * dt * force_[n];
    }
    SHADOW_INLINE void measure_forces() const {
        for (std::int64_t n = 0; n < size_; n += step) force_[n] = 0.0;
        this->add_forces(place_, force_);
    }

    const LightMotion& how_;
    double dt_;
    double *place_, *momentum_, *force_;
};

} // namespace shadow
