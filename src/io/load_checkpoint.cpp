// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include "shadow/io/checkpoint.hpp"
#include "shadow/io/load.hpp"
#include "shadow/system/units.hpp"

namespace shadow {

template <int Dim>
LoadedSystem<Dim> load_checkpoint(const std::filesystem::path& path, const LoadOptions& options) {
    const Checkpoint<Dim> checkpoint = read_checkpoint<Dim>(path);
    RawSystem raw;
    raw.name = path.string();
    refuse_frames(raw.name, options.frame, "a checkpoint is one moment");
    if (!checkpoint.box || !checkpoint.texts.contains("units"))
        refuse_file(raw.name, "the checkpoint does not say its box and units",
                    "an older version wrote it", "start from a frame of its results");
    raw.dimension = Dim;
    const Units& units = units_named(checkpoint.texts.at("units").at(0));
    raw.units = units_called(units.name);
    const Snapshot<Dim>& snapshot =
        checkpoint.output ? *checkpoint.output : checkpoint.state.snapshot;
    const SlidingImages& sliding = checkpoint.box->sliding();
    if (checkpoint.state.ensemble.slide != 0.0 && !sliding.any())
        refuse_file(raw.name, "the checkpoint does not say how the images of its box have slid",
                    "an older version wrote it", "start from a frame of its results");
    for (std::size_t edge = 0; edge < Dim; ++edge)
        for (std::size_t d = 0; d < Dim; ++d)
            if (d != edge) raw.tilt[edge][d] = checkpoint.box->edge(edge, d);
    for (std::size_t d = 0; d < Dim; ++d) {
        raw.lengths[d] = checkpoint.box->lengths()[d];
        raw.origin[d] = checkpoint.box->origin()[d];
        raw.periodic[d] = checkpoint.box->periodic()[d];
    }
    for (const Species& kind : snapshot.species_table) raw.names.push_back(kind.name);
    raw.table = snapshot.species_table;
    raw.species.assign(snapshot.species.begin(), snapshot.species.end());
    raw.position.resize(snapshot.size());
    raw.velocity.resize(snapshot.size());
    raw.image.resize(snapshot.size());
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        for (std::size_t d = 0; d < Dim; ++d) {
            raw.position[i][d] = snapshot.position[i][d];
            raw.velocity[i][d] = snapshot.velocity(i, d);
            raw.image[i][d] = snapshot.image[i][d];
        }
        if (sliding.any())
            raw.image[i][static_cast<std::size_t>(sliding.flow)] +=
                static_cast<std::int32_t>(sliding.turns) *
                snapshot.image[i][static_cast<std::size_t>(sliding.gradient)];
    }
    for (Species& kind : raw.table) kind.mass /= units.inertia;
    raw.topology = checkpoint.topology;
    raw.has_exclusions = true;
    raw.notes.push_back(
        fmt::format("{} is the checkpoint of step {}: positions, velocities, images "
                    "and box are those; time starts at 0",
                    raw.name, snapshot.step));
    return finish<Dim>(std::move(raw), options);
}

template LoadedSystem<1> load_checkpoint(const std::filesystem::path&, const LoadOptions&);
template LoadedSystem<2> load_checkpoint(const std::filesystem::path&, const LoadOptions&);
template LoadedSystem<3> load_checkpoint(const std::filesystem::path&, const LoadOptions&);

} // namespace shadow
