// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/described_table.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/observables/transport.hpp"
#include "shadow/system/molecule_list.hpp"

#include <memory>
#include <string>
#include <vector>

/// How an observable is described and made from its table, and the keys shared by several
/// observables: their descriptions and how they are read. Readers throw InputError, located in the
/// input.
namespace shadow {

/// The table of an observable and its context.
template <int Dim>
struct ObservableInput : DescribedTable {
    ObservableInput(const Parameters& params, const Descriptor& descriptor,
                    const ObservableContext<Dim>& known)
        : DescribedTable(params, descriptor), context(known) {}

    const ObservableContext<Dim>& context;

    /// The longest distance at which a pair has only one image; infinite in an open box.
    [[nodiscard]] double half_box() const { return 0.5 * context.box.shortest_periodic_length(); }
    /// Time between two measurements.
    [[nodiscard]] double interval() const {
        return context.dt * static_cast<double>(context.every);
    }
};

template <int Dim>
using Made = std::unique_ptr<Observable<Dim>>;

/// An observable of the input: its description and how it is made.
struct ObservableEntry {
    template <int Dim>
    using Maker = Made<Dim> (*)(const ObservableInput<Dim>&);

    Descriptor descriptor;
    Maker<1> on_line;
    Maker<2> in_plane;
    Maker<3> in_space;
    bool analysis = false; ///< of rows that other observables measure: a RowAnalysis

    template <int Dim>
    [[nodiscard]] Made<Dim> make(const ObservableInput<Dim>& in) const {
        if constexpr (Dim == 1) return on_line(in);
        if constexpr (Dim == 2) return in_plane(in);
        if constexpr (Dim == 3) return in_space(in);
    }
};
/// The makers of an entry.
#define SHADOW_EACH_DIMENSION(make) make<1>, make<2>, make<3>

[[nodiscard]] ParameterInfo every_key();
/// `every` of a quantity that is integrated over time; without a default.
[[nodiscard]] ParameterInfo every_few_key(const char* flux);
void require_interval(const Parameters& in, const char* what, const char* flux);

/// Number of bins of a histogram.
[[nodiscard]] ParameterInfo bins_key(int usual, const char* meaning = "of equal width");
[[nodiscard]] int read_bins(const DescribedTable& in);
[[nodiscard]] int checked_bins(const Parameters& in, std::int64_t bins);

/// The distance within which particles are neighbours, at most half the box.
[[nodiscard]] ParameterInfo neighbour_radius_key();
[[nodiscard]] double read_neighbour_radius(const Parameters& in, double half_box);
/// The largest distance that is counted: half the box, if that is finite, or less.
[[nodiscard]] double read_distance(const Parameters& in, const char* key, double half_box);
/// For observables that exist in 2D only.
[[noreturn]] void refuse_off_plane(const Parameters& in, const char* type, int dimension);
/// The symmetry of a neighbourhood, from `least` to `most`.
[[nodiscard]] int read_fold(const DescribedTable& in, std::int64_t least, std::int64_t most);

/// Number of wave vectors of each shell.
[[nodiscard]] std::int64_t read_vectors(const DescribedTable& in);
[[nodiscard]] std::vector<double> read_wavenumbers(const DescribedTable& in);

/// The measurements of a stage.
struct MeasurementTimes {
    template <int Dim>
    MeasurementTimes(const ObservableContext<Dim>& context)
        : every(context.every), steps(context.steps), dt(context.dt) {}
    std::int64_t every, steps;
    double dt;
};
/// Throws unless the stage has the measurements that a time correlation over `window` of them
/// needs.
void refuse_short_stage(const Parameters& in, const MeasurementTimes& times, std::int64_t window);
/// Keys of time correlations: `every`, `window`, `origins` and `longest`, then `more`.
[[nodiscard]] std::vector<ParameterInfo> ladder_keys(const std::vector<ParameterInfo>& more = {});
/// The same keys if `window` is that of an integral.
[[nodiscard]] std::vector<ParameterInfo> integral_keys(const char* flux);
[[nodiscard]] LagLadder read_ladder(const DescribedTable& in, const MeasurementTimes& times,
                                    std::int64_t max_origins = 1);

/// The molecules of an observable: all, which must have equally many atoms, or those of `atoms`
/// atoms.
[[nodiscard]] ParameterInfo atoms_key();
template <int Dim>
[[nodiscard]] std::vector<ConnectedMolecule<Dim>>
followed_molecules(const ObservableInput<Dim>& in);

/// The scale of a flux in a periodic box; `flux` is its name in errors.
template <int Dim>
[[nodiscard]] FluxScale<Dim> read_flux_scale(const ObservableInput<Dim>& in, const char* flux) {
    if (!in.context.box.is_periodic())
        in.fail("type", std::string(flux) + " in an open box (it has no volume, over which this "
                                            "would be taken); make the box periodic");
    return {in.context.box.volume(), in.context.boltzmann, in.context.conserved_mass};
}

} // namespace shadow
