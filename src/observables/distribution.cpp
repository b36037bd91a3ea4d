// SPDX-License-Identifier: BSD-3-Clause
#include "histogram_rows.hpp"
#include "row_analysis.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/shells.hpp"
#include "shadow/statistics/state.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// Of rows: of what is mostly elsewhere a range was probably not meant.
constexpr double most_outside = 0.5;

/// The density of probability of a number in bins, and the part of rows that is in none. Where all
/// rows are, or none, the error is not known.
template <int Dim>
class Distribution final : public RowAnalysis<Dim> {
  public:
    Distribution(const RowSources& of, double low, double high, int bins)
        : RowAnalysis<Dim>(of.names()), bins_(equal_bins(low, high, bins)),
          density_({"distribution_" + of.names()[0]}, fmt::format("1/({})", of.quantities[0].unit),
                   {middles(of.names()[0], of.quantities[0].unit, low, high, bins)}),
          outside_({"distribution_" + of.names()[0] + "_outside"}, "", {}) {}

    void accumulate(double /*time*/, std::span<const double> row) override {
        std::vector<double> density(static_cast<std::size_t>(bins_.count));
        const std::int32_t bin = bins_(row[0]);
        if (bin >= 0) density[static_cast<std::size_t>(bin)] = bins_.inverse_width;
        const double outside = bin < 0 ? 1.0 : 0.0;
        density_.add(density);
        outside_.add({&outside, 1});
    }
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override {
        std::vector<ArrayEstimate> all{density_.estimates()[0], outside_.estimates()[0]};
        for (ArrayEstimate& array : all)
            for (double& error : array.error)
                if (error == 0.0) error = std::numeric_limits<double>::infinity();
        const double outside = outside_.samples() > 0 ? all[1].value[0] : 0.0;
        if (outside > most_outside)
            all[0].warning = fmt::format(
                "{:.3g} % of {} rows are outside of its range (its bins hold the others alone); "
                "give it a range with more of them",
                100.0 * outside, outside_.samples());
        return all;
    }
    [[nodiscard]] std::vector<double> state() const override {
        StateWriter writer;
        each(*this, writer);
        return writer.numbers();
    }
    void restore(std::span<const double> state) override {
        StateReader reader(state, "a distribution");
        each(*this, reader);
        reader.finish();
    }

  private:
    template <class Self, class F>
    static void each(Self& self, F& f) {
        f(self.density_);
        f(self.outside_);
    }

    Bins bins_;
    AveragedArrays density_, outside_;
};

template <int Dim>
Made<Dim> make_distribution(const ObservableInput<Dim>& in) {
    const RowSources of = read_sources(in, 1);
    const std::vector<double> range = in.numbers("range");
    const int bins = read_bins(in);
    if (range.size() != 2 || !(range[0] < range[1]))
        in.fail("range", "a range that is not two ascending numbers (bins are between them); give "
                         "[lowest, highest]");
    const double width = (range[1] - range[0]) / bins;
    if (!std::isfinite(width) || !(range[1] - width < range[1]) || !(range[0] < range[0] + width))
        in.fail("range", fmt::format("a range from {} to {} in {} bins (in double precision these "
                                     "have no width); give another one, or fewer bins",
                                     range[0], range[1], bins));
    return std::make_unique<Distribution<Dim>>(of, range[0], range[1], bins);
}

} // namespace

ObservableEntry distribution_entry() {
    using enum KeyType;
    std::vector<ParameterInfo> keys = source_keys(
        "the quantity: a number that another table of the stage measures", "[\"pressure\"]");
    keys.push_back({"range", numbers, "that of the quantity", "",
                    "of the bins; what is outside is counted as such", "[0.0, 2.0]"});
    keys.push_back(bins_key(100, "of the range"));
    return {{"distribution",
             "Distribution of a number that is measured, and the part of its rows beyond the bins",
             "distribution_A(a) = density of probability of A, normalised by all rows; "
             "distribution_A_outside = 1 - its integral",
             "", std::move(keys)},
            SHADOW_EACH_DIMENSION(make_distribution),
            true};
}

} // namespace shadow
