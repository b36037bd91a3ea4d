// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/choose_origins.hpp"
#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/origin_pairs.hpp"

#include <vector>

namespace shadow {
namespace {

/// Mean number density at a distance r from a particle, in any box: the number of others in a shell
/// around it divided by the volume of the shell, averaged over particles. Times the volumes of the
/// shells it sums to the number of others; in a periodic box it is rho g(r) (N - 1) / N. The array
/// is called pair_density; in a mixture there are also pair_density_A_B ..., particles of B around
/// one of A.
template <int Dim>
class PairDensity final : public AveragingObservable<Dim> {
  public:
    /// `radius`: at most half the shortest periodic length of the box.
    PairDensity(const std::vector<Population>& species, double radius, int bins)
        : AveragingObservable<Dim>({names_by_pair("pair_density", species),
                                    per_volume(Dim),
                                    {middles("r", "length", 0.0, radius, bins)}}),
          pairs_(species_pairs(species)), radius_(radius), bins_(bins),
          shells_(shell_volumes<Dim>(radius, bins)) {
        for (const Population& p : species) species_.push_back(static_cast<double>(p.particles));
    }

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return species_.size() * species_.size() * static_cast<std::size_t>(bins_);
    }
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
        const Backend& backend = system.backend();
        if (counts_.size() == 0) counts_ = Array<std::int64_t>(backend, width());
        const CountOriginPairs<Dim, DistanceBins<Dim>> op{
            choose_origins(system, this->measured_++),
            {system.particles().species, static_cast<std::int32_t>(species_.size()), bins_,
             radius_ * radius_, bins_ / radius_},
            counts_.data()};
        const auto bins = static_cast<std::int64_t>(width());
        count(backend, op, op.pairs.origins() * system.size(), bins);
        launch(backend, TakeCounts{counts_.data(), row}, bins);
    }

    /// A pair of unlike particles is counted from either particle, whichever is an origin.
    void accumulate(double /*time*/, std::span<const double> row) override {
        const auto bins = static_cast<std::size_t>(bins_);
        const std::size_t kinds = species_.size();
        double particles = 0.0;
        for (const double n : species_) particles += n;
        const auto turns = static_cast<double>(origin_stride(static_cast<std::int64_t>(particles)));
        std::vector<double> curves(bins);
        for (std::size_t at = 0; at < row.size(); ++at)
            curves[at % bins] += turns * row[at] / (particles * shells_[at % bins]);
        for (const SpeciesPair& pair : pairs_) {
            const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
            for (std::size_t k = 0; k < bins; ++k) {
                const double count =
                    0.5 * (row[(a * kinds + b) * bins + k] + row[(b * kinds + a) * bins + k]);
                curves.push_back(species_[a] > 0.0 ? turns * count / (species_[a] * shells_[k])
                                                   : 0.0);
            }
        }
        this->average_.add(curves);
    }

  private:
    std::vector<double> species_; ///< number of particles of each
    std::vector<SpeciesPair> pairs_;
    double radius_;
    int bins_;
    std::vector<double> shells_; ///< volumes of the bins
    Array<std::int64_t> counts_;
};

template <int Dim>
Made<Dim> make_pair_density(const ObservableInput<Dim>& in) {
    if (in.context.particles() < 2)
        in.fail("type", "pair-density of one particle (it has no pairs); remove it");
    return std::make_unique<PairDensity<Dim>>(
        in.context.species, read_distance(in, "radius", in.half_box()), read_bins(in));
}

} // namespace

ObservableEntry pair_density_entry() {
    using enum KeyType;
    return {{"pair-density",
             "Mean number density at a distance from a particle, in any box, of all particles and "
             "of each pair of species",
             "rho(r) = <n(r)> / v, n others in a shell of volume v around a particle; between "
             "species those of the second around one of the first",
             "",
             {every_key(),
              {"radius", number, "length", "half the box, where it is periodic", "largest distance",
               "1.5"},
              bins_key(200)}},
            SHADOW_EACH_DIMENSION(make_pair_density)};
}

} // namespace shadow
