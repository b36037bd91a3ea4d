// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo steps{
    "steps", integer, "steps", "required without until", "length of the run or stage", "100_000"};
const ParameterInfo until{"until",
                          table | tables,
                          "",
                          "none",
                          "instead of steps: ends when averages are accurate enough; see run.until",
                          "{ quantity = \"pressure\", error = 0.01, max_steps = 1_000_000 }"};
const ParameterInfo equilibration{"equilibration",
                                  text | integer,
                                  "steps",
                                  "\"auto\"",
                                  "initial steps excluded from the averages; detected if auto",
                                  "",
                                  {"auto"}};

const ParameterInfo wall_time{"wall_time",
                              text,
                              "",
                              "none",
                              "limit of each process, which then writes a checkpoint and exits "
                              "with status 75, for --continue",
                              "\"23 h\""};

const Descriptor input_table{
    "input",
    "The top level of an input",
    "",
    "",
    {{"title", text, "", "\"\"", "for the reader", "\"a liquid near its triple point\""},
     {"seed", integer, "", "1", "every random number derives from it"},
     {"levels", texts, "", "[\"fast\", \"slow\"]",
      "names of the levels of forces, the most frequently evaluated first, for methods such as "
      "respa",
      "[\"bonds\", \"pairs\", \"mesh\"]"},
     {"system", table, "", "", "see system", "{ dimension = 3 }"},
     {"species", tables, "", "one species", "see species", "[{ name = \"A\", mass = 1.0 }]"},
     {"molecule", tables, "", "none", "see molecule", "[{ count = 4, atoms = [\"A\"] }]"},
     {"force", tables, "", "none", "see force", "[{ type = \"wca\", epsilon = 1.0, sigma = 1.0 }]"},
     {"step_sum", tables, "", "none", "see step_sum",
      "[{ type = \"formula\", u = \"1/r^2\", cutoff = 2.0 }]"},
     {"integrator", table, "", "required without stages", "see integrator",
      "{ method = \"verlet\", dt = 0.005 }"},
     {"barostat", table, "", "none", "see barostat",
      "{ pressure = 1.0, time = 1.0, compressibility = 0.1 }"},
     {"shear", table, "", "none", "see shear", "{ rate = 0.1 }"},
     {"boost", table, "", "none", "see boost", "{ threshold = -1200.0, width = 50.0 }"},
     {"run", table, "", "required without stages", "see run", "{ steps = 100_000 }"},
     {"observe", tables, "", "none", "see observe", "[{ type = \"thermo\", every = 10 }]"},
     {"stage", tables, "", "none",
      "instead of integrator, barostat, shear, boost, run and observe; see stage",
      "[{ name = \"sample\", steps = 1000, integrator = { method = \"verlet\", dt = 0.005 } }]"},
     {"output", table, "", "{}", "see output", "{ prefix = \"liquid\" }"},
     {"compute", table, "", "{}", "see compute", "{ device = \"cpu\" }"}}};

const Descriptor run_table{"run",
                           "The length of a run; with stages only wall_time, which they share",
                           "",
                           "",
                           {steps, until, equilibration, wall_time}};

const Descriptor until_table{
    "run.until",
    "Ends a run or stage once an average is accurate enough; [[run.until]] or [[stage.until]] for "
    "several",
    "",
    "",
    {{"quantity", text, "", "", "an observed quantity", "\"pressure\""},
     {"error", number, "that of the quantity", "", "the standard error to reach", "0.01"},
     {"max_steps", integer, "steps", "",
      "upper limit, whatever the errors; needed in one table only", "1_000_000"}}};

const Descriptor stage_table{
    "stage",
    "A part of a run, with its own method and observables; each stage starts from the final state "
    "of the one before",
    "",
    "",
    {{"name", text, "", "", "distinguishes stages in the results", "\"equilibrate\""},
     {"integrator", table, "", "", "see integrator", "{ method = \"verlet\", dt = 0.005 }"},
     {"barostat", table, "", "none", "see barostat",
      "{ pressure = 1.0, time = 1.0, compressibility = 0.1 }"},
     {"shear", table, "", "none", "see shear", "{ rate = 0.1 }"},
     {"boost", table, "", "none", "see boost", "{ threshold = -1200.0, width = 50.0 }"},
     steps,
     until,
     equilibration,
     wall_time,
     {"velocity", table, "", "those of the previous stage", "see stage.velocity",
      "{ temperature = 1.0 }"},
     {"trajectory", table, "", "as in output", "see stage.trajectory", "{ every = 100 }"},
     {"observe", tables, "", "none", "see observe", "[{ type = \"thermo\", every = 10 }]"}}};

const Descriptor stage_velocity_table{
    "stage.velocity",
    "Maxwell-Boltzmann velocities, drawn at the start of the stage as those of system.velocity are "
    "at the start of the run; or the present ones, reversed",
    "",
    "",
    {{"temperature", number, "temperature", "", "at the start of the stage, as in system.velocity",
      "1.0"},
     {"reverse", boolean, "", "false", "instead: the velocities of the previous stage, reversed",
      "true"}}};

const Descriptor stage_trajectory_table{
    "stage.trajectory",
    "How often a stage writes frames, in place of output.trajectory.every; their fields are those "
    "of output.trajectory",
    "",
    "",
    {{"every", integer, "steps", "", "between two frames; 0: none in this stage", "100"}}};

const Descriptor output_table{
    "output",
    "Which files a run writes",
    "",
    "",
    {{"prefix", text, "", "the name of the input",
      "PREFIX.h5, PREFIX.checkpoint.h5, PREFIX.log; relative to the input; its folder is created",
      "\"liquid\""},
     {"trajectory", table, "", "none", "see output.trajectory", "{ every = 1000 }"},
     {"checkpoint", table, "", "{}", "see output.checkpoint", "{ every = \"10 min\" }"},
     {"overwrite", boolean, "", "false", "replace files of an earlier run"},
     {"log", table, "", "{}", "see output.log", "{ per_particle = true }"},
     {"report", boolean, "", "false", "write the page PREFIX.html at the end"}}};

const Descriptor log_table{
    "output.log",
    "The table of rows of thermo on standard error and in PREFIX.log",
    "",
    "",
    {{"every", integer, "steps", "at most 200 lines a stage",
      "between two lines: a multiple of the steps between two rows of thermo (50 where none is "
      "observed)",
      "1000"},
     {"per_particle", boolean, "", "false", "energies per particle"}}};

const Descriptor trajectory_table{
    "output.trajectory",
    "Frames of all particles",
    "",
    "",
    {{"every", integer, "steps", "1000", "between two frames"},
     {"fields", texts, "", "[\"position\", \"velocity\", \"image\"]",
      "any of position, velocity, image, force, potential_energy and stress (docs/formats.md)",
      "[\"position\", \"force\"]"}}};

const Descriptor checkpoint_table{
    "output.checkpoint",
    "The state from which a run continues; also written at its end and on a signal",
    "",
    "",
    {{"every", text | integer, "steps", "\"5 min\"",
      "between two checkpoints: a number of steps, or a time in s, min, h or d"}}};

const Descriptor compute_table{
    "compute",
    "The hardware and its arithmetic: how a run is computed, not what",
    "",
    "",
    {{"device", text, "", "\"auto\"",
      "auto, cpu, cuda (the first that can be used) or cuda:1; see mdrun --devices"},
     {"precision",
      text,
      "",
      "\"mixed\"",
      "of the arithmetic on pairs: double, or mixed: float on coordinates relative to nearby "
      "particles; all else is double",
      "",
      {"double", "mixed"}},
     {"threads", integer, "", "0", "of the CPU; 0: all cores"},
     {"instruction_set",
      text,
      "",
      "\"auto\"",
      "of the CPU; auto: the widest available",
      "",
      {"auto", "sse", "avx2", "avx512"}},
     {"skin", number, "length", "chosen and tuned",
      "of the neighbour lists beyond the cut-off: affects the speed and the last bits of results",
      "0.3"},
     {"tune",
      text,
      "",
      "\"quick\"",
      "how skin and threads are chosen where they are not given: not at all, by rules, or by "
      "trials "
      "at the start of a run",
      "",
      {"off", "quick", "full"}},
     {"self_test", text, "", "\"start\"",
      "when a GPU's forces and replayed steps are checked: at the start of each stage, never "
      "(off), or at intervals (every 1 h)",
      "\"every 1 h\""},
     {"reversible", boolean, "", "false",
      "positions and momenta with exact sums, so that symmetric methods return to the same bits "
      "when velocities are reversed; lists are rebuilt at each step",
      "true"}}};

} // namespace

const std::vector<Descriptor>& run_tables() {
    static const std::vector<Descriptor> all = {input_table,          run_table,
                                                until_table,          stage_table,
                                                stage_velocity_table, stage_trajectory_table,
                                                output_table,         trajectory_table,
                                                checkpoint_table,     log_table,
                                                compute_table};
    return all;
}

} // namespace shadow
