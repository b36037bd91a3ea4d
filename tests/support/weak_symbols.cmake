# SPDX-License-Identifier: BSD-3-Clause
# Fails if an object compiled for one instruction set offers the linker a symbol that is not in the
# namespace of that set: it could be chosen for the whole program and crash on older processors.
#   cmake -D nm=nm -D isa=avx512 -D objects="a.o;b.o" -P weak_symbols.cmake
set(seen 0)
foreach(object IN LISTS objects)
  execute_process(COMMAND ${nm} -C --defined-only ${object} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," symbols "${symbols}")
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(symbol IN LISTS symbols)
    if(symbol MATCHES " [WVu] " AND NOT symbol MATCHES "shadow::${isa}::")
      message(SEND_ERROR "${object}: ${symbol}")
    endif()
    math(EXPR seen "${seen} + 1")
  endforeach()
endforeach()
if(NOT seen GREATER 10)
  message(SEND_ERROR "no symbols read from \"${objects}\"")
endif()
