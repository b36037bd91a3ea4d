// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/geometry.hpp"
#include "kernels/bonded/list.hpp"
#include "kernels/bonded/molecule_groups.hpp"
#include "kernels/dual.hpp"

namespace shadow {

/// `lanes` molecules of one group, whose coordinates are stored `stride` apart in work arrays; the
/// base of the operations on molecules.
template <int Dim, int lanes, int stride>
class MoleculeLanes {
  public:
    /// `scratch` is the work memory of the group, `lane` the first molecule.
    SHADOW_INLINE MoleculeLanes(const MoleculeGroupsView<Dim>& molecules,
                                const MoleculeGroup& group, int lane, double* scratch)
        : all_(molecules), kind_(all_.kind[group.kind]), group_(group), lane_(lane),
          size_(std::int64_t{kind_.atoms} * Dim * stride), scratch_(scratch + lane) {}

  protected:
    /// From one number of an array to the next.
    static constexpr int step = lanes == stride ? 1 : stride;

    /// Work array `k`, of all coordinates.
    [[nodiscard]] SHADOW_INLINE double* array(std::int32_t k) const { return scratch_ + k * size_; }
    /// Index of a coordinate of the first molecule.
    [[nodiscard]] static SHADOW_INLINE std::int64_t at(std::int32_t atom, int d) {
        return (std::int64_t{atom} * Dim + d) * stride;
    }
    [[nodiscard]] SHADOW_INLINE double inverse_mass(std::int32_t atom) const {
        return all_.inverse_mass[kind_.first_atom + atom];
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t index(std::int32_t atom, int l) const {
        return all_.index_of_id[all_.id[group_.first + std::int64_t{atom} * stride + lane_ + l]];
    }
    SHADOW_INLINE void load(const VectorView<Dim, double>& from, double* to) const {
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int l = 0; l < lanes; ++l)
                for (int d = 0; d < Dim; ++d) to[at(a, d) + l] = from.component[d][index(a, l)];
    }
    SHADOW_INLINE void store(const double* from, const VectorView<Dim, double>& to) const {
        for (std::int32_t a = 0; a < kind_.atoms; ++a)
            for (int l = 0; l < lanes && lane_ + l < group_.count; ++l)
                for (int d = 0; d < Dim; ++d) to.component[d][index(a, l)] = from[at(a, d) + l];
    }
    template <class Form>
    [[nodiscard]] SHADOW_INLINE Form parameters(const MoleculeTerm& term) const {
        Form form;
        __builtin_memcpy(static_cast<void*>(&form), all_.rows + term.row, sizeof form);
        return form;
    }
    [[nodiscard]] SHADOW_INLINE double edge(const double* place, std::int32_t from, std::int32_t to,
                                            int d, int l) const {
        const BoxView<Dim>& box = *all_.box;
        const auto between = [&](int k) { return place[at(from, k) + l] - place[at(to, k) + l]; };
        double dx = between(d);
        if (box.sliding.along(d)) {
            double all[Dim];
            for (int k = 0; k < Dim; ++k) all[k] = between(k);
            box.unslide(all);
            dx = all[d];
        }
        return nearest_edge(dx, box.length[d], box.inverse_length[d]);
    }
    /// The geometry of a term at positions `place`.
    template <class Geometry>
    [[nodiscard]] SHADOW_INLINE Geometry geometry(const MoleculeTerm& term, const double* place,
                                                  int l) const {
        Geometry geometry;
        for (int e = 0; e < Geometry::edges; ++e)
            for (int d = 0; d < Dim; ++d)
                geometry.edge[e][d] =
                    edge(place, term.member[Geometry::from(e)], term.member[Geometry::to(e)], d, l);
        geometry.prepare();
        return geometry;
    }
    /// The same with its derivative along `way`; Geometry has dual numbers.
    template <class Geometry>
    [[nodiscard]] SHADOW_INLINE Geometry geometry(const MoleculeTerm& term, const double* place,
                                                  const double* way, int l) const {
        Geometry geometry;
        for (int e = 0; e < Geometry::edges; ++e)
            for (int d = 0; d < Dim; ++d) {
                const std::int32_t from = term.member[Geometry::from(e)],
                                   to = term.member[Geometry::to(e)];
                geometry.edge[e][d] = Dual<double>(edge(place, from, to, d, l),
                                                   way[at(from, d) + l] - way[at(to, d) + l]);
            }
        geometry.prepare();
        return geometry;
    }
    /// Calls use.term<Form>(k) for terms [first, last) of a list; the form is chosen once for
    /// consecutive terms.
    template <class Use>
    static SHADOW_INLINE void each_run(const MoleculeTerm* term, std::int32_t first,
                                       std::int32_t last, const Use& use) {
        while (first < last) {
            std::int32_t end = first + 1;
            while (end < last && term[end].form == term[first].form) ++end;
            visit_bonded(OwnForms{}, term[first].form, EachTerm<Use>{use, first, end});
            first = end;
        }
    }

    /// The same for all terms of a molecule.
    template <class Use>
    SHADOW_INLINE void each_term(const Use& use) const {
        each_run(all_.term, kind_.first_term, kind_.last_term, use);
    }
    /// force += that of all terms at `place`
    SHADOW_INLINE void add_forces(const double* place, double* force) const {
        each_term(AddForces{*this, place, force});
    }

    const MoleculeGroupsView<Dim>& all_;
    const MoleculeKind& kind_;
    const MoleculeGroup& group_;
    int lane_;
    std::int64_t size_; ///< size of an array of coordinates
    double* scratch_;

  private:
    struct AddForces {
        const MoleculeLanes& molecules;
        const double* place;
        double* force;

        template <class Form>
        SHADOW_INLINE void term(std::int32_t t) const {
            using Geometry = GeometryOf<Dim, Form>;
            const MoleculeTerm& term = molecules.all_.term[t];
            constexpr int members = members_of(Form::info.kind);
            const Form form = molecules.template parameters<Form>(term);
            double part[members][Dim][lanes];
            for (int l = 0; l < lanes; ++l) {
                const auto geometry = molecules.template geometry<Geometry>(term, place, l);
                const double slope = form.slope(geometry.variable);
                for (int m = 0; m < members; ++m) {
                    double g[Dim];
                    geometry.gradient(m, g);
                    for (int d = 0; d < Dim; ++d) part[m][d][l] = -slope * g[d];
                }
            }
            for (int m = 0; m < members; ++m)
                for (int d = 0; d < Dim; ++d)
                    for (int l = 0; l < lanes; ++l)
                        force[at(term.member[m], d) + l] += part[m][d][l];
        }
    };
    template <class Use>
    struct EachTerm {
        const Use& use;
        std::int32_t first, last;

        template <class Form>
        SHADOW_INLINE void operator()(BondedTag<Form>) const {
            if constexpr (exists_in<Dim>(Form::info.kind) && !Form::info.internal)
                for (std::int32_t t = first; t < last; ++t) use.template term<Form>(t);
        }
    };
};

} // namespace shadow
