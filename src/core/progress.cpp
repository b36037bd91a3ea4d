// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/progress.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr double bar_interval = 0.2;     // s; often enough to look alive
constexpr double first_plain_line = 2.0; // s
constexpr double plain_interval = 60.0;  // s, after growing by doubling from the first

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

/// 12345678 as "1.23e+07", 12345.6 as "12346".
std::string rate_text(double rate) {
    if (rate >= 100.0 && rate < 1e6) return fmt::format("{:.0f}", rate);
    return fmt::format("{:.3g}", rate);
}

} // namespace

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) return "?";
    if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
    const auto whole = static_cast<long long>(std::min(seconds, 1e15) + 0.5);
    const long long minutes = whole / 60, hours = minutes / 60;
    if (hours >= 48) return fmt::format("{} d {} h", hours / 24, hours % 24);
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes % 60, whole % 60);
    return fmt::format("{}:{:02}", minutes, whole % 60);
}

Progress::Progress(ProgressStyle style, ProgressTask task, Clock clock)
    : style_(style), task_(std::move(task)), clock_(std::move(clock)), shown_at_(clock_()),
      shown_step_(task_.done) {
    if (style_ == ProgressStyle::automatic)
        style_ = isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::plain;
    if (!log::shows(log::Level::info)) style_ = ProgressStyle::none;
    interval_ = style_ == ProgressStyle::bar ? bar_interval : first_plain_line;
    next_ = shown_at_ + interval_;
}

Progress::~Progress() {
    finish();
}

bool Progress::due() const {
    return style_ != ProgressStyle::none && clock_() >= next_;
}

double Progress::fraction(std::int64_t step) const {
    if (task_.steps <= 0) return 1.0;
    return std::clamp(static_cast<double>(step) / static_cast<double>(task_.steps), 0.0, 1.0);
}

std::string Progress::facts(const ProgressState& state, double rate) const {
    std::string text = fmt::format("{} steps/s", rate_text(rate));
    if (rate > 0.0)
        text += fmt::format(", ETA {}{}", task_.open_ended ? "at most " : "",
                            duration_text(static_cast<double>(task_.steps - state.step) / rate));
    if (state.temperature) text += fmt::format(", T {:.4g}", *state.temperature);
    if (state.drift) text += fmt::format(", drift {:.1e} kT", *state.drift);
    return text;
}

void Progress::show(const ProgressState& state) {
    if (style_ == ProgressStyle::none) return;
    const double now = clock_();
    const double elapsed = now - shown_at_;
    if (elapsed > 0.0 && state.step > shown_step_) {
        const double rate = static_cast<double>(state.step - shown_step_) / elapsed;
        // A bar is updated often, so that its rate is averaged over about two seconds.
        const double weight = std::min(1.0, elapsed / 2.0);
        rate_ = rate_ == 0.0 ? rate : rate_ + weight * (rate - rate_);
    }
    shown_at_ = now;
    shown_step_ = state.step;
    const double done = fraction(state.step);
    const std::string where = fmt::format(
        "{}step {} of {}{} ({:.0f}%)",
        task_.name.empty() ? "" : fmt::format("stage {}: ", in_quotes(task_.name, 40)), state.step,
        task_.open_ended ? "at most " : "", task_.steps, std::floor(100.0 * done));
    if (style_ == ProgressStyle::bar) {
        constexpr std::size_t cells = 20;
        const auto full = static_cast<std::size_t>(done * static_cast<double>(cells));
        std::string line = fmt::format("[{:#<{}}{:.<{}}] {}, {}", "", full, "", cells - full, where,
                                       facts(state, rate_));
        const std::size_t width = terminal_width();
        if (line.size() >= width) line.resize(width - 1);
        log::status(line);
    } else {
        log::info(where + ", " + facts(state, rate_));
        interval_ = std::min(2.0 * interval_, plain_interval);
    }
    next_ = now + interval_;
}

void Progress::finish() {
    log::status("");
}

} // namespace shadow
