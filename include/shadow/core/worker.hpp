// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace shadow {

/// A thread that runs jobs one after the other, in the order in which they are given. Only one
/// thread at a time may give jobs.
class Worker {
  public:
    using Job = std::function<void()>;

    /// `max_bytes`: of the jobs that wait or run. A larger job is accepted when there is no other.
    explicit Worker(std::size_t max_bytes);
    /// Finishes the running job and drops the others.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// `bytes`: the memory that the job holds. Waits only while there is no room for it. Rethrows
    /// the exception of an earlier job; the jobs after that one, and this one, are dropped.
    void give(std::size_t bytes, Job job);
    /// Waits until all jobs are done. Rethrows the exception of a job.
    void finish();

  private:
    struct Waiting {
        std::size_t bytes;
        Job job;
    };

    void work();
    void rethrow();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Waiting> waiting_;
    std::size_t max_bytes_;
    std::size_t bytes_ = 0; ///< including the running job's
    bool busy_ = false, stop_ = false;
    std::exception_ptr error_;
    std::thread thread_; ///< the last member: it uses all others
};

} // namespace shadow
