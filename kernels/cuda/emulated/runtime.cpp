// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/runtime.hpp"

#include "kernels/cuda/emulated/drivers.hpp"
#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/ranges_warp.hpp"
#include "kernels/cuda/stage_warp.hpp"
#include "kernels/sort.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace shadow::cuda {

namespace {

void copy(void* stream, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    stream_of(stream).queue.flush();
    const EmulatedHeap::AtWork at_work(stream_of(stream).heap);
    std::memcpy(to, from, bytes);
}

/// A LibraryCall, like CUB's sort.
std::string sort_numbers(void* const* arguments) {
    const auto& sort = emulated::argument<KeySort>(arguments, 0);
    std::iota(sort.order, sort.order + sort.n, 0);
    std::stable_sort(sort.order, sort.order + sort.n,
                     [&](std::int32_t i, std::int32_t j) { return sort.key[i] < sort.key[j]; });
    for (std::int64_t key = 0, k = 0; key <= sort.keys; ++key) {
        while (k < sort.n && sort.key[sort.order[k]] < key) ++k;
        sort.begin[key] = static_cast<std::int32_t>(k);
    }
    return "";
}

template <int Dim>
void stage_clusters(void* const* arguments) {
    const auto& payload = emulated::argument<StagePayload<Dim>>(arguments, 0);
    emulated::for_each_cluster<StageMemory<Dim>>(
        *payload.list.cluster_count, emulated::argument<std::int64_t>(arguments, 1), 1,
        [&](auto& memory, std::int64_t cluster, int, int lane) {
            if (payload.list.cluster_begin[cluster] >= payload.list.cluster_end[cluster]) return;
            StageWarp<Dim>(payload, memory, cluster, lane).make();
        });
}

template <int Dim>
void find_ranges_of_clusters(void* const* arguments) {
    const auto& op = emulated::argument<BuildRanges<Dim>>(arguments, 0);
    emulated::for_each_cluster<char>(*op.cluster_count,
                                     emulated::argument<std::int64_t>(arguments, 1), 1,
                                     [&](auto&, std::int64_t cluster, int, int lane) {
                                         RangesWarp<Dim>(op, cluster, lane).make();
                                     });
}

/// The GPUs that SHADOW_EMULATED_GPUS lists, for tests: "good", "old" or "broken" GPUs, separated
/// by commas, or a "driver" that is too old. Without it, one good GPU.
std::vector<std::string> kinds_of_gpus() {
    const char* const text = std::getenv("SHADOW_EMULATED_GPUS");
    std::vector<std::string> kinds;
    std::istringstream list(text ? text : "good");
    for (std::string kind; std::getline(list, kind, ',');) kinds.push_back(kind);
    return kinds;
}

} // namespace

bool is_built() noexcept {
    return true;
}

Gpus devices() {
    Gpus found;
    for (const std::string& kind : kinds_of_gpus())
        if (kind == "driver")
            found.problem = "the driver is too old: it knows CUDA 11.8, this binary needs 12.0";
        else
            found.all.push_back({"emulated by this processor",
                                 kind == "old" ? "its architecture 3.5 is below 8.0" : ""});
    return found;
}
std::string driver() {
    return "none";
}
void* open_stream(int device) {
    if (kinds_of_gpus().at(static_cast<std::size_t>(device)) == "broken")
        throw MachineError("the GPU failed while opening a stream (out of memory); use device = "
                           "\"cpu\"");
    return std::make_unique<Stream>().release();
}
void close_stream(void* stream) noexcept {
    const std::unique_ptr<Stream> closed(static_cast<Stream*>(stream));
}
void synchronize(void* stream) {
    stream_of(stream).queue.flush();
}
void mark_step(void* stream) {
    stream_of(stream).queue.mark_step();
}
void set_replay(void* stream, ReplayMode mode) {
    stream_of(stream).queue.set_mode(mode);
}
ReplayReport replay_report(void* stream) {
    return stream_of(stream).queue.report();
}

void* allocate(void* stream, std::size_t bytes) {
    return stream_of(stream).heap.allocate(bytes);
}
void deallocate(void* stream, void* memory) noexcept {
    stream_of(stream).queue.flush();
    stream_of(stream).heap.deallocate(memory);
}
void copy_to_device(void* stream, void* to, const void* from, std::size_t bytes) {
    copy(stream, to, from, bytes);
}
void copy_to_host(void* stream, void* to, const void* from, std::size_t bytes) {
    copy(stream, to, from, bytes);
}
void fill_zero(void* stream, void* memory, std::size_t bytes) {
    if (bytes == 0) return;
    stream_of(stream).queue.flush();
    const EmulatedHeap::AtWork at_work(stream_of(stream).heap);
    std::memset(memory, 0, bytes);
}

void exclusive_scan(const Backend& backend, const Counts& counts, const int* gate) {
    const EmulatedKernel kernel = [](void* const* arguments) {
        emulated::scan(emulated::argument<Counts>(arguments, 0));
    };
    enqueue(stream_of(backend.stream()), kernel, nullptr, nullptr, gate, counts);
}

std::size_t sort_work_bytes(const Backend& /*backend*/, std::int64_t /*n*/, std::int64_t /*keys*/) {
    return 1;
}
void sort_by_key(const Backend& backend, const KeySort& sort) {
    stream_of(backend.stream()).queue.add(Kernel(sort_numbers), 0, 0, nullptr, sort);
}

template <int Dim>
void find_ranges(const Backend& backend, const BuildRanges<Dim>& op, std::int64_t clusters,
                 const int* gate) {
    if (clusters <= 0) return;
    enqueue(stream_of(backend.stream()), find_ranges_of_clusters<Dim>, nullptr, nullptr, gate, op,
            clusters);
}

template <int Dim>
void stage(const Backend& backend, const StagePayload<Dim>& payload, std::int64_t clusters,
           const int* gate) {
    if (clusters <= 0) return;
    enqueue(stream_of(backend.stream()), stage_clusters<Dim>, nullptr, nullptr, gate, payload,
            clusters);
}

SHADOW_INSTANTIATE_STAGES

} // namespace shadow::cuda
