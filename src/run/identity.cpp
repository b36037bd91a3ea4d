// SPDX-License-Identifier: BSD-3-Clause
#include "identity.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string_view>

namespace shadow {
namespace {

constexpr std::string_view stage_mark = "[stage ";
/// How charges are computed, which may differ: without FFTW a run can be continued.
constexpr std::string_view means = "transforms = ";
/// Headers of tables at the top level, besides those of stages; other headers belong to the table
/// before them.
constexpr std::array<std::string_view, 4> top_tables{"system", "species", "force", "step_sum"};

using Values = std::map<std::string, std::string>;

/// Every value by its full key, such as "force[0].epsilon", independent of the order.
class Flat {
  public:
    explicit Flat(const std::string& text) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) read(line);
    }
    [[nodiscard]] const Values& values() const { return values_; }

  private:
    void read(std::string_view line) {
        if (line.starts_with(stage_mark)) {
            values_["name"] = line.substr(stage_mark.size(), line.size() - stage_mark.size() - 1);
        } else if (line.starts_with("[[")) {
            enter(line.substr(2, line.size() - 4), true);
        } else if (line.starts_with("[")) {
            enter(line.substr(1, line.size() - 2), false);
        } else if (line.starts_with(means)) {
            return;
        } else if (const auto equals = line.find(" = "); equals != line.npos) {
            values_[table_ + std::string(line.substr(0, equals))] = line.substr(equals + 3);
        }
    }
    void enter(std::string_view name, bool one_of_several) {
        const auto is_one_of = [&](const auto& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        const bool top = is_one_of(top_tables) || is_one_of(stage_tables);
        std::string path = (top ? "" : top_) + std::string(name);
        if (one_of_several) path += fmt::format("[{}]", count_[path]++);
        table_ = path + ".";
        if (top) top_ = table_;
    }

    Values values_;
    std::string top_, table_;
    std::map<std::string, int> count_;
};

/// The first key whose value differs, human-readable; or "".
std::string first_difference(const std::string& then, const std::string& now) {
    const Flat before(then), after(now);
    for (const auto& [key, value] : before.values()) {
        const auto found = after.values().find(key);
        if (found == after.values().end())
            return fmt::format("`{}` was {} and is not there now", key, value);
        const bool named_now = key == "name" && value.empty();
        if (found->second != value && !named_now)
            return fmt::format("`{}` was {} and is {} now", key, value, found->second);
    }
    for (const auto& [key, value] : after.values())
        if (!before.values().contains(key))
            return fmt::format("`{}` is {} now and was not there", key, value);
    return "";
}

} // namespace

std::string Identity::text() const {
    std::string all = common;
    for (const std::string& stage : stages) all += stage;
    return all;
}

Identity Identity::of_text(const std::string& text) {
    Identity identity;
    std::string* part = &identity.common;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(stage_mark)) part = &identity.stages.emplace_back();
        *part += line + "\n";
    }
    return identity;
}

Identity identity_of(const Parameters& root, const RunPlan& plan) {
    Identity identity;
    std::string& text = identity.common;
    text = fmt::format("seed = {}\n", plan.seed);
    if (plan.compute.reversible) text += "reversible = true\n";
    if (root.has("levels")) text += fmt::format("levels = [{}]\n", fmt::join(plan.levels, ", "));
    text += "[system]\n" + root.table("system").resolved();
    for (const Parameters& species : root.tables("species"))
        text += "[[species]]\n" + species.resolved();
    for (const Parameters& force : root.tables("force")) text += "[[force]]\n" + force.resolved();
    for (const Parameters& sum : root.tables("step_sum")) text += "[[step_sum]]\n" + sum.resolved();
    for (const StagePlan& stage : plan.stages) {
        std::string& own = identity.stages.emplace_back();
        own = fmt::format("{}{}]\n", stage_mark, stage.name);
        if (stage.temperature) own += fmt::format("velocity = {}\n", *stage.temperature);
        if (stage.reverses) own += "velocity = reversed\n";
        own += "[integrator]\n" + stage.integrator.resolved();
        if (stage.barostat) own += "[barostat]\n" + stage.barostat->resolved();
        if (stage.shear) own += "[shear]\n" + stage.shear->resolved();
        if (stage.boost) own += "[boost]\n" + stage.boost->resolved();
        for (const Parameters& observe : stage.observe) own += "[[observe]]\n" + observe.resolved();
    }
    return identity;
}

std::string changed_past(const Identity& then, const Identity& now, std::size_t begun) {
    if (std::string problem = first_difference(then.common, now.common); !problem.empty())
        return problem;
    for (std::size_t k = 0; k < std::min(begun, then.stages.size()); ++k) {
        const std::string here = k < now.stages.size() ? now.stages[k] : "";
        if (std::string problem = first_difference(then.stages[k], here); !problem.empty())
            return fmt::format("in stage {}, which has begun, {}", k, problem);
    }
    return "";
}

} // namespace shadow
