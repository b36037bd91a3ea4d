// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/integrators/integrator.hpp"
#include "shadow/observables/stress.hpp"
#include "shadow/system/units.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/shear.hpp"

namespace shadow {
namespace {

/// The response of a sheared fluid, from the pressure tensor with momenta relative to the flow: the
/// shear stress -P_xy, with the flow along x and its gradient along y; the viscosity, which is this
/// stress over the shear rate, if the rate is fixed and not 0, or the rate, if it changes; and the
/// normal stress differences, P_yy - P_xx and, in 3D, P_zz - P_yy (Evans and Morriss 2008, chapter
/// 6).
template <int Dim>
class ShearFlow final : public Observable<Dim> {
  public:
    /// `method` shears the fluid and must outlive the observable; null: at rest.
    ShearFlow(FluxScale<Dim> scale, const Integrator* method) : pressure_(scale), method_(method) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        const std::string pressure = pressure_dimension(Dim);
        std::vector<Quantity> all{{"shear_stress", pressure}};
        if (changes())
            all.push_back({"shear_rate", "1/time"});
        else if (method_ && method_->shear_rate() != 0.0)
            all.push_back({"shear_viscosity", pressure + " time"});
        all.push_back({"normal_stress_difference_1", pressure});
        if constexpr (Dim == 3) all.push_back({"normal_stress_difference_2", pressure});
        return all;
    }

    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
        if constexpr (Dim > 1) {
            const Backend& backend = system.backend();
            if (tensor_.size() == 0) tensor_ = Array<double>(backend, PressureTensor<Dim>::width);
            pressure_.enqueue(system, tensor_.data());
            const double rate = method_ ? method_->shear_rate_at(system.step()) : 0.0;
            launch(
                backend,
                FinishShearFlow<Dim>{tensor_.data(), system.particles().box, rate, changes(), row},
                1);
        }
    }

  private:
    [[nodiscard]] bool changes() const { return method_ && method_->shear_changes(); }

    PressureTensor<Dim> pressure_;
    const Integrator* method_;
    Array<double> tensor_;
};

template <int Dim>
Made<Dim> make_shear_flow(const ObservableInput<Dim>& in) {
    if constexpr (Dim == 1) {
        in.fail("type", "shear-flow in one dimension (nothing can be sheared); remove it");
    } else {
        if (!in.context.box.sliding().any())
            in.fail("type", "shear-flow without shear (there is no flow); give the stage "
                            "shear = { rate = ... }, or observe stress");
        return std::make_unique<ShearFlow<Dim>>(read_flux_scale(in, "a pressure tensor"),
                                                in.context.integrator);
    }
}

} // namespace

ObservableEntry shear_flow_entry() {
    return {{"shear-flow",
             "Of a fluid in shear: the shear stress, the viscosity at this rate, or the rate "
             "itself if it changes, and the normal stress differences",
             "shear_stress = -P_xy (flow along x, gradient along y); shear_viscosity = "
             "shear_stress/rate; normal_stress_difference_1 = P_yy - P_xx, 2: P_zz - P_yy",
             "Evans and Morriss 2008, Statistical Mechanics of Nonequilibrium Liquids, chapter 6",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_shear_flow)};
}

} // namespace shadow
