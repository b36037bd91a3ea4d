// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"
#include "shadow/forces/description.hpp"
#include "shadow/forces/modulation.hpp"
#include "shadow/system/net_motion.hpp"

#include "kernels/fields/field.hpp"

#include <memory>
#include <vector>

namespace shadow {

template <int Dim>
struct FieldOnParticles;

/// One `[[force]]` that is an external field.
struct FieldDescription : CommonDescription {
    const FieldInfo* info = nullptr;
    int field = 0;               ///< position in `Fields`, kernels/fields/list.hpp
    std::vector<double> numbers; ///< members of its functor
    std::vector<double> weight;  ///< by species: 1, mass or charge; 0 where it does not act
    bool couples_to_charge = false;
    double total_weight = 0.0; ///< of all particles
    Modulation modulation = {};

    /// The vector along which its energy changes (FieldInfo::separable: each component by itself).
    template <int Dim>
    [[nodiscard]] std::vector<double> gradient() const;
    /// Its force and energy on a particle of this species at `place`, Dim coordinates with periodic
    /// images undone, without modulation.
    template <int Dim>
    [[nodiscard]] FieldResult<Dim> at(const double* place, std::size_t species) const;

    template <int Dim>
    [[nodiscard]] ForceClaims<Dim> claims() const;
    [[nodiscard]] bool acts_on_charges() const { return couples_to_charge; }
    [[nodiscard]] bool is_linear() const { return info->linear && modulation.is_constant(); }
    [[nodiscard]] bool gives_hessian() const { return is_linear(); }
    [[nodiscard]] double steady_from() const { return modulation.steady_from(); }
    [[nodiscard]] bool is_same(const FieldDescription& other) const;
    template <int Dim>
    [[nodiscard]] std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
                                                       Neighbours<Dim>& neighbours) const;
    template <int Dim>
    [[nodiscard]] DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
};

/// What fields together conserve in addition to the momenta of their invariance. Such motion is
/// counted among the degrees of freedom.
struct HiddenMomenta {
    int linear = 0;       ///< momenta perpendicular to oblique fields
    bool angular = false; ///< the angular momentum about the centre of a trap
};
template <int Dim>
[[nodiscard]] HiddenMomenta hidden_momenta(const std::vector<FieldDescription>& fields);

/// The fields of the list, in its order.
[[nodiscard]] std::vector<const FieldInfo*> field_infos();

/// An external field: a force on each particle that depends on its position and on time alone. Its
/// pressure is not a property of the fluid: it adds nothing to the virial.
template <int Dim>
class FieldForce final : public ForceTerm<Dim> {
  public:
    FieldForce(const Backend& backend, const FieldDescription& description);

    void compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>& neighbours,
                 const ForceOutput<Dim>& output) override;
    void share(std::size_t part, const ParticlesView<Dim>& particles,
               const Neighbours<Dim>& neighbours, bool accumulate, Share<Dim>* share) override;
    void set_time(double from, double to) override { from_ = from, to_ = to; }
    void add_work(const ParticlesView<Dim>& particles, double* work) override;

    [[nodiscard]] std::string name() const override { return description_.name; }
    [[nodiscard]] ForceLevel level() const override { return description_.level; }
    [[nodiscard]] ForceClaims<Dim> claims() const override { return description_.claims<Dim>(); }
    [[nodiscard]] std::size_t bytes() const override { return weight_.bytes(); }

  private:
    [[nodiscard]] FieldOnParticles<Dim> on(const ParticlesView<Dim>& particles,
                                           double factor) const;

    const Backend& backend_;
    FieldDescription description_;
    Array<double> weight_;
    double from_ = 0.0, to_ = 0.0;
};

} // namespace shadow
