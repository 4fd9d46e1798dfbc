# SPDX-License-Identifier: MIT
#
# The Python package: the C part is made by cffi from the public headers, compiled here against the static library, and
# put beside the Python files in build/python, from where it can be used and is installed.

set(LASH_HAVE_PYTHON FALSE)
# Sanitizers of clang are not in shared objects.
if(LASH_PYTHON AND NOT LASH_THREADS AND NOT (LASH_SANITIZE AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  # The first Python that has what is needed: that of the PATH, or the system's own.
  find_program(LASH_PYTHON_IN_PATH python3)
  mark_as_advanced(LASH_PYTHON_IN_PATH)
  set(asked "import cffi, numpy, sysconfig, sys; print(sysconfig.get_path('include'), '%d.%d' % sys.version_info[:2], sep=';')")
  foreach(candidate IN ITEMS ${LASH_PYTHON_IN_PATH} /usr/bin/python3)
    if(NOT LASH_HAVE_PYTHON AND EXISTS ${candidate})
      execute_process(COMMAND ${candidate} -c "${asked}" OUTPUT_VARIABLE said ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
                      RESULT_VARIABLE failed)
      if(NOT failed)
        list(GET said 0 python_include)
        list(GET said 1 python_version)
        if(EXISTS ${python_include}/Python.h)
          set(LASH_PYTHON_PROGRAM ${candidate})
          set(LASH_HAVE_PYTHON TRUE)
        endif()
      endif()
    endif()
  endforeach()
  if(NOT LASH_HAVE_PYTHON AND NOT LASH_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "LASH_PYTHON is ON, but there is no Python 3 with its headers, cffi and NumPy. On Debian they are in "
                        "the packages python3-dev, python3-cffi and python3-numpy.")
  endif()
endif()
if(NOT LASH_HAVE_PYTHON)
  return()
endif()

set(python_source ${PROJECT_BINARY_DIR}/generated/_lash.c)
add_custom_command(
  OUTPUT ${python_source}
  COMMAND ${LASH_PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/python/lash_build.py ${PROJECT_SOURCE_DIR}/include ${python_source}
  DEPENDS ${PROJECT_SOURCE_DIR}/python/lash_build.py ${public_headers}
  COMMENT "Making the C part of the Python package"
  VERBATIM)
add_library(lash_python_module MODULE ${python_source})
target_include_directories(lash_python_module SYSTEM PRIVATE ${python_include})
target_compile_options(lash_python_module PRIVATE -w)
target_compile_definitions(lash_python_module PRIVATE _GNU_SOURCE)
target_link_libraries(lash_python_module PRIVATE lash_static)
target_link_options(lash_python_module PRIVATE LINKER:--exclude-libs,ALL)
if(LASH_SANITIZE)
  target_link_options(lash_python_module PRIVATE ${sanitize})
endif()
set(python_folder ${PROJECT_BINARY_DIR}/python/lash)
set_target_properties(lash_python_module PROPERTIES PREFIX "" OUTPUT_NAME _lash SUFFIX .abi3.so
                                             LIBRARY_OUTPUT_DIRECTORY ${python_folder})
file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/lash/*.py ${PROJECT_SOURCE_DIR}/python/lash/py.typed)
set(python_stamp ${PROJECT_BINARY_DIR}/generated/python-files)
add_custom_command(
  OUTPUT ${python_stamp}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${python_folder}
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${python_files} ${python_folder}
  COMMAND ${CMAKE_COMMAND} -E touch ${python_stamp}
  DEPENDS ${python_files}
  COMMENT "Putting the Python package together"
  VERBATIM)
add_custom_target(lash_python ALL DEPENDS ${python_stamp} lash_python_module)

if(LASH_INSTALL)
  set(LASH_PYTHON_FOLDER lib/python${python_version}/dist-packages CACHE STRING "Where Python looks, below the prefix")
  install(TARGETS lash_python_module LIBRARY DESTINATION ${LASH_PYTHON_FOLDER}/lash COMPONENT python)
  install(FILES ${python_files} DESTINATION ${LASH_PYTHON_FOLDER}/lash COMPONENT python)
endif()
