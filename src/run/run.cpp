// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include "start_check.hpp"
#include "step_report.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/composition.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// The properties of a word given in the input; else "".
std::string order_of_word(const StagePlan& plan, const Integrator& integrator) {
    if (plan.integrator.text("method") != "splitting") return "";
    const Claims claims = integrator.claims();
    return fmt::format("{}the word \"{}\" is of order {}{}", plan.prefix(),
                       plan.integrator.text("word"), claims.order,
                       claims.symmetric ? ", and reversible" : "");
}

} // namespace

Backend open_backend(const Parameters& root, const ComputePlan& compute, InputErrors& errors) {
    if (compute.device.empty()) return Backend::cpu(); // its table was not read
    try {
        return Backend::named(compute.device, compute.threads, compute.instruction_set);
    } catch (const InputError& error) {
        errors.attempt([&] { root.table("compute").fail("device", error.what()); });
    }
    return Backend::cpu();
}

template <int Dim>
bool Run<Dim>::box_changes() const {
    const auto last = barostat_before(stages.size());
    return last && *last >= stage;
}

template <int Dim>
std::optional<std::size_t> Run<Dim>::barostat_before(std::size_t index) const {
    while (index-- > 0)
        if (stages[index].plan.barostat) return index;
    return std::nullopt;
}

template <int Dim>
bool Run<Dim>::finished() const {
    return std::all_of(stages.begin(), stages.end(),
                       [](const Stage<Dim>& s) { return s.complete(); });
}

template <int Dim>
std::unique_ptr<ParticleSystem<Dim>> Run<Dim>::particles(const Box<Dim>& box,
                                                         const Snapshot<Dim>& from) {
    backend.set_threads(static_cast<int>(value_of(settings, "threads", backend.threads())));
    ParticleOptions<Dim> how;
    how.skin = value_of(settings, "skin", model.forces.default_skin());
    how.spacing = spacing;
    double longest = model.forces.longest_cutoff();
    for (const Stage<Dim>& s : stages) {
        const double radius = s.integrator->pair_radius();
        const auto& known = how.pair_radii;
        if (radius > 0.0 && std::find(known.begin(), known.end(), radius) == known.end())
            how.pair_radii.push_back(radius);
        longest = std::max(longest, radius);
    }
    if (box_changes()) how.min_length = min_length(box, longest);
    const auto any_has = [this](FlowKind kind) {
        return std::any_of(stages.begin(), stages.end(), [kind](const Stage<Dim>& s) {
            return has_flow(s.integrator->word(), kind);
        });
    };
    how.mollifies = any_has(FlowKind::mollified_kick);
    how.moves_exactly = any_has(FlowKind::exact_motion);
    how.kicks_implicitly = any_has(FlowKind::implicit_kick);
    how.has_light_atoms = std::any_of(stages.begin(), stages.end(), [](const Stage<Dim>& s) {
        return s.integrator->light_mass() > 0.0;
    });
    how.declare_lists = [this](Neighbours<Dim>& neighbours) {
        for (const Stage<Dim>& s : stages) s.recorder->declare_lists(neighbours);
    };
    return make_particles(model, backend, box, from, how);
}

template <int Dim>
std::vector<std::string> Run<Dim>::report_steps(const Box<Dim>& box, const Snapshot<Dim>& from,
                                                Stage<Dim>* first) {
    std::vector<std::string> notes;
    if (!first->takes_time()) return notes;
    const auto vibrations = fast_vibrations(model.forces, model.topology, box, from);
    for (Stage<Dim>* s = first; s != stages.data() + stages.size(); ++s) {
        if (!s->takes_time()) break;
        if (const std::string order = order_of_word(s->plan, *s->integrator); !order.empty())
            notes.push_back(order);
        s->step_report =
            report_step(s->plan, *s->integrator, model.forces, vibrations, model.topology);
        for (const std::string& warning : {s->step_report.warning, s->step_report.balance})
            if (!warning.empty()) log::warning(warning);
        const std::string& note = s->step_report.note;
        const bool is_new = std::find(notes.begin(), notes.end(), note) == notes.end();
        if (is_new && !note.empty()) notes.push_back(note);
    }
    return notes;
}

template <int Dim>
double Run<Dim>::coarseness_now() const {
    if (!model.forces.all_pairs() || plan.compute.precision != Precision::mixed) return 0.0;
    return coarseness(system->snapshot(), system->box());
}

template struct Run<1>;
template struct Run<2>;
template struct Run<3>;

} // namespace shadow
