// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/forces/description.hpp"
#include "shadow/system/topology.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shadow {

template <int Dim>
struct BondedTerms;

/// Bonded terms of one form (harmonic bonds, say) and level.
struct BondedDescription : CommonDescription {
    const BondedInfo* info = nullptr;
    int form = 0;                   ///< position in `BondedForms`, kernels/bonded/list.hpp
    std::vector<std::string> types; ///< of bonds, angles ... on which it acts
    std::int32_t row_count = 1;
    std::vector<double> rows;           ///< of parameters
    std::vector<double> segments;       ///< of tables that rows refer to
    std::vector<std::uint32_t> members; ///< ids, term by term
    std::vector<std::int32_t> row;      ///< by term

    [[nodiscard]] bool acts_on(const BondedGroup& group) const;

    template <int Dim>
    [[nodiscard]] ForceClaims<Dim> claims() const {
        return {.local_to_molecule = true, .members = members_of(info->kind)};
    }
    [[nodiscard]] bool is_linear() const;
    [[nodiscard]] ForceList list() const { return {ForceList::Of::bonded}; }
    [[nodiscard]] bool gives_hessian() const { return !info->internal; }
    [[nodiscard]] bool is_same(const BondedDescription& other) const {
        return form == other.form && types == other.types && rows == other.rows;
    }
    template <int Dim>
    [[nodiscard]] std::unique_ptr<ForceTerm<Dim>> make(const ForceContext<Dim>& context,
                                                       Neighbours<Dim>& neighbours) const;
    template <int Dim>
    [[nodiscard]] DirectForce<Dim> direct(const DirectContext<Dim>& context) const;
};

/// Do they have one form and level, so that one pass computes both?
[[nodiscard]] bool are_alike(const BondedDescription& a, const BondedDescription& b);
/// The terms of both, which must be alike.
[[nodiscard]] BondedDescription fused(BondedDescription a, const BondedDescription& b);

/// The bonded forces of the list, in its order.
[[nodiscard]] std::vector<const BondedInfo*> bonded_infos();

/// Two bonded particles that are at least `longest` apart: the nearest image may not be the bonded
/// one.
struct LongBond {
    std::array<std::uint32_t, 2> id;
    double length, longest;
};

/// The first long bond in the terms of `kind` with these members, or nothing.
template <int Dim>
[[nodiscard]] std::optional<LongBond> long_bond(BondedKind kind,
                                                std::span<const std::uint32_t> members,
                                                const Snapshot<Dim>& at, const Box<Dim>& box);

/// Throws InputError at `type` of the table if there are no such terms in this dimension.
void refuse_dimension(const Parameters& table, const std::string& what, BondedKind kind,
                      int dimension);

/// Throws InputError at `key` of the table if a bond is so long that its nearest image may be
/// another one, or if a force is infinite at the start. `topology` gives the numbers of particles
/// in messages.
template <int Dim>
void refuse_bad_start(const Parameters& table, const char* key, const BondedDescription& terms,
                      const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start);

/// Forces between particles that are bonded, through the nearest image of each bond, in double.
template <int Dim>
class BondedForce final : public ForceTerm<Dim> {
  public:
    /// Asks `neighbours` to keep the terms of each particle.
    BondedForce(const Backend& backend, const BondedDescription& description,
                std::int64_t particles, Neighbours<Dim>& neighbours);

    void compute(const ParticlesView<Dim>& particles, const Neighbours<Dim>& neighbours,
                 const ForceOutput<Dim>& output) override;
    void share(std::size_t part, const ParticlesView<Dim>& particles,
               const Neighbours<Dim>& neighbours, bool accumulate, Share<Dim>* share) override;

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] ForceLevel level() const override { return level_; }
    [[nodiscard]] ForceClaims<Dim> claims() const override { return claims_; }
    [[nodiscard]] std::string infinite() const override { return info_->infinite; }
    [[nodiscard]] std::string ends_at(const Snapshot<Dim>& now, const Box<Dim>& box) const override;
    [[nodiscard]] std::size_t bytes() const override { return rows_.bytes() + segments_.bytes(); }

  private:
    [[nodiscard]] BondedTerms<Dim> terms(const ParticlesView<Dim>& particles,
                                         const Neighbours<Dim>& neighbours) const;

    const Backend& backend_;
    const BondedInfo* info_;
    std::string name_;
    ForceLevel level_;
    ForceClaims<Dim> claims_;
    std::vector<std::uint32_t> members_;
    int form_, entries_;
    Array<double> rows_, segments_;
    std::int32_t row_count_;
};

/// The result of one term: its energy, the forces on its members, and its virial.
template <int Dim>
struct BondedResult {
    double energy = 0.0;
    std::array<std::array<double, Dim>, 4> force{};
    SymmetricTensor<Dim> virial{};
};

/// Evaluates a term with the parameters of row `row` whose members are at `place`.
template <int Dim>
[[nodiscard]] BondedResult<Dim>
evaluate_term(const BondedDescription& description, std::int32_t row,
              const std::vector<std::array<double, Dim>>& place, const Box<Dim>& box);

/// The change of the forces of such a term when its members move along `way`: minus its Hessian
/// times `way`, for a description that `gives_hessian`.
template <int Dim>
[[nodiscard]] std::array<std::array<double, Dim>, 4>
change_of_term(const BondedDescription& description, std::int32_t row,
               const std::vector<std::array<double, Dim>>& place,
               const std::vector<std::array<double, Dim>>& way, const Box<Dim>& box);

} // namespace shadow
