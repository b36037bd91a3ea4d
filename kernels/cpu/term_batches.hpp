// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/bonded.hpp"

namespace shadow::SHADOW_ISA {

/// Terms of one form in batches: edges and parameters are gathered one by one; forces are computed
/// by loops of fixed length, which vectorise and treat all terms alike, and are summed one by one.
/// Each entry is a term and one of its members, so a term is evaluated once for each member.
template <int Dim, class Form>
class TermBatches {
  public:
    explicit SHADOW_INLINE TermBatches(const ApplyBonded<Dim>& op) : op_(op) {
        for (int k = 0; k < size; ++k) set_parameters(k, 0);
    }

    SHADOW_INLINE void range(std::int64_t first, std::int64_t last) {
        const std::int32_t* begin = op_.terms.entries.begin;
        for (std::int64_t i = first; i < last;) {
            if (begin[i + 1] - begin[i] > size) {
                op_.output.energy ? op_.template add<Form, true>(i)
                                  : op_.template add<Form, false>(i);
                ++i;
                continue;
            }
            std::int64_t end = i;
            while (end < last && begin[end + 1] - begin[i] <= size) ++end;
            compute(i, end);
            i = end;
        }
    }

  private:
    using Geometry = GeometryOf<Dim, Form>;
    static constexpr int size = 64, members = members_of(Form::info.kind), edges = Geometry::edges,
                         numbers = sizeof(Form) / sizeof(double);

    SHADOW_INLINE void compute(std::int64_t first, std::int64_t last) {
        const std::int32_t* begin = op_.terms.entries.begin;
        const std::int32_t from = begin[first], count = begin[last] - from;
        for (std::int32_t k = 0; k < count; ++k) gather(from + k, k);
        if (op_.terms.particles.box->sliding.any()) unslide(count);
        find_forces();
        if (op_.output.energy) find_energies();
        for (std::int64_t i = first; i < last; ++i) sum(i, begin[i] - from, begin[i + 1] - from);
    }
    SHADOW_INLINE void set_parameters(int k, std::int32_t row) {
        const double* p = op_.terms.rows + std::int64_t{row} * numbers;
        for (int n = 0; n < numbers; ++n) parameter_[n][k] = p[n];
    }
    SHADOW_INLINE void gather(std::int32_t entry, int k) {
        const std::int32_t* partner = op_.terms.entries.partner + std::int64_t{entry} * members;
        for (int e = 0; e < edges; ++e) {
            const std::int64_t i = partner[Geometry::from(e)], j = partner[Geometry::to(e)];
            for (int d = 0; d < Dim; ++d) {
                const double* x = op_.terms.particles.position.component[d];
                edge_[e][d][k] = x[i] - x[j];
            }
        }
        member_[k] = op_.terms.member(entry);
        if (op_.terms.row_count > 1) set_parameters(k, op_.terms.row(entry));
    }
    SHADOW_INLINE void unslide(std::int32_t count) {
        for (int e = 0; e < edges; ++e)
            for (std::int32_t k = 0; k < count; ++k) {
                double dx[Dim];
                for (int d = 0; d < Dim; ++d) dx[d] = edge_[e][d][k];
                op_.terms.particles.box->unslide(dx);
                for (int d = 0; d < Dim; ++d) edge_[e][d][k] = dx[d];
            }
    }
    [[nodiscard]] SHADOW_INLINE auto form(int k) const {
        double p[numbers];
        for (int n = 0; n < numbers; ++n) p[n] = parameter_[n][k];
        return with_segments(__builtin_bit_cast(Form, p), op_.terms.segments);
    }
    SHADOW_INLINE void find_forces() {
        double length[Dim], inverse[Dim];
        for (int d = 0; d < Dim; ++d) {
            length[d] = op_.terms.particles.box->length[d];
            inverse[d] = op_.terms.particles.box->inverse_length[d];
        }
        for (int k = 0; k < size; ++k) {
            Geometry geometry;
            for (int e = 0; e < edges; ++e)
                for (int d = 0; d < Dim; ++d)
                    geometry.edge[e][d] = nearest_edge(edge_[e][d][k], length[d], inverse[d]);
            geometry.prepare();
            const double slope = form(k).slope(geometry.variable);
            double g[Dim];
            geometry.gradient(member_[k], g);
            for (int d = 0; d < Dim; ++d) force_[d][k] = -slope * g[d];
            variable_[k] = geometry.variable;
        }
    }
    SHADOW_INLINE void find_energies() {
        for (int k = 0; k < size; ++k) energy_[k] = form(k).energy(variable_[k]) / members;
    }
    /// Adds entries [begin, end) to particle i.
    SHADOW_INLINE void sum(std::int64_t i, std::int32_t begin, std::int32_t end) const {
        double force[Dim] = {}, u = 0.0;
        for (std::int32_t k = begin; k < end; ++k) {
            for (int d = 0; d < Dim; ++d) force[d] += force_[d][k];
            if (op_.output.energy) u += energy_[k];
        }
        op_.output.store(i, op_.terms.particles.id[i], force, u);
    }

    const ApplyBonded<Dim>& op_;
    double parameter_[numbers][size];
    double edge_[edges][Dim][size] = {};
    std::int64_t member_[size] = {}; // as wide as a double, for the masks
    double variable_[size], force_[Dim][size], energy_[size];
};

} // namespace shadow::SHADOW_ISA
