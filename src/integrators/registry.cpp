// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/registry.hpp"

#include "shadow/integrators/nose_poincare.hpp"

#include <algorithm>

namespace shadow {
namespace {

const ParameterInfo dt = {"dt", "time", "", "the step"};
const ParameterInfo temperature = {"temperature", "temperature", "", "of the bath"};
const ParameterInfo friction = {"friction", "1/time", "", "rate at which momenta forget"};
const ParameterInfo mass = {"mass", "energy time^2", "", "of the bath variable (Q)"};
const ParameterInfo inner = {"inner", "", "", "steps of the fast forces in one step"};
const ParameterInfo word = {"word", "", "", "flows and fractions, such as \"B½ A1 B½\""};

constexpr const char* letters = " (A drift, B kick, F and S kicks of fast and slow forces, O bath, "
                                "V = (B½ A1 B½); * what is left to 1; | and back again)";

IntegratorEntry splitting_entry(const SplittingMethod& row) {
    IntegratorEntry entry;
    entry.descriptor = {row.name, row.summary, row.word + letters, row.claims.citation, {dt}};
    std::vector<ParameterInfo>& keys = entry.descriptor.parameters;
    if (row.claims.stochastic) keys.insert(keys.end(), {temperature, friction});
    if (row.word.find("^n") != std::string::npos) keys.push_back(inner);
    entry.aliases = row.aliases;
    entry.make = [&row](const MethodSettings& settings) {
        return std::make_unique<Composition>(parse_word(row.word, settings.inner), row.claims,
                                             settings);
    };
    return entry;
}

IntegratorEntry free_splitting_entry() {
    const ParameterInfo some_temperature = {"temperature", "temperature", "0",
                                            "of the bath, for words with O"};
    const ParameterInfo some_friction = {"friction", "1/time", "0", "for words with O"};
    const ParameterInfo some_inner = {"inner", "", "1", "repetitions of a word (...)^n"};
    IntegratorEntry entry;
    entry.descriptor = {"splitting",
                        "A splitting method by its word; its order is found from the fractions",
                        std::string("word") + letters,
                        "Leimkuhler and Reich 2004, chapters 4 and 6",
                        {dt, word, some_temperature, some_friction, some_inner}};
    entry.make = [](const MethodSettings& settings) {
        Word flows = parse_word(settings.word, settings.inner);
        Claims claims = claims_of_word(flows, "the word \"" + settings.word + "\" of the input");
        return std::make_unique<Composition>(std::move(flows), std::move(claims), settings);
    };
    return entry;
}

IntegratorEntry nose_poincare_entry() {
    IntegratorEntry entry;
    entry.descriptor = {
        "nose-poincare",
        "Constant temperature by the Nosé-Poincaré Hamiltonian, symplectic and in real time",
        "H = s [sum p^2/(2 m s^2) + V(q) + pi^2/(2 Q) + g kT ln s - E]",
        NosePoincare({}).claims().citation,
        {dt, temperature, mass}};
    entry.make = [](const MethodSettings& settings) {
        return std::make_unique<NosePoincare>(settings);
    };
    return entry;
}

std::vector<IntegratorEntry> all_entries() {
    std::vector<IntegratorEntry> entries;
    for (const SplittingMethod& row : splitting_methods()) entries.push_back(splitting_entry(row));
    entries.push_back(free_splitting_entry());
    entries.push_back(nose_poincare_entry());
    return entries;
}

} // namespace

const std::vector<IntegratorEntry>& integrators() {
    static const std::vector<IntegratorEntry> entries = all_entries();
    return entries;
}

const IntegratorEntry* find_integrator(std::string_view name) {
    for (const IntegratorEntry& entry : integrators()) {
        if (entry.descriptor.name == name) return &entry;
        const auto& other = entry.aliases;
        if (std::find(other.begin(), other.end(), name) != other.end()) return &entry;
    }
    return nullptr;
}

} // namespace shadow
