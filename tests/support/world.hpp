// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/backends.hpp"
#include "support/larger.hpp"
#include "support/pair_system.hpp"

#include "shadow/forces/harmonic_motion.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/run/model.hpp"
#include "shadow/system/setup.hpp"
#include "shadow/system/unwrapped.hpp"
#include "shadow/system/velocities.hpp"

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A complete simulation as `mdrun` sets it up, for tests of its physics.
namespace shadow::test {

/// A short-range force with a smooth cut-off, so that methods keep their order.
inline constexpr const char* short_smooth_force = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "smooth-c2"
inner = 1.5
)";

template <int Dim>
using Vectors = std::vector<std::array<double, Dim>>;

/// `[system]` and `[[species]]` of an input text.
template <int Dim>
Setup<Dim> read_setup(const std::string& input, std::uint64_t seed = 1) {
    const Parameters root = read_toml_text(input, "test.toml");
    Setup<Dim> setup = make_system<Dim>(root, seed);
    draw_velocities(root, setup, conserved_momenta(setup.box), seed);
    return setup;
}

/// The CPU with one thread (more give the same bits, and wait for each other on a busy machine),
/// with each instruction set or with the best one; and the first GPU if there is one.
inline std::vector<TestBackend> every_processor() {
    std::vector<TestBackend> all;
    for (const TestBackend& where : test_backends())
        if (where.threads == 1) all.push_back(where);
    return all;
}
inline std::vector<TestBackend> best_processors() {
    std::vector<TestBackend> all = few_test_backends();
    for (TestBackend& where : all)
        if (!where.cuda) where = best_processor();
    return all;
}

/// Particles at these points, of alternating species, at rest.
template <int Dim>
Setup<Dim> setup_of(const Vectors<Dim>& points, const Box<Dim>& box, std::size_t species = 1) {
    Setup<Dim> setup;
    setup.box = box;
    setup.units = units_named("lj");
    for (std::size_t s = 0; s < species; ++s)
        setup.start.species_table.push_back(
            {std::string(1, static_cast<char>('A' + s)), 1.0 + static_cast<double>(s)});
    setup.start.position = points;
    setup.start.momentum.assign(points.size(), {});
    setup.start.image.assign(points.size(), {});
    for (std::size_t i = 0; i < points.size(); ++i)
        setup.start.species.push_back(static_cast<std::uint16_t>(i % species));
    return setup;
}

/// A jittered lattice of side^Dim particles with spacing 1.12, with velocities.
template <int Dim>
Setup<Dim> warm_lattice(int side, double kT, bool periodic = true, std::size_t species = 2) {
    constexpr double spacing = 1.12;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> everywhere;
    lengths.fill(side * spacing);
    everywhere.fill(periodic);
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    Setup<Dim> setup = setup_of<Dim>(jittered_points<Dim>(n, spacing, 0.05, 3),
                                     Box<Dim>(lengths, everywhere), species);
    set_maxwell_boltzmann(setup.start, conserved_momenta(setup.box), kT, 4);
    return setup;
}

/// x_j - x_i through the nearest image.
template <int Dim>
std::array<double, Dim> between(const std::array<double, Dim>& i, const std::array<double, Dim>& j,
                                const Box<Dim>& box) {
    std::array<double, Dim> dx;
    for (std::size_t d = 0; d < Dim; ++d) {
        dx[d] = j[d] - i[d];
        if (box.periodic()[d]) dx[d] -= box.lengths()[d] * std::round(dx[d] / box.lengths()[d]);
    }
    return dx;
}

template <int Dim>
double length_of(const std::array<double, Dim>& v) {
    double square = 0.0;
    for (const double x : v) square += x * x;
    return std::sqrt(square);
}

inline std::unique_ptr<Integrator> read_integrator(const std::string& table) {
    return make_integrator(read_toml_text(table, "test.toml"), {1.0});
}

template <int Dim>
class World {
  public:
    /// Takes `[[force]]` and `[[observe]]` from `input`; the particles are those of `setup`.
    /// `pair_radius`: radius of pairwise baths.
    World(const TestBackend& where, Setup<Dim> setup, const std::string& input,
          bool pair_is_double = true, std::uint64_t seed = 1, double pair_radius = 0.0)
        : backend(where.open()), setup_(std::move(setup)), recorder_(backend) {
        const Parameters root = read_toml_text(input, "test.toml");
        model_ = model_of(setup_, {pair_is_double, seed, read_levels(root)});
        add_forces(model_, root, backend, setup_);
        const ObservableContext<Dim> observables = model_.observables(setup_);
        for (const Parameters& table : root.tables("observe"))
            recorder_.add(make_observable<Dim>(table, observables), 1);
        recorder_.set_sink([this](const RecordBatch& batch) {
            measured_[batch.quantity.name].assign(batch.values.begin(), batch.values.end());
        });
        ParticleOptions<Dim> options;
        options.mollifies = options.kicks_implicitly = options.has_light_atoms =
            !plan().template of<BondedDescription>(averaged_level).empty();
        const auto linear = [](const auto& force) { return force.is_linear(); };
        const auto bonds = plan().template of<BondedDescription>(averaged_level);
        const auto fields = plan().template of<FieldDescription>(averaged_level);
        options.moves_exactly = std::all_of(bonds.begin(), bonds.end(), linear) &&
                                std::all_of(fields.begin(), fields.end(), linear);
        if (pair_radius > 0.0) options.pair_radii = {pair_radius};
        options.declare_lists = [this](auto& neighbours) { recorder_.declare_lists(neighbours); };
        system_ = make_particles(model_, backend, setup_.box, setup_.start, options);
        system_->set_degrees_of_freedom(
            shadow::degrees_of_freedom(system_->size(), model_.conserved));
    }

    ParticleSystem<Dim>& system() { return *system_; }
    const Setup<Dim>& setup() const { return setup_; }
    const ForcePlan& plan() const { return model_.forces; }
    /// Claims of the terms of the potential energy.
    std::vector<ForceClaims<Dim>> claims() const { return system_->claims(); }
    std::size_t size() const { return setup_.start.size(); }

    void run(Integrator& integrator, int steps) {
        for (int k = 0; k < steps; ++k) integrator.step(*system_);
    }
    double potential() { return system_->potential_energy(); }
    double energy() { return system_->kinetic_energy() + system_->potential_energy(); }
    /// The energy with that of the variables of a method.
    double energy(const Integrator& method) {
        std::vector<double> scalars;
        for (int k = 0; k < Scalar::count; ++k)
            scalars.push_back(system_->scalar(static_cast<Scalar>(k)));
        const double total = energy();
        return total + method.extended_energy(*system_)(Scalars{scalars.data()}, total);
    }

    /// Physical forces, all levels, in id order; evaluated with energies or without.
    Vectors<Dim> forces(bool with_energies = true) {
        system_->prepare_observation(with_energies);
        Vectors<Dim> all(size(), std::array<double, Dim>{});
        const auto id = to_host(system_->particles().id);
        const TotalForce<Dim> force = system_->force();
        for (int k = 0; k < force.count; ++k)
            for (std::size_t d = 0; d < Dim; ++d) {
                const auto f = to_host(force.component[k][d]);
                for (std::size_t i = 0; i < f.size(); ++i)
                    all[id[i]][d] += static_cast<double>(f[i]);
            }
        return all;
    }
    /// Sum over the pairs of r f.
    SymmetricTensor<Dim> virial() {
        system_->prepare_observation(true);
        return virial_so_far();
    }
    /// The virial as methods without energies request it, when nothing has been evaluated.
    SymmetricTensor<Dim> virial_alone() {
        system_->measure_virial(all_axes);
        return virial_so_far();
    }
    SymmetricTensor<Dim> virial_so_far() {
        SymmetricTensor<Dim> sum{};
        for (const SymmetricTensor<Dim>& part : virials_by_level()) sum.add(part);
        return sum;
    }
    /// Virials as last evaluated.
    std::vector<SymmetricTensor<Dim>> virials_by_level() {
        std::vector<SymmetricTensor<Dim>> all;
        for (const SymmetricTensor<Dim>* level : system_->virials())
            detail::copy_to_host(system_->backend(), &all.emplace_back(), level,
                                 sizeof(SymmetricTensor<Dim>));
        return all;
    }
    /// Potential energies, in memory order.
    std::vector<double> particle_energies() {
        system_->prepare_observation(true);
        std::vector<double> all(size());
        for (const double* level : system_->energies()) {
            const std::vector<double> part = to_host(level);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] += part[i];
        }
        return all;
    }
    std::array<double, Dim> momentum() {
        std::array<double, Dim> sum{};
        for (const auto& p : system_->snapshot().momentum)
            for (std::size_t d = 0; d < Dim; ++d) sum[d] += p[d];
        return sum;
    }
    /// Positions without periodic wrapping.
    Vectors<Dim> places() {
        const Snapshot<Dim> s = system_->snapshot();
        Vectors<Dim> x;
        for (std::size_t i = 0; i < s.size(); ++i) x.push_back(unwrapped(s, setup_.box, i));
        return x;
    }
    /// Reverses time: p -> -p, and the variables of a method that change sign.
    void flip() {
        SystemState<Dim> state = system_->state();
        for (auto& p : state.snapshot.momentum)
            for (double& component : p) component = -component;
        state.ensemble.scalars[Scalar::pi] *= -1.0;
        state.ensemble.scalars[Scalar::step_rate] *= -1.0;
        system_->restore(state);
    }
    /// All observables now, by name.
    const std::map<std::string, std::vector<double>>& measure() {
        recorder_.sample(*system_);
        recorder_.flush();
        return measured_;
    }

    /// All averaged arrays so far, by name.
    std::map<std::string, ArrayEstimate> arrays() {
        recorder_.flush();
        std::map<std::string, ArrayEstimate> all;
        for (ArrayEstimate& array : recorder_.estimates()) all[array.name] = std::move(array);
        return all;
    }
    /// Particle values that observables write to the trajectory, in id order.
    std::vector<std::vector<double>> particle_values() {
        return recorder_.measure_particles(*system_);
    }

    const Backend backend;

  private:
    template <class T>
    std::vector<std::remove_const_t<T>> to_host(T* from) {
        std::vector<std::remove_const_t<T>> host(size());
        detail::copy_to_host(backend, host.data(), from, host.size() * sizeof(T));
        return host;
    }

    Setup<Dim> setup_;
    Model<Dim> model_;
    Recorder<Dim> recorder_;
    std::map<std::string, std::vector<double>> measured_;
    std::unique_ptr<ParticleSystem<Dim>> system_;
};

/// The largest distance between corresponding vectors, by component.
template <int Dim>
double largest_difference(const Vectors<Dim>& a, const Vectors<Dim>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            most = test::larger(most, std::abs(a[i][d] - b[i][d]));
    return most;
}

} // namespace shadow::test
