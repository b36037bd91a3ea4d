// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/composition.hpp"

namespace shadow {
namespace {

Claims symplectic(int order, bool symmetric, const char* citation) {
    return {order, symmetric, true, false, true, citation};
}

Claims langevin(int order, const char* citation) {
    return {order, true, false, true, false, citation};
}

Claims of_pairs(const char* citation) {
    return {2, true, false, true, true, citation};
}

Claims damped(const char* citation) {
    return {2, true, false, false, false, citation, true, true};
}

constexpr const char* blanes_moan = "Blanes and Moan 2002, J. Comput. Appl. Math. 142, 313";
constexpr const char* omelyan = "Omelyan, Mryglod and Folk 2003, Comput. Phys. Commun. 151, 272";
constexpr const char* yoshida = "Yoshida 1990, Phys. Lett. A 150, 262";
constexpr const char* mclachlan = "McLachlan 1995, SIAM J. Sci. Comput. 16, 151";
constexpr const char* modin_soderlind = "Modin and Söderlind 2011, BIT Numer. Math. 51, 977";
constexpr const char* leimkuhler_matthews =
    "Leimkuhler and Matthews 2013, Appl. Math. Res. eXpress 2013, 34";

} // namespace

const std::vector<SplittingMethod>& splitting_methods() {
    static const std::vector<SplittingMethod> rows = {
        {"verlet",
         {"velocity-verlet"},
         "B½ A1 B½",
         "Störmer-Verlet, kick-drift-kick",
         symplectic(2, true,
                    "Verlet 1967, Phys. Rev. 159, 98; Leimkuhler and Reich 2004, eq. 4.14")},
        {"position-verlet",
         {},
         "A½ B1 A½",
         "Störmer-Verlet, drift-kick-drift",
         symplectic(2, true, "Tuckerman, Berne and Martyna 1992, J. Chem. Phys. 97, 1990")},
        {"symplectic-euler-a",
         {},
         "A1 B1",
         "Symplectic Euler, drift first",
         symplectic(1, false, "de Vogelaere 1956; Leimkuhler and Reich 2004, chapter 2")},
        {"symplectic-euler-b",
         {},
         "B1 A1",
         "Symplectic Euler, kick first",
         symplectic(1, false, "de Vogelaere 1956; Leimkuhler and Reich 2004, chapter 2")},
        {"triple-jump",
         {"yoshida-4"},
         "V1.351207191959657634 V* |",
         "Order 4 by three Verlet steps, the middle one backwards",
         symplectic(4, true, yoshida)},
        {"mclachlan-4",
         {},
         "V0.28 V0.62546642846767004501 V* |",
         "Order 4 by five Verlet steps",
         symplectic(4, true, mclachlan)},
        {"yoshida-6",
         {},
         "V0.78451361047755726382 V0.23557321335935813368 V-1.17767998417887100695 V* |",
         "Order 6 by seven Verlet steps",
         symplectic(6, true, yoshida)},
        {"kahan-li-6",
         {},
         "V0.39216144400731413928 V0.33259913678935943860 V-0.70624617255763935981 "
         "V0.08221359629355080023 V* |",
         "Order 6 by nine Verlet steps",
         symplectic(6, true, "Kahan and Li 1997, Math. Comput. 66, 1089")},
        {"mclachlan-8",
         {},
         "V0.74167036435061295345 V-0.40910082580003159400 V0.19075471029623837995 "
         "V-0.57386247111608226666 V0.29906418130365592384 V0.33462491824529818378 "
         "V0.31529309239676659663 V* |",
         "Order 8 by fifteen Verlet steps",
         symplectic(8, true, mclachlan)},
        {"pefrl",
         {"forest-ruth-omelyan"},
         "A0.1786178958448091 B* A-0.06626458266981849 B-0.2123418310626054 A* |",
         "Order 4 by four kicks with small error constants, drift first",
         symplectic(4, true, "Omelyan, Mryglod and Folk 2002, Comput. Phys. Commun. 146, 188")},
        {"blanes-moan-4",
         {},
         "B0.0792036964311957 A0.209515106613362 B0.353172906049774 A-0.143851773179818 "
         "B-0.0420650803577195 A* B* |",
         "Order 4 by six stages with small error constants",
         symplectic(4, true, blanes_moan)},
        {"blanes-moan-4-drift",
         {},
         "A0.0792036964311957 B0.209515106613362 A0.353172906049774 B-0.143851773179818 "
         "A-0.0420650803577195 B* A* |",
         "As blanes-moan-4 with kicks and drifts exchanged",
         symplectic(4, true, blanes_moan)},
        {"blanes-moan-6",
         {},
         "B0.0502627644003922 A0.148816447901042 B0.413514300428344 A-0.132385865767784 "
         "B0.0450798897943977 A0.067307604692185 B-0.188054853819569 A0.432666402578175 "
         "B0.541960678450780 A* B* |",
         "Order 6 by ten stages with small error constants",
         symplectic(6, true, blanes_moan)},
        {"blanes-moan-nystrom-4",
         {},
         "B0.0829844064174052 A0.245298957184271 B0.396309801498368 A0.604872665711080 "
         "B-0.0390563049223486 A* B* |",
         "Order 4 by six stages with smaller error constants, for forces that depend on positions "
         "alone",
         symplectic(4, true, blanes_moan)},
        {"blanes-moan-nystrom-6",
         {},
         "B0.0414649985182624 A0.123229775946271 B0.198128671918067 A0.290553797799558 "
         "B-0.0400061921041533 A-0.127049212625417 B0.0752539843015807 A-0.246331761062075 "
         "B-0.0115113874206879 A0.357208872795928 B* A* |",
         "Order 6 by eleven stages with smaller error constants, for forces that depend on "
         "positions alone",
         symplectic(6, true, blanes_moan)},
        {"chin-4",
         {"suzuki-chin", "chin-4a"},
         "B1/6 A½ G[1/24]2/3 |",
         "Order 4 by two kicks, one of them with the gradient of forces; no stage goes backwards",
         symplectic(4, true,
                    "Suzuki 1995, Phys. Lett. A 201, 425; Chin 1997, Phys. Lett. A 226, 344")},
        {"omelyan-4",
         {},
         "A0.089358047632201587751 B0.2470939580390842 A* G[0.027433534157239332307]* |",
         "Order 4 by three kicks, one of them with the gradient of forces; no stage goes backwards",
         symplectic(4, true, omelyan)},
        {"omelyan-4-long",
         {},
         "B0.06840805970727767 A0.2189286596427438 G[0.010307457423658978113]0.3109406355938166 "
         "A* B* |",
         "Order 4 by four kicks, two of them with the gradient of forces; no stage goes backwards",
         symplectic(4, true, omelyan)},
        {"omelyan-6",
         {},
         "B1/12 A0.72360679774997896964 G[-0.076126363700967227933]0.0016836191862032877664 "
         "A-0.44721359549995793928 G[0.017043135361524009418]* A* |",
         "Order 6 by five kicks, four of them with the gradient of forces",
         symplectic(6, true, omelyan)},
        {"respa",
         {"impulse"},
         "S½ (F½ A1 F½)^n S½",
         "Slow forces once a step, in between `inner` Verlet steps with the fast forces",
         symplectic(2, true,
                    "Tuckerman, Berne and Martyna 1992, J. Chem. Phys. 97, 1990; Leimkuhler and "
                    "Reich 2004, eq. 10.23")},
        {"mollified-impulse",
         {"molly"},
         "M½ (F½ A1 F½)^n M½",
         "As respa, with slow forces at positions averaged over the fast motion: for steps beyond "
         "half of the fastest period",
         symplectic(2, true,
                    "García-Archilla, Sanz-Serna and Skeel 1998, SIAM J. Sci. Comput. 20, 930; "
                    "Leimkuhler and Reich 2004, eq. 10.24")},
        {"exact-harmonic",
         {"lts"},
         "S½ H1 S½",
         "Slow kicks, and in between the exact motion under harmonic fast forces",
         symplectic(2, true, "Leimkuhler and Reich 2004, section 10.1")},
        {"implicit-explicit",
         {"imex"},
         "S½ I1 S½",
         "Slow kicks, and in between a step under the bonded forces of the first level by the "
         "implicit midpoint rule",
         symplectic(2, true,
                    "Zhang and Skeel 1997, Appl. Numer. Math. 25, 297; Stern and Grinspun 2009, "
                    "Multiscale Model. Simul. 7, 1779")},
        {"semi-explicit",
         {},
         "A½ J1 A½",
         "Slow forces in the middle of a step, and forces of the first level implicit; theta above "
         "1/2 damps vibrations",
         {2, true, false, false, true, "Modin 2009, thesis, Paper V, eq. 5", false}},
        {"baoab",
         {"langevin"},
         "B½ A½ O1 A½ B½",
         "Langevin dynamics; averages of harmonic positions are exact at any stable step",
         langevin(2, leimkuhler_matthews)},
        {"aboba",
         {},
         "A½ B½ O1 B½ A½",
         "Langevin dynamics, drift outermost",
         langevin(2, leimkuhler_matthews)},
        {"obabo",
         {},
         "O½ B½ A1 B½ O½",
         "Langevin dynamics, bath outermost",
         langevin(2, "Bussi and Parrinello 2007, Phys. Rev. E 75, 056707")},
        {"gjf",
         {"gronbech-jensen-farago"},
         "B½ A½ P1 A½ B½",
         "Langevin dynamics as baoab, with friction by the midpoint rule: free diffusion is exact, "
         "too",
         langevin(2, "Grønbech-Jensen and Farago 2013, Mol. Phys. 111, 983")},
        {"baoa",
         {},
         "B1 A½ O1 A½",
         "Langevin leapfrog: positions as baoab, momenta half a step earlier, whose temperature is "
         "more accurate",
         {1, false, false, true, false,
          "Kieninger and Keller 2022, J. Chem. Theory Comput. 18, 5792"}},
        {"andersen",
         {},
         "C½ B½ A1 B½ C½",
         "Verlet, and collisions with a bath: particles get new momenta at random times",
         langevin(2, "Andersen 1980, J. Chem. Phys. 72, 2384")},
        {"dpd",
         {"dissipative-particle-dynamics"},
         "B½ A½ Q1 A½ B½",
         "Dissipative particle dynamics: friction and noise between pairs, which conserve momentum",
         of_pairs("Groot and Warren 1997, J. Chem. Phys. 107, 4423; Español and Warren 1995, "
                  "Europhys. Lett. 30, 191")},
        {"lowe-andersen",
         {},
         "B½ A½ L1 A½ B½",
         "Verlet, and pairs that get a new relative velocity along their separation at random "
         "times, which conserves momentum",
         of_pairs("Lowe 1999, Europhys. Lett. 47, 145")},
        {"damped-verlet",
         {"rayleigh-damping"},
         "D½ A½ B1 A½ D½",
         "Friction without noise, exact, around a step of Verlet's method: cooling at the rate of "
         "the friction",
         damped(modin_soderlind)},
        {"damped-exponential",
         {},
         "A½ K1 A½",
         "As damped-verlet, with friction and forces in one exact kick: the terminal velocity in a "
         "uniform field is exact",
         damped(modin_soderlind)},
        {"damped-heun",
         {},
         "A½ R1 A½",
         "As damped-exponential, the kick by Heun's method: stable for friction below 2/dt",
         damped(modin_soderlind)},
        {"damped-midpoint",
         {},
         "A½ B½ Y½ X½ B½ A½",
         "As damped-exponential, the kick by the implicit midpoint rule, whose solution is "
         "explicit here",
         damped(modin_soderlind)},
        {"damped-lobatto",
         {},
         "B½ Y½ A1 X½ B½",
         "Verlet's method with friction by the Lobatto IIIA-IIIB pair",
         damped(modin_soderlind)},
        {"baoab-respa",
         {},
         "S½ (F½ A½ O1 A½ F½)^n S½",
         "As respa, with Langevin dynamics in its inner steps",
         langevin(2, "Lagardère, Aviat and Piquemal 2019, J. Phys. Chem. Lett. 10, 2593")},
        {"obabo-respa",
         {},
         "O½ S½ (F½ A1 F½)^n S½ O½",
         "As respa, with a Langevin bath outermost: noise twice a step, not in inner steps",
         langevin(2, "Bussi and Parrinello 2007, Phys. Rev. E 75, 056707; Tuckerman, Berne and "
                     "Martyna 1992, J. Chem. Phys. 97, 1990")},
        {"baoab-exact-harmonic",
         {},
         "S½ H½ O1 H½ S½",
         "As exact-harmonic, with a Langevin bath in the middle of the step",
         langevin(2, "Liu, Li and Liu 2016, J. Chem. Phys. 145, 024103")},
        {"obabo-implicit-explicit",
         {},
         "O½ S½ I1 S½ O½",
         "As implicit-explicit, with a Langevin bath outermost: averages under linear implicit "
         "forces are exact",
         langevin(2, "Stern and Grinspun 2009, Multiscale Model. Simul. 7, 1779; Bussi and "
                     "Parrinello 2007, Phys. Rev. E 75, 056707")},
        {"baoab-mollified",
         {},
         "M½ (F½ A½ O1 A½ F½)^n M½",
         "As mollified-impulse, with Langevin dynamics in its inner steps",
         langevin(2, "Izaguirre, Catarello, Wozniak and Skeel 2001, J. Chem. Phys. 114, 2090")},
    };
    return rows;
}

} // namespace shadow
