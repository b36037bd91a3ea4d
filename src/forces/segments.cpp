// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include "shadow/core/error.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>

namespace shadow {

Tabulated::Of<double> Segments::add(const SplineTable& spline) {
    const auto [place, is_new] =
        places_.emplace(&spline, before_ + numbers_.size() / segment_numbers);
    if (is_new) numbers_.insert(numbers_.end(), spline.numbers.begin(), spline.numbers.end());
    using Bits = NumberBits<double>;
    const std::int64_t begin =
        std::bit_cast<std::int64_t>(spline.begin) >> (Bits::mantissa - spline.fineness);
    const std::int64_t first =
        static_cast<std::int64_t>(place->second) - (begin - (Bits::bias << spline.fineness));
    if (std::abs(first) >= std::int64_t{1} << 22)
        throw InputError("tables of potentials with more than 4 million segments (single "
                         "precision cannot number them); give a larger accuracy");
    return {spline.cutoff * spline.cutoff,
            {static_cast<double>(first), static_cast<double>(spline.fineness)},
            spline.begin};
}

} // namespace shadow
