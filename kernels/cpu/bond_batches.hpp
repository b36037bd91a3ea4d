// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/bonded.hpp"

namespace shadow::SHADOW_ISA {

/// Bonds of one form with the same parameters, in batches: their edges are gathered one by one, the
/// forces made by loops of fixed length, which vectorise and treat all bonds alike, and summed one
/// by one.
template <int Dim, class Form>
class BondBatches {
  public:
    explicit SHADOW_INLINE BondBatches(const ApplyBonded<Dim>& op)
        : op_(op), form_(op.terms.template parameters<Form>(0)) {}

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
    static constexpr int size = 64;

    SHADOW_INLINE void compute(std::int64_t first, std::int64_t last) {
        const std::int32_t* begin = op_.terms.entries.begin;
        const std::int32_t from = begin[first], count = begin[last] - from;
        gather(op_.terms.entries.partner + 2 * std::int64_t{from}, count);
        evaluate();
        if (op_.output.energy) find_energies();
        for (std::int64_t i = first; i < last; ++i) sum(i, begin[i] - from, begin[i + 1] - from);
    }
    SHADOW_INLINE void gather(const std::int32_t* partner, std::int32_t count) {
        for (int d = 0; d < Dim; ++d) {
            const double* x = op_.terms.particles.position.component[d];
            for (std::int32_t k = 0; k < count; ++k)
                edge_[d][k] = x[partner[2 * k]] - x[partner[2 * k + 1]];
        }
    }
    SHADOW_INLINE void evaluate() {
        for (int k = 0; k < size; ++k) square_[k] = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double length = op_.terms.box.length[d], inverse = op_.terms.inverse_length[d];
            for (int k = 0; k < size; ++k) {
                edge_[d][k] = nearest_edge(edge_[d][k], length, inverse);
                square_[k] += edge_[d][k] * edge_[d][k];
            }
        }
        for (int k = 0; k < size; ++k) slope_[k] = form_.slope(square_[k]);
    }
    SHADOW_INLINE void find_energies() {
        for (int k = 0; k < size; ++k) energy_[k] = 0.5 * form_.energy(square_[k]);
    }
    /// Of particle i, those from `begin` to `end`.
    SHADOW_INLINE void sum(std::int64_t i, std::int32_t begin, std::int32_t end) const {
        double force[Dim] = {}, u = 0.0;
        const std::int32_t* tag = op_.terms.entries.tag + op_.terms.entries.begin[i];
        for (std::int32_t k = begin; k < end; ++k, ++tag) {
            const double slope = (*tag & 3) == 0 ? -slope_[k] : slope_[k];
            for (int d = 0; d < Dim; ++d) force[d] += slope * edge_[d][k];
            if (op_.output.energy) u += energy_[k];
        }
        op_.output.store(i, op_.terms.particles.id[i], force, u);
    }

    const ApplyBonded<Dim>& op_;
    Form form_;
    double edge_[Dim][size] = {};
    double square_[size], slope_[size], energy_[size];
};

} // namespace shadow::SHADOW_ISA
