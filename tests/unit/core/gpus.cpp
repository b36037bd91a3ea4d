// SPDX-License-Identifier: BSD-3-Clause
// Which device is taken where some GPUs cannot be used: on machines that the emulated GPU pretends.
#include "shadow/core/gpus.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"

#include "shadow/core/array.hpp"
#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/run/catalogue.hpp"

#include "kernels/cuda/runtime.hpp"

#include <optional>

using namespace shadow;
using shadow::test::Environment;

namespace {

bool emulated() {
    const Gpus found = find_gpus();
    return !found.all.empty() && found.all.front().name == "emulated by this processor";
}

/// What is logged while it lives.
class Lines {
  public:
    Lines() {
        log::set_sink([this](std::string_view b) { text_ += b; });
    }
    ~Lines() { log::set_sink(nullptr); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool has(const std::string& words) const {
        return text_.find(words) != std::string::npos;
    }

  private:
    std::string text_;
};

std::string refusal(const std::string& device) {
    try {
        const Backend backend = Backend::named(device, 1);
        return "it is opened: " + backend.description();
    } catch (const MachineError& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("the first GPU that can be used is taken, and keeps its number", "[cuda]") {
    if (!emulated()) return;
    const char* kinds = GENERATE("old,good", "old,good,good", "broken,good", "good,old");
    CAPTURE(kinds);
    const Environment gpus("SHADOW_EMULATED_GPUS", kinds);
    const int expected = std::string(kinds) == "good,old" ? 0 : 1;
    const Lines lines;
    CHECK(Backend::named("auto", 1).device() == expected);
    CHECK(Backend::cuda(expected).description() ==
          "GPU " + std::to_string(expected) + ", emulated by this processor");
    if (std::string(kinds) != "broken,good") CHECK(Backend::named("cuda", 1).device() == expected);
    CHECK(lines.text().empty());
}

TEST_CASE("where no GPU can be used, auto takes the CPU and says why, once", "[cuda]") {
    if (!emulated()) return;
    const auto [kinds, why] = GENERATE(table<const char*, const char*>(
        {{"old", "3.5 is below 8.0"}, {"driver", "driver is too old"}, {"broken,old", "failed"}}));
    CAPTURE(kinds);
    const Environment gpus("SHADOW_EMULATED_GPUS", kinds);
    const Lines lines;
    const Backend backend = Backend::named("auto", 1);
    CHECK_FALSE(backend.is_cuda());
    CHECK(lines.has("mdrun: warning: no GPU is used ("));
    CHECK(lines.has(why));
    CHECK(lines.text().find('\n') == lines.text().size() - 1);
    CHECK(refusal("cuda").find(why) != std::string::npos);
}

TEST_CASE("no GPU at all is nothing to warn of", "[cuda]") {
    if (!emulated()) return;
    const Environment gpus("SHADOW_EMULATED_GPUS", "");
    const Lines lines;
    CHECK_FALSE(Backend::named("auto", 1).is_cuda());
    CHECK(lines.text().empty());
    CHECK(refusal("cuda") == "GPU 0 cannot be used (none was found); use device = \"cpu\"");
}

TEST_CASE("a GPU that cannot be used is named, and another one offered", "[cuda]") {
    if (!emulated()) return;
    {
        const Environment gpus("SHADOW_EMULATED_GPUS", "old,good");
        CHECK(refusal("cuda:0") == "GPU 0, emulated by this processor cannot be used (its "
                                   "architecture 3.5 is below 8.0); use device = \"cuda:1\"");
        CHECK(refusal("cuda:2") == "GPU 2 cannot be used (2 were found); use device = \"cuda:1\"");
        const std::string text = devices_text();
        CHECK(text.find("cuda:0   emulated by this processor, cannot be used (its") !=
              std::string::npos);
        CHECK(text.find("cuda:1   emulated by this processor\n") != std::string::npos);
        CHECK(text.find("auto     takes GPU 1") != std::string::npos);
    }
    const Environment gpus("SHADOW_EMULATED_GPUS", "driver");
    const Lines lines;
    CHECK(devices_text().find("cuda     none (the driver is too old") != std::string::npos);
}

TEST_CASE("two GPUs work side by side", "[cuda]") {
    const Gpus found = find_gpus();
    std::optional<Environment> gpus;
    if (emulated()) gpus.emplace("SHADOW_EMULATED_GPUS", "good,good");
    if (!emulated() && found.all.size() < 2) return;
    const Backend first = Backend::cuda(0), second = Backend::cuda(1);
    const std::vector<double> there = {1.0, 2.0, 3.0}, elsewhere = {4.0, 5.0};
    Array<double> a(first, there), b(second, elsewhere);
    CHECK(a.to_host() == there);
    CHECK(b.to_host() == elsewhere);
    a.fill_zero();
    CHECK(a.to_host() == std::vector<double>{0.0, 0.0, 0.0});
    CHECK(b.to_host() == elsewhere);
}

TEST_CASE("SHADOW_REPLAY chooses how steps are done, or is refused", "[cuda]") {
    if (find_gpus().first() != 0) return;
    const auto mode = [] {
        const Backend backend = Backend::cuda(0);
        return cuda::replay_report(backend.stream()).mode;
    };
    const cuda::ReplayMode best = mode();
    const auto [value, expected] =
        GENERATE(table<const char*, cuda::ReplayMode>({{"launches", cuda::ReplayMode::launches},
                                                       {"graphs", cuda::ReplayMode::graphs},
                                                       {"steps", cuda::ReplayMode::steps}}));
    {
        const Environment replay("SHADOW_REPLAY", value);
        CHECK(mode() == std::min(best, expected));
    }
    const Environment replay("SHADOW_REPLAY", "graph");
    CHECK(refusal("cuda") ==
          "SHADOW_REPLAY is \"graph\" in the environment (it says how a GPU does steps: launches, "
          "graphs or steps); set one of these, or unset it");
    CHECK(refusal("auto") == refusal("cuda"));
}
