# SPDX-License-Identifier: MIT
#
# Libraries that are loaded when they are needed (src/base/library.h), each behind an option LASH_WITH_NAME: ON, OFF, or
# AUTO where its header and library are found. A component that is in sets LASH_HAVE_NAME, compiles its own files with
# its header, and its NAME_library.c with LASH_NAME_FILE, the file to load; one that is out compiles no_NAME.c instead.

# lash_component(NAME HEADER "FOLDERS OF THE HEADER" LIBRARY DEBIAN-PACKAGE "WHAT IT DOES" FOLDER FILE...)
# The files are those in src/FOLDER that need the component's header, without NAME_library.c.
function(lash_component name header folders library package purpose folder)
  string(TOLOWER ${name} lower)
  set(LASH_WITH_${name} AUTO CACHE STRING "${purpose}: ON, OFF, or AUTO where it is found")
  set_property(CACHE LASH_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
  set(own ${lower}_library.c ${ARGN})
  list(TRANSFORM own PREPEND ${PROJECT_SOURCE_DIR}/src/${folder}/)
  set(without ${PROJECT_SOURCE_DIR}/src/${folder}/no_${lower}.c)
  set(found FALSE)
  if(LASH_WITH_${name})
    string(REPLACE "|" ";" names ${library})
    find_path(LASH_${name}_INCLUDE ${header} PATH_SUFFIXES ${folders})
    find_library(LASH_${name}_LIBRARY NAMES ${names})
    mark_as_advanced(LASH_${name}_INCLUDE LASH_${name}_LIBRARY)
    if(LASH_${name}_INCLUDE AND LASH_${name}_LIBRARY)
      set(found TRUE)
    elseif(NOT LASH_WITH_${name} STREQUAL "AUTO")
      message(FATAL_ERROR "LASH_WITH_${name} is ON, but ${header} or its library cannot be found. On Debian they are in "
                          "the package ${package}.")
    endif()
  endif()
  if(found)
    lash_soname(soname ${LASH_${name}_LIBRARY})
    add_library(lash::${lower} INTERFACE IMPORTED GLOBAL)
    target_include_directories(lash::${lower} SYSTEM INTERFACE ${LASH_${name}_INCLUDE})
    set_source_files_properties(${own} PROPERTIES COMPILE_DEFINITIONS "LASH_${name}_FILE=\"${soname}\"")
    set(left_out ${without})
  else()
    set(left_out ${own})
  endif()
  set(LASH_HAVE_${name} ${found} PARENT_SCOPE)
  set(LASH_LEFT_OUT ${LASH_LEFT_OUT} ${left_out} PARENT_SCOPE)
endfunction()

# The name under which the dynamic linker looks for a library: libhdf5.so → libhdf5.so.103.
function(lash_soname out library)
  get_filename_component(name ${library} NAME)
  execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE said ERROR_QUIET)
  if(said MATCHES "soname: \\[([^]]+)\\]")
    set(name ${CMAKE_MATCH_1})
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

set(LASH_LEFT_OUT "")
lash_component(CVODE cvode/cvode.h "" sundials_cvode libsundials-dev "The integrators adams and gear" integrate cvode.c)
lash_component(HDF5 hdf5.h hdf5/serial "hdf5_serial|hdf5" libhdf5-dev "Results in HDF5 files" record
               hdf5_file.c hdf5_sink.c hdf5_result.c)
lash_component(SQLITE sqlite3.h "" sqlite3 libsqlite3-dev "Tables of studies" study store.c reread.c database.c
               life_store.c)
lash_component(SPQR suitesparse/SuiteSparseQR_C.h "" spqr libsuitesparse-dev "Ranks of large systems" system spqr.c)
lash_component(MPI mpi.h "mpi;openmpi;mpich" mpi libopenmpi-dev "Studies over several processes" cli)
