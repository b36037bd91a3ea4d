// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/worker.hpp"
#include "shadow/io/h5md.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace shadow {

/// Results that are written by a separate thread in the order of submission: a measurement does not
/// wait for the disk unless the writer falls behind by more than `max_bytes`. HDF5 allows one
/// thread at a time; while a ResultWriter exists, HDF5 is used only through it.
///
/// Failures are thrown by a later call, when the job can no longer be repeated: published results
/// remain, and jobs submitted since are lost.
class ResultWriter {
  public:
    using Job = std::function<void(ResultFile&)>;

    static constexpr std::size_t max_bytes = std::size_t{256} << 20;

    explicit ResultWriter(ResultFile results) : results_(std::move(results)), worker_(max_bytes) {
        worker_.give(0, [] { hdf5::enter_thread(); });
    }

    /// Submits a job; `bytes`: memory that it holds until it is done.
    void later(std::size_t bytes, Job job) {
        worker_.give(bytes, [this, work = std::move(job)] { work(results_); });
    }
    /// Waits for all submitted jobs.
    void finish() { worker_.finish(); }
    /// The results themselves after all submitted jobs; valid until the next `later`.
    [[nodiscard]] ResultFile& settled() {
        finish();
        return results_;
    }

  private:
    ResultFile results_;
    Worker worker_; ///< declared last, as it uses the results
};

} // namespace shadow
