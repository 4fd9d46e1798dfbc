# SPDX-License-Identifier: MIT
#
# Writes lash.pc. Libraries are named as -l…, with -L… where the linker would not look by itself. A purely static
# installation names the dependencies for every user, a shared one only for `pkg-config --static`.

set(pc_dependencies "")
foreach(dependency IN LISTS LASH_DEPENDENCIES)
  get_target_property(libraries lash::${dependency} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    get_filename_component(folder ${library} DIRECTORY)
    get_filename_component(name ${library} NAME_WE)
    string(REGEX REPLACE "^lib" "-l" name ${name})
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND pc_dependencies -L${folder})
    endif()
    list(APPEND pc_dependencies ${name})
  endforeach()
endforeach()
list(APPEND pc_dependencies -lpthread -ldl -lm)
list(REMOVE_DUPLICATES pc_dependencies)
list(JOIN pc_dependencies " " pc_dependencies)
if(BUILD_SHARED_LIBS)
  set(pc_libraries "-llash")
  set(pc_private "${pc_dependencies}")
else()
  set(pc_libraries "-llash ${pc_dependencies}")
  set(pc_private "")
endif()
# From lib/pkgconfig back to the prefix, so that the installation can be moved.
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
configure_file(cmake/lash.pc.in generated/lash.pc @ONLY)
