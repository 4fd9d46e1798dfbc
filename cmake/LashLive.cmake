# SPDX-License-Identifier: MIT
#
# The solver of `lash live`: the library compiled to WebAssembly (cmake/solver) in a build of its own below this one, and
# put into a piece of HTML that is part of the program. Without Emscripten, the sources of libfyaml and SuiteSparse or
# Node.js the program still works; `lash live` then says what is missing.

set(LASH_LIVE AUTO CACHE STRING "Pages of lash live, built with Emscripten: ON, OFF, or AUTO where that works")
set_property(CACHE LASH_LIVE PROPERTY STRINGS AUTO ON OFF)
set(LASH_SOLVER_SOURCES ${PROJECT_SOURCE_DIR}/build/solver-sources CACHE PATH
    "Sources of libfyaml, and of AMD and LDL of SuiteSparse (tools/install-deps.sh web)")

set(solver ${PROJECT_BINARY_DIR}/web/solver.html)
set(LASH_HAVE_LIVE FALSE)
if(LASH_LIVE AND LASH_PAGE AND LASH_PROGRAM AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT LASH_SANITIZE AND NOT LASH_THREADS
   AND NOT LASH_FUZZ)
  find_program(LASH_EMCC emcc)
  find_file(LASH_EMSCRIPTEN Emscripten.cmake PATHS /usr/share/emscripten/cmake/Modules/Platform)
  mark_as_advanced(LASH_EMCC LASH_EMSCRIPTEN)
  set(missing "")
  if(NOT LASH_EMCC OR NOT LASH_EMSCRIPTEN)
    list(APPEND missing "Emscripten")
  endif()
  foreach(file IN ITEMS libfyaml/include/libfyaml.h suitesparse/ldl.c suitesparse/amd_order.c)
    if(NOT EXISTS ${LASH_SOLVER_SOURCES}/${file})
      list(APPEND missing ${LASH_SOLVER_SOURCES}/${file})
    endif()
  endforeach()
  if(NOT missing)
    set(LASH_HAVE_LIVE TRUE)
  elseif(NOT LASH_LIVE STREQUAL "AUTO")
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "LASH_LIVE is ON, but this is missing: ${missing}; 'tools/install-deps.sh web' installs it.")
  endif()
endif()

if(LASH_HAVE_LIVE)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  file(GLOB live_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/live/*.c ${PROJECT_SOURCE_DIR}/src/cli/page*.c
       ${PROJECT_SOURCE_DIR}/src/cli/table.c)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/include/*.h)
  list(FILTER headers EXCLUDE REGEX "/src/(fmu|cli/(examples|command|job|report|plot|zip|verify))")
  # Where that fails although everything is there, it is a mistake.
  add_custom_command(
    OUTPUT ${solver}
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/cmake/solver -B ${PROJECT_BINARY_DIR}/solver -DCMAKE_BUILD_TYPE=Release
            -DCMAKE_TOOLCHAIN_FILE=${LASH_EMSCRIPTEN} -DLASH_SOURCE=${PROJECT_SOURCE_DIR} -DLASH_UNITS=${units_table}
            -DLASH_LIBRARIES=${LASH_SOLVER_SOURCES} --log-level=WARNING
    # Debian's Emscripten looks for its modules where Debian's Node.js does.
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}/solver
            -j ${cores} -- --no-print-directory --quiet
    COMMAND ${CMAKE_COMMAND} -E chdir ${PROJECT_BINARY_DIR}/web node make-solver.mjs ${PROJECT_BINARY_DIR}/solver/solver.js
            ${PROJECT_BINARY_DIR}/solver/solver.wasm solver.html
    DEPENDS ${library_sources} ${headers} ${live_sources} ${units_table} ${page} cmake/solver/CMakeLists.txt
    COMMENT "Compiling the solver of lash live to WebAssembly"
    VERBATIM)
else()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/web)
  set(solver ${PROJECT_BINARY_DIR}/web/no-solver.html)
  file(WRITE ${solver} "")
endif()
set(embedded_solver ${PROJECT_BINARY_DIR}/generated/embedded_solver.c)
add_custom_command(
  OUTPUT ${embedded_solver}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded_solver} -DINPUTS=${solver} -DSINGLE=lashi_solver_file
          -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
  DEPENDS ${solver} cmake/Embed.cmake
  COMMENT "Embedding the solver"
  VERBATIM)
