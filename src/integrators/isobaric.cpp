// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/isobaric.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace shadow {

namespace {

/// In the order of BarostatType.
const std::vector<std::string> barostat_types{"cell-rescaling", "monte-carlo", "mtk",
                                              "nose-poincare-andersen", "deform"};

std::vector<Axes> read_axes(const Parameters& params, int dimension) {
    const std::string_view letters =
        std::string_view("xyz").substr(0, static_cast<std::size_t>(dimension));
    std::vector<Axes> groups;
    Axes all = 0;
    const auto refuse_none = [&params] {
        params.fail("axes", "axes without a direction (no length would change); leave it out, or "
                            "name one");
    };
    for (const std::string& text : params.texts("axes")) {
        if (text.empty()) refuse_none();
        groups.push_back(0);
        for (const char letter : text) {
            const std::size_t d = letters.find(letter);
            const Axes axis = d < letters.size() ? 1U << d : 0;
            if (axis == 0 || (all & axis) != 0)
                params.fail("axes", fmt::format("\"{}\" of axes ({}); write groups of {}, each of "
                                                "them once, such as [\"{}\"]",
                                                text,
                                                axis == 0 ? "there is no such direction"
                                                          : "a length changes with one group alone",
                                                letters, letters));
            groups.back() |= axis;
            all |= axis;
        }
    }
    if (groups.empty()) refuse_none();
    return groups;
}

/// The rates of the lengths, by direction: numbers, or rows of a step of the stage and such
/// numbers.
std::vector<Ramp> read_rates(const Parameters& params, int dimension) {
    std::vector<std::vector<double>> rows = params.numbers_or_rows("rates");
    const bool change = params.holds_rows("rates");
    std::vector<std::vector<Ramp::Point>> points(static_cast<std::size_t>(dimension));
    for (std::vector<double>& row : rows) {
        if (!change) row.insert(row.begin(), 0.0);
        if (static_cast<int>(row.size()) != dimension + 1)
            params.fail("rates",
                        fmt::format("{} rates in {} dimensions (each length of the box has "
                                    "one{}); give {} numbers",
                                    row.empty() ? 0 : row.size() - 1, dimension,
                                    change ? ", after a step of the stage" : "",
                                    dimension + (change ? 1 : 0)));
        const double step = row.front();
        if (!(step >= 0.0 && step < 9e15) || step != std::floor(step) ||
            (!points[0].empty() && step <= static_cast<double>(points[0].back().step)))
            params.fail(
                "rates",
                fmt::format(
                    "step {} of a row of rates (they begin with increasing steps of the stage); "
                    "write for example rates = [[0, 0.0, 0.0], [1000, 0.01, -0.01]]",
                    step));
        for (std::size_t d = 0; d < points.size(); ++d)
            points[d].push_back({static_cast<std::int64_t>(step), row[d + 1]});
    }
    std::vector<Ramp> rates;
    for (std::vector<Ramp::Point>& of : points) rates.emplace_back(std::move(of));
    if (std::all_of(rates.begin(), rates.end(),
                    [](const Ramp& rate) { return rate.largest() == 0.0; }))
        params.fail("rates", "rates of a deformation are all 0 (no length would change); give one "
                             "that is not, or remove the barostat");
    return rates;
}

/// The number of steps between two changes of the box.
std::int64_t read_every(const Parameters& params) {
    const std::int64_t every = params.integer("every", BarostatSettings{}.every);
    if (every < 1)
        params.fail("every", fmt::format("every is {} (a number of steps between two changes of "
                                         "the box); give 1 or more",
                                         every));
    return every;
}

/// The amplitude of moves of ln V.
double read_amplitude(const Parameters& params) {
    constexpr double largest = 0.5;
    const double amplitude = params.positive("amplitude");
    if (amplitude > largest)
        params.fail(
            "amplitude",
            fmt::format(
                "amplitude is {} (the most by which a move changes the logarithm of the volume, of "
                "which hardly one beyond {} is accepted); give a smaller one, such as 0.02",
                amplitude, largest));
    return amplitude;
}

/// Refuses keys of barostats of another type.
void refuse_keys(const Parameters& params, std::initializer_list<const char*> keys,
                 const std::string& type, const std::string& own) {
    for (const char* key : keys)
        if (params.has(key))
            params.fail(key, fmt::format("{} together with type = \"{}\" (it is a key of another "
                                         "type of barostat); write type = \"{}\", or remove it",
                                         key, type, own));
}

} // namespace

const Descriptor& barostat_table() {
    using enum KeyType;
    static const Descriptor descriptor{
        "barostat",
        "Constant pressure in a box that is periodic in all directions; its lengths are scaled, "
        "all alike or by groups, together with the positions: by stochastic cell rescaling, by "
        "Monte Carlo moves, or dynamically, by a box with a mass: with thermostats of its own "
        "(mtk), by Martyna, Tobias and Klein, or with its volume as a coordinate of the "
        "Hamiltonian of nose-poincare, by Sturgeon and Laird. The integrator controls the "
        "temperature. Or (deform) the lengths change at given rates, independent of the pressure. "
        "In a run with stages it is [stage.barostat]",
        "cell-rescaling: dL = (beta L/2 tau) [(N + 1/2) kT/V + sum r.f/(d V) - P] dt + "
        "(kT beta/2 tau)^1/2 dW, L = V^1/2; monte-carlo: ln V' = ln V + amplitude R, R uniform in "
        "[-1, 1], accepted with the probability min(1, (V'/V)^(N + 1) exp(-(U' - U + P (V' - "
        "V))/kT)); mtk: W d^2 ln V^(1/d)/dt^2 = d V (P_int - P) + (d/g) "
        "sum p^2/m - friction; with axes likewise for each group of directions, P_int the mean "
        "along these; nose-poincare-andersen: H = s [sum p^2/(2 m s^2 V^(2/d)) + U(V^(1/d) q) + "
        "pi_V^2/(2 Q_V) + pi^2/(2 Q) + P V + g kT ln s - E]; deform: L' = rate L, r' = p/m + rate "
        "r, "
        "p' = F - rate p along each direction",
        "Bernetti and Bussi 2020, J. Chem. Phys. 153, 114107; Roberts and Tweedie 1996; McDonald "
        "1972, "
        "Mol. Phys. 23, 41; Martyna, Tobias and Klein 1994, J. Chem. Phys. 101, 4177; Sturgeon and "
        "Laird 2000, J. Chem. Phys. "
        "112, 3474",
        {{"type", text, "", "\"cell-rescaling\"",
          "how the box changes; mtk is used with nose-hoover, nose-poincare-andersen with "
          "nose-poincare, and both compute energies at each step",
          "\"mtk\"", barostat_types},
         {"pressure", number | rows, "pressure", "required except by deform",
          "P, the mean of the pressure; with cell-rescaling and monte-carlo the mean is lower by "
          "kT/V where momentum is conserved; in 3D in atm or bar in systems of units that have "
          "them; or rows [step of the stage, value], linear in between",
          "[[0, 1.0], [10_000, 3.0]]"},
         {"period", number, "time", "required by types with a mass",
          "sets the mass of the box, (g + d) kT (period/2 pi)^2 shared by its directions; for "
          "nose-poincare-andersen over (d V)^2, with V at the start of the stage: the volume of a "
          "gas oscillates with 0.6 of this period, of a liquid with sqrt(density kT "
          "compressibility/d) of it, about a tenth",
          "5.0"},
         {"time", number, "time", "required by cell-rescaling",
          "tau, relaxation time of the volume: several times that of the temperature", "1.0"},
         {"compressibility", number, "1/pressure", "required by cell-rescaling",
          "beta, an estimate of -(dV/dP)/V: with twice the value the volume relaxes twice as fast, "
          "averages do not depend on it; about 0.1 in a liquid, 1/P in a gas",
          "0.1"},
         {"amplitude", number, "", "required by monte-carlo",
          "largest change of ln V in a move, up to 0.5: such that 0.3 to 0.5 of moves are "
          "accepted; about 0.5/sqrt(N) in a dense liquid, 3/sqrt(N) in a gas",
          "0.02"},
         {"axes", texts, "", "all together",
          "groups of directions whose lengths change together (cell-rescaling, monte-carlo: group "
          "by group; not for nose-poincare-andersen); other lengths are constant. [\"x\", \"y\", "
          "\"z\"] independently, for crystals; [\"z\"] at constant area. The shape of the box of a "
          "fluid drifts without bound",
          "[\"xy\", \"z\"]"},
         {"rates", numbers | rows, "1/time", "required by deform",
          "of the lengths of the box, d ln L/dt by direction; or rows of a step of the stage and "
          "the rates, linear in between; momenta do not include the flow of the deformation",
          "[0.0, 0.0, 0.01]"},
         {"every", integer, "steps", "20",
          "between two changes of the volume, or steps of a deformation, each of which needs two "
          "more evaluations of the forces",
          "20"}}};
    return descriptor;
}

BarostatSettings read_barostat(const Parameters& params, int dimension, double pressures) {
    BarostatSettings settings;
    const std::string type = params.choice("type", barostat_types, barostat_types.front());
    settings.type = static_cast<BarostatType>(
        std::find(barostat_types.begin(), barostat_types.end(), type) - barostat_types.begin());
    if (settings.type == BarostatType::deform) {
        refuse_keys(params, {"pressure", "time", "compressibility", "period", "axes", "amplitude"},
                    type, barostat_types.front());
        settings.rates = read_rates(params, dimension);
        settings.every = read_every(params);
        return settings;
    }
    refuse_keys(params, {"rates"}, type, "deform");
    settings.pressure = Ramp::read(params, "pressure", [](double) {}) * (1.0 / pressures);
    const bool by_moves = settings.type == BarostatType::monte_carlo;
    if (!by_moves) refuse_keys(params, {"amplitude"}, type, "monte-carlo");
    if (by_moves) {
        refuse_keys(params, {"time", "compressibility"}, type, barostat_types.front());
        refuse_keys(params, {"period"}, type, "mtk");
    } else if (settings.has_mass()) {
        refuse_keys(params, {"time", "compressibility", "every"}, type, barostat_types.front());
        settings.period = params.positive("period");
    } else {
        refuse_keys(params, {"period"}, type, "mtk");
    }
    if (settings.type == BarostatType::nose_poincare_andersen)
        refuse_keys(params, {"axes"}, type, "mtk");
    if (params.has("axes")) settings.groups = read_axes(params, dimension);
    if (settings.has_mass()) return settings;
    if (by_moves) {
        settings.amplitude = read_amplitude(params);
    } else {
        settings.time = params.positive("time");
        settings.compressibility = params.positive("compressibility") * pressures;
    }
    settings.every = read_every(params);
    return settings;
}

Isobaric::Isobaric(std::unique_ptr<Integrator> method, const BarostatSettings& settings,
                   int dimension, std::int64_t particles)
    : AroundMethod(std::move(method)), settings_(settings), dimension_(dimension),
      particles_(particles) {}

void Isobaric::step(System& system) {
    if (settings_.is_due(system.step(), first_step())) change_volume(system);
    if (settings_.is_due(system.step() + 1, first_step())) system.expect_energies(true);
    method().step(system);
}

bool BarostatSettings::holds_all(int dimension) const {
    Axes all = 0;
    for (const Axes group : groups) all |= group;
    return std::popcount(all) >= dimension;
}

void Isobaric::change_volume(System& system) const {
    const std::vector<Axes>& groups = settings_.groups;
    const auto turn =
        static_cast<std::size_t>((system.step() - first_step()) / settings_.every - 1);
    const Axes axes = groups[turn % groups.size()];
    const double now = step_of_stage(system), kT = method().bath_kT_at(now).value_or(0.0),
                 pressure = settings_.pressure.at(now), n = static_cast<double>(particles_);
    const int dimension = std::min(dimension_, std::popcount(axes));
    if (settings_.type == BarostatType::monte_carlo) {
        const VolumeMove move{kT,       pressure, settings_.amplitude, n, settings_.min_volume,
                              dimension};
        return try_volume(system, axes, ProposeMove{move}, AcceptMove{move});
    }
    // Each group relaxes as far in a given time as all directions together would.
    const double time =
        method().dt() * static_cast<double>(settings_.every) * static_cast<double>(groups.size());
    const VolumeStep step{kT,
                          pressure,
                          settings_.compressibility * time / settings_.time,
                          n,
                          settings_.min_volume,
                          dimension};
    try_volume(system, axes, ProposeVolume{step}, AcceptVolume{step});
}

template <class Propose, class Accept>
void Isobaric::try_volume(System& system, Axes axes, const Propose& propose,
                          const Accept& accept) const {
    system.measure_virial(axes);
    system.measure_potential();
    system.draw(RandomStream::barostat);
    system.advance(propose);
    system.scale_box(Scalar::strain, axes);
    system.measure_virial(axes);
    system.measure_potential();
    system.advance(accept);
    system.scale_box(Scalar::strain, axes); // undoes a change that is not accepted
}

Claims Isobaric::claims() const {
    Claims claims = method().claims();
    claims.symmetric = claims.symplectic = false;
    claims.stochastic = true;
    return claims;
}

} // namespace shadow
