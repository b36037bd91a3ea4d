// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/raw_system.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

template <int Dim>
Box<Dim> tilted_box(Box<Dim> box, RawSystem& raw) {
    const double longest = *std::max_element(raw.lengths.begin(), raw.lengths.end());
    for (std::int32_t edge = 0; edge < 3; ++edge)
        for (std::int32_t d = 0; d < 3; ++d) {
            double& lean = raw.tilt[static_cast<std::size_t>(edge)][static_cast<std::size_t>(d)];
            if (std::abs(lean) < slid_by_rounding * longest) lean = 0.0;
            if (edge == d || lean == 0.0) continue;
            const std::string said =
                fmt::format("its {} edge has {:.6g} along {}", "xyz"[edge], lean, "xyz"[d]);
            for (const std::int32_t closed : {edge, d})
                if (closed >= Dim || !box.periodic()[static_cast<std::size_t>(closed)])
                    refuse_file(
                        raw.name,
                        fmt::format("the box is tilted, and not periodic along {}", "xyz"[closed]),
                        said, "make it periodic there, or give a rectangular box");
            if (!(std::abs(lean) < 1e6 * box.lengths()[static_cast<std::size_t>(d)]))
                refuse_file(raw.name, "the box leans too far",
                            said + ", more than a million times its length", "correct the file");
        }
    const auto images = images_of(raw.tilt);
    if (!images)
        refuse_file(raw.name, "the edges of the box lean on each other in a circle",
                    "there is no order of x, y and z in which each leans along those before it",
                    "turn the system so that one edge is along x, and another in the plane of x "
                    "and y");
    box.set_sliding(*images);
    const WholeTurns turns = reduce_tilt(box);
    if (images->any())
        for (std::array<std::int32_t, 3>& image : raw.image) turns.apply(*images, image);
    if (!box.is_tilted()) box.set_sliding({});
    return box;
}

template Box<1> tilted_box(Box<1>, RawSystem&);
template Box<2> tilted_box(Box<2>, RawSystem&);
template Box<3> tilted_box(Box<3>, RawSystem&);

} // namespace shadow
