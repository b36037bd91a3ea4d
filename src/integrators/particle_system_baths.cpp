// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/particle_system.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <limits>

/// Baths that differ between species.
namespace shadow {

/// Numbers of the flow that is queued next are stored at its position in the queue, and only if
/// they differ from those stored there: the flow queued there before has been launched.
template <int Dim>
const double* ParticleSystem<Dim>::baths_by_species(const BathFlow& flow) {
    if (queue_.count == queue_.capacity) flush();
    const std::size_t size = 2 * flow.by_species.size();
    if (by_species_.size() == 0) {
        by_species_ = Array<double>(backend_, queue_.capacity * size);
        stored_.assign(queue_.capacity * size, std::numeric_limits<double>::quiet_NaN());
    }
    std::vector<double> numbers;
    for (const double rate : flow.by_species) {
        const BathFlow own = flow.with(rate);
        numbers.push_back(own.kept());
        numbers.push_back(own.renewed() * own.kT);
    }
    const std::size_t at = static_cast<std::size_t>(queue_.count) * size;
    double* const to = by_species_.data() + at;
    const auto known = stored_.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::equal(numbers.begin(), numbers.end(), known)) {
        std::copy(numbers.begin(), numbers.end(), known);
        for (std::size_t k = 0; k < size; k += StoreNumbers::most) {
            StoreNumbers store{
                to + k, std::min(StoreNumbers::most, static_cast<int>(size - k)), {}};
            std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(k), store.count, store.value);
            launch(backend_, store, 1);
        }
    }
    return to;
}

template <int Dim>
std::vector<std::string> ParticleSystem<Dim>::species() const {
    std::vector<std::string> names;
    for (const Species& of : species_table()) names.push_back(of.name);
    return names;
}

template <int Dim>
void ParticleSystem<Dim>::scale_momenta_by_species(Scalar first) {
    push({FlowEntry::Kind::scale_species, 0, 0.0, first, 0.0, 0, 0});
}

template <int Dim>
void ParticleSystem<Dim>::measure_kinetic_by_species() {
    flush();
    using BySpecies = typename TwiceKineticBySpecies<Dim>::Value;
    reduce(backend_, TwiceKineticBySpecies<Dim>{particles_.view()}, particles_.size(),
           reinterpret_cast<BySpecies*>(scalars() + Scalar::species_kinetic));
}

template class ParticleSystem<1>;
template class ParticleSystem<2>;
template class ParticleSystem<3>;

} // namespace shadow
