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

/// What an analysis of rows shares with others: it is made of numbers that other observables of the
/// stage measure, and measures nothing.
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

/// The keys that all have: `of`, with an example, and `every`.
[[nodiscard]] std::vector<ParameterInfo> source_keys(const char* meaning, const char* example);
/// At most `most` of `measured`. Where these are not all known, because other tables have errors,
/// what is missing passes.
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
