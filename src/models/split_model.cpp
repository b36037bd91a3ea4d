// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/split_model.hpp"

#include "shadow/integrators/registry.hpp"

#include <memory>
#include <stdexcept>

namespace shadow::models {
namespace {

/// A model as a System for methods of the engine. Calls that are no flow of its parts do nothing or
/// throw.
class FlowSystem final : public System {
  public:
    explicit FlowSystem(const SplitModel& model) : model_(model) {}

    void drift(FlowTime t) override { model_.fast(*z, t.value); }
    void implicit_kick(double, ForceLevel, double) override { refuse(); }
    void averaged_kick(double, double, const LightMotion&) override { refuse(); }
    void move_light(double, const LightMotion&) override { refuse(); }
    void move_exactly(double t) override { model_.fast(*z, t); }
    void kick(FlowTime t, ForceLevel) override { model_.slow(*z, t.value); }
    void gradient_kick(FlowTime, double) override { refuse(); }
    void mollified_kick(FlowTime t, ForceLevel) override {
        model_.mollified_slow(*z, t.value, window_);
    }
    void mollify(const std::vector<Mollifier>& mollifiers) override {
        for (const Mollifier& m : mollifiers)
            if (!m.weight.empty()) window_ = m.dt * static_cast<double>(m.weight.size() - 1);
    }
    void bath(const BathFlow&, int) override { refuse(); }
    void scale_momenta(Scalar, Axes) override { refuse(); }
    void measure_kinetic() override { refuse(); }
    void measure_potential(ForceLevel) override { refuse(); }
    void draw(RandomStream, double) override { refuse(); }
    void advance(const ScalarFlow&) override { refuse(); }
    void set_scalar(Scalar, double) override { refuse(); }
    [[nodiscard]] double scalar(Scalar) override { return 1.0; }
    void end_step(double) override { ++step_; }
    [[nodiscard]] std::int64_t step() const override { return step_; }
    [[nodiscard]] double degrees_of_freedom() const override {
        return 0.5 * static_cast<double>(model_.size());
    }
    [[nodiscard]] double kinetic_energy() override { return model_.energy(*z); }
    [[nodiscard]] double potential_energy() override { return 0.0; }
    [[nodiscard]] double bath_heat() override { return 0.0; }

    State* z = nullptr;

  private:
    static void refuse() { throw std::logic_error("a model with two flows has no such thing"); }

    const SplitModel& model_;
    double window_ = 0.0;
    std::int64_t step_ = 0;
};

} // namespace

void SplitModel::mollified_slow(State&, double, double) const {
    throw std::logic_error("a model without averages was mollified");
}

Map step_of(const SplitModel& model, const Word& word, double dt) {
    const auto system = std::make_shared<FlowSystem>(model);
    system->mollify(mollifiers_of(word, "long-average", dt));
    return [system, word, dt](State& z) {
        system->z = &z;
        apply_word(*system, word, dt);
    };
}

Map step_of(const SplitModel& model, std::string_view method, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    return step_of(model, find_integrator(method)->make(settings)->word(), dt);
}

} // namespace shadow::models
