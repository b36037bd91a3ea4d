// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/connected.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace shadow {
namespace {

Axis sizes_up_to(int sizes) {
    Axis axis{"size", "", {}};
    for (int n = 1; n <= sizes; ++n) axis.values.push_back(n);
    return axis;
}

/// Clusters of particles by distance (Stillinger 1963, J. Chem. Phys. 38, 1486): the connected
/// components of the graph whose edges are the pairs closer than `radius`. Series: `clusters`, the
/// number of clusters, `largest_cluster`, the number of particles in the largest, and
/// `cluster_size`, the mean over particles of the size of their cluster. The array `cluster_sizes`
/// is the mean number of clusters by size. Per particle it provides `cluster`, the lowest id in the
/// cluster.
template <int Dim>
class ConnectedClusters final : public AveragingObservable<Dim> {
  public:
    /// Clusters of up to `sizes` particles are counted by size.
    ConnectedClusters(double radius, int sizes, bool per_particle)
        : AveragingObservable<Dim>({{"cluster_sizes"}, "", {sizes_up_to(sizes)}}), radius_(radius),
          sizes_(sizes), per_particle_(per_particle) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        return {{"clusters", ""}, {"largest_cluster", ""}, {"cluster_size", ""}};
    }

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return series + static_cast<std::size_t>(sizes_);
    }
    [[nodiscard]] std::optional<double> list_radius() const override { return radius_; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
        const Backend& backend = system.backend();
        if (histogram_.size() == 0) {
            histogram_ = Array<std::int64_t>(backend, static_cast<std::size_t>(sizes_));
            found_ = Array<MeasureClusters::Value>(backend, 1);
        }
        connect(system);
        reduce(backend, MeasureClusters{members_.data()}, system.size(), found_.data());
        launch(backend, FinishClusters{found_.data(), static_cast<double>(system.size()), row}, 1);
        count(backend, CountClusterSizes{members_.data(), sizes_, histogram_.data()}, system.size(),
              sizes_);
        launch(backend, TakeCounts{histogram_.data(), row + series}, sizes_);
    }

    void accumulate(double /*time*/, std::span<const double> row) override {
        this->average_.add(row.subspan(series));
    }

    [[nodiscard]] std::vector<Quantity> particle_quantities() const override {
        if (!per_particle_) return {};
        return {{"cluster", ""}};
    }

    [[nodiscard]] std::vector<std::vector<double>>
    measure_particles(ParticleSystem<Dim>& system) override {
        if (!per_particle_) return {};
        connect(system);
        const std::vector<std::int32_t> parent = parent_.to_host();
        const auto n = parent.size();
        std::vector<std::uint32_t> id(n);
        detail::copy_to_host(system.backend(), id.data(), system.particles().id, n * sizeof(id[0]));
        std::vector<std::uint32_t> lowest(id);
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t& name = lowest[static_cast<std::size_t>(parent[i])];
            name = std::min(name, id[i]);
        }
        std::vector<double> cluster(n);
        for (std::size_t i = 0; i < n; ++i)
            cluster[id[i]] = lowest[static_cast<std::size_t>(parent[i])];
        return {cluster};
    }

  private:
    static constexpr std::size_t series = 3; ///< number of series in a row

    /// The root of each particle, in `parent_`, and the number of particles of each root.
    void connect(ParticleSystem<Dim>& system) {
        const Backend& backend = system.backend();
        const auto n = static_cast<std::size_t>(system.size());
        if (parent_.size() == 0) {
            parent_ = Array<std::int32_t>(backend, n);
            members_ = Array<std::int32_t>(backend, n);
        }
        launch(backend, StartAlone{parent_.data()}, system.size());
        Sweep<Dim, JoinNeighbours> sweep{};
        sweep.position = system.particles().position;
        sweep.box = system.particles().box;
        sweep.list = system.pair_list(list_);
        sweep.radius2 = radius_ * radius_;
        sweep.op = {parent_.data()};
        launch_sweep(backend, sweep, system.neighbours().cluster_bound());
        launch(backend, Clear{members_.data()}, system.size());
        launch(backend, CountMembers{parent_.data(), members_.data()}, system.size());
    }

    double radius_;
    int sizes_;
    bool per_particle_;
    int list_ = -1;
    Array<std::int32_t> parent_, members_; ///< in memory order
    Array<std::int64_t> histogram_;
    Array<MeasureClusters::Value> found_;
};

template <int Dim>
Made<Dim> make_clusters(const ObservableInput<Dim>& in) {
    const std::int64_t all = in.context.particles();
    const std::int64_t sizes = in.integer("sizes", std::min<std::int64_t>(100, all));
    if (sizes < 1 || sizes > all || sizes > 1'000'000)
        in.fail("sizes", fmt::format("sizes up to {} (clusters have 1 to {} particles, and a "
                                     "number for each size is kept); give 1 to {}",
                                     sizes, all, std::min<std::int64_t>(all, 1'000'000)));
    return std::make_unique<ConnectedClusters<Dim>>(read_neighbour_radius(in, in.half_box()),
                                                    static_cast<int>(sizes),
                                                    in.boolean("per_particle"));
}

} // namespace

ObservableEntry clusters_entry() {
    using enum KeyType;
    return {{"clusters",
             "Clusters of particles by distance: their number, the largest, the mean size, and how "
             "many there are of each size",
             "connected components of the pairs closer than a radius; cluster_size = sum s^2 n(s) "
             "/ N, n(s) clusters of s particles",
             "Stillinger 1963",
             {every_key(),
              {"radius", number, "length", "", "particles closer than this belong to one cluster",
               "1.5"},
              {"sizes", integer, "", "100, or all",
               "largest size of clusters that are counted by size", "100"},
              {"per_particle", boolean, "", "false",
               "lowest id in the cluster of every particle in the trajectory"}}},
            SHADOW_EACH_DIMENSION(make_clusters)};
}

} // namespace shadow
