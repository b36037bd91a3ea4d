# SPDX-License-Identifier: BSD-3-Clause
"""The systems of lammps_melt_3d.in and lammps_liquid_2d.in in JAX-MD:

    jax_md_fluid.py '{"cells": 20, "steps": 100}'

Single precision, as JAX has it by default. Prints energy, steps, seconds of the loop. A first pass
over the same steps, which is not timed, compiles the loop and finds how long the lists become;
they are made anew when a particle has moved half the skin. Of dense and sparse lists and skins of
0.3, 0.6 and 1.0 this form was among the fastest.
"""
import functools
import json
import sys
import time

import jax
import jax.numpy as jnp
from jax_md import energy, partition, simulate, smap, space
from lattice import lattice

skin, steps_a_call = 0.6, 20


def make(case, position, edges, capacity):
    """The loop, and what it starts from: state and list."""
    cutoff = case.get("cutoff", 2.5)
    displacement, shift = space.periodic(edges)

    def potential(distance, **unused):
        return jnp.where(distance < cutoff, energy.lennard_jones(distance), 0.0)

    lists = partition.neighbor_list(displacement, edges, cutoff, skin, capacity,
                                    format=partition.OrderedSparse)
    metric = space.canonicalize_displacement_or_metric(displacement)
    total = smap.pair_neighbor_list(potential, metric)
    start, step = simulate.nve(total, shift, 0.005)
    neighbours = lists.allocate(position)
    temperature = 1.44 if len(edges) == 3 else 1.2
    state = start(jax.random.PRNGKey(87287), position, kT=temperature, neighbor=neighbours)

    def advance(_, both):
        state, neighbours = both
        neighbours = neighbours.update(state.position)
        return step(state, neighbor=neighbours), neighbours

    loop = jax.jit(functools.partial(jax.lax.fori_loop, 0, steps_a_call, advance))
    return loop, (state, neighbours), float(total(position, neighbor=neighbours))


def run(loop, both, steps):
    """Seconds, and whether a list was too short."""
    begin = time.perf_counter()
    for _ in range(steps // steps_a_call):
        both = loop(both)
    jax.block_until_ready(both)
    return time.perf_counter() - begin, bool(both[1].did_buffer_overflow)


def main():
    case = json.loads(sys.argv[1])
    position, edges = lattice(case)
    position, edges = jnp.array(position), jnp.array(edges)
    steps = max(1, case["steps"] // steps_a_call) * steps_a_call
    capacity, overflow = 1.25, True
    while overflow:
        capacity *= 1.3
        loop, both, first = make(case, position, edges, capacity)
        _, overflow = run(loop, both, steps)
    seconds, _ = run(loop, both, steps)
    print(json.dumps({"particles": len(position), "steps": steps, "seconds": seconds,
                      "energy": first / len(position)}))


if __name__ == "__main__":
    main()
