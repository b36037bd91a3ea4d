# SPDX-License-Identifier: BSD-3-Clause
# SHADOW_SANITIZE: what is instrumented. Its tests run with the environment that this needs, by way
# of CMake's emulator prefix.
#
# GCC's OpenMP runtime is a black box to the thread sanitizer, which then sees no barrier and
# reports every loop. So "thread" asks for clang, whose runtime announces forks, joins and barriers
# through archer. Nothing of ours is suppressed (only what the runtime, not instrumented itself, does
# inside), and tests/support/race.cpp proves that a race is still seen.

if(SHADOW_SANITIZE STREQUAL "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SHADOW_SANITIZE=thread with ${CMAKE_CXX_COMPILER_ID} (its OpenMP runtime "
                        "hides the barriers); use clang: cmake --preset tsan")
  endif()
  get_filename_component(compiler "${CMAKE_CXX_COMPILER}" REALPATH)
  get_filename_component(compiler_bin "${compiler}" DIRECTORY)
  find_library(SHADOW_ARCHER archer HINTS ${compiler_bin}/../lib)
  if(NOT SHADOW_ARCHER)
    message(FATAL_ERROR "libarcher.so not found (the thread sanitizer learns of OpenMP barriers from "
                        "it); install libomp-dev")
  endif()
  set(CMAKE_CROSSCOMPILING_EMULATOR env OMP_TOOL_LIBRARIES=${SHADOW_ARCHER}
                                    TSAN_OPTIONS=ignore_noninstrumented_modules=1
                                    KMP_BLOCKTIME=0)
endif()

# What the OpenMP runtime does not give back is not ours.
if(SHADOW_SANITIZE MATCHES "address")
  set(CMAKE_CROSSCOMPILING_EMULATOR env LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/leaks.txt)
endif()

# Targets that link `target` are instrumented.
function(shadow_sanitize target)
  if(SHADOW_SANITIZE)
    target_compile_options(${target} INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SHADOW_SANITIZE} -fno-omit-frame-pointer>
      # GCC takes the sanitizer's own bookkeeping for uninitialised reads.
      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>)
    target_link_options(${target} INTERFACE -fsanitize=${SHADOW_SANITIZE})
  endif()
endfunction()
