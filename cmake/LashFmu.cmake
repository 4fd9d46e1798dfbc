# SPDX-License-Identifier: MIT
#
# The shared object inside every FMU that `lash fmu` writes: the library with libfyaml and SuiteSparse's ldl and amd, all
# static, needing libc and libm alone. It is part of the program as it is (src/cli/embedded.h).
#
# The distribution's libfyaml.a is not made for shared objects. With its symbols hidden all it lacks are the standard
# streams, which are renamed (src/fmu/streams.c).

set(LASH_HAVE_FMU FALSE)
# Sanitizers of clang are not in shared objects.
if(LASH_FMU AND LASH_PROGRAM AND NOT LASH_THREADS AND NOT (LASH_SANITIZE AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  set(missing "")
  foreach(name IN ITEMS fyaml ldl amd suitesparseconfig)
    find_library(LASH_STATIC_${name} NAMES lib${name}.a)
    mark_as_advanced(LASH_STATIC_${name})
    if(NOT LASH_STATIC_${name})
      list(APPEND missing lib${name}.a)
    endif()
  endforeach()
  if(NOT missing AND CMAKE_OBJCOPY)
    set(LASH_HAVE_FMU TRUE)
  elseif(NOT LASH_FMU STREQUAL "AUTO")
    message(FATAL_ERROR "LASH_FMU is ON, but static libraries are missing: ${missing}")
  endif()
endif()

set(fmu_object ${PROJECT_BINARY_DIR}/generated/lash_fmu.so)
if(LASH_HAVE_FMU)
  set(fmu_yaml ${PROJECT_BINARY_DIR}/generated/libfyaml_fmu.a)
  add_custom_command(
    OUTPUT ${fmu_yaml}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=lashi_fmu_stdin --redefine-sym stdout=lashi_fmu_stdout
            --redefine-sym stderr=lashi_fmu_stderr ${LASH_STATIC_fyaml} ${fmu_yaml}
    COMMENT "Preparing libfyaml for FMUs"
    VERBATIM)
  # Optimising it as a whole would take as long as the program.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(plain_link -fno-lto)
  endif()
  file(GLOB fmu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmu/*.c)
  add_library(lash_fmu MODULE ${fmu_sources} $<TARGET_OBJECTS:lash_objects> ${fmu_yaml})
  target_include_directories(lash_fmu PRIVATE include src)
  target_link_libraries(lash_fmu PRIVATE lash_options ${fmu_yaml} ${LASH_STATIC_ldl} ${LASH_STATIC_amd}
                                         ${LASH_STATIC_suitesparseconfig} Threads::Threads ${CMAKE_DL_LIBS} m)
  target_link_options(lash_fmu PRIVATE ${plain_link} LINKER:--no-undefined LINKER:--gc-sections -s
                      LINKER:--build-id=none LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/fmu.map)
  set_target_properties(lash_fmu PROPERTIES PREFIX "" OUTPUT_NAME lash_fmu SUFFIX .so
                                            LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/fmu.map
                                            LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
else()
  file(WRITE ${fmu_object} "")
endif()
