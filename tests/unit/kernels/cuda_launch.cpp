// SPDX-License-Identifier: BSD-3-Clause
// The same calls on every backend, the GPU included where there is one. Those tagged [smoke] are
// what tools/gpu-check tries first, one by one.
#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/array.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/id_order.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/connected.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/entries.hpp"
#include "kernels/ops/grid.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/sort.hpp"

#include <algorithm>
#include <numeric>
#include <unistd.h>

using namespace shadow;

namespace {

/// Whole numbers, so that every order of summation gives the same double.
std::vector<double> whole_numbers(std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 1013);
    return values;
}

} // namespace

TEST_CASE("arrays travel to every backend and back", "[backend][smoke][memory]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    const std::vector<double> values = whole_numbers(1000);

    Array<double> array(backend, 1000);
    CHECK(array.to_host() == std::vector<double>(1000, 0.0));
    array.assign(values);
    CHECK(array.to_host() == values);
    CHECK(array.get(700) == values[700]);
    array.set(3, -1.0);
    CHECK(array.get(3) == -1.0);

    array.fill_zero();
    CHECK(array.to_host() == std::vector<double>(1000, 0.0));
    backend.synchronize();
}

TEST_CASE("the host cannot read the memory of a device", "[backend]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    Array<double> array(backend, 1000);
    array.assign(whole_numbers(1000)); // the device was at work, and is no more
    // The operating system reads for us, and says where it cannot.
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    CHECK((write(ends[1], array.data(), sizeof(double)) == -1) == where.cuda);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("a reduction sums every element once, twice with the same bits",
          "[backend][smoke][reduction]") {
    const auto where = GENERATE(from_range(test_backends()));
    // Sizes around a block, the first stage of the GPU's tree, and its full grid.
    const std::size_t n = GENERATE(0u, 1u, 255u, 1024u, 1025u, 524'288u, 600'001u);
    CAPTURE(where.name, n);
    const Backend backend = where.open();
    std::vector<double> values = whole_numbers(n);
    Array<double> array(backend, values), result(backend, 2);

    const SumArrays op = sum_of(array.data());
    reduce(backend, op, static_cast<std::int64_t>(n), result.data());
    CHECK(result.get(0) == std::accumulate(values.begin(), values.end(), 0.0));

    for (double& v : values) v = 1.0 / (1.0 + v);
    array.assign(values);
    for (std::size_t k = 0; k < 2; ++k)
        reduce(backend, op, static_cast<std::int64_t>(n), result.data() + k);
    CHECK(result.get(0) == result.get(1));
}

TEST_CASE("a gate at zero stops launches, reductions and scans", "[backend][smoke][gate]") {
    const auto where = GENERATE(from_range(test_backends()));
    const int open = GENERATE(0, 1);
    CAPTURE(where.name, open);
    const Backend backend = where.open();
    Array<std::int32_t> gate(backend, 1), in(backend, 3), out(backend, 4);
    gate.set(0, open);
    in.assign(std::vector<std::int32_t>{1, 2, 3});
    Array<double> target(backend, 2);

    launch(backend, AddConstant{target.data(), 2.5}, 1, gate.data());
    const SumArrays op = sum_of(target.data());
    reduce(backend, op, 1, target.data() + 1, gate.data());
    exclusive_scan(backend, in.data(), out.data(), 3, gate.data());
    CHECK(target.to_host() == std::vector<double>{2.5 * open, 2.5 * open});
    CHECK(out.to_host() ==
          (open ? std::vector<std::int32_t>{0, 1, 3, 6} : std::vector<std::int32_t>{0, 0, 0, 0}));
}

TEST_CASE("steps that repeat do what each would do alone", "[backend][smoke][graph]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    Array<std::int32_t> gate(backend, 1);
    Array<std::int64_t> opened(backend, 1);
    Array<BoxView<2>> box(backend, 2);
    Array<Strain<2>> strain(backend, 1);
    Array<std::int32_t> too_small(backend, 1);
    const FollowBox<2> follow{box.data(),    box.data() + 1,  0.3, 2.5, {},
                              strain.data(), too_small.data()};
    Array<double> target(backend, 3);
    double sum = 0.0;
    for (int k = 0; k < 200; ++k) {
        if (k % 40 == 39) gate.set(0, 1); // waits; what stands behind the gate closes it again
        launch(backend, AddConstant{target.data(), 1.0}, 1);
        launch(backend, AddConstant{target.data() + 1, double(k)}, 1); // never the same
        launch(backend, AddConstant{target.data() + 2, 1.0}, 1, gate.data());
        launch(backend, FinishRebuild<2>{gate.data(), opened.data(), box.data() + 1, follow}, 1,
               gate.data());
        backend.mark_step();
        sum += k;
    }
    CHECK(target.to_host() == std::vector<double>{200.0, sum, 5.0});
    CHECK(opened.get(0) == 5);
}

TEST_CASE("an exclusive scan sums what stands before on every backend", "[backend][smoke][scan]") {
    const auto where = GENERATE(from_range(few_test_backends()));
    // Sizes around a chunk, the one-block limit and more than one tile of chunk sums of the GPU.
    const std::size_t n = GENERATE(0u, 1u, 4095u, 4096u, 4097u, 16'384u, 16'385u, 20'000'000u);
    CAPTURE(where.name, n);
    const Backend backend = where.open();
    std::vector<std::int32_t> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int32_t>((i * i) % 7);
    const Array<std::int32_t> in(backend, values);
    Array<std::int32_t> out(backend, n + 1);
    exclusive_scan(backend, in.data(), out.data(), static_cast<std::int64_t>(n));

    std::vector<std::int32_t> expected(n + 1, 0);
    std::partial_sum(values.begin(), values.end(), expected.begin() + 1);
    CHECK(out.to_host() == expected);
}

TEST_CASE("what an op counts is scanned in the same launch, unless a gate is at zero",
          "[backend][smoke][scan]") {
    const auto where = GENERATE(from_range(test_backends()));
    // One block that counts, several, and more than the last of these scans.
    const std::size_t n = GENERATE(1u, 257u, 16'384u, 16'385u);
    CAPTURE(where.name, n);
    const Backend backend = where.open();
    std::vector<std::uint32_t> ids(n);
    std::vector<std::int32_t> starts(n + 1), expected(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        ids[i] = static_cast<std::uint32_t>(n - 1 - i);
        starts[i + 1] = starts[i] + static_cast<std::int32_t>(i * i % 7);
    }
    for (std::size_t i = 0; i < n; ++i)
        expected[i + 1] = expected[i] + starts[ids[i] + 1] - starts[ids[i]];
    const Array<std::uint32_t> id(backend, ids);
    const Array<std::int32_t> begin(backend, starts);
    Array<std::int32_t> number(backend, n), first(backend, n + 1), gate(backend, 1);
    const auto count = static_cast<std::int64_t>(n);
    const auto call = [&] {
        launch_and_scan(backend, CountEntries{id.data(), begin.data(), number.data()}, count,
                        {number.data(), first.data(), count}, gate.data());
    };
    call();
    CHECK(number.to_host() == std::vector<std::int32_t>(n, 0));
    CHECK(first.to_host() == std::vector<std::int32_t>(n + 1, 0));
    gate.set(0, 1);
    for (int round = 0; round < 2; ++round) call();
    CHECK(first.to_host() == expected);
}

TEST_CASE("a reduction finishes with its result, unless a gate is at zero", "[backend][smoke]") {
    const auto where = GENERATE(from_range(test_backends()));
    const std::int32_t n = GENERATE(100, 5000); // one block, and several
    CAPTURE(where.name, n);
    const Backend backend = where.open();
    const Box<3> region({30.0, 40.0, 50.0}, {true, true, true});
    const Array<BoxView<3>> box(backend, std::vector<BoxView<3>>{region.view()});
    const GridLimits<3> limits{2.8, 2.1, 5.0, 0.1, 8, 200, n, 6000};
    std::vector<std::int32_t> counts(static_cast<std::size_t>(n));
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] = static_cast<std::int32_t>(i * i % 23);
        expected += std::int64_t{counts[i]} * (counts[i] - 1);
    }
    Array<std::int32_t> table(backend, counts), gate(backend, 1);
    Array<std::int64_t> pairs(backend, 1);
    Array<Grid<3>> grid(backend, 1);
    const PlanMeasuredGrid<3> op{{table.data()},
                                 {limits, box.data(), nullptr, pairs.data(), grid.data()}};
    reduce(backend, op, n, pairs.data(), gate.data());
    CHECK(pairs.get(0) == 0);
    CHECK(grid.get(0).count[0] == 0);
    CHECK(table.to_host() == counts);
    gate.set(0, 1);
    reduce(backend, op, n, pairs.data(), gate.data());
    CHECK(pairs.get(0) == expected);
    CHECK(table.to_host() == std::vector<std::int32_t>(counts.size(), 0));
    const BoxView<3> view = region.view();
    Grid<3> alone{};
    PlanGrid<3>{limits, &view, nullptr, &expected, &alone}(0);
    const Grid<3> found = grid.get(0);
    for (int d = 0; d < 3; ++d) {
        CHECK(found.count[d] == alone.count[d]);
        CHECK(found.width[d] == alone.width[d]);
    }
}

TEST_CASE("numbers are sorted by their keys, those of one key ascending",
          "[backend][smoke][sort]") {
    const auto where = GENERATE(from_range(test_backends()));
    // Of one tile of the GPU's sort, and of several; keys with none, and one for all.
    const std::size_t n = GENERATE(0u, 1u, 1000u, 40'000u);
    const std::uint32_t keys = GENERATE(1u, 7u, 4096u, 100'000u);
    CAPTURE(where.name, n, keys);
    const Backend backend = where.open();
    std::vector<std::uint32_t> key(n);
    for (std::size_t i = 0; i < n; ++i) key[i] = static_cast<std::uint32_t>(i * 2654435761u % keys);
    const Array<std::uint32_t> in(backend, key);
    Array<std::int32_t> order(backend, n), begin(backend, keys + 1);
    Array<std::byte> work(backend, sort_work_bytes(backend, static_cast<std::int64_t>(n), keys));
    const KeySort sort{
        in.data(),  static_cast<std::int64_t>(n), keys, order.data(), begin.data(), work.data(),
        work.size()};
    for (int round = 0; round < 40; ++round) { // and as a part of graphs
        sort_by_key(backend, sort);
        backend.mark_step();
    }

    std::vector<std::int32_t> expected(n), first(keys + 1);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t i, std::int32_t j) {
        return key[static_cast<std::size_t>(i)] < key[static_cast<std::size_t>(j)];
    });
    for (const std::uint32_t k : key) ++first[k + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    CHECK(order.to_host() == expected);
    CHECK(begin.to_host() == first);
}

TEST_CASE("each number is counted once, in bins of a block or too many for it",
          "[backend][smoke][count]") {
    const auto where = GENERATE(from_range(test_backends()));
    const std::int32_t sizes = GENERATE(3, 6144, 6145, 100'000);
    const std::size_t n = GENERATE(1u, 700u, 600'000u);
    CAPTURE(where.name, sizes, n);
    const Backend backend = where.open();
    std::vector<std::int32_t> members(n);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(sizes), 2);
    for (std::size_t i = 0; i < n; ++i) {
        members[i] = static_cast<std::int32_t>(i % 11 == 0 ? 1 : i % 120'000);
        if (members[i] > 0 && members[i] <= sizes)
            expected[static_cast<std::size_t>(members[i] - 1)] += 2;
    }
    const Array<std::int32_t> in(backend, members);
    Array<std::int64_t> histogram(backend, expected.size());
    histogram.assign(std::vector<std::int64_t>(expected.size(), 2));
    for (int round = 0; round < 2; ++round)
        count(backend, CountClusterSizes{in.data(), sizes, histogram.data()},
              static_cast<std::int64_t>(n), sizes);
    CHECK(histogram.to_host() == expected);
}

TEST_CASE("rows that wait stand one after the other", "[backend][smoke][rows]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    Array<double> row(backend, 3), rows(backend, 60);
    Array<std::int32_t> count(backend, 3);
    std::vector<double> expected;
    for (int k = 0; k < 20; ++k) {
        launch(backend, AddConstant{row.data() + 1, 2.5}, 1);
        launch(backend, KeepRow{row.data(), 3, rows.data(), count.data()}, 3);
        backend.mark_step();
        expected.insert(expected.end(), {0.0, 2.5 * (k + 1), 0.0});
    }
    CHECK(rows.to_host() == expected);
    CHECK(count.to_host() == std::vector<std::int32_t>{20, 20, 20});
    launch(backend, Clear{count.data()}, 2);
    CHECK(count.to_host() == std::vector<std::int32_t>{0, 0, 20});
}

TEST_CASE("what particles have is put in the order of their ids", "[backend][smoke][ids]") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    constexpr std::size_t n = 1000;
    std::vector<std::uint32_t> ids(n);
    std::vector<double> values(2 * n), expected(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        ids[i] = static_cast<std::uint32_t>(i * 387 % n);
        for (std::size_t k = 0; k < 2; ++k)
            expected[2 * ids[i] + k] = values[k * n + i] = static_cast<double>(3 * i + k);
    }
    const Array<std::uint32_t> id(backend, ids);
    const Array<double> from(backend, values);
    const double* const components[] = {from.data(), from.data() + n};
    std::vector<double> out(2 * n);
    copy_by_id<double>(backend, id.data(), n, components, out.data());
    CHECK(out == expected);
}
