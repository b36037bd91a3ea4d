// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/observables/observable.hpp"
#include "shadow/system/net_motion.hpp"

#include "kernels/ops/shares.hpp"

#include <algorithm>
#include <stdexcept>

/// What a run writes about single particles, and about its stages.
namespace shadow {

/// Of those that have begun.
template <int Dim>
std::vector<StageFacts> Simulation<Dim>::stage_facts() const {
    std::vector<StageFacts> all;
    for (const StageType& stage : stages_) {
        if (!stage.begun) break;
        StageFacts facts{stage.plan.name, stage.plan.integrator.text("method"), ensemble(stage),
                         0.0, stage.degrees_of_freedom};
        if (stage.integrator)
            facts.bath_temperature = stage.integrator->bath_kT().value_or(0.0) / units_.boltzmann;
        all.push_back(std::move(facts));
    }
    return all;
}

/// Fields of `output.trajectory` beside those that a snapshot has.
template <int Dim>
std::vector<Quantity> Simulation<Dim>::field_quantities() const {
    std::vector<Quantity> all;
    for (const std::string& field : plan_.output.fields) {
        if (field == "force") all.push_back({field, "energy/length", Dim});
        if (field == "potential_energy") all.push_back({field, "energy"});
        if (field == "stress") all.push_back({field, "energy", tensor_size<Dim>});
    }
    return all;
}

/// Of all forces, in id order; momenta of `frame` times `scale` are physical ones. Energies and
/// stresses leave mean-field corrections out. Waits for the device.
template <int Dim>
std::vector<std::vector<double>> Simulation<Dim>::measure_fields(const Snapshot<Dim>& frame,
                                                                 double scale) {
    const std::vector<Quantity> wanted = field_quantities();
    if (wanted.empty()) return {};
    system_->prepare_observation(std::any_of(wanted.begin(), wanted.end(), [](const Quantity& q) {
        return q.name == "potential_energy";
    }));
    const auto measure_field = [&](const Quantity& q) {
        if (q.name == "stress") return measure_stress(frame, scale);
        if (q.name == "force" || q.name == "potential_energy") return sum_of_levels(q);
        throw std::logic_error("field " + q.name + " is not measured");
    };
    std::vector<std::vector<double>> all;
    for (const Quantity& q : wanted) all.push_back(measure_field(q));
    return all;
}

/// The force or the potential energy of each particle.
template <int Dim>
std::vector<double> Simulation<Dim>::sum_of_levels(const Quantity& quantity) {
    const auto n = static_cast<std::size_t>(system_->size());
    std::vector<double> sums, values(n);
    const TotalForce<Dim> force = system_->force();
    for (std::size_t d = 0; d < quantity.width; ++d) {
        const auto first = static_cast<std::ptrdiff_t>(sums.size());
        sums.resize(sums.size() + n, 0.0);
        const auto add = [&](const double* from) {
            detail::copy_to_host(backend_, values.data(), from, n * sizeof(double));
            std::transform(values.begin(), values.end(), sums.begin() + first, sums.begin() + first,
                           std::plus<>());
        };
        if (quantity.name == "force")
            for (int k = 0; k < force.count; ++k) add(force.component[k][d]);
        else
            for (const double* level : system_->energies()) add(level);
    }
    return in_id_order(*system_, sums, {quantity.width}).front();
}

/// Minus what each particle has of P V: of m v v, v relative to the centre of mass where total
/// momentum is conserved, and of the virial half of each of its pairs.
template <int Dim>
std::vector<double> Simulation<Dim>::measure_stress(const Snapshot<Dim>& frame, double scale) {
    constexpr std::size_t width = tensor_size<Dim>;
    const std::size_t n = frame.size();
    Array<Share<Dim>> shares(backend_, n);
    bool accumulate = false;
    system_->each_term([&](const auto& share, double) {
        share(accumulate, shares.data());
        accumulate = true;
    });
    std::vector<Share<Dim>> of(n);
    detail::copy_to_host(backend_, of.data(), shares.data(), n * sizeof(Share<Dim>));
    std::vector<double> stress(width * n);
    for (std::size_t k = 0; k < width; ++k)
        for (std::size_t i = 0; i < n; ++i) stress[k * n + i] = -of[i].virial.component[k];
    stress = in_id_order(*system_, stress, {width}).front();

    std::array<double, Dim> centre = net_motion(frame, stages_[stage_].conserved).momentum;
    for (double& c : centre) c *= scale / frame.total_mass();
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> v;
        for (std::size_t d = 0; d < Dim; ++d)
            v[d] = scale * frame.momentum[i][d] / frame.mass(i) - centre[d];
        for (std::size_t a = 0; a < Dim; ++a)
            for (std::size_t b = a; b < Dim; ++b)
                stress[i * width + static_cast<std::size_t>(tensor_index<Dim>(
                                       static_cast<int>(a), static_cast<int>(b)))] -=
                    frame.mass(i) * v[a] * v[b];
    }
    return stress;
}

template <int Dim>
void Simulation<Dim>::describe_frames() {
    TrajectoryFields fields{false, false, false, {}};
    for (const std::string& field : plan_.output.fields) {
        if (field == "position") fields.position = true;
        if (field == "velocity") fields.velocity = true;
        if (field == "image") fields.image = true;
    }
    std::vector<Quantity> extra = field_quantities();
    for (Quantity& q :
         stages_[stage_ < stages_.size() ? stage_ : 0].recorder->particle_quantities())
        extra.push_back(std::move(q));
    // Vectors and tensors have as many dimensions in one dimension as in space.
    for (const Quantity& q : extra)
        fields.extra.push_back({q.name, q.unit, q.width, q.name == "force" || q.name == "stress"});
    system_->release();
    results_->settled().describe_particles(system_->box(), system_->snapshot(), fields);
}

template <int Dim>
void Simulation<Dim>::write_frame() {
    const Timer::Scope scope(timer_, timer_.part("trajectory"));
    const double scale = 1.0 / system_->scalar(Scalar::s);
    Snapshot<Dim> frame = system_->snapshot();
    auto extra = measure_fields(frame, scale);
    for (auto& values : stages_[stage_].recorder->measure_particles(*system_))
        extra.push_back(std::move(values));
    std::size_t bytes = bytes_of(frame);
    for (const auto& values : extra) bytes += values.size() * sizeof(double);
    results_->later(bytes, [box = system_->box(), frame = std::move(frame), scale,
                            extra = std::move(extra)](ResultFile& results) {
        results.append_frame(box, frame, scale, extra);
    });
}

/// The configuration with which a stage ends.
template <int Dim>
void Simulation<Dim>::write_final() {
    Snapshot<Dim> frame = system_->snapshot();
    results_->later(bytes_of(frame),
                    [box = system_->box(), frame = std::move(frame),
                     scale = 1.0 / system_->scalar(Scalar::s)](ResultFile& results) {
                        results.set_final(box, frame, scale);
                    });
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
