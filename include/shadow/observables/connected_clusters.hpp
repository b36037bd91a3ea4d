// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/ops/connected.hpp"

#include <vector>

namespace shadow {

/// Clusters of particles by distance (Stillinger 1963, J. Chem. Phys. 38, 1486): the connected
/// components of the graph whose edges are the pairs nearer than `radius`. Series: `clusters`, how
/// many there are, `largest_cluster`, its particles, and `cluster_size`, the mean over particles of
/// the particles of their cluster. The array `cluster_sizes` is the mean number of clusters by
/// their size. Per particle it offers `cluster`, the lowest id in the cluster.
template <int Dim>
class ConnectedClusters final : public AveragingObservable<Dim> {
  public:
    /// Clusters of up to `sizes` particles are counted by size.
    ConnectedClusters(double radius, int sizes, bool per_particle);

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return series + static_cast<std::size_t>(sizes_);
    }
    [[nodiscard]] std::optional<double> list_radius() const override { return radius_; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

    [[nodiscard]] std::vector<Quantity> particle_quantities() const override;
    [[nodiscard]] std::vector<std::vector<double>>
    measure_particles(ParticleSystem<Dim>& system) override;

  private:
    static constexpr std::size_t series = 3; ///< numbers of a row

    void connect(ParticleSystem<Dim>& system);

    double radius_;
    int sizes_;
    bool per_particle_;
    int list_ = -1;
    Array<std::int32_t> parent_, members_; ///< in memory order
    Array<std::int64_t> histogram_;
    Array<MeasureClusters::Value> found_;
};

} // namespace shadow
