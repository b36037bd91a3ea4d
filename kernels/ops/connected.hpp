// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/macros.hpp"

#include <cstdint>

/// Clusters of particles: particles closer than a radius are in the same cluster, directly or
/// through others. In memory a cluster is a tree by `parent`, with each parent before its children,
/// so that in the end the root is the first of all members, whatever the order of pairs (Jaiganesh
/// and Burtscher 2018, HPDC '18, 92).
namespace shadow {

/// The present root of a particle. Halves the path for later calls.
SHADOW_INLINE std::int32_t find_root(std::int32_t* parent, std::int32_t i) {
    std::int32_t next = atomic_load(parent + i);
    while (next != i) {
        const std::int32_t after = atomic_load(parent + next);
        if (after != next) atomic_store(parent + i, after);
        i = next;
        next = after;
    }
    return i;
}

/// Each particle is a cluster.
struct StartAlone {
    std::int32_t* parent;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        parent[i] = static_cast<std::int32_t>(i);
    }
};

/// Joins the clusters of two particles: an op of `Sweep`.
struct JoinNeighbours {
    struct Sum {};
    std::int32_t* parent; ///< of itself before the sweep

    SHADOW_INLINE Sum begin() const { return {}; }
    template <int Dim>
    SHADOW_INLINE void pair(Sum&, const double (&)[Dim], double, std::int64_t i,
                            std::int64_t j) const {
        if (j >= i) return; // the other particle of the pair does it
        auto a = static_cast<std::int32_t>(i), b = static_cast<std::int32_t>(j);
        while (true) {
            a = find_root(parent, a);
            b = find_root(parent, b);
            if (a == b) return;
            const std::int32_t first = a < b ? a : b, last = a < b ? b : a;
            if (atomic_replace(parent + last, last, first) == last) return;
        }
    }
    SHADOW_INLINE void end(std::int64_t, const Sum&) const {}
};

/// Counts the members of each root, and makes the root the parent of all.
struct CountMembers {
    std::int32_t* parent;
    std::int32_t* members; ///< zero before

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const std::int32_t root = find_root(parent, static_cast<std::int32_t>(i));
        atomic_store(parent + i, root);
        atomic_add(members + root, 1);
    }
};

/// Counts the clusters of each size up to `sizes`.
struct CountClusterSizes {
    const std::int32_t* members;
    std::int32_t sizes;
    std::int64_t* histogram;

    template <class Add>
    SHADOW_INLINE void count(std::int64_t i, Add&& add) const {
        const std::int32_t n = members[i];
        if (n > 0 && n <= sizes) add(n - 1);
    }
};

/// The number of clusters, the members of the largest, and the sum of squares of members.
struct MeasureClusters {
    struct Value {
        double clusters, largest, squares;
    };
    const std::int32_t* members;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.clusters + b.clusters, a.largest > b.largest ? a.largest : b.largest,
                a.squares + b.squares};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double n = members[i];
        return {n > 0.0 ? 1.0 : 0.0, n, n * n};
    }
};

/// One thread: these as a row; the squares as a mean over particles.
struct FinishClusters {
    const MeasureClusters::Value* found;
    double particles;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        row[0] = found->clusters;
        row[1] = found->largest;
        row[2] = found->squares / particles;
    }
};

} // namespace shadow
