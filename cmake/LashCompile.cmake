# SPDX-License-Identifier: MIT
#
# The sources that compiled models include, as bytes of the library (src/compile/sources.h): all headers, the files of
# joints, forces and contacts, the arithmetic of expressions and what they read. The assembler takes them as they are.

file(GLOB kernel_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.h ${PROJECT_SOURCE_DIR}/include/lash/*.h)
list(FILTER kernel_headers EXCLUDE REGEX "/src/(cli|fmu|live|record|study|sim|input)/")
file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/joint/*.c ${PROJECT_SOURCE_DIR}/src/force/*.c
     ${PROJECT_SOURCE_DIR}/src/contact/*.c ${PROJECT_SOURCE_DIR}/src/math/jet.c ${PROJECT_SOURCE_DIR}/src/math/program.c
     ${PROJECT_SOURCE_DIR}/src/dynamics/reads.c)
set(kernel_files ${kernel_headers} ${kernel_files})
list(SORT kernel_files)

set(kernel_bytes "")
set(kernel_table "")
set(kernel_names "")
set(index 0)
foreach(file IN LISTS kernel_files)
  string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/(src|include)/" "" name ${file})
  string(APPEND kernel_bytes
         "        \"lashi_kernel_bytes_${index}:\\n.incbin \\\"${file}\\\"\\nlashi_kernel_end_${index}:\\n.byte 0\\n\"\n")
  string(APPEND kernel_names "extern const char lashi_kernel_bytes_${index}[], lashi_kernel_end_${index}[];\n")
  string(APPEND kernel_table "    {\"${name}\", lashi_kernel_bytes_${index}, lashi_kernel_end_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
set(embedded_sources ${PROJECT_BINARY_DIR}/generated/embedded_sources.c)
configure_file(cmake/embedded_sources.c.in ${embedded_sources} @ONLY)
set_source_files_properties(${embedded_sources} PROPERTIES OBJECT_DEPENDS "${kernel_files}" COMPILE_OPTIONS "-fno-lto")
