// SPDX-License-Identifier: BSD-3-Clause
#include "support/isa/pack_probe.hpp"

#include "kernels/pack_math.hpp"
#include "kernels/pack_philox.hpp"

/// Compiled once per instruction set, like the pair kernels.
namespace shadow::SHADOW_ISA {

namespace {

template <class T>
void apply(PackFunction function, const T* x, const T* y, T* out) {
    using P = pack<T, lanes<T>>;
    const P a = P::load(x), b = P::load(y);
    switch (function) {
    case PackFunction::reciprocal:
        return reciprocal(a).store(out);
    case PackFunction::inverse_sqrt:
        return inverse_sqrt(a).store(out);
    case PackFunction::exponential:
        return exponential(a).store(out);
    case PackFunction::exponential_minus_one:
        return exponential_minus_one(a).store(out);
    case PackFunction::power:
        return power(a, b).store(out);
    case PackFunction::erfc:
        return erfc_gauss(a).erfc.store(out);
    case PackFunction::gauss:
        return erfc_gauss(a).gauss.store(out);
    case PackFunction::screened_potential:
        return screened_charge(a, reciprocal(a), P(1)).potential.store(out);
    case PackFunction::screened_field:
        return screened_charge(a, reciprocal(a), P(1)).field.store(out);
    case PackFunction::abs:
        return abs(a).store(out);
    case PackFunction::max:
        return max(a, b).store(out);
    case PackFunction::select_less:
        return select(a < b, a, P(0)).store(out);
    case PackFunction::compress_less: {
        P(-1).store(out);
        T kept[2 * lanes<T>];
        const Compress<T, lanes<T>> keep(a < b);
        keep.store(kept, a);
        for (int k = 0; k < keep.count; ++k) out[k] = kept[k];
        return;
    }
    }
}

} // namespace

int pack_probe(PackFunction function, const double* x, const double* y, double* out) {
    apply(function, x, y, out);
    return lanes<double>;
}
int pack_probe(PackFunction function, const float* x, const float* y, float* out) {
    apply(function, x, y, out);
    return lanes<float>;
}

int normal_probe(std::uint64_t seed, std::uint64_t step, float* z) {
    constexpr int bunch = lanes<double>, size = lanes<float>;
    NormalBlock<16, 4> block;
    for (int first = 0; first < size; first += bunch) {
        PhiloxPack<bunch>::Words id{};
        for (int k = 0; k < bunch; ++k) id[k] = static_cast<std::uint64_t>(first + k);
        block.take(PhiloxPack<bunch>(seed, 16, id, step, 0), first);
    }
    block.make(0);
    for (int k = 0; k < 4; ++k)
        for (int id = 0; id < size; ++id) z[16 * k + id] = block.normal[k][id];
    return size;
}

} // namespace shadow::SHADOW_ISA
