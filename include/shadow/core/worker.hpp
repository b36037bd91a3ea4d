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

/// A thread that does jobs one after the other, in the order in which they are given. One thread at
/// a time may give them.
class Worker {
  public:
    using Job = std::function<void()>;

    /// `max_bytes`: of jobs that wait or are being done. A larger one is taken when there is no
    /// other.
    explicit Worker(std::size_t max_bytes);
    /// Finishes the job in hand and drops the others.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// `bytes`: what the job keeps in memory. Waits only while there is no room for it. Throws what
    /// an earlier job threw; all behind that one are dropped, and this one is.
    void give(std::size_t bytes, Job job);
    /// Waits until all is done. Throws what a job threw.
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
    std::size_t bytes_ = 0; ///< of the job in hand, too
    bool busy_ = false, stop_ = false;
    std::exception_ptr error_;
    std::thread thread_; ///< the last member: it uses all others
};

} // namespace shadow
