// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/recorder.hpp"

#include "shadow/core/error.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/motion.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace shadow {

namespace {
/// Numbers in a batch of one observable (8 MiB).
constexpr std::size_t max_numbers = std::size_t{1} << 20;

template <int Dim>
std::vector<std::string> names(const Observable<Dim>& observable) {
    std::vector<std::string> all;
    for (const Quantity& quantity : observable.quantities()) all.push_back(quantity.name);
    for (const ArrayEstimate& array : observable.estimates()) all.push_back(array.name);
    return all;
}

/// For example species A, A_A, B and A_B give two pairs named A_A_B.
void refuse_ambiguous(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
        throw InputError(fmt::format("{} would be the name of two results (names of species with "
                                     "\"_\" in them can be put together in two ways); rename a "
                                     "species",
                                     *twice));
}
} // namespace

template <int Dim>
Recorder<Dim>::Recorder(const Backend& backend, std::size_t capacity, Units units)
    : backend_(backend), capacity_(std::max<std::size_t>(1, capacity)), units_(std::move(units)) {}

template <int Dim>
void Recorder<Dim>::add(std::unique_ptr<Observable<Dim>> observable, std::int64_t every) {
    Entry entry{};
    entry.observable = std::move(observable);
    entry.every = every;
    entry.quantities = entry.observable->quantities();
    entry.width = entry.observable->width();
    entry.capacity =
        std::clamp<std::size_t>(max_numbers / std::max<std::size_t>(1, entry.width), 1, capacity_);
    entry.row = Array<double>(backend_, entry.width);
    entry.rows = Array<double>(backend_, entry.capacity * entry.width);
    entry.count = Array<std::int32_t>(backend_, std::max<std::size_t>(1, entry.width));
    const std::vector<std::string> own = names(*entry.observable);
    refuse_ambiguous(own);
    for (const std::string& name : own)
        for (const Entry& other : entries_)
            for (const std::string& taken : names(*other.observable))
                if (name == taken)
                    throw InputError(fmt::format("quantity {} twice (two observables of one stage "
                                                 "would write the same rows); remove one",
                                                 name));
    for (const Quantity& quantity : entry.quantities)
        if (quantity.width == 1) statistics_.try_emplace(quantity.name);
    entry.sources = entry.observable->sources();
    for (const std::string& name : entry.sources)
        if (!statistics(name))
            throw InputError(fmt::format("an analysis of {} (nothing that is a number of this name "
                                         "is measured); observe it",
                                         name));
    entry.arrays = !entry.observable->estimates().empty();
    if (entry.arrays) entry.fresh = entry.observable->state();
    entries_.push_back(std::move(entry));
}

template <int Dim>
bool Recorder<Dim>::has_arrays() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.arrays; });
}

template <int Dim>
void Recorder<Dim>::restart_arrays(std::int64_t step) {
    flush();
    for (Entry& entry : entries_)
        if (entry.arrays) entry.observable->restore(entry.fresh);
    array_start_ = step + 1;
}

template <int Dim>
void Recorder<Dim>::declare_lists(Neighbours<Dim>& neighbours) {
    for (Entry& entry : entries_) declare_list(neighbours, *entry.observable);
}

template <int Dim>
void Recorder<Dim>::set_extended_energy(const ExtendedEnergy& extended) {
    for (Entry& entry : entries_) entry.observable->set_extended_energy(extended);
}

template <int Dim>
bool Recorder<Dim>::due(const Entry& entry, std::int64_t step) const {
    if (!entry.sources.empty()) return false; // it is computed from the rows of others
    const bool only_arrays = entry.arrays && entry.quantities.empty();
    return step % entry.every == 0 && !(only_arrays && step < array_start_) &&
           step >= first_step_ + entry.observable->looks_back();
}

/// Is this step within `looks_back` steps of the next row?
template <int Dim>
bool Recorder<Dim>::looks(const Entry& entry, std::int64_t step) const {
    const std::int64_t back = entry.observable->looks_back();
    if (back == 0) return false;
    const std::int64_t least = std::max(step, first_step_ + back),
                       row = (least + entry.every - 1) / entry.every * entry.every;
    return row - step <= back;
}

template <int Dim>
bool Recorder<Dim>::due(std::int64_t step) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return due(entry, step) || looks(entry, step); });
}

template <int Dim>
bool Recorder<Dim>::energy_due(std::int64_t step) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return (due(entry, step) || looks(entry, step)) && entry.observable->needs_energy();
    });
}

template <int Dim>
bool Recorder<Dim>::action_due(std::int64_t step) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return looks(entry, step) && looks(entry, step - 1);
    });
}

template <int Dim>
void Recorder<Dim>::sample(ParticleSystem<Dim>& system) {
    const std::int64_t step = system.step();
    if (!due(step)) return;
    system.prepare_observation(energy_due(step));
    for (Entry& entry : entries_) {
        if (looks(entry, step)) entry.observable->look(system);
        if (!due(entry, step)) continue;
        entry.observable->enqueue(system, entry.row.data());
        launch(backend_,
               KeepRow{entry.row.data(), static_cast<std::int64_t>(entry.width), entry.rows.data(),
                       entry.count.data()},
               static_cast<std::int64_t>(entry.count.size()));
        entry.steps.push_back(step);
        read_clock(system, entry);
        if (entry.steps.size() == entry.capacity) hand_on(entry);
    }
}

template <int Dim>
void Recorder<Dim>::read_clock(ParticleSystem<Dim>& system, Entry& entry) {
    const Ensemble<Dim>& ensemble = system.ensemble();
    const bool adapts = ensemble.has_clock();
    if (!adapts && !system.is_boosted()) return entry.times.push_back(system.time());
    if (entry.clock.size() == 0) entry.clock = Array<double>(backend_, 2 * entry.capacity);
    entry.boosted = system.is_boosted();
    launch(backend_, ReadClock{{system.scalars()}, entry.count.data(), entry.clock.data()}, 1);
    entry.times.push_back(adapts ? ensemble.clock_start() : system.time());
}

template <int Dim>
std::vector<double> Recorder<Dim>::collect_clock(Entry& entry) {
    std::vector<double> weights;
    if (entry.clock.size() == 0) return weights;
    const std::vector<double> clock = entry.clock.to_host(0, 2 * entry.times.size());
    for (std::size_t row = 0; row < entry.times.size(); ++row) {
        entry.times[row] += clock[2 * row];
        const double weight = clock[2 * row + 1];
        weights.push_back(entry.boosted ? weight : std::log(weight));
    }
    return weights;
}

template <int Dim>
void Recorder<Dim>::flush() {
    for (Entry& entry : entries_) hand_on(entry);
}

template <int Dim>
void Recorder<Dim>::hand_on(Entry& entry) {
    const std::size_t count = entry.steps.size();
    if (count == 0) return;
    const std::vector<double> rows = entry.rows.to_host(0, count * entry.width);
    const std::vector<double> weights = collect_clock(entry);
    launch(backend_, Clear{entry.count.data()}, static_cast<std::int64_t>(entry.count.size()));
    std::vector<double> values;
    std::size_t offset = 0;
    for (const Quantity& quantity : entry.quantities) {
        values.clear();
        for (std::size_t row = 0; row < count; ++row) {
            const double* first = rows.data() + row * entry.width + offset;
            values.insert(values.end(), first, first + quantity.width);
        }
        offset += quantity.width;
        const double factor = units_.factor(quantity.unit);
        for (double& value : values) value *= factor;
        if (quantity.width == 1) {
            SeriesStatistics& series = statistics_.at(quantity.name);
            for (std::size_t row = 0; row < count; ++row)
                series.add(entry.times[row], values[row], weights.empty() ? 0.0 : weights[row]);
        }
        const RecordBatch batch{quantity, entry.steps, entry.times, values, factor, weights};
        if (sink_) sink_(batch);
        if (quantity.width == 1) analyse(batch);
    }
    for (std::size_t row = 0; row < count; ++row)
        if (!entry.arrays || entry.steps[row] >= array_start_)
            entry.observable->accumulate(entry.times[row],
                                         std::span(rows).subspan(row * entry.width, entry.width));
    entry.steps.clear();
    entry.times.clear();
}

template <int Dim>
void Recorder<Dim>::analyse(const RecordBatch& batch) {
    for (Entry& entry : entries_) {
        const auto& sources = entry.sources;
        const auto source = std::find(sources.begin(), sources.end(), batch.quantity.name);
        if (source == sources.end()) continue;
        const auto channel = static_cast<std::size_t>(source - sources.begin());
        for (std::size_t k = 0; k < batch.steps.size(); ++k) {
            if (batch.steps[k] < array_start_) continue;
            const auto place = entry.open.try_emplace(batch.steps[k]).first;
            Row& row = place->second;
            row.values.resize(sources.size());
            row.values[channel] = batch.values[k];
            if (++row.known < sources.size()) continue;
            entry.observable->accumulate(batch.times[k], row.values);
            // Older rows stay incomplete: an observable that looks back had no rows yet.
            entry.open.erase(entry.open.begin(), std::next(place));
        }
    }
}

template <int Dim>
std::vector<Quantity> Recorder<Dim>::quantities() const {
    std::vector<Quantity> all;
    for (const Entry& entry : entries_)
        all.insert(all.end(), entry.quantities.begin(), entry.quantities.end());
    return all;
}

template <int Dim>
std::vector<ArrayEstimate> Recorder<Dim>::estimates() const {
    std::vector<ArrayEstimate> all;
    for (const Entry& entry : entries_)
        for (ArrayEstimate& array : entry.observable->estimates()) {
            const double factor = entry.sources.empty() ? units_.factor(array.unit) : 1.0;
            for (double& value : array.value) value *= factor;
            for (double& error : array.error) error *= factor;
            all.push_back(std::move(array));
        }
    return all;
}

template <int Dim>
std::int64_t Recorder<Dim>::interval(const std::string& quantity) const {
    for (const Entry& entry : entries_)
        for (const Quantity& q : entry.quantities)
            if (q.name == quantity) return entry.every;
    return 0;
}

template <int Dim>
const SeriesStatistics* Recorder<Dim>::statistics(const std::string& quantity) const {
    const auto found = statistics_.find(quantity);
    return found == statistics_.end() ? nullptr : &found->second;
}

template <int Dim>
std::vector<Quantity> Recorder<Dim>::particle_quantities() const {
    std::vector<Quantity> all;
    for (const Entry& entry : entries_)
        for (Quantity& quantity : entry.observable->particle_quantities())
            all.push_back(std::move(quantity));
    return all;
}

template <int Dim>
std::vector<std::vector<double>> Recorder<Dim>::measure_particles(ParticleSystem<Dim>& system) {
    std::vector<std::vector<double>> all;
    for (Entry& entry : entries_) {
        if (entry.observable->particle_quantities().empty()) continue;
        system.prepare_observation(entry.observable->needs_energy());
        for (auto& values : entry.observable->measure_particles(system))
            all.push_back(std::move(values));
    }
    return all;
}

template <int Dim>
std::map<std::string, std::vector<double>> Recorder<Dim>::state() {
    flush();
    std::map<std::string, std::vector<double>> state;
    for (const auto& [name, series] : statistics_) {
        state[name + "/average"] = series.values.state();
        state[name + "/drift"] = series.drift.state();
    }
    for (std::size_t k = 0; k < entries_.size(); ++k)
        if (std::vector<double> numbers = entries_[k].observable->state(); !numbers.empty())
            state[fmt::format("observable_{}", k)] = std::move(numbers);
    return state;
}

template <int Dim>
void Recorder<Dim>::restore(const std::map<std::string, std::vector<double>>& state) {
    const auto find = [&state](const std::string& key) -> const std::vector<double>& {
        const auto found = state.find(key);
        if (found == state.end())
            throw InputError(fmt::format("no {} in the checkpoint (its run observed something "
                                         "else); resume with the input that it was written by",
                                         key));
        return found->second;
    };
    for (auto& [name, series] : statistics_) {
        series.values.restore(find(name + "/average"));
        series.drift.restore(find(name + "/drift"));
    }
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        const auto found = state.find(fmt::format("observable_{}", k));
        if (found != state.end()) entries_[k].observable->restore(found->second);
    }
}

SHADOW_INSTANTIATE_EACH_DIMENSION(Recorder)

} // namespace shadow
