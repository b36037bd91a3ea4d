// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/structure_factor.hpp"

#include "kernels/cpu/density_modes.hpp"
#include "kernels/launch.hpp"

#include <cmath>

namespace shadow {

namespace {

template <int Dim>
Axis lengths(const std::vector<Shell<Dim>>& shells) {
    Axis k{"k", "1/length", {}};
    for (const Shell<Dim>& shell : shells) k.values.push_back(shell.k);
    return k;
}

} // namespace

template <int Dim, class Real>
StructureFactor<Dim, Real>::StructureFactor(const Box<Dim>& box,
                                            const std::vector<Population>& species,
                                            std::vector<Shell<Dim>> shells)
    : shells_(std::move(shells)), pairs_(species_pairs(species)),
      curves_(names_by_pair("structure_factor", species), "", {lengths(shells_)}) {
    for (const Population& p : species) species_.push_back(static_cast<double>(p.particles));
    for (std::size_t d = 0; d < Dim; ++d) modes_.inverse_length[d] = 1.0 / box.lengths()[d];
    modes_.count = static_cast<std::int32_t>(shells_.size());
}

template <int Dim, class Real>
void StructureFactor<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    const std::size_t count = shells_.size();
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
            sums_ = Array<FourModes>(backend, species_.size() * ((count + 3) / 4));
    }
    const ParticlesView<Dim, Real> particles = system.particles();
    modes_.position = particles.position;
    modes_.species = particles.species;
    modes_.particles = system.size();
    modes_.k = vectors_.data();
    modes_.begin = begin_.data();
    modes_.turn = measured_++;
    if (!backend.is_cuda()) {
        cpu::density_modes(backend, modes_, static_cast<int>(species_.size()), row);
        return;
    }
    FourModes* sums = sums_.data();
    for (std::size_t s = 0; s < species_.size(); ++s)
        for (std::int32_t first = 0; first < modes_.count; first += 4)
            reduce(backend,
                   SumModes<Dim, Real>{modes_, first,
                                       species_.size() > 1 ? static_cast<std::int32_t>(s) : -1},
                   system.size(), sums++);
    launch(backend,
           TakeModes{sums_.data(), modes_.count, static_cast<std::int32_t>(species_.size()), row},
           static_cast<std::int64_t>(species_.size() * count));
}

template <int Dim, class Real>
void StructureFactor<Dim, Real>::digest(double /*time*/, std::span<const double> row) {
    const std::size_t count = shells_.size(), half = row.size() / 2;
    std::vector<double> curves;
    double particles = 0.0;
    for (const double n : species_) particles += n;
    for (std::size_t k = 0; k < count; ++k) {
        double cosine = 0.0, sine = 0.0;
        for (std::size_t s = 0; s < species_.size(); ++s) {
            cosine += row[s * count + k];
            sine += row[half + s * count + k];
        }
        curves.push_back((cosine * cosine + sine * sine) / particles);
    }
    for (const SpeciesPair& pair : pairs_) {
        const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
        const double number = std::sqrt(species_[a] * species_[b]);
        for (std::size_t k = 0; k < count; ++k) {
            const double product = row[a * count + k] * row[b * count + k] +
                                   row[half + a * count + k] * row[half + b * count + k];
            curves.push_back(number > 0.0 ? product / number : 0.0);
        }
    }
    curves_.add(curves);
}

template <int Dim, class Real>
void StructureFactor<Dim, Real>::restore(std::span<const double> state) {
    curves_.restore(state);
    measured_ = curves_.samples();
}

template class StructureFactor<1, double>;
template class StructureFactor<2, double>;
template class StructureFactor<3, double>;
template class StructureFactor<1, float>;
template class StructureFactor<2, float>;
template class StructureFactor<3, float>;

} // namespace shadow
