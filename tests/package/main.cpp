// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <shadow/core/backend.hpp>
#include <shadow/system/box.hpp>
#include <shadow/system/particles.hpp>

/// Two particles to the backend and back; the exit status says whether they survived.
int main() {
    const shadow::Backend backend = shadow::Backend::cpu();
    const shadow::Box<2> box({3.0, 4.0}, {true, true});
    shadow::Snapshot<2> start;
    start.species_table = {{"A", 1.0, 0.0}};
    start.position = {{0.0, 0.0}, {1.0, 0.5}};
    start.momentum = {{0.0, 0.0}, {0.25, 0.0}};
    start.image.resize(2);
    start.species = {0, 0};
    const shadow::Ensemble<2> ensemble(backend, box);
    const shadow::Particles<2> particles(backend, ensemble, start);
    const shadow::Snapshot<2> end = particles.snapshot();
    std::printf("%s: %zu particles, volume %g\n", backend.description().c_str(), end.size(),
                box.volume());
    return end.momentum == start.momentum && box.volume() == 12.0 ? 0 : 1;
}
