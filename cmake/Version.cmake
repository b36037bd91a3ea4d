# SPDX-License-Identifier: BSD-3-Clause
# Run at every build: writes OUTPUT (shadow_version.hpp) when VERSION or the commit of SOURCE changed.
set(commit "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
     "#define SHADOW_VERSION \"${VERSION}\"\n#define SHADOW_COMMIT \"${commit}\"\n")
