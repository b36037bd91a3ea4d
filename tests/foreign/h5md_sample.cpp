// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/h5md.hpp"

#include <cmath>
#include <string>

using namespace shadow;

namespace {

/// Numbers which the reader can compute for itself: see test_h5md.py.
template <int Dim>
void write(const std::filesystem::path& prefix, const std::string& units, const Box<Dim>& box) {
    Snapshot<Dim> frame;
    frame.species_table = {{"A", 1.0, 0.5}, {"B", 4.0, -0.5}};
    constexpr std::size_t n = 50;
    frame.position.resize(n);
    frame.momentum.resize(n);
    frame.image.resize(n);
    frame.species.resize(n);
    RunInformation run;
    run.input = "dimension = " + std::to_string(Dim) + "\n# \xC3\x85\n";
    run.version = "0.1.0";
    run.units = units;
    run.seed = 42;
    ResultFile results = ResultFile::create(prefix, run);
    const int energy = results.add_series({"potential_energy", "energy", {}});
    const int momentum = results.add_series({"momentum", "momentum", {Dim}});
    TrajectoryFields fields;
    fields.extra = {{"psi_6", "", 2}};
    for (int f = 0; f < 7; ++f) {
        frame.step = 10 * f;
        frame.time = 0.05 * f;
        for (std::size_t i = 0; i < n; ++i) {
            frame.species[i] = static_cast<std::uint16_t>(i % 2);
            for (std::size_t d = 0; d < Dim; ++d) {
                frame.position[i][d] = 0.125 * double(i) + double(f) + 0.25 * double(d);
                frame.momentum[i][d] = double(i) - double(d);
            }
        }
        if (f == 0) results.describe_particles(box, frame, fields);
        results.append_frame(box, frame,
                             std::vector<std::vector<double>>{std::vector<double>(2 * n, 0.5 * f)});
        results.append(energy, frame.step, frame.time, -1.5 * f);
        results.append(momentum, frame.step, frame.time, std::vector<double>(Dim, 3.0 * f));
        if (f == 3) results.publish();
    }
    results.finish();
}

} // namespace

/// Writes the files which test_h5md.py reads into a folder.
int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
    write<3>(folder / "akma", "akma", Box<3>({20, 30, 40}, {true, true, true}));
    write<3>(folder / "lj", "lj", Box<3>({20, 30, 40}, {true, true, true}));
    write<3>(folder / "open", "lj", Box<3>());
    write<2>(folder / "flat", "lj", Box<2>({20, 30}, {true, true}, {-10, -15}));
    write<1>(folder / "line", "lj", Box<1>({20}, {true}));
}
