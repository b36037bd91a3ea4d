# SPDX-License-Identifier: BSD-3-Clause
# Decides whether CUDA is built (SHADOW_CUDA_FOUND) and adds the kernels to a target. EMULATE builds
# a device for tests that is this processor (kernels/cuda/emulated).

set(SHADOW_CUDA_FOUND FALSE)
set(SHADOW_CUDA_EMULATED FALSE)
if(NOT SHADOW_CUDA MATCHES "^(AUTO|ON|OFF|EMULATE)$")
  message(FATAL_ERROR "SHADOW_CUDA=${SHADOW_CUDA} (not one of AUTO, ON, OFF, EMULATE); set one of these")
endif()
if(SHADOW_CUDA STREQUAL "EMULATE")
  set(SHADOW_CUDA_EMULATED TRUE)
elseif(NOT SHADOW_CUDA STREQUAL "OFF")
  # Machine code for Ampere and Hopper, and PTX from which drivers make code for newer chips.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPU architectures")
  endif()
  # The toolkit's own folder is often not on the PATH.
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(SHADOW_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
                 PATHS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(SHADOW_NVCC)
    if(SHADOW_NVCC)
      set(CMAKE_CUDA_COMPILER ${SHADOW_NVCC})
    endif()
  endif()
  # Both compilers of one host, so that classes have one layout.
  if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 does not know how to ask nvcc for C++20.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    find_package(CUDAToolkit REQUIRED)
    set(SHADOW_CUDA_FOUND TRUE)
  elseif(SHADOW_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SHADOW_CUDA=ON, but no nvcc was found (neither on the PATH nor in "
                        "/usr/local/cuda/bin); install the CUDA Toolkit, set CUDACXX, or use "
                        "SHADOW_CUDA=OFF")
  endif()
endif()
message(STATUS "Shadow: CUDA backend ${SHADOW_CUDA_FOUND}")

# No --use_fast_math: it would change what a formula means. No -fmad: products and sums that the
# compiler contracts where it sees fit have other bits in another kernel; what shall be contracted
# is written so.
set(SHADOW_CUDA_OPTIONS -fmad=false)
if(SHADOW_CUDA_LINEINFO)
  list(APPEND SHADOW_CUDA_OPTIONS -lineinfo)
endif()
if(SHADOW_CUDA_COMPRESS AND SHADOW_CUDA_FOUND)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
    list(APPEND SHADOW_CUDA_OPTIONS --compress-mode=size)
  else()
    list(APPEND SHADOW_CUDA_OPTIONS -Xfatbin=-compress-all)
  endif()
endif()

function(shadow_add_cuda target)
  file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/cuda/*.cu)
  add_library(shadow_cuda OBJECT ${cuda_sources})
  target_compile_options(shadow_cuda PRIVATE
    ${SHADOW_CUDA_OPTIONS} -Xcompiler=-Wall,-Wextra,-fno-math-errno,-ffp-contract=off
    $<$<BOOL:${SHADOW_WERROR}>:--Werror=all-warnings>)
  target_link_libraries(shadow_cuda PRIVATE shadow_flags)
  target_link_libraries(${target} PRIVATE $<LINK_ONLY:CUDA::cudart_static>) # no headers of it
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:shadow_cuda>)
endfunction()

# The same instantiations, by the host compiler over the emulated drivers.
function(shadow_add_emulated_device target)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/cuda/emulated/*.cpp)
  file(GLOB instantiations CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/cuda/launch_*.cu
       ${PROJECT_SOURCE_DIR}/kernels/cuda/pair_force_*.cu)
  set_source_files_properties(${instantiations} PROPERTIES LANGUAGE CXX)
  set(pair_forces ${instantiations})
  list(FILTER pair_forces INCLUDE REGEX pair_force)
  set_source_files_properties(${pair_forces} PROPERTIES COMPILE_OPTIONS -O1) # in half the time
  target_sources(${target} PRIVATE ${sources} ${instantiations})
endfunction()
