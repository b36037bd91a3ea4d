// SPDX-License-Identifier: BSD-3-Clause
#include "row_analysis.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/statistics/state.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shadow {
namespace {

/// C_AB(t) = <dA(0) dB(t)> of the fluctuations of one or two numbers about their means (Allen and
/// Tildesley 2017, section 8.3), over a window of lags, or over decades of lags.
template <int Dim>
class TimeCorrelation final : public RowAnalysis<Dim> {
  public:
    TimeCorrelation(const RowSources& of, std::size_t window, std::size_t levels, double interval)
        : RowAnalysis<Dim>(of.names()),
          name_(fmt::format("time_correlation_{}", fmt::join(of.names(), "_"))),
          unit_(fmt::format("({}) ({})", of.quantities.front().unit, of.quantities.back().unit)),
          correlator_({.channels = of.quantities.size(),
                       .window = window,
                       .levels = levels,
                       .curves = {{{0, of.quantities.size() - 1}}},
                       .interval = interval,
                       .fluctuations = true}) {}

    [[nodiscard]] bool in_time() const override { return true; }
    void accumulate(double /*time*/, std::span<const double> row) override {
        correlator_.add(row);
        ++rows_;
    }
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override {
        return {lag_curve(name_, unit_, rows_, correlator_.curve())};
    }
    [[nodiscard]] std::vector<double> state() const override {
        StateWriter writer;
        each(*this, writer);
        return writer.numbers();
    }
    void restore(std::span<const double> state) override {
        StateReader reader(state, "a time-correlation");
        each(*this, reader);
        reader.finish();
    }

  private:
    template <class Self, class F>
    static void each(Self& self, F& f) {
        f(self.rows_);
        f(self.correlator_);
    }

    std::string name_, unit_;
    std::int64_t rows_ = 0;
    TimeCorrelator correlator_;
};

/// Levels for lags up to `longest` rows; each level after the first reaches twice as far as the
/// last.
std::size_t levels_for(std::int64_t longest, std::int64_t window) {
    std::size_t levels = 1;
    for (std::int64_t reach = window - 1; reach < longest; reach *= 2) ++levels;
    return levels;
}

template <int Dim>
Made<Dim> make_time_correlation(const ObservableInput<Dim>& in) {
    const RowSources of = read_sources(in, 2);
    const std::int64_t window =
        in.integer_within("window", 2, 10000, "window {} (lags of a level, in rows)");
    MeasurementTimes times(in.context);
    times.every = of.every;
    refuse_short_stage(in, times, window);
    const std::int64_t usual = (window - 1) * of.every, longest = in.integer("longest", usual);
    if (longest < 1 || (longest != usual && longest > times.steps))
        in.fail(
            "longest",
            fmt::format(
                "longest lag of {} steps in a stage of {} (the stage is not longer); give 1 to {}",
                longest, times.steps, times.steps));
    const std::size_t levels = levels_for((longest + of.every - 1) / of.every, window);
    if (levels > 1 && window % 2 != 0)
        in.fail("window", fmt::format("window {} with longer lags (these are of averages over two "
                                      "rows, four ..., each from half of a window on); give an "
                                      "even number",
                                      window));
    return std::make_unique<TimeCorrelation<Dim>>(of, static_cast<std::size_t>(window), levels,
                                                  times.dt * static_cast<double>(of.every));
}

} // namespace

ObservableEntry time_correlation_entry() {
    using enum KeyType;
    std::vector<ParameterInfo> keys = source_keys(
        "one quantity A, or two, A and B, that other tables of the stage measure at the same steps",
        "[\"pressure\"]");
    keys.push_back({"window", integer, "rows", "100", "number of lags of each level, from lag 0"});
    keys.push_back({"longest", integer, "steps", "that of the window",
                    "minimum of the longest lag: beyond the window each level has averages over "
                    "twice as many rows",
                    "10000"});
    return {{"time-correlation",
             "Time correlation of the fluctuations of one or two measured quantities",
             "time_correlation_A_B(t) = <dA(0) dB(t)>, dA = A - <A>; of one time_correlation_A(t) "
             "= <dA(0) dA(t)>",
             "Allen and Tildesley 2017, section 8.3; Ramirez et al. 2010", std::move(keys)},
            SHADOW_EACH_DIMENSION(make_time_correlation),
            true};
}

} // namespace shadow
