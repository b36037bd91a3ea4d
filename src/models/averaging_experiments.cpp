// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/resonances.hpp"
#include "src/models/reversible_averaging.hpp"

#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

constexpr Averaging whole_window = {}, half_window = {0.5, false}, at_rest = {1.0, true};

Growth growth_of_averaging(const LinearPair& model, double e, Averaging how) {
    return [&model, e, how](double ratio) {
        return growth(matrix_of(averaging_step(model, ratio * e, how), 4));
    };
}

} // namespace

Results reversible_averaging() {
    Results results;
    for (const int inverse : {10, 20, 40, 80}) {
        const LinearPair model(1.0 / inverse);
        compare_windows(results, fmt::format("eps = 1/{}", inverse),
                        growth_of_averaging(model, 1.0 / inverse, whole_window), {}, 0.1, 10.0,
                        0.001);
    }
    const LinearPair model(eps_of_figures);
    const auto variant = [&](Averaging how) {
        return growth_of_averaging(model, eps_of_figures, how);
    };
    compare_windows(results, "half window", variant(half_window),
                    {{3.092, pi, 1.0254},
                     {6.102, 6.150, 1.0124},
                     {6.422, 6.476, 1.0130},
                     {3.0 * pi, 9.475, 1.0257}},
                    0.1, 10.0, 0.001);
    compare_windows(results, "at rest", variant(at_rest), {{5.904, 6.2235, 1.0876}}, 0.1, 10.0,
                    0.001);
    const std::pair<Averaging, double> defects[] = {
        {whole_window, 0.97}, {half_window, 2.08}, {at_rest, 0.99}};
    for (const auto& [how, known] : defects) {
        const Matrix m = matrix_of(averaging_step(model, 4.3 * eps_of_figures, how), 4);
        const char* name = how.at_rest ? "at rest" : how.window < 1.0 ? "half window" : "averaging";
        results.compare(fmt::format("{}: defect of reversal", name), 0.0, reversal_defect(m),
                        1e-12);
        results.compare(fmt::format("{}: symplectic defect", name), known, symplectic_defect(m),
                        0.01);
    }
    results.curves.push_back(
        growth_curves("reversible_averaging", {"averaging", "half_window", "at_rest"},
                      {variant(whole_window), variant(half_window), variant(at_rest)}));
    results.curves.push_back(eigenvalue_curves("reversible_averaging_eigenvalues", [&](double r) {
        return averaging_step(model, r * eps_of_figures);
    }));
    return results;
}

Results reversible_averaging_nonlinear() {
    Results results;
    const NonlinearPair model(eps_of_figures);
    const ErrorScan still = scan_errors(model, eps_of_figures, 200.0, [&](double dt) {
        return averaging_step(model, dt, at_rest);
    });
    struct Peak {
        double from, to, step, error, digit;
    };
    constexpr Peak peaks[] = {{1.0, 4.5, 3.17, 0.683, 1e-3},
                              {4.5, 7.5, 5.99, 0.809, 1e-3},
                              {7.5, 10.0, 8.98, 1.21238, 1e-5}};
    for (const Peak& p : peaks) {
        const double at = still.peak(p.from, p.to);
        results.compare(fmt::format("RA-0, peak at {}: step", p.step), p.step, at, 1e-9);
        results.compare(fmt::format("RA-0, peak at {}: error of energy", p.step), p.error,
                        still.at(at).energy, p.digit);
    }
    struct Inner {
        const char *name, *word;
        bool rounded_up;
        double known;
    };
    constexpr Inner inner[] = {{"velocity Verlet", "B½ A1 B½", false, 0.0389},
                               {"velocity Verlet, more", "B½ A1 B½", true, 0.0350},
                               {"position Verlet", "A½ B1 A½", false, 0.0251},
                               {"position Verlet, more", "A½ B1 A½", true, 0.0207}};
    ErrorScan moving;
    for (const Inner& i : inner) {
        const NonlinearPair pair(eps_of_figures, 0.1, {parse_word(i.word), 0.1, i.rounded_up});
        const ErrorScan scan = scan_errors(pair, eps_of_figures, 200.0,
                                           [&](double dt) { return averaging_step(pair, dt); });
        const double at = scan.peak(1.0, 10.0);
        results.compare(fmt::format("RA-1, {}: step", i.name), 9.23, at, 1e-9);
        results.compare(fmt::format("RA-1, {}: error of energy", i.name), i.known,
                        scan.at(at).energy, 1e-4);
        if (moving.step.empty()) moving = scan;
    }
    for (const double at : {2.0, 5.0})
        results.compare(fmt::format("RA-1, step {}: error of action", at), 2.7e-3,
                        moving.at(at).action, 1e-4);
    Curves& curves = results.add_curves(
        "reversible_averaging_nonlinear",
        {"step", "energy_moving", "action_moving", "energy_at_rest", "action_at_rest"});
    for (std::size_t k = 0; k < moving.step.size(); ++k)
        curves.rows.push_back({moving.step[k], moving.largest[k].energy, moving.largest[k].action,
                               still.largest[k].energy, still.largest[k].action});
    return results;
}

} // namespace shadow::models
