// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/h5md.hpp"

namespace shadow {

std::optional<ResultOrigin> origin_of_results(const std::filesystem::path& prefix) {
    if (!std::filesystem::exists(result_path(prefix))) return std::nullopt;
    const hdf5::File file = hdf5::File::open(result_path(prefix));
    const auto text = [&file](const std::string& path) {
        return file.has_dataset(path) ? file.texts(path).at(0) : std::string();
    };
    const auto steps = [&file](const std::string& path) {
        return file.has_dataset(path) ? file.dataset(path).read<std::int64_t>()
                                      : std::vector<std::int64_t>();
    };
    ResultOrigin origin;
    origin.input = text("parameters/input");
    origin.past = text("parameters/past");
    origin.start = text("parameters/start");
    origin.precision = text("parameters/precision");
    for (const std::int64_t step : steps("parameters/checkpoint_step"))
        origin.checkpoint_step = step;
    origin.ended = steps("parameters/stage/last_step");
    origin.unfinished = std::filesystem::exists(prefix.string() + ".h5.part");
    return origin;
}

} // namespace shadow
