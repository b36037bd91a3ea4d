// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/force.hpp"
#include "shadow/forces/pair_table.hpp"

#include "kernels/pair_force.hpp"

#include <memory>

namespace shadow {

/// A pair potential summed over a list of neighbours. Positions and forces are in double; the
/// arithmetic on one pair is in double if `pair_is_double`, else in float on coordinates relative
/// to a cluster of particles.
template <int Dim>
class PairForce final : public ForceTerm<Dim> {
  public:
    /// `list` is the index of a list of `neighbours` with at least the description's cut-off; its
    /// cluster size must be pair_cluster_size(backend). `tails`: by part; empty: none.
    PairForce(const Backend& backend, const PairForceDescription& description, bool pair_is_double,
              int list, std::vector<TailCorrection> tails = {});
    ~PairForce() override;

    void compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>& neighbours,
                 const ForceOutput<Dim>& output) override;

    [[nodiscard]] std::size_t parts() const override { return potentials_.size(); }
    void share(std::size_t part, const ParticlesView<Dim>& particles,
               const Neighbours<Dim>& neighbours, bool accumulate, Share<Dim>* share) override;

    /// A list made from positions `reference`, of at most `clusters` clusters.
    struct List {
        PairListView view;
        VectorView<Dim, double> reference;
        const BoxView<Dim>* reference_box;
        std::int64_t clusters;
    };
    /// Both with a given list.
    void compute(const ParticlesView<Dim>& particles, const List& list,
                 const ForceOutput<Dim>& output);
    void share(std::size_t part, const ParticlesView<Dim>& particles, const List& list,
               bool accumulate, Share<Dim>* share);

    [[nodiscard]] bool can_advance() const override { return tiles_ != nullptr; }
    [[nodiscard]] bool sums_virial_alone() const override { return tiles_ != nullptr; }
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] ForceLevel level() const override { return level_; }
    [[nodiscard]] ForceClaims<Dim> claims() const override { return claims_; }
    [[nodiscard]] std::string infinite() const override { return infinite_; }
    [[nodiscard]] std::size_t bytes() const override;
    void release() override;
    [[nodiscard]] double tail_energy(std::size_t part = ForceTerm<Dim>::all_parts) const override;
    [[nodiscard]] double tail_virial() const override;

  private:
    /// One potential of the description.
    struct Part {
        PairTable table;
        Array<double> rows, self;
    };
    [[nodiscard]] List list(const Neighbours<Dim>& neighbours) const;
    template <class Pair>
    void run(const PairForcePayload<Dim, Pair>& task, std::int64_t clusters, std::int64_t parts);
    template <class Pair>
    void share(const Pair* rows, const PairTable& table, const ParticlesView<Dim>& particles,
               const List& list, bool accumulate, Share<Dim>* share);
    template <class Pair>
    [[nodiscard]] PairForcePayload<Dim, Pair>
    payload(const Pair* rows, const PairTable& table, const ParticlesView<Dim>& particles,
            const List& list, const ForceOutput<Dim>& output);

    const Backend& backend_;
    std::string name_, infinite_;
    ForceLevel level_;
    ForceClaims<Dim> claims_;
    std::vector<TailCorrection> tails_; ///< by part
    int list_;
    std::unique_ptr<cpu::TileForce<Dim>> tiles_; ///< on the CPU
    PairTable table_;
    Array<double> double_rows_; ///< one of the two is empty
    Array<float> float_rows_;
    Array<double> self_;                ///< self-energies of particles, by species
    Array<SymmetricTensor<Dim>> parts_; ///< of the virial, by cluster
    std::vector<Part> potentials_;
};

} // namespace shadow
