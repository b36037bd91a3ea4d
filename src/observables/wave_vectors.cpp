// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/wave_vectors.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace shadow {

namespace {

template <int Dim>
using Integers = std::array<std::int32_t, Dim>;

/// One of n and -n, neither 0, represents both.
template <int Dim>
bool stands_for_both(const Integers<Dim>& n) {
    for (const std::int32_t component : n)
        if (component != 0) return component > 0;
    return false;
}

template <int Dim>
class Chooser {
  public:
    Chooser(const Box<Dim>& box, double longest, int shells)
        : box_(box), view_(box.view()), width_(longest / shells) {}

    /// The shell of a vector, from 0; upper ends belong to a shell.
    [[nodiscard]] std::int64_t shell_of(const Integers<Dim>& n) const {
        return static_cast<std::int64_t>(std::ceil(length(n) / width_ * (1.0 - 1e-12))) - 1;
    }
    [[nodiscard]] double length(const WaveVector<Dim>& k) const {
        double vector[Dim], k2 = 0.0;
        view_.wave_vector(k.n, vector);
        for (const double component : vector) k2 += component * component;
        return std::sqrt(k2);
    }
    [[nodiscard]] double length(const Integers<Dim>& n) const {
        WaveVector<Dim> k;
        std::copy(n.begin(), n.end(), k.n);
        return length(k);
    }
    /// About how many vectors have at most this length.
    [[nodiscard]] double count(double k) const {
        double n = 1.0;
        for (const double edge : box_.lengths()) n *= k * edge / std::numbers::pi + 1.0;
        return 0.5 * n;
    }
    /// All vectors up to a length, by shell.
    void enumerate(double longest, std::vector<std::set<Integers<Dim>>>& shells) const {
        std::int32_t end[Dim];
        max_turns(box_, longest, end);
        Integers<Dim> n{};
        for (std::size_t d = 0; d < Dim; ++d) n[d] = -end[d];
        for (;;) {
            if (stands_for_both<Dim>(n)) {
                const std::int64_t s = shell_of(n);
                if (s < static_cast<std::int64_t>(shells.size()))
                    shells[static_cast<std::size_t>(s)].insert(n);
            }
            std::size_t d = 0;
            while (d < Dim && n[d] == end[d]) {
                n[d] = -end[d];
                ++d;
            }
            if (d == Dim) return;
            ++n[d];
        }
    }
    /// Random vectors of shell s, for shells with many.
    void draw(std::int64_t s, int most, std::set<Integers<Dim>>& chosen) const {
        for (std::uint32_t attempt = 0;
             attempt < 10000 && chosen.size() < static_cast<std::size_t>(most); ++attempt) {
            const auto stream = static_cast<std::uint32_t>(RandomStream::wave_vectors);
            const auto shell = static_cast<std::uint64_t>(s);
            const Philox first(0, stream, attempt, shell), second(0, stream, attempt, shell, 1);
            const double random[] = {first.uniform(0), first.uniform(1), second.uniform(0)};
            Integers<Dim> n;
            double direction[Dim], norm2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) {
                direction[d] = 2.0 * random[d] - 1.0;
                norm2 += direction[d] * direction[d];
            }
            if (norm2 > 1.0 || norm2 < 1e-4) continue; // in a ball: no direction is preferred
            const double k = (static_cast<double>(s) + second.uniform(1)) * width_;
            const double turns = k / (2.0 * std::numbers::pi * std::sqrt(norm2));
            for (std::size_t d = 0; d < Dim; ++d)
                n[d] = static_cast<std::int32_t>(std::lround(turns * with_edge(direction, d)));
            if (!stands_for_both<Dim>(n))
                for (auto& component : n) component = -component;
            if (stands_for_both<Dim>(n) && shell_of(n) == s) chosen.insert(n);
        }
    }

  private:
    /// The scalar product of a vector with an edge.
    [[nodiscard]] double with_edge(const double (&x)[Dim], std::size_t edge) const {
        double product = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) product += x[d] * box_.edge(edge, d);
        return product;
    }

    Box<Dim> box_;
    BoxView<Dim> view_;
    double width_;
};

} // namespace

template <int Dim>
std::vector<Shell<Dim>> choose_wave_vectors(const Box<Dim>& box, double longest, int shells,
                                            int most) {
    const Chooser<Dim> chooser(box, longest, shells);
    const double width = longest / shells;
    constexpr double enumerable = 200000.0;
    std::size_t all = 0; // shells whose vectors are all enumerated
    while (all < static_cast<std::size_t>(shells) &&
           chooser.count(static_cast<double>(all + 1) * width) <= enumerable)
        ++all;
    std::vector<std::set<Integers<Dim>>> found(all);
    if (all > 0) chooser.enumerate(static_cast<double>(all) * width * (1.0 + 1e-12), found);
    found.resize(static_cast<std::size_t>(shells));
    std::vector<Shell<Dim>> chosen;
    for (std::size_t s = 0; s < found.size(); ++s) {
        const auto wanted = static_cast<std::size_t>(most);
        if (found[s].size() > wanted) {
            std::set<Integers<Dim>> some;
            chooser.draw(static_cast<std::int64_t>(s), most, some);
            // A random vector is rarely in a thin shell; fill up with the first ones.
            for (auto n = found[s].begin(); some.size() < wanted; ++n) some.insert(*n);
            found[s] = some;
        } else if (s >= all) {
            chooser.draw(static_cast<std::int64_t>(s), most, found[s]);
        }
        if (found[s].empty()) continue;
        Shell<Dim> shell;
        for (const Integers<Dim>& n : found[s]) {
            shell.k += chooser.length(n) / static_cast<double>(found[s].size());
            WaveVector<Dim> k;
            std::copy(n.begin(), n.end(), k.n);
            shell.vectors.push_back(k);
        }
        chosen.push_back(shell);
    }
    return chosen;
}

template <int Dim>
Shell<Dim> wave_vectors_near(const Box<Dim>& box, double k, int most) {
    const double longest =
        *std::max_element(box.lengths().begin(), box.lengths().end()); // the longest side
    const double half = std::numbers::pi / longest;
    // The last of the shells up to k + half, each at least 2 half thick.
    const int shells = std::max(1, static_cast<int>((k + half) / (2.0 * half) * (1.0 + 1e-12)));
    const auto all = choose_wave_vectors(box, k + half, shells, 4 * most);
    if (all.empty()) return {};
    const Chooser<Dim> chooser(box, k + half, shells);
    std::vector<WaveVector<Dim>> near;
    for (const WaveVector<Dim>& n : all.back().vectors)
        if (chooser.length(n) > (k - half) * (1.0 - 1e-12)) near.push_back(n);
    // Of many vectors choose some at equal distances in the list, which is sorted by the first
    // component, to have all directions.
    Shell<Dim> shell;
    const std::size_t wanted = std::min(near.size(), static_cast<std::size_t>(most));
    for (std::size_t i = 0; i < wanted; ++i) {
        shell.vectors.push_back(near[i * near.size() / wanted]);
        shell.k += chooser.length(shell.vectors.back()) / static_cast<double>(wanted);
    }
    return shell;
}

template Shell<1> wave_vectors_near(const Box<1>&, double, int);
template Shell<2> wave_vectors_near(const Box<2>&, double, int);
template Shell<3> wave_vectors_near(const Box<3>&, double, int);
template std::vector<Shell<1>> choose_wave_vectors(const Box<1>&, double, int, int);
template std::vector<Shell<2>> choose_wave_vectors(const Box<2>&, double, int, int);
template std::vector<Shell<3>> choose_wave_vectors(const Box<3>&, double, int, int);

} // namespace shadow
