// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/mode_rows.hpp"

#include "shadow/integrators/particle_system.hpp"

#include "kernels/density_modes.hpp"

namespace shadow {

template <int Dim>
ModeRows<Dim>::ModeRows(const Box<Dim>& box, std::size_t species, std::vector<Shell<Dim>> shells)
    : shells_(std::move(shells)), species_(species) {
    modes_.box = box.view();
    modes_.count = static_cast<std::int32_t>(shells_.size());
}

template <int Dim>
void ModeRows<Dim>::enqueue(ParticleSystem<Dim>& system, std::int64_t turn, double* row) {
    const Backend& backend = system.backend();
    if (vectors_.size() == 0) {
        std::vector<WaveVector<Dim>> all;
        std::vector<std::int32_t> begin{0};
        for (const Shell<Dim>& shell : shells_) {
            all.insert(all.end(), shell.vectors.begin(), shell.vectors.end());
            begin.push_back(static_cast<std::int32_t>(all.size()));
        }
        vectors_ = Array<WaveVector<Dim>>(backend, all);
        begin_ = Array<std::int32_t>(backend, begin);
        if (const auto sums = mode_sums(backend, species_, shells_.size()); sums > 0)
            sums_ = Array<SomeModes>(backend, sums);
    }
    const ParticlesView<Dim> particles = system.particles();
    modes_.position = particles.position;
    modes_.species = particles.species;
    modes_.particles = system.size();
    modes_.k = vectors_.data();
    modes_.begin = begin_.data();
    modes_.turn = turn;
    density_modes(backend, modes_, static_cast<std::int32_t>(species_), sums_.data(), row);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(ModeRows)

} // namespace shadow
