// SPDX-License-Identifier: BSD-3-Clause
#include "src/run/thermo_table.hpp"

#include "support/catch.hpp"

#include "shadow/core/log.hpp"

#include <fmt/format.h>
#include <sstream>
#include <string>
#include <vector>

using namespace shadow;

namespace {

const std::vector<Quantity> quantities{
    {"potential_energy", "energy"}, {"kinetic_energy", "energy"},   {"total_energy", "energy"},
    {"conserved_energy", "energy"}, {"temperature", "temperature"}, {"momentum", "momentum", 3}};

/// The lines that a stage of so many steps puts, as words; its rows come in batches of `batch`.
std::vector<std::vector<std::string>> lines(LogPlan plan, std::int64_t steps, std::int64_t interval,
                                            std::size_t batch, bool conserves = true) {
    std::string said;
    log::set_sink([&](std::string_view bytes) { said += bytes; });
    ThermoTable table(plan, units_named("lj"), 3, 10);
    table.begin(steps, interval, quantities, conserves, {});
    std::vector<std::int64_t> at;
    for (std::int64_t step = 0; step <= steps; step += interval) at.push_back(step);
    for (std::size_t from = 0; from < at.size(); from += batch) {
        const std::vector<std::int64_t> some(
            at.begin() + static_cast<std::ptrdiff_t>(from),
            at.begin() + static_cast<std::ptrdiff_t>(std::min(from + batch, at.size())));
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            std::vector<double> times, values;
            for (const std::int64_t step : some) {
                times.push_back(0.5 * static_cast<double>(step));
                for (std::size_t w = 0; w < quantities[q].width; ++w)
                    values.push_back(static_cast<double>(100 * q) + static_cast<double>(step));
            }
            table.take({quantities[q], some, times, values});
        }
    }
    table.finish();
    log::set_sink({});
    std::vector<std::vector<std::string>> all;
    std::istringstream text(said);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        all.emplace_back(std::istream_iterator<std::string>(words),
                         std::istream_iterator<std::string>());
    }
    return all;
}

} // namespace

TEST_CASE("the table of a stage has its first and last row, and those between that are due") {
    for (const std::size_t batch : {1, 3, 100}) {
        const auto all = lines({20, false}, 50, 10, batch);
        REQUIRE(all.size() == 2 + 4);
        CHECK(all[1] ==
              std::vector<std::string>{"step", "time", "T", "U", "K", "E", "conserved", "drift"});
        CHECK(all[2] ==
              std::vector<std::string>{"0", "0", "400", "0", "100", "200", "300", "0.00e+00"});
        CHECK(all[4] ==
              std::vector<std::string>{"40", "20", "440", "40", "140", "240", "340", "4.00e+01"});
        CHECK(all[5][0] == "50");
    }
}

TEST_CASE("energies of the table are per particle where that is wished") {
    const auto all = lines({50, true}, 50, 10, 4);
    CHECK(all.back() ==
          std::vector<std::string>{"50", "25", "450", "5", "15", "25", "35", "5.00e+00"});
}

TEST_CASE("a minimisation conserves nothing") {
    CHECK(lines({50, false}, 50, 10, 4, false)[1].size() == 6);
}

TEST_CASE("tables are thinned to at most 200 lines and the last") {
    CHECK(ThermoTable::thinned(100, 10) == 10);
    CHECK(ThermoTable::thinned(2000, 10) == 10);
    CHECK(ThermoTable::thinned(2010, 10) == 20);
    CHECK(ThermoTable::thinned(1'000'000, 10) == 5000);
    CHECK(ThermoTable::thinned(1'000'001, 7) == 7000);
    CHECK(ThermoTable::thinned(0, 50) == 50);
    CHECK(lines({0, false}, 4000, 1, 256).size() <= 2 + 202);
}
