# SPDX-License-Identifier: MIT
#
# The libraries Lash is linked with, one imported target each. Used by the build and, installed beside
# lashConfig.cmake, by projects that link the static library. Plain searches by header and library name:
# SuiteSparse 5 and udunits2 have no package files, and Debian's of SUNDIALS pulls in MPI and PETSc.

# lash_find(TARGET HEADER "FOLDERS OF THE HEADER" DEBIAN-PACKAGE LIBRARY...)
# A library given as "a|b" is found under either name, the first one first.
function(lash_find target header folders package)
  if(TARGET lash::${target})
    return()
  endif()
  set(missing "")
  set(include "")
  if(header)
    find_path(LASH_${target}_INCLUDE ${header} PATH_SUFFIXES ${folders})
    mark_as_advanced(LASH_${target}_INCLUDE)
    set(include ${LASH_${target}_INCLUDE})
    if(NOT include)
      list(APPEND missing ${header})
    endif()
  endif()
  set(found "")
  foreach(library IN LISTS ARGN)
    string(REPLACE "|" ";" names ${library})
    list(GET names 0 first)
    find_library(LASH_LIBRARY_${first} NAMES ${names})
    mark_as_advanced(LASH_LIBRARY_${first})
    if(LASH_LIBRARY_${first})
      list(APPEND found ${LASH_LIBRARY_${first}})
    else()
      list(APPEND missing lib${first})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "Lash needs ${target}, but ${missing} cannot be found. On Debian it is in the package "
                        "${package}; 'tools/install-deps.sh program' installs all that is needed.")
  endif()
  add_library(lash::${target} INTERFACE IMPORTED GLOBAL)
  set_target_properties(
    lash::${target}
    PROPERTIES INTERFACE_LINK_LIBRARIES "${found}"
               INTERFACE_INCLUDE_DIRECTORIES "${include}"
               INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${include}")
endfunction()

lash_find(suitesparse amd.h suitesparse libsuitesparse-dev ldl amd suitesparseconfig)
lash_find(libfyaml libfyaml.h "" libfyaml-dev fyaml)

set(LASH_DEPENDENCIES suitesparse libfyaml)
