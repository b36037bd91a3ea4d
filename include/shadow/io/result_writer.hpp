// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/worker.hpp"
#include "shadow/io/h5md.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace shadow {

/// Results which a thread of its own writes, in the order in which they are handed over: a
/// measurement does not wait for the disk unless that falls behind by more than `max_bytes`. HDF5
/// allows one thread at a time; while a ResultWriter exists, HDF5 is used through it alone.
///
/// What goes wrong is thrown by a later call, when it can no longer be helped: what was published
/// stays, and what was handed over since is lost.
class ResultWriter {
  public:
    using Job = std::function<void(ResultFile&)>;

    static constexpr std::size_t max_bytes = std::size_t{256} << 20;

    explicit ResultWriter(ResultFile results) : results_(std::move(results)), worker_(max_bytes) {
        worker_.give(0, [] { hdf5::enter_thread(); });
    }

    /// Hands over what is to be done; `bytes`: how much memory it keeps until then.
    void later(std::size_t bytes, Job job) {
        worker_.give(bytes, [this, work = std::move(job)] { work(results_); });
    }
    /// Waits for all that was handed over.
    void finish() { worker_.finish(); }
    /// The results themselves, when all that was handed over is in them; until the next `later`.
    [[nodiscard]] ResultFile& settled() {
        finish();
        return results_;
    }

  private:
    ResultFile results_;
    Worker worker_; ///< behind what it uses
};

} // namespace shadow
