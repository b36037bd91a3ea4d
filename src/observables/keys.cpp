// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

using enum KeyType;

ParameterInfo every_key() {
    return {"every", integer, "steps", std::to_string(default_observation_interval),
            "steps between two measurements"};
}

ParameterInfo every_few_key(const char* flux) {
    return {"every",
            integer,
            "steps",
            "",
            std::string("between two measurements: a small part of the correlation time of the ") +
                flux,
            "5"};
}

/// The default of `every` would be too long for an integral over time.
void require_interval(const Parameters& in, const char* what, const char* flux) {
    if (in.has("every")) return;
    in.fail("type",
            fmt::format("{} without every (the {} of a liquid decorrelates in a few steps, and an "
                        "integral with longer intervals is wrong); give it, for example 5",
                        what, flux));
}

ParameterInfo bins_key(int usual, const char* meaning) {
    return {"bins", integer, "", std::to_string(usual), meaning};
}

int checked_bins(const Parameters& in, std::int64_t bins) {
    if (bins < 1 || bins > 100000)
        in.fail("bins",
                fmt::format("{} bins (each needs memory and samples); give 1 to 100000", bins));
    return static_cast<int>(bins);
}

int read_bins(const DescribedTable& in) {
    return checked_bins(in, in.integer("bins"));
}

ParameterInfo neighbour_radius_key() {
    return {"radius", number, "length", "", "particles closer than this are neighbours", "1.5"};
}

double read_neighbour_radius(const Parameters& in, double half_box) {
    const double radius = in.positive("radius");
    if (radius > half_box)
        in.fail("radius", fmt::format("radius {} (a particle would be its own neighbour or "
                                      "count one twice, as half the shortest periodic length "
                                      "is {}); lower the radius or enlarge the box",
                                      radius, half_box));
    return radius;
}

double read_distance(const Parameters& in, const char* key, double half_box) {
    const double distance = std::isfinite(half_box) ? in.positive(key, half_box) : in.positive(key);
    if (distance > half_box * (1.0 + 1e-12))
        in.fail(key, fmt::format("{} {} (beyond {}, half the shortest box length, a particle "
                                 "interacts through two images); lower it",
                                 key, distance, half_box));
    return distance;
}

void refuse_off_plane(const Parameters& in, const char* type, int dimension) {
    in.fail("type", fmt::format("{} in {} dimension{} (angles between bonds are defined in 2D); "
                                "use it in two dimensions{}",
                                type, dimension, dimension == 1 ? "" : "s",
                                dimension == 3 ? ", and steinhardt in three" : ""));
}

int read_fold(const DescribedTable& in, std::int64_t least, std::int64_t most) {
    const std::int64_t fold = in.integer("fold");
    if (fold < least || fold > most)
        in.fail("fold", fmt::format("fold {} (the symmetry of a neighbourhood); give a number "
                                    "from {} to {}",
                                    fold, least, most));
    return static_cast<int>(fold);
}

std::int64_t read_vectors(const DescribedTable& in) {
    return in.integer_within("vectors", 1, 1000,
                             "{} wave vectors of a length (to average over directions)");
}

std::vector<double> read_wavenumbers(const DescribedTable& in) {
    const std::vector<double> all = in.numbers("wavenumbers");
    for (const double k : all)
        if (!(k > 0.0) || !std::isfinite(k))
            in.fail("wavenumbers", fmt::format("wave number {} (2 pi over a length); give "
                                               "positive numbers",
                                               k));
    return all;
}

void refuse_short_stage(const Parameters& in, const MeasurementTimes& times, std::int64_t window) {
    if (times.dt == 0.0)
        in.fail("type", "a correlation in time in a minimisation (no time passes there); put "
                        "it into another stage");
    if (window < 2 || window > 1'000'000)
        in.fail("window",
                fmt::format("window {} (a number of measurements); give 2 to 1000000", window));
    const std::int64_t measurements = times.steps / times.every;
    if (measurements < window)
        in.fail("window", fmt::format("window {} in a stage with {} measurements (no lag would "
                                      "have two origins); give it more steps, a smaller "
                                      "`every`, or a smaller window",
                                      window, measurements));
}

std::vector<ParameterInfo> ladder_keys(const std::vector<ParameterInfo>& more) {
    std::vector<ParameterInfo> all{
        every_key(),
        {"window", integer, "measurements", "16", "number of lags of a level; see msd"},
        {"origins", integer, "", "1", "number of simultaneous origins of each level"},
        {"longest", integer, "steps", "16 windows", "minimum of the longest lag", "500"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<ParameterInfo> integral_keys(const char* flux) {
    return {every_few_key(flux),
            {"window", integer, "measurements", "100", "number of lags of the integral; see msd"},
            {"origins", integer, "", "10, or the next divisor below",
             "number of simultaneous origins of each level", "5"},
            ladder_keys().back()};
}

LagLadder read_ladder(const DescribedTable& in, const MeasurementTimes& times,
                      std::int64_t max_origins) {
    const std::int64_t window = in.integer("window");
    if (window < 4 || window % 2 != 0 || window > 1'000'000)
        in.fail(
            "window",
            fmt::format(
                "window {} (longer lags use halves of it); give an even number from 4 to 1000000",
                window));
    std::int64_t divisor = max_origins;
    while (window % divisor != 0) --divisor;
    const std::int64_t origins = in.integer("origins", divisor);
    if (origins < 1 || window % origins != 0)
        in.fail(
            "origins",
            fmt::format(
                "{} origins (they are spread evenly over the window of {}); give a divisor of it",
                origins, window));
    refuse_short_stage(in, times, window);
    // The default does not depend on the steps, so that a run can be extended; the input may also
    // contain it, as printed by `mdrun --check`.
    const std::int64_t usual = 16 * window * times.every;
    const std::int64_t longest = in.integer("longest", usual);
    if (longest < 1 || (longest != usual && longest > times.steps))
        in.fail("longest",
                fmt::format(
                    "longest lag of {} steps in a stage of {} (the stage is not longer); lower it",
                    longest, times.steps));
    return {window, origins, longest / times.every};
}

ParameterInfo atoms_key() {
    return {"atoms",
            integer,
            "",
            "all, if they have the same size",
            "only molecules with this number of atoms",
            "4"};
}

} // namespace shadow
