// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/structure_factor.hpp"

#include "keys.hpp"

#include "shadow/observables/mesh_structure_factor.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

template <int Dim>
Axis lengths_of(const std::vector<Shell<Dim>>& shells) {
    Axis k{"k", "1/length", {}};
    for (const Shell<Dim>& shell : shells) k.values.push_back(shell.k);
    return k;
}

} // namespace

template <int Dim>
StructureFactor<Dim>::StructureFactor(const Box<Dim>& box, const std::vector<Population>& species,
                                      std::vector<Shell<Dim>> shells)
    : AveragingObservable<Dim>(
          {names_by_pair("structure_factor", species), "", {lengths_of(shells)}}),
      modes_(box, species.size(), std::move(shells)), pairs_(species_pairs(species)) {
    for (const Population& p : species) species_.push_back(static_cast<double>(p.particles));
}

template <int Dim>
void StructureFactor<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    modes_.enqueue(system, this->measured_++, row);
}

template <int Dim>
void StructureFactor<Dim>::accumulate(double /*time*/, std::span<const double> row) {
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

SHADOW_INSTANTIATE_EACH_DIMENSION(StructureFactor)

namespace {

/// S(k) for all wave vectors, by a mesh.
template <int Dim>
Made<Dim> make_by_mesh(const ObservableInput<Dim>& in, double longest, int shells) {
    const double accuracy = in.positive("accuracy");
    if (!(accuracy >= 1e-9 && accuracy <= 0.1))
        in.fail("accuracy", fmt::format("accuracy {} (a relative error of Fourier components, "
                                        "on which the mesh depends); give 1e-9 to 0.1",
                                        accuracy));
    // Two numbers of 8 bytes per point, and the transform: 0.6 GiB.
    constexpr double max_points = 1 << 25;
    double least = static_cast<double>(in.context.species.size()), points = least;
    for (const double length : in.context.box.lengths()) least *= longest * length / 3.0;
    if (least < max_points)
        points *= static_cast<double>(choose_mesh(in.context.box, longest, accuracy).points());
    if (least >= max_points || points > max_points)
        in.fail("longest", fmt::format("wave numbers up to {} of so large a box by a mesh (it "
                                       "would have more than {:.0f} points); lower it or raise "
                                       "accuracy, or use method = \"direct\"",
                                       longest, max_points));
    return std::make_unique<MeshStructureFactor<Dim>>(in.context.box, in.context.species, longest,
                                                      shells, accuracy);
}

template <int Dim>
Made<Dim> make_structure_factor(const ObservableInput<Dim>& in) {
    if (!in.context.box.is_periodic())
        in.fail("type", "structure-factor in an open box (wave vectors are those of a periodic "
                        "box); make the box periodic");
    const double longest = in.positive("longest");
    const std::int64_t shells =
        in.integer_within("shells", 1, 10000,
                          "{} shells (of which each costs a sine and a cosine of every particle)");
    const bool by_mesh = in.choice("method") == "fft";
    if (by_mesh && in.context.box.is_tilted())
        in.fail("method", "fft in a tilted box (its mesh is that of a rectangular one); leave it "
                          "out");
    const std::int64_t vectors = by_mesh ? 1 : read_vectors(in);
    auto chosen = choose_wave_vectors(in.context.box, longest, static_cast<int>(shells),
                                      static_cast<int>(vectors));
    if (chosen.empty())
        in.fail("longest", fmt::format("no wave vector up to {} (the shortest of this box is "
                                       "2 pi over its longest side); raise it",
                                       longest));
    if (by_mesh) return make_by_mesh(in, longest, static_cast<int>(shells));
    return std::make_unique<StructureFactor<Dim>>(in.context.box, in.context.species,
                                                  std::move(chosen));
}

} // namespace

ObservableEntry structure_factor_entry() {
    using enum KeyType;
    return {
        {"structure-factor",
         "Static structure factor S(k) of all particles and of each pair of species",
         "S(k) = <|sum_j exp(i k.x_j)|^2> / N over wave vectors k of the box, one of each shell in "
         "each measurement, in turn; between species Re <rho_a rho_b*> / sqrt(N_a N_b)",
         "Allen and Tildesley 2017, section 2.6",
         {every_key(),
          {"longest", number, "1/length", "", "largest wave number", "10.0"},
          {"shells", integer, "", "64", "of equal thickness, from 0 to the largest"},
          {"method",
           text,
           "",
           "\"direct\"",
           "direct, or fft: all wave vectors, by a mesh",
           "",
           {"direct", "fft"}},
          {"vectors", integer, "", "12", "maximum number per shell, for direct"},
          {"accuracy", number, "", "0.001", "relative error of Fourier components, for fft"}}},
        SHADOW_EACH_DIMENSION(make_structure_factor)};
}

} // namespace shadow
