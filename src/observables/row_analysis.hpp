// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "keys.hpp"

#include "shadow/observables/observable.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The common part of analyses of rows: they are computed from numbers that other observables of
/// the stage measure, and measure nothing themselves.
namespace shadow {

/// The numbers that a table names, which are measured at the same steps.
struct RowSources {
    std::vector<Quantity> quantities;
    std::int64_t every = 1;

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Quantity& q : quantities) all.push_back(q.name);
        return all;
    }
};

/// The keys of every analysis: `of`, with an example, and `every`.
[[nodiscard]] std::vector<ParameterInfo> source_keys(const char* meaning, const char* example);
/// Reads at most `most` sources out of `measured`. If not all of these are known, because other
/// tables have errors, missing ones are accepted.
[[nodiscard]] RowSources read_sources(const DescribedTable& in, std::size_t most,
                                      const std::vector<MeasuredQuantity>& measured,
                                      bool all_known);
template <int Dim>
[[nodiscard]] RowSources read_sources(const ObservableInput<Dim>& in, std::size_t most) {
    return read_sources(in, most, in.context.measured, in.context.measured_is_known);
}

template <int Dim>
class RowAnalysis : public Observable<Dim> {
  public:
    [[nodiscard]] std::vector<Quantity> quantities() const final { return {}; }
    [[nodiscard]] std::vector<std::string> sources() const final { return of_; }
    [[nodiscard]] bool follows_box() const final { return true; }
    [[nodiscard]] bool follows_shear() const final { return true; }
    [[nodiscard]] std::size_t width() const final { return of_.size(); }
    void enqueue(ParticleSystem<Dim>& /*system*/, double* /*row*/) final {}

  protected:
    explicit RowAnalysis(std::vector<std::string> of) : of_(std::move(of)) {}

  private:
    std::vector<std::string> of_;
};

} // namespace shadow
