// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/particles.hpp"

#include "shadow/core/error.hpp"
#include "shadow/system/id_order.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace shadow {

namespace {

/// One component; throws unless every value is finite.
template <int Dim>
std::vector<double> component(const std::vector<std::array<double, Dim>>& vectors, std::size_t d,
                              const char* what) {
    std::vector<double> out(vectors.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = vectors[i][d];
        if (!std::isfinite(out[i]))
            throw InputError(fmt::format(
                "{} of particle {} is ({}) (not a finite number); correct the starting state", what,
                i, fmt::join(vectors[i], ", ")));
    }
    return out;
}

template <int Dim>
std::size_t checked_size(const Snapshot<Dim>& snapshot) {
    const std::size_t n = snapshot.size();
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw InputError(fmt::format("{} particles (more than 2^31 - 1 cannot be indexed by the "
                                     "pair lists); use fewer",
                                     n));
    if (snapshot.momentum.size() != n || snapshot.image.size() != n || snapshot.species.size() != n)
        throw InputError(fmt::format(
            "{} positions, {} momenta, {} images and {} species (each particle needs one of each); "
            "correct the starting state",
            n, snapshot.momentum.size(), snapshot.image.size(), snapshot.species.size()));
    return n;
}

template <int Dim>
void check_species(const Snapshot<Dim>& snapshot) {
    for (const Species& kind : snapshot.species_table)
        if (!(kind.mass > 0.0) || !std::isfinite(kind.mass))
            throw InputError(fmt::format("species \"{}\" has mass {} (particles move by p/m, so it "
                                         "must be positive and finite); correct its mass",
                                         kind.name, kind.mass));
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (snapshot.species[i] >= snapshot.species_table.size())
            throw InputError(fmt::format("particle {} is of species {} (there are {}, counted from "
                                         "0); correct it or add the species",
                                         i, snapshot.species[i], snapshot.species_table.size()));
}

} // namespace

template <int Dim>
Particles<Dim>::Particles(const Backend& backend, const Ensemble<Dim>& ensemble,
                          const Snapshot<Dim>& snapshot)
    : backend_(&backend), size_(static_cast<std::int64_t>(checked_size(snapshot))),
      table_(snapshot.species_table), box_(ensemble.box_view()),
      s_(ensemble.scalar_view(Scalar::s)) {
    check_species(snapshot);
    const std::size_t n = snapshot.size();
    for (std::size_t d = 0; d < Dim; ++d) {
        position_[d] = Array<double>(backend, component<Dim>(snapshot.position, d, "position"));
        momentum_[d] = Array<double>(backend, component<Dim>(snapshot.momentum, d, "momentum"));
        std::vector<std::int32_t> image(n);
        for (std::size_t i = 0; i < n; ++i) image[i] = snapshot.image[i][d];
        image_[d] = Array<std::int32_t>(backend, image);
    }
    species_ = Array<std::uint16_t>(backend, snapshot.species);
    std::vector<std::uint32_t> id(n);
    for (std::size_t i = 0; i < n; ++i) id[i] = static_cast<std::uint32_t>(i);
    id_ = Array<std::uint32_t>(backend, id);
    std::vector<double> mass, inverse;
    for (const Species& kind : table_) {
        mass.push_back(kind.mass);
        inverse.push_back(1.0 / kind.mass);
    }
    mass_ = Array<double>(backend, mass);
    inverse_mass_ = Array<double>(backend, inverse);
}

template <int Dim>
ParticlesView<Dim> Particles<Dim>::view() noexcept {
    ParticlesView<Dim> view{};
    view.size = size_;
    for (std::size_t d = 0; d < Dim; ++d) {
        view.position.component[d] = position_[d].data();
        view.momentum.component[d] = momentum_[d].data();
        view.image.component[d] = image_[d].data();
    }
    view.species = species_.data();
    view.id = id_.data();
    view.mass = mass_.data();
    view.inverse_mass = inverse_mass_.data();
    view.box = box_;
    view.s = s_;
    return view;
}

template <int Dim>
Snapshot<Dim> Particles<Dim>::snapshot() const {
    const auto n = static_cast<std::size_t>(size_);
    Snapshot<Dim> out;
    out.species_table = table_;
    if (n == 0) return out;
    out.position.resize(n);
    out.momentum.resize(n);
    out.image.resize(n);
    out.species.resize(n);
    const auto put_in_order = [&]<class T>(std::vector<std::array<T, Dim>>& to,
                                           const std::array<Array<T>, Dim>& from) {
        std::array<const T*, Dim> part;
        for (std::size_t d = 0; d < Dim; ++d) part[d] = from[d].data();
        copy_by_id<T>(*backend_, id_.data(), size_, part, to.front().data());
    };
    put_in_order(out.position, position_);
    put_in_order(out.momentum, momentum_);
    put_in_order(out.image, image_);
    const std::uint16_t* const species[] = {species_.data()};
    copy_by_id<std::uint16_t>(*backend_, id_.data(), size_, species, out.species.data());
    return out;
}

template <int Dim>
void Particles<Dim>::set_momenta(const std::vector<std::array<double, Dim>>& momenta) {
    const auto id = id_.to_host();
    std::vector<double> part(id.size());
    for (std::size_t d = 0; d < Dim; ++d) {
        for (std::size_t i = 0; i < id.size(); ++i)
            part[i] = static_cast<double>(momenta.at(id[i])[d]);
        momentum_[d].assign(part);
    }
}

template <int Dim>
std::size_t Particles<Dim>::bytes() const noexcept {
    std::size_t sum = species_.bytes() + id_.bytes() + mass_.bytes() + inverse_mass_.bytes();
    for (std::size_t d = 0; d < Dim; ++d)
        sum += position_[d].bytes() + momentum_[d].bytes() + image_[d].bytes();
    return sum;
}

template class Particles<1>;
template class Particles<2>;
template class Particles<3>;

} // namespace shadow
