// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/core/gpus.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

/// Every backend of this machine, for tests that must give the same result on all of them:
///
///     const auto where = GENERATE(from_range(test_backends()));
///     const Backend backend = where.open();
///     CAPTURE(where.name);
namespace shadow {

/// How to open one backend; a Backend itself can be neither copied nor moved.
struct TestBackend {
    std::string name; ///< "cpu avx2 x2", "cuda:0"
    bool cuda = false;
    InstructionSet isa = InstructionSet::sse;
    int threads = 1;

    [[nodiscard]] Backend open() const {
        return cuda ? Backend::cuda(0) : Backend::cpu(threads, isa);
    }
};

/// A CPU with an instruction set.
inline TestBackend processor(InstructionSet isa, int threads) {
    return {fmt::format("cpu {} x{}", name(isa), threads), false, isa, threads};
}

/// Whether backends of a kind, "cpu" or "cuda", are tested: all are unless the environment variable
/// SHADOW_DEVICE names one. If it names a GPU and there is none, the tests fail, as they should.
inline bool is_wanted(const char* kind) {
    const char* only = std::getenv("SHADOW_DEVICE");
    if (!only || *only == '\0') return kind != std::string("cuda") || find_gpus().first();
    return std::string(only) == kind;
}

/// The CPU with each of its instruction sets and 1 and 2 threads; the first GPU if there is one.
inline std::vector<TestBackend> test_backends() {
    std::vector<TestBackend> all;
    if (is_wanted("cpu"))
        for (const InstructionSet isa : available_instruction_sets())
            for (const int threads : {1, 2}) all.push_back(processor(isa, threads));
    if (is_wanted("cuda")) all.push_back({"cuda:0", true, {}, 1});
    return all;
}

/// The best CPU backend, whatever SHADOW_DEVICE is: for reference results.
inline TestBackend best_processor(int threads = 1) {
    return processor(available_instruction_sets().back(), threads);
}

/// The best CPU backend and the first GPU if there is one: for tests of code without SIMD forms,
/// and for long tests.
inline std::vector<TestBackend> few_test_backends() {
    std::vector<TestBackend> all;
    if (is_wanted("cpu")) all.push_back(best_processor(2));
    if (is_wanted("cuda")) all.push_back({"cuda:0", true, {}, 1});
    return all;
}

} // namespace shadow
