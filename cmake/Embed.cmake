# SPDX-License-Identifier: MIT
#
# Writes the C files that hold other files (src/cli/embedded.h). Run at build time:
#   cmake -DOUTPUT=FILE -DINPUTS=FILE,FILE,… -DTABLE=NAME -P Embed.cmake     an array NAME of files
#   cmake -DOUTPUT=FILE -DINPUTS=FILE -DSINGLE=NAME -P Embed.cmake           one file NAME
# Bytes are written as numbers, so that a file may hold anything.

string(REPLACE "," ";" inputs "${INPUTS}")
set(arrays "")
set(table "")
set(index 0)
foreach(input IN LISTS inputs)
  get_filename_component(name "${input}" NAME)
  file(READ "${input}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(REGEX REPLACE ", \n" ",\n" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char file_${index}[] = {\n    ${bytes}0};\n\n")
  set(entry "{\"${name}\", (const char *)file_${index}, sizeof file_${index} - 1}")
  string(APPEND table "    ${entry},\n")
  math(EXPR index "${index} + 1")
endforeach()
if(SINGLE)
  set(definition "const lashi_embedded_file ${SINGLE} = ${entry};\n")
else()
  set(definition "const lashi_embedded_file ${TABLE}[] = {\n${table}    {NULL, NULL, 0},\n};\n")
endif()
file(WRITE "${OUTPUT}" "/* SPDX-License-Identifier: MIT\n *\n * Written by cmake/Embed.cmake.\n */\n"
                       "#include \"cli/embedded.h\"\n\n${arrays}${definition}")
