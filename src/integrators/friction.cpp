// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/composition.hpp"

#include <algorithm>
#include <stdexcept>

namespace shadow {

std::vector<std::string> names_of(const std::vector<OfSpecies>& numbers) {
    std::vector<std::string> names;
    for (const OfSpecies& of : numbers) names.push_back(of.species);
    return names;
}

std::vector<double> in_order(const std::vector<OfSpecies>& numbers,
                             const std::vector<std::string>& species) {
    std::vector<double> ordered;
    for (const std::string& name : species) {
        const auto own = std::find_if(numbers.begin(), numbers.end(),
                                      [&](const OfSpecies& of) { return of.species == name; });
        if (own == numbers.end()) throw std::logic_error("no number is known of " + name);
        ordered.push_back(own->value);
    }
    return ordered;
}

std::vector<double> Friction::at(double step, const std::vector<std::string>& species) const {
    std::vector<double> rates;
    for (const std::string& name : species) {
        const auto own = std::find_if(by_species_.begin(), by_species_.end(),
                                      [&](const OfSpecies& of) { return of.species == name; });
        if (own == by_species_.end())
            throw std::logic_error("no friction is known of the species " + name);
        rates.push_back(own->rate.at(step));
    }
    if (rates.empty()) throw std::logic_error("friction by species of a system without species");
    return rates;
}

std::vector<std::string> Friction::species() const {
    std::vector<std::string> names;
    for (const OfSpecies& of : by_species_) names.push_back(of.species);
    return names;
}

double Friction::last() const {
    double least = is_by_species() ? 0.0 : all_.last();
    for (const OfSpecies& of : by_species_)
        if (const double rate = of.rate.last(); rate > 0.0 && (least == 0.0 || rate < least))
            least = rate;
    return least;
}

bool Friction::is_zero() const {
    return all_.is_zero() && std::all_of(by_species_.begin(), by_species_.end(),
                                         [](const OfSpecies& of) { return of.rate.is_zero(); });
}

std::int64_t Friction::steady_from() const {
    std::int64_t from = all_.steady_from();
    for (const OfSpecies& of : by_species_) from = std::max(from, of.rate.steady_from());
    return from;
}

} // namespace shadow
