// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/signals.hpp"

#include <atomic>
#include <unistd.h>

namespace shadow {
namespace {

// Handlers may use lock-free atomics only.
std::atomic<int> stop{0};
std::atomic<bool> checkpoint{false};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_stop(int signal) {
    int none = 0;
    if (!stop.compare_exchange_strong(none, signal)) _exit(128 + signal);
}

extern "C" void on_checkpoint(int) {
    checkpoint = true;
}

void install(int signal, void (*handler)(int), struct sigaction& former) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    // Without it, a signal could make a write by a library fail half way.
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, &former);
}

/// Is it ignored, as under nohup?
bool is_ignored(int signal) {
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

SignalGuard::SignalGuard() {
    stop = 0;
    checkpoint = false;
    install(SIGINT, on_stop, interrupt_);
    install(SIGTERM, on_stop, terminate_);
    install(SIGHUP, is_ignored(SIGHUP) ? SIG_IGN : on_stop, hang_up_);
    install(SIGUSR1, on_checkpoint, user_);
    install(SIGPIPE, SIG_IGN, pipe_);
    install(SIGXFSZ, SIG_IGN, size_);
}

SignalGuard::~SignalGuard() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGHUP, &hang_up_, nullptr);
    sigaction(SIGUSR1, &user_, nullptr);
    sigaction(SIGPIPE, &pipe_, nullptr);
    sigaction(SIGXFSZ, &size_, nullptr);
}

int SignalGuard::stop_signal() const noexcept {
    return stop;
}
bool SignalGuard::take_checkpoint_request() noexcept {
    return checkpoint.exchange(false);
}
int SignalGuard::exit_status() const noexcept {
    return stop == 0 ? 0 : 128 + stop;
}

} // namespace shadow
