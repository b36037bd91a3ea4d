# SPDX-License-Identifier: BSD-3-Clause
# Usage: cmake -D build= -D source= -D scratch= -D compiler= -D generator= -D sanitize= -P this
function(must_run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " text)
    message(FATAL_ERROR "failed: ${text}")
  endif()
endfunction()

if(sanitize)
  set(flags -fsanitize=${sanitize})
endif()
file(REMOVE_RECURSE ${scratch})
must_run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)
must_run(${CMAKE_COMMAND} -S ${source} -B ${scratch}/build -G ${generator}
  -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_PREFIX_PATH=${scratch}/prefix
  -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
must_run(${CMAKE_COMMAND} --build ${scratch}/build)
must_run(${scratch}/build/consumer)
