// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/setup.hpp"

namespace shadow {
namespace {

using enum KeyType;

const Descriptor system_table{
    "system",
    "The particles at the start: on a lattice, at random positions, or from a file",
    "",
    "",
    {{"dimension", integer, "", "", "of space: 1, 2 or 3", "3"},
     {"units", text, "", "\"lj\"",
      "lj: sigma, epsilon and a mass, k_B = 1; real and metal: those of LAMMPS, Angstrom, g/mol, e "
      "and K with kcal/mol and fs, or with eV and ps; akma: as real, but a unit of time is "
      "48.88821 fs (docs/units.md)",
      "", unit_systems()},
     {"box", table, "", "{}", "see system.box", "{ density = 0.8 }"},
     {"lattice", table, "", "required without file", "see system.lattice",
      "{ type = \"fcc\", repeat = [5, 5, 5] }"},
     {"velocity", table, "", "at rest, or those of the file", "see system.velocity",
      "{ temperature = 1.0 }"},
     {"file", text, "", "none",
      "instead of a lattice: a checkpoint, an H5MD file, extended XYZ or a LAMMPS data file "
      "(atomic, charge, molecular, full and the like; species are named by type labels, else by "
      "the comments after the masses where all types have one, else by numbers), relative to the "
      "input",
      "\"start.h5\""},
     {"exclude", integer, "", "required by a file with bonds",
      "as in [[molecule]], for all bonds of the file", "3"},
     {"scale_14", table, "", "none",
      "as in [[molecule]], for all bonds of the file; see system.scale_14",
      "{ lj = 0.5, coulomb = 0.8333333333333333 }"},
     {"file_units",
      text,
      "",
      "those of the file, else system.units",
      "of the velocities in the file: Angstrom per 48.88821 fs (akma), fs (lammps-real), ps "
      "(lammps-metal) or Angstrom sqrt(u/eV) (ase); lengths in Angstrom, masses in g/mol. "
      "Checkpoints, results, a LAMMPS title with \"units = real\" and extended XYZ with units=akma "
      "state the units",
      "\"lammps-real\"",
      {"lj", "akma", "lammps-real", "lammps-metal", "ase"}},
     {"magnetic_field", numbers, "energy time/(charge length^2)", "none",
      "uniform: three numbers, in two dimensions the first two 0; charges gyrate under the force "
      "charge (velocity x field)",
      "[0.0, 0.0, 2.0]"},
     {"frame", integer, "", "-1",
      "of the file, from 0; negative: counted from its end; -1 of results of mdrun is the last "
      "configuration, even if it is later than the last frame of the trajectory"}}};

const Descriptor box_table{
    "system.box",
    "The simulation box; without lengths and density it fits the lattice exactly, or is that of "
    "the file",
    "",
    "",
    {{"lengths", numbers, "length", "from the lattice, the density or the file", "of the edges",
      "[10.0, 10.0, 10.0]"},
     {"tilt", table, "", "none, or that of the file",
      "of the edges of a triclinic box; see system.box.tilt", "{ xy = 2.5 }"},
     {"density", number, "1/length^dimension", "from the lattice",
      "particles per volume (molecules per volume, where molecules are placed on sites); a lattice "
      "constant, or the edge of a cube of random positions, follows",
      "0.8"},
     {"periodic", boolean | booleans, "", "true",
      "periodic boundary conditions, for all directions alike or for each; false: the box is open "
      "there",
      "[true, true, false]"}}};

const Descriptor tilt_table{
    "system.box.tilt",
    "Tilt of the edges of a triclinic box; a lattice is sheared with it. In some order of x, y and "
    "z each edge is tilted only along those before it",
    "edges (L_x, 0, 0), (xy, L_y, 0) and (xz, yz, L_z), and the volume is L_x L_y L_z",
    "",
    {{"xy", number, "length", "0.0", "component of the second edge along x", "2.5"},
     {"xz", number, "length", "0.0", "component of the third edge along x", "2.5"},
     {"yx", number, "length", "0.0", "component of the first edge along y", "2.5"},
     {"yz", number, "length", "0.0", "component of the third edge along y", "2.5"},
     {"zx", number, "length", "0.0", "component of the first edge along z", "2.5"},
     {"zy", number, "length", "0.0", "component of the second edge along z", "2.5"}}};

const Descriptor lattice_table{
    "system.lattice",
    "Cells with 1 (chain, square, sc), 2 (triangular, bcc), 4 (fcc, hcp) or 8 particles (diamond); "
    "ordered mixtures of two sublattices with 1 + 1 (cscl), 2 + 2 (checkerboard, honeycomb), 4 + 4 "
    "(rock-salt, zincblende) or 4 + 8 (fluorite); or random positions; or molecules inserted at "
    "random",
    "",
    "",
    {{"type",
      text,
      "",
      "",
      "chain in one dimension; square, triangular, checkerboard, honeycomb in two; sc, bcc, fcc, "
      "hcp, diamond, rock-salt or nacl, cscl, zincblende, fluorite in three; random; "
      "insertion, of molecules",
      "\"fcc\"",
      {"chain", "square", "triangular", "checkerboard", "honeycomb", "sc", "bcc", "fcc", "hcp",
       "diamond", "rock-salt", "nacl", "cscl", "zincblende", "fluorite", "random", "insertion"}},
     {"repeat", integers, "", "required by lattices", "cells along each direction", "[5, 5, 5]"},
     {"constant", number, "length", "from the density of the box", "the edge of a cell", "1.6"},
     {"species", texts, "", "those of [[species]] in their order",
      "of each sublattice of an ordered mixture", "[\"Na\", \"Cl\"]"},
     {"jitter", number, "length", "0.0", "largest random displacement along each direction",
      "0.01"},
     {"count", integer, "", "required by random", "of random positions", "500"},
     {"min_distance", number, "length", "required by random", "between two random positions",
      "0.8"},
     {"distance", number, "length", "required by insertion",
      "minimum between atoms of different molecules, and in a grown molecule between atoms more "
      "than two bonds apart; 0: they may overlap",
      "0.8"}}};

const Descriptor velocity_table{
    "system.velocity",
    "Maxwell-Boltzmann velocities; the total momentum is removed, in an open box also the angular "
    "momentum",
    "",
    "",
    {{"temperature", number, "temperature", "0.0",
      "at the start, exact for all degrees of freedom except the overall motion that the forces "
      "conserve (with a bath that thermalises this motion, such as baoab, T starts correspondingly "
      "lower); after initial stages of minimisation, at the start of the next stage; replaces the "
      "velocities of a file",
      "1.0"}}};

const Descriptor species_table{
    "species",
    "Kinds of particles; by default one, A. Species of a file keep the values not given here",
    "",
    "",
    {{"name", text, "", "\"A\"", "required where there are several"},
     {"mass", number, "mass", "1.0", "of a particle"},
     {"charge", number, "charge", "0.0", "of a particle; acts where there is a Coulomb force"},
     {"fraction", number, "", "1.0",
      "of all particles; required where there are several, not with a file, with molecules or on "
      "an "
      "ordered mixture",
      "0.5"}}};

const Descriptor molecule_table{
    "molecule",
    "Identical molecules, described once; particles are numbered molecule by molecule, first those "
    "of the first table, then of the next. With molecules every particle belongs to one, which may "
    "have one atom, and species have no fractions",
    "",
    "",
    {{"name", text, "", "\"\"", "for the reader", "\"water\""},
     {"count", integer, "", "", "number of these molecules", "2000"},
     {"atoms", texts, "", "", "species of the atoms, in the order of particles",
      "[\"A\", \"A\", \"A\"]"},
     {"repeat", integer, "", "1",
      "number of units, each with these atoms, that form a chain. A bond to an atom number beyond "
      "the atoms is one to the next unit; each bond is repeated in every unit, up to the end of "
      "the chain",
      "100"},
     {"bonds", tables, "", "none", "see molecule.bonds",
      "[{ atoms = [0, 1], type = \"AA\" }, { atoms = [1, 2], type = \"AA\" }]"},
     {"angles", tables, "", "none", "see molecule.angles",
      "[{ atoms = [0, 1, 2], type = \"AA\" }]"},
     {"dihedrals", tables, "", "none", "see molecule.dihedrals",
      "[{ atoms = [0, 1, 2, 3], type = \"AA\" }]"},
     {"impropers", tables, "", "none", "see molecule.impropers",
      "[{ atoms = [0, 1, 2, 3], type = \"AA\" }]"},
     {"exclude", integer, "", "required by bonds",
      "pairs up to this many bonds apart have no pair force: 0, all interact; 1, bonded pairs do "
      "not; 2, nor do the ends of an angle; 3, nor do the ends of a dihedral",
      "3"},
     {"scale_14", table, "", "none: these pairs are excluded",
      "factors of the pair forces between atoms three bonds apart, with exclude = 3; see "
      "molecule.scale_14",
      "{ lj = 0.5, coulomb = 0.8333333333333333 }"},
     {"grow", table, "", "none: from places, or along a path",
      "from the first atom as a random walk, for inserted molecules; see molecule.grow",
      "{ length = 0.97, distance = 1.02 }"},
     {"places", rows, "length", "along a path",
      "positions of the atoms of one molecule. Its centre of mass is put on a site of the lattice, "
      "or inserted with a random orientation. Without places the atoms are on a path from site to "
      "neighbouring site (of a chain, square or sc lattice), the end of a molecule next to the "
      "start of the next",
      "[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]"}}};

/// `molecule.scale_14` and `system.scale_14`.
Descriptor scale_table(const std::string& of) {
    return {of + ".scale_14",
            "Pair forces between atoms that are three bonds apart, and not fewer along another "
            "path, are multiplied by a factor",
            "u = factor times u of the pair force between these species, with its truncation; for "
            "charges factor times k q_i q_j / r",
            "",
            {{"lj", number, "", "",
              "for Lennard-Jones and all other pair forces except charges: 0 to 1", "0.5"},
             {"coulomb", number, "", "", "for charges: 0 to 1", "0.8333333333333333"}}};
}

const Descriptor growth_table{
    "molecule.grow",
    "A chain or a tree of bonds grown from its first atom, bond by bond in random directions, at "
    "least system.lattice.distance away from atoms of other molecules",
    "",
    "Kremer and Grest 1990",
    {{"length", number, "length", "required unless bonds have a length", "of each bond", "0.97"},
     {"distance", number, "length", "", "minimum between atoms two bonds apart", "1.02"}}};

/// `molecule.bonds` and the like.
Descriptor terms_table(BondedKind kind) {
    const std::string of = name(kind);
    std::string example = "[0";
    for (int k = 1; k < members_of(kind); ++k) example += ", " + std::to_string(k);
    Descriptor table{
        "molecule." + of + "s",
        "Bonded atoms in a molecule: an array of tables",
        "",
        "",
        {{"atoms", integers, "", "", "numbers of the atoms in the molecule, counted from 0",
          example + "]"},
         {"type", text, "", '"' + of + '"', "name, to which forces refer by `of`", "\"AA\""}}};
    if (kind == BondedKind::bond)
        table.parameters.push_back({"length", number, "length", "that of grow",
                                    "of bonds of this type, where the molecule is grown", "0.97"});
    return table;
}

} // namespace

const std::vector<Descriptor>& system_tables() {
    static const std::vector<Descriptor> all = [] {
        std::vector<Descriptor> tables = {
            system_table,           box_table,      tilt_table,
            lattice_table,          velocity_table, species_table,
            molecule_table,         growth_table,   scale_table("system"),
            scale_table("molecule")};
        for (const BondedKind kind : bonded_kinds) tables.push_back(terms_table(kind));
        return tables;
    }();
    return all;
}

} // namespace shadow
