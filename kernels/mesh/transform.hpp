// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/launch.hpp"
#include "kernels/mesh/fourier_plan.hpp"
#include "kernels/ops/transform_stage.hpp"

/// Transforms on a GPU or by a library: from `potential` to the modes and back, without
/// normalisation.
namespace shadow {

namespace detail {

/// Runs the stages, each on the results of the one before.
template <int Dim, class T>
class TransformStages {
  public:
    TransformStages(const Backend& backend, const ChargeMesh<Dim, T>& mesh, bool back)
        : backend_(backend), mesh_(mesh), back_(back), left_(mesh.pairs.stages) {
        for (int d = 0; d + 1 < Dim; ++d) left_ += mesh.axis[d].stages;
        from_ = back ? mesh.modes() : real();
    }
    void run() {
        if (!back_) along_lines();
        std::int64_t inner = mesh_.mode_count();
        for (int d = 0; d + 1 < Dim; ++d) {
            const std::int64_t pitch = inner;
            inner /= mesh_.count[d];
            direction(mesh_.axis[d], inner, pitch, pitch, mesh_.mode_count());
        }
        if (back_) along_lines();
    }

  private:
    /// Two consecutive numbers as one complex number.
    [[nodiscard]] Mode<T>* real() const { return reinterpret_cast<Mode<T>*>(mesh_.potential); }
    void along_lines() {
        const std::int64_t pairs = mesh_.line / 2, kept = mesh_.kept;
        if (back_) split();
        direction(mesh_.pairs, 1, back_ ? kept : pairs, back_ ? pairs : kept,
                  mesh_.lines() * mesh_.pairs.count);
        if (!back_) split();
    }
    void split() {
        const FourierAxis<T>& axis = mesh_.axis[Dim - 1];
        launch(backend_, SplitLines<T>{axis, back_, from_}, mesh_.lines() * (axis.count / 4 + 1));
    }
    /// Real numbers, which the first stage reads or the last one writes, have a different pitch
    /// from modes.
    void direction(const FourierAxis<T>& axis, std::int64_t inner, std::int64_t first_pitch,
                   std::int64_t last_pitch, std::int64_t numbers) {
        const std::int64_t pitch = back_ ? first_pitch : last_pitch;
        std::int32_t stride = 1;
        for (std::int32_t s = 0; s < axis.stages; stride *= axis.radix[s++]) {
            Mode<T>* const to = next();
            launch(backend_,
                   TransformStage<T>{axis, s, stride, back_, inner, s == 0 ? first_pitch : pitch,
                                     s + 1 == axis.stages ? last_pitch : pitch, from_, to},
                   numbers / axis.radix[s]);
            from_ = to;
        }
    }
    /// Chosen so that the last stage writes to the right array.
    Mode<T>* next() {
        --left_;
        if (back_) return left_ == 0 ? real() : from_ == mesh_.modes() ? scratch() : mesh_.modes();
        return left_ % 2 == 0 ? mesh_.modes() : scratch();
    }
    [[nodiscard]] Mode<T>* scratch() const { return reinterpret_cast<Mode<T>*>(mesh_.scratch); }

    const Backend& backend_;
    const ChargeMesh<Dim, T>& mesh_;
    bool back_;
    int left_; ///< stages still to run
    Mode<T>* from_;
};

} // namespace detail

/// By a library, or stage by stage if `plan` is null. The backward transform overwrites the modes.
template <int Dim, class T>
void transform(const Backend& backend, const ChargeMesh<Dim, T>& mesh, const FourierPlan* plan,
               bool back) {
    if (plan)
        plan->transform(mesh.potential, mesh.real, back);
    else
        detail::TransformStages<Dim, T>(backend, mesh, back).run();
}

} // namespace shadow
