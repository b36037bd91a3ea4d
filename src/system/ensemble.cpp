// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/ensemble.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/shear.hpp"
#include "kernels/ops/strain.hpp"

#include <algorithm>

namespace shadow {

template <int Dim>
Ensemble<Dim>::Ensemble(const Backend& backend, const Box<Dim>& box, std::int64_t step, double time)
    : backend_(backend), box_(box), box_view_(backend, std::vector<BoxView<Dim>>{box.view()}),
      scalars_(backend, Scalar::count), step_(step), time_base_(time) {
    set_scalar(Scalar::one, 1.0);
    set_scalar(Scalar::s, 1.0);
}

template <int Dim>
const Box<Dim>& Ensemble<Dim>::box() const {
    if (box_is_known_) return box_;
    const BoxView<Dim> now = box_view_.get(0);
    box_ = Box<Dim>(std::to_array(now.length), box_.periodic(), box_.origin());
    box_.set_sliding(now.sliding);
    box_is_known_ = !slides_on_; // a rebuild of lists may count turns
    return box_;
}

template <int Dim>
void Ensemble<Dim>::scale_box(const double* factor, Axes axes) {
    launch(backend_, ScaleBox<Dim>{box_view_.data(), factor, axes}, 1);
    box_is_known_ = false;
}

template <int Dim>
void Ensemble<Dim>::set_lengths(std::span<const double> lengths) {
    std::array<double, Dim> all;
    std::copy_n(lengths.begin(), Dim, all.begin());
    box_ = box().with_lengths(all);
    box_view_.set(0, box_.view());
    box_is_known_ = true;
}

template <int Dim>
void Ensemble<Dim>::slide(double strain) {
    launch(backend_, SlideImages<Dim>{box_view_.data(), strain}, 1);
    box_is_known_ = false;
    slides_on_ = true;
}

template <int Dim>
void Ensemble<Dim>::set_slide(double slide, double turns, const std::array<double, 2>& third) {
    SlidingImages sliding = box().sliding();
    if (!sliding.any()) return;
    sliding.slide = slide;
    sliding.turns = turns;
    sliding.third_flow = third[0];
    sliding.third_gradient = third[1];
    box_.set_sliding(sliding);
    box_view_.set(0, box_.view());
}

template <int Dim>
void Ensemble<Dim>::set_scalar(Scalar which, double value) {
    scalars_.set(static_cast<std::size_t>(which), value);
}

template <int Dim>
double Ensemble<Dim>::scalar(Scalar which) const {
    return scalars_.get(static_cast<std::size_t>(which));
}

template <int Dim>
double Ensemble<Dim>::time() const {
    if (has_clock_) return time_base_ + scalar(Scalar::elapsed);
    return time_base_ + static_cast<double>(steps_since_base_) * dt_;
}

template <int Dim>
void Ensemble<Dim>::rebase() {
    time_base_ = time();
    steps_since_base_ = 0;
}

template <int Dim>
void Ensemble<Dim>::begin_clock() {
    rebase();
    set_scalar(Scalar::elapsed, 0.0);
    has_clock_ = true;
}

template <int Dim>
void Ensemble<Dim>::end_clock() {
    if (!has_clock_) return;
    rebase();
    has_clock_ = false;
    for (const Scalar of_clock : {Scalar::elapsed, Scalar::step_factor}) set_scalar(of_clock, 0.0);
}

template <int Dim>
void Ensemble<Dim>::end_step(double dt) {
    end_clock();
    if (dt != dt_) {
        rebase();
        dt_ = dt;
    }
    ++steps_since_base_;
    ++step_;
}

template <int Dim>
EnsembleState Ensemble<Dim>::state() const {
    const Box<Dim>& now = box();
    return {{now.lengths().begin(), now.lengths().end()},
            now.sliding().slide,
            now.sliding().turns,
            {now.sliding().third_flow, now.sliding().third_gradient},
            scalars_.to_host(),
            step_,
            time_base_,
            steps_since_base_,
            dt_};
}

template <int Dim>
void Ensemble<Dim>::restore(const EnsembleState& state) {
    if (!state.lengths.empty()) set_lengths(state.lengths);
    set_slide(state.slide, state.turns, state.third);
    scalars_.assign(state.scalars);
    step_ = state.step;
    time_base_ = state.time_base;
    steps_since_base_ = state.steps_since_base;
    dt_ = state.dt;
    has_clock_ = state.scalars[Scalar::step_factor] > 0.0;
}

template class Ensemble<1>;
template class Ensemble<2>;
template class Ensemble<3>;

} // namespace shadow
