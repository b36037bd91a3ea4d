// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/structure_factor.hpp"

#include <cmath>

namespace shadow {

namespace {

template <int Dim>
Axis lengths_of(const std::vector<Shell<Dim>>& shells) {
    Axis k{"k", "1/length", {}};
    for (const Shell<Dim>& shell : shells) k.values.push_back(shell.k);
    return k;
}

} // namespace

template <int Dim, class Real>
StructureFactor<Dim, Real>::StructureFactor(const Box<Dim>& box,
                                            const std::vector<Population>& species,
                                            std::vector<Shell<Dim>> shells)
    : AveragingObservable<Dim, Real>(
          {names_by_pair("structure_factor", species), "", {lengths_of(shells)}}),
      modes_(box, species.size(), std::move(shells)), pairs_(species_pairs(species)) {
    for (const Population& p : species) species_.push_back(static_cast<double>(p.particles));
}

template <int Dim, class Real>
void StructureFactor<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    modes_.enqueue(system, this->measured_++, row);
}

template <int Dim, class Real>
void StructureFactor<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    const std::size_t count = modes_.shells().size(), half = row.size() / 2;
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
    this->average_.add(curves);
}

template class StructureFactor<1, double>;
template class StructureFactor<2, double>;
template class StructureFactor<3, double>;

} // namespace shadow
