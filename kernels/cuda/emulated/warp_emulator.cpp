// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/emulated/warp_emulator.hpp"

asm(R"(
    .text
    .globl shadow_switch_stacks
    .type shadow_switch_stacks, @function
shadow_switch_stacks:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size shadow_switch_stacks, .-shadow_switch_stacks
)");
