// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/mode_rows.hpp"

#include "kernels/cpu/density_modes.hpp"
#include "kernels/launch.hpp"

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
        if (backend.is_cuda())
            sums_ =
                Array<SomeModes>(backend, species_ * ((shells_.size() + SomeModes::max_modes - 1) /
                                                      SomeModes::max_modes));
    }
    const ParticlesView<Dim> particles = system.particles();
    modes_.position = particles.position;
    modes_.species = particles.species;
    modes_.particles = system.size();
    modes_.k = vectors_.data();
    modes_.begin = begin_.data();
    modes_.turn = turn;
    const auto species = static_cast<std::int32_t>(species_);
    if (!backend.is_cuda()) return cpu::density_modes(backend, modes_, species, row);
    SomeModes* sums = sums_.data();
    for (std::int32_t s = 0; s < species; ++s)
        for (std::int32_t first = 0; first < modes_.count; first += SomeModes::max_modes)
            reduce(backend, SumModes<Dim>{modes_, first, species > 1 ? s : -1}, system.size(),
                   sums++);
    launch(backend, TakeModes{sums_.data(), modes_.count, species, row},
           std::int64_t{species} * modes_.count);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(ModeRows)

} // namespace shadow
