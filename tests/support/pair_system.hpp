// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/oracle.hpp"

#include "shadow/core/array.hpp"
#include "shadow/forces/pair_force.hpp"
#include "shadow/system/box.hpp"

#include "kernels/pair_force.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

/// Particles with a hand-made list of all pairs, to test pair forces without cells and lists.
namespace shadow {

template <int Dim>
using Points = std::vector<std::array<double, Dim>>;

/// n points of a jittered lattice of the given spacing that fills its box, in random order; the
/// minimum distance is about (1 - 2 jitter sqrt(Dim)) spacing.
template <int Dim>
Points<Dim> jittered_points(int n, double spacing, double jitter, unsigned seed) {
    int side = 1;
    while (std::pow(side, Dim) < n) ++side;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-jitter, jitter);
    Points<Dim> all;
    for (int k = 0; k < static_cast<int>(std::lround(std::pow(side, Dim))); ++k) {
        std::array<double, Dim> x;
        for (int d = 0, rest = k; d < Dim; ++d, rest /= side)
            x[d] = spacing * (rest % side + 0.5 + uniform(random));
        all.push_back(x);
    }
    for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[random() % k]);
    all.resize(static_cast<std::size_t>(n));
    return all;
}

/// One species, at rest.
template <int Dim>
Snapshot<Dim> at_rest(const Points<Dim>& points) {
    Snapshot<Dim> s;
    s.species_table = {Species{}};
    s.position = points;
    s.momentum.resize(points.size());
    s.image.resize(points.size());
    s.species.resize(points.size());
    return s;
}

template <int Dim>
struct PairSums {
    std::vector<double> energy;
    SymmetricTensor<Dim> virial{};
    std::int32_t status = 0;
};

template <int Dim>
class PairSystem {
  public:
    PairSystem(const Backend& backend, const Points<Dim>& points, std::vector<int> species,
               const Box<Dim>& box, int cluster_size,
               double reach = std::numeric_limits<double>::infinity())
        : backend_(backend), n_(points.size()), box_(backend, std::vector{box.view()}),
          reach_(reach) {
        for (int d = 0; d < Dim; ++d) {
            std::vector<double> x(n_);
            for (std::size_t i = 0; i < n_; ++i) x[i] = points[i][d];
            position_[d] = Array<double>(backend, x);
            force_[d] = Array<double>(backend, n_);
        }
        std::vector<std::uint16_t> kinds(n_);
        std::vector<std::uint32_t> ids(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            kinds[i] = species.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(species[i]);
            ids[i] = static_cast<std::uint32_t>(n_ - 1 - i);
        }
        species_ = Array<std::uint16_t>(backend, kinds);
        id_ = Array<std::uint32_t>(backend, ids);
        energy_ = Array<double>(backend, n_);
        virial_ = Array<SymmetricTensor<Dim>>(backend, 1);
        status_ = Array<std::int32_t>(backend, 1);
        make_list(box, cluster_size);
    }

    [[nodiscard]] ParticlesView<Dim> view() {
        ParticlesView<Dim> v{};
        v.size = static_cast<std::int64_t>(n_);
        for (int d = 0; d < Dim; ++d) v.position.component[d] = position_[d].data();
        v.species = species_.data();
        v.id = id_.data();
        v.box = box_.data();
        return v;
    }

    /// Excludes pairs of particles, each given once, by their indices in `points`.
    void exclude(const std::vector<std::array<std::int32_t, 2>>& pairs) {
        std::vector<std::vector<std::int32_t>> partners(n_);
        const auto add = [&](std::int32_t a, std::int32_t b) {
            partners[static_cast<std::size_t>(a)].push_back(b);
        };
        for (const auto& [a, b] : pairs) {
            add(a, b);
            add(b, a);
        }
        std::vector<std::int32_t> begin{0}, all;
        for (const auto& some : partners) {
            all.insert(all.end(), some.begin(), some.end());
            begin.push_back(static_cast<std::int32_t>(all.size()));
        }
        excluded_begin_ = Array<std::int32_t>(backend_, begin);
        excluded_ = Array<std::int32_t>(backend_, all);
    }

    /// Forces, and with `energy` the sums by particle.
    Points<Dim> compute(PairForce<Dim>& force, PairSums<Dim>* sums, bool accumulate = false) {
        ForceOutput<Dim> output;
        for (int d = 0; d < Dim; ++d) output.force.component[d] = force_[d].data();
        if (sums) {
            output.energy = energy_.data();
            output.virial = virial_.data();
        }
        output.status = status_.data();
        output.accumulate = accumulate;
        force.compute(view(), list(), output);
        backend_.synchronize();
        if (sums) *sums = {energy_.to_host(), virial_.get(0), 0};
        if (sums) sums->status = status_.get(0);
        Points<Dim> result(n_);
        for (int d = 0; d < Dim; ++d) {
            const auto f = force_[d].to_host();
            for (std::size_t i = 0; i < n_; ++i) result[i][d] = static_cast<double>(f[i]);
        }
        return result;
    }
    [[nodiscard]] std::int32_t status() const { return status_.get(0); }

    /// Shares of particles in `part` of the force, added to those `so_far` (empty: written).
    std::vector<Share<Dim>> share(PairForce<Dim>& force, std::size_t part,
                                  const std::vector<Share<Dim>>& so_far = {}) {
        Array<Share<Dim>> share(backend_, n_);
        if (!so_far.empty()) share = Array<Share<Dim>>(backend_, so_far);
        force.share(part, view(), list(), !so_far.empty(), share.data());
        backend_.synchronize();
        return share.to_host();
    }

  private:
    [[nodiscard]] typename PairForce<Dim>::List list() {
        return {{count_.data(),
                 begin_.data(),
                 end_.data(),
                 range_count_.data(),
                 ranges_.data(),
                 stride_,
                 reach_,
                 reach_,
                 -1,
                 {},
                 {excluded_begin_.data(), excluded_.data()}},
                view().position,
                box_.data(),
                count_.get(0)};
    }
    void make_list(const Box<Dim>& box, int cluster_size) {
        const auto n = static_cast<std::int32_t>(n_);
        std::vector<std::int32_t> begin, end, range_count;
        std::vector<std::int32_t> shifts;
        int images = 1;
        for (int d = 0; d < Dim; ++d) images *= 3;
        for (int k = 0; k < images; ++k) {
            std::int32_t shift = 0;
            bool allowed = true;
            for (int d = 0, rest = k; d < Dim; ++d, rest /= 3) {
                const int image = (rest % 3 + 1) % 3 - 1; // 0, 1, -1
                allowed = allowed && (image == 0 || box.periodic()[d]);
                shift |= NeighbourRange::pack(d, image);
            }
            if (allowed) shifts.push_back(shift);
        }
        stride_ = static_cast<std::int64_t>(shifts.size()) + 1;
        std::vector<NeighbourRange> ranges;
        for (std::int32_t b = 0; b < n; b += cluster_size) {
            const std::int32_t e = std::min(b + cluster_size, n);
            begin.push_back(b);
            end.push_back(e);
            range_count.push_back(static_cast<std::int32_t>(stride_));
            ranges.push_back({0, b, 0});
            ranges.push_back({e, n, 0});
            for (std::size_t s = 1; s < shifts.size(); ++s) ranges.push_back({0, n, shifts[s]});
        }
        const std::int32_t count = static_cast<std::int32_t>(begin.size());
        count_ = Array<std::int32_t>(backend_, std::span(&count, 1));
        begin_ = Array<std::int32_t>(backend_, begin);
        end_ = Array<std::int32_t>(backend_, end);
        range_count_ = Array<std::int32_t>(backend_, range_count);
        ranges_ = Array<NeighbourRange>(backend_, ranges);
    }

    const Backend& backend_;
    std::size_t n_;
    Array<BoxView<Dim>> box_;
    std::array<Array<double>, Dim> position_, force_;
    Array<std::uint16_t> species_;
    Array<std::uint32_t> id_;
    Array<double> energy_;
    Array<SymmetricTensor<Dim>> virial_;
    Array<std::int32_t> status_, count_, begin_, end_, range_count_, excluded_begin_, excluded_;
    Array<NeighbourRange> ranges_;
    std::int64_t stride_ = 0;
    double reach_;
};

} // namespace shadow
