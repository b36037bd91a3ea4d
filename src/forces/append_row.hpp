// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <vector>

namespace shadow {

/// Appends a functor that is an array of doubles, as potentials and bonded forms are.
template <class Row>
void append_row(std::vector<double>& rows, const Row& row) {
    const std::size_t old = rows.size();
    rows.resize(old + sizeof(Row) / sizeof(double));
    std::memcpy(rows.data() + old, &row, sizeof(Row));
}

} // namespace shadow
