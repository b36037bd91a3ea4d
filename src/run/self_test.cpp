// SPDX-License-Identifier: BSD-3-Clause
#include "self_test.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/forces/direct_sum.hpp"

#include "kernels/cuda/runtime.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace shadow {
namespace {

/// Number of pairs to check: a tenth of a second on one core.
constexpr std::size_t max_pairs = 20'000'000;
constexpr std::size_t min_sample = 16;
/// Particles of a small system that represents a large one.
constexpr std::size_t part_size = 1000;

/// Three times the number that is replayed at once: the first are launched, the second form a
/// graph, the third update it; then some steps with energies now and then.
constexpr int plain_steps = 48, observed_steps = 16, observed_every = 4;

/// The results of a device for its particles, in id order.
template <int Dim>
struct Evaluation {
    std::vector<std::array<double, Dim>> force;
    std::vector<double> energy;
    SymmetricTensor<Dim> virial{};
};

template <int Dim>
Evaluation<Dim> evaluation_of(ParticleSystem<Dim>& system) {
    system.prepare_observation(true);
    const auto n = static_cast<std::size_t>(system.size());
    const auto fetch = [&]<class T>(const T* from, std::size_t count) {
        std::vector<T> host(count);
        detail::copy_to_host(system.backend(), host.data(), from, count * sizeof(T));
        return host;
    };
    Evaluation<Dim> found;
    found.force.resize(n);
    found.energy.resize(n);
    const std::vector<std::uint32_t> id =
        fetch(static_cast<const std::uint32_t*>(system.particles().id), n);
    const TotalForce<Dim> all = system.force();
    for (int k = 0; k < all.count; ++k)
        for (std::size_t d = 0; d < Dim; ++d) {
            const std::vector<double> force = fetch(all.component[k][d], n);
            for (std::size_t i = 0; i < n; ++i) found.force[id[i]][d] += force[i];
        }
    for (const double* level : system.energies()) {
        const std::vector<double> energy = fetch(level, n);
        for (std::size_t i = 0; i < n; ++i) found.energy[id[i]] += energy[i];
    }
    for (const SymmetricTensor<Dim>* level : system.virials()) found.virial.add(fetch(level, 1)[0]);
    return found;
}

/// The particles closest to the first, at rest in open space.
template <int Dim>
Snapshot<Dim> neighbourhood(const Snapshot<Dim>& all, const Box<Dim>& box, std::size_t count) {
    std::vector<std::array<double, Dim>> place(all.size());
    std::vector<double> r2(all.size(), 0.0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::array<double, Dim> delta;
        for (std::size_t d = 0; d < Dim; ++d) delta[d] = all.position[i][d] - all.position[0][d];
        box.shorten(delta);
        for (std::size_t d = 0; d < Dim; ++d) {
            place[i][d] = all.position[0][d] + delta[d];
            r2[i] += delta[d] * delta[d];
        }
    }
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(order.begin(), end - 1, order.end(),
                     [&](std::size_t a, std::size_t b) { return r2[a] < r2[b]; });
    Snapshot<Dim> part;
    part.species_table = all.species_table;
    for (auto i = order.begin(); i != end; ++i) {
        part.position.push_back(place[*i]);
        part.species.push_back(all.species[*i]);
    }
    part.momentum.resize(count);
    part.image.resize(count);
    return part;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// How two states differ bitwise; "" if they are equal.
template <int Dim>
std::string difference(const SystemState<Dim>& a, const SystemState<Dim>& b) {
    const Snapshot<Dim>&s = a.snapshot, &t = b.snapshot;
    for (std::size_t i = 0; i < s.size(); ++i)
        if (std::memcmp(&s.position[i], &t.position[i], sizeof s.position[i]) != 0 ||
            std::memcmp(&s.momentum[i], &t.momentum[i], sizeof s.momentum[i]) != 0 ||
            s.image[i] != t.image[i])
            return fmt::format("particle {} is elsewhere", i);
    if (!same_bits(a.ensemble.scalars, b.ensemble.scalars))
        return "energies or bath variables differ";
    if (!same_bits(a.bath_heat, b.bath_heat)) return "what the bath gave differs";
    if (!same_bits(a.reference, b.reference) || a.rebuilds != b.rebuilds) return "lists differ";
    return "";
}

const char* name(cuda::ReplayMode mode) {
    return mode == cuda::ReplayMode::steps ? "many steps by one kernel" : "steps as graphs";
}

} // namespace

template <int Dim>
std::string SelfTest<Dim>::device() const {
    return fmt::format("{}, driver {}", backend_.description(), cuda::driver());
}

template <int Dim>
void SelfTest<Dim>::check_forces(const ForcePlan& forces, bool pair_is_double) const {
    {
        const Copy copy = make_(box_, start_.snapshot);
        copy->restore(start_);
        compare(*copy, box_, forces, pair_is_double);
    }
    const std::size_t n = start_.snapshot.size();
    // A part would cut bonds, and a mesh needs a periodic box.
    if (n * n <= max_pairs || forces.has_list(ForceList::Of::bonded) ||
        forces.has_list(ForceList::Of::all_images))
        return;
    const Box<Dim> open;
    const Copy part = make_(open, neighbourhood(start_.snapshot, box_, part_size));
    compare(*part, open, forces, pair_is_double);
}

template <int Dim>
void SelfTest<Dim>::compare(ParticleSystem<Dim>& copy, const Box<Dim>& box, const ForcePlan& forces,
                            bool pair_is_double) const {
    const Evaluation<Dim> found = evaluation_of(copy);
    copy.check_status();
    const Snapshot<Dim> particles = copy.snapshot();
    const DirectSum<Dim> direct(forces, box, particles, pair_is_double);
    const auto refuse_wrong = [&](const std::string& what, double here, double expected,
                                  double rounding) {
        if (std::abs(here - expected) <= rounding) return;
        throw MachineError(fmt::format(
            "{} is wrong on {} ({:.12g} instead of {:.12g}, rounding explains {:.1e}; "
            "kernels of {} in {}); use another driver or GPU, or device = \"cpu\", and report it",
            what, device(), here, expected, rounding, fmt::join(forces.names(), ", "),
            pair_is_double ? "double" : "mixed"));
    };
    const std::size_t n = particles.size();
    const std::size_t sample = std::max(max_pairs / std::max<std::size_t>(n, 1), min_sample);
    const std::size_t stride = (n + sample - 1) / sample;
    PairTotals<Dim> sum, rounding;
    for (std::size_t i = 0; i < n; i += stride) {
        const auto [value, error] = direct(i);
        for (std::size_t d = 0; d < Dim; ++d)
            refuse_wrong(fmt::format("component {} of the force on particle {}", "xyz"[d], i),
                         found.force[i][d], value.force[d], error.force[d]);
        refuse_wrong(fmt::format("the energy of particle {}", i), found.energy[i], value.energy,
                     error.energy);
        for (std::size_t k = 0; k < sum.virial.size(); ++k) {
            sum.virial[k] += value.virial[k];
            rounding.virial[k] += error.virial[k];
        }
    }
    for (std::size_t k = 0; stride == 1 && k < sum.virial.size(); ++k)
        refuse_wrong(fmt::format("component {} of the virial", k), found.virial.component[k],
                     sum.virial[k], rounding.virial[k]);
}

template <int Dim>
void SelfTest<Dim>::check_replay(const MakeMethod& make_method, double degrees_of_freedom) const {
    void* const stream = backend_.stream();
    const cuda::ReplayMode best = cuda::replay_report(stream).mode;
    const auto run = [&](cuda::ReplayMode mode) {
        cuda::set_replay(stream, mode);
        const Copy copy = make_(box_, start_.snapshot);
        copy->restore(start_);
        copy->set_degrees_of_freedom(degrees_of_freedom);
        const auto method = make_method();
        for (int k = 1; k <= plain_steps + observed_steps; ++k) {
            const bool observed = k > plain_steps && k % observed_every == 0;
            copy->expect_energies(observed);
            method->step(*copy);
            if (!observed) continue;
            copy->prepare_observation(true);
            copy->measure_kinetic();
        }
        return copy->state();
    };
    if (best == cuda::ReplayMode::launches) return;
    const SystemState<Dim> expected = run(cuda::ReplayMode::launches);
    cuda::ReplayMode good = cuda::ReplayMode::launches;
    for (const auto mode : {cuda::ReplayMode::graphs, cuda::ReplayMode::steps}) {
        if (mode > best || static_cast<int>(mode) > static_cast<int>(good) + 1) break;
        const std::string other = difference(expected, run(mode));
        if (other.empty()) {
            good = cuda::replay_report(stream).mode; // the device may have refused this mode
            continue;
        }
        if (!difference(expected, run(cuda::ReplayMode::launches)).empty())
            throw MachineError(fmt::format(
                "{} does not repeat its own results (the same {} steps end elsewhere: {}); look at "
                "its health, or use device = \"cpu\"",
                device(), plain_steps + observed_steps, other));
        log::warning(fmt::format(
            "{} differ in bits from single launches ({}; after {} steps {}); the run continues in "
            "the slower way that is right: update the driver, or report it",
            name(mode), device(), plain_steps + observed_steps, other));
        break;
    }
    cuda::set_replay(stream, good);
}

template class SelfTest<1>;
template class SelfTest<2>;
template class SelfTest<3>;

} // namespace shadow
