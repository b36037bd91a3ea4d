// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/direct_sum.hpp"

#include "shadow/system/unwrapped.hpp"

#include "kernels/ops/share_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace shadow {
namespace {

/// Roundings of terms of the size of the result, see DirectSum.
constexpr double roundings = 220.0;

/// The longest way through the system in one direction.
template <int Dim>
double extent(const Box<Dim>& box, const Snapshot<Dim>& particles) {
    double most = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const auto& x : particles.position) {
            low = std::min(low, x[d]);
            high = std::max(high, x[d]);
        }
        most = std::max({most, high - low, box.periodic()[d] ? box.lengths()[d] : 0.0});
    }
    return most;
}

/// Adds to each number what `of` makes of it; of energy and virial a share.
template <int Dim, class Of>
void add_totals(PairTotals<Dim>& sums, const PairTotals<Dim>& more, double share, const Of& of) {
    for (std::size_t d = 0; d < Dim; ++d) sums.force[d] += of(more.force[d]);
    sums.energy += share * of(more.energy);
    for (std::size_t c = 0; c < more.virial.size(); ++c)
        sums.virial[c] += share * of(more.virial[c]);
}

/// On a mesh energies of particles are sums of some hundred terms, and forces their differences
/// from point to point; of a virial, and of an energy, the rounding is the same. In double charges
/// are rounded to 2^-50.
template <int Dim>
PairTotals<Dim> mesh_rounding(const LongRangeDescription& force, const Box<Dim>& box,
                              const std::vector<PairTotals<Dim>>& totals, double epsilon) {
    double largest = 0.0;
    for (const PairTotals<Dim>& own : totals) largest = std::max(largest, std::abs(own.energy));
    const double energy = roundings * (epsilon + 0x1p-50) * largest;
    PairTotals<Dim> rounding;
    rounding.energy = energy;
    rounding.virial.fill(energy);
    for (std::size_t d = 0; d < Dim; ++d)
        rounding.force[d] =
            2.0 * energy *
            (force.split.order > 0 ? force.split.count[d] / box.lengths()[d] : force.split.longest);
    return rounding;
}

} // namespace

template <int Dim>
DirectSum<Dim>::DirectSum(const ForcePlan& forces, const Box<Dim>& box,
                          const Snapshot<Dim>& particles, bool pair_is_double)
    : fields_(forces.of<FieldDescription>()), bonded_(forces.of<BondedDescription>()),
      excluded_(forces.excluded), box_(box), particles_(particles),
      epsilon_(pair_is_double ? std::numeric_limits<double>::epsilon()
                              : static_cast<double>(std::numeric_limits<float>::epsilon())),
      distance_rounding_(4.0 * epsilon_ * extent(box, particles)), reach_(0.0) {
    if (const auto* fourier = forces.first<LongRangeDescription>()) {
        fourier_ = long_range_totals(*fourier, box, particles);
        fourier_rounding_ = mesh_rounding<Dim>(*fourier, box, fourier_, epsilon_);
    }
    static_assert(std::variant_size_v<ForceDescription> == 4, "a kind of force without a sum");
    std::sort(excluded_.begin(), excluded_.end());
    for (const PairForceDescription& force : forces.of<PairForceDescription>()) {
        tables_.push_back(make_pair_table(force));
        self_.push_back(self_energies(force));
        reach_ = std::max(reach_, tables_.back().cutoff + distance_rounding_);
    }
}

template <int Dim>
auto DirectSum<Dim>::evaluate(const PairTable& table, int row, double r) const -> Pair {
    const auto at = [&](double distance) {
        const PairResult<double> result =
            evaluate_pair(Interactions{}, table.interaction, table.rows.data(), row,
                          distance * distance, table.ending);
        return std::array<double, 2>{result.f_over_r * distance, result.u};
    };
    const auto here = at(r), above = at(r + distance_rounding_);
    const auto below = at(std::max(r - distance_rounding_, 1e-3 * r)); // not of no distance at all
    const auto nearer = at(0.95 * r); // terms that cancel here do not cancel there
    std::array<double, 2> off{};
    for (std::size_t k = 0; k < 2; ++k) {
        // Beyond a cut-off, and where a split leaves nothing.
        if (here[k] == 0.0 && above[k] == 0.0 && below[k] == 0.0) continue;
        const double size = std::max(std::abs(here[k]), std::abs(nearer[k] - here[k]));
        off[k] = std::max(std::abs(below[k] - here[k]), std::abs(above[k] - here[k])) +
                 roundings * epsilon_ * size;
    }
    return {here[0], here[1], off[0], off[1]};
}

template <int Dim>
void DirectSum<Dim>::add(Result& sums, const std::array<double, Dim>& delta, double r,
                         const Pair& pair) const {
    const double turned = std::abs(pair.force) * distance_rounding_; // of another direction
    for (std::size_t d = 0; d < Dim; ++d) {
        sums.value.force[d] += pair.force * delta[d] / r;
        sums.rounding.force[d] += pair.force_rounding + turned / r;
    }
    sums.value.energy += 0.5 * pair.energy;
    sums.rounding.energy += 0.5 * pair.energy_rounding;
    for (int p = 0; p < Dim; ++p)
        for (int q = p; q < Dim; ++q) {
            const auto k = static_cast<std::size_t>(tensor_index<Dim>(p, q));
            const double rr =
                delta[static_cast<std::size_t>(p)] * delta[static_cast<std::size_t>(q)];
            sums.value.virial[k] += 0.5 * pair.force * rr / r;
            sums.rounding.virial[k] += 0.5 * (pair.force_rounding * r + 2.0 * turned);
        }
}

/// In double on every device. A place is rounded when its images are undone, and changes the result
/// by as much as the field changes over that; some roundings more are those of the functions.
template <int Dim>
void DirectSum<Dim>::add_fields(Result& sums, std::size_t particle) const {
    constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
    const std::size_t species = particles_.species[particle];
    const std::array<double, Dim> place = unwrapped(particles_, box_, particle);
    for (const FieldDescription& field : fields_) {
        const auto at = [&](const std::array<double, Dim>& x) {
            FieldResult<Dim> result = field.at<Dim>(x.data(), species);
            const double factor = field.modulation.at(particles_.time);
            for (double& component : result.force) component *= factor;
            result.u *= factor;
            return result;
        };
        const auto [force, energy] = at(place);
        sums.value.energy += energy;
        sums.rounding.energy += rounding * std::abs(energy);
        for (std::size_t d = 0; d < Dim; ++d) {
            sums.value.force[d] += force[d];
            sums.rounding.force[d] += rounding * std::abs(force[d]);
            auto moved = place;
            moved[d] += rounding * std::abs(place[d]);
            const auto [moved_force, moved_energy] = at(moved);
            sums.rounding.energy += std::abs(moved_energy - energy);
            for (std::size_t k = 0; k < Dim; ++k)
                sums.rounding.force[k] += std::abs(moved_force[k] - force[k]);
        }
    }
}

template <int Dim>
bool DirectSum<Dim>::is_excluded(std::size_t i, std::size_t j) const {
    const std::array<std::uint32_t, 2> pair = {static_cast<std::uint32_t>(std::min(i, j)),
                                               static_cast<std::uint32_t>(std::max(i, j))};
    return std::binary_search(excluded_.begin(), excluded_.end(), pair);
}

/// What entry `k` of the members of a force has. In double on every device. Places of all members
/// are rounded where they become differences, and the result changes by as much as it does over
/// that.
template <int Dim>
void DirectSum<Dim>::add_bonded(Result& sums, const BondedDescription& force, std::size_t k) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double apart = distance_rounding_ / epsilon_ * epsilon;
    const auto count = static_cast<std::size_t>(members_of(force.info->kind));
    std::vector<std::array<double, Dim>> place(count);
    for (std::size_t m = 0; m < count; ++m)
        place[m] = particles_.position[force.members[k - k % count + m]];
    const auto at = [&] {
        const BondedResult<Dim> term = evaluate_term<Dim>(force, force.row[k / count], place, box_);
        PairTotals<Dim> own{term.force[k % count], term.energy, {}};
        std::copy_n(term.virial.component, own.virial.size(), own.virial.begin());
        return own;
    };
    const double share = 1.0 / static_cast<double>(count);
    const PairTotals<Dim> here = at();
    add_totals(sums.value, here, share, [](double x) { return x; });
    add_totals(sums.rounding, here, share,
               [&](double x) { return roundings * epsilon * std::abs(x); });
    for (auto& x : place)
        for (double& component : x) {
            const double before = std::exchange(component, component + apart);
            PairTotals<Dim> change = at();
            component = before;
            add_totals(change, here, 1.0, [](double y) { return -y; });
            add_totals(sums.rounding, change, share, [](double y) { return std::abs(y); });
        }
}

template <int Dim>
auto DirectSum<Dim>::operator()(std::size_t particle) const -> Result {
    Result sums;
    const auto& species = particles_.species;
    for (const std::vector<double>& self : self_) {
        if (self.empty()) continue;
        sums.value.energy += self[species[particle]];
        sums.rounding.energy += 2.0 * epsilon_ * std::abs(self[species[particle]]);
    }
    add_fields(sums, particle);
    if (!fourier_.empty()) {
        const auto same = [](double x) { return x; };
        add_totals(sums.value, fourier_[particle], 1.0, same);
        add_totals(sums.rounding, fourier_rounding_, 1.0, same);
    }
    for (const BondedDescription& force : bonded_)
        for (std::size_t k = 0; k < force.members.size(); ++k)
            if (force.members[k] == particle) add_bonded(sums, force, k);
    const auto& x = particles_.position[particle];
    for (std::size_t j = 0; j < particles_.size(); ++j) {
        if (j == particle || is_excluded(particle, j)) continue;
        std::array<double, Dim> delta;
        double r2 = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) delta[d] = x[d] - particles_.position[j][d];
        box_.shorten(delta);
        for (const double component : delta) r2 += component * component;
        if (!(r2 < reach_ * reach_)) continue;
        const double r = std::sqrt(r2);
        for (const PairTable& table : tables_) {
            const int row = species[particle] * table.species_count + species[j];
            add(sums, delta, r, evaluate(table, row, r));
        }
    }
    return sums;
}

template class DirectSum<1>;
template class DirectSum<2>;
template class DirectSum<3>;

} // namespace shadow
