// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/worker.hpp"

#include <utility>

namespace shadow {

Worker::Worker(std::size_t max_bytes) : max_bytes_(max_bytes), thread_([this] { work(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::give(std::size_t bytes, Job job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return bytes_ == 0 || bytes_ + bytes <= max_bytes_; });
    rethrow();
    waiting_.push_back({bytes, std::move(job)});
    bytes_ += bytes;
    changed_.notify_all();
}

void Worker::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && !busy_; });
    rethrow();
}

void Worker::rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Worker::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
        if (stop_) return;
        Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr error;
        try {
            next.job();
        } catch (...) {
            error = std::current_exception();
        }
        next.job = nullptr; // frees its memory before more is let in
        lock.lock();
        busy_ = false;
        bytes_ -= next.bytes;
        if (error) {
            error_ = std::move(error);
            for (const Waiting& dropped : waiting_) bytes_ -= dropped.bytes;
            waiting_.clear();
        }
        changed_.notify_all();
    }
}

} // namespace shadow
