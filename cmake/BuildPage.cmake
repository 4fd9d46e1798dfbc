# SPDX-License-Identifier: MIT
#
# Builds the page of `lash report`. Run at build time:
#   cmake -DFROM=web -DTO=FOLDER -DWANTED=AUTO|ON|OFF -P BuildPage.cmake
# The sources are copied to the build folder, packages are fetched there when their list has changed, and page.html is
# made. Where that fails, with AUTO, a page that was made before is kept, or page.html is left empty, and the build goes
# on.

set(page "${TO}/page.html")

function(give_up why)
  if(WANTED STREQUAL "ON")
    message(FATAL_ERROR "The page of lash report cannot be built: ${why}")
  elseif(NOT WANTED STREQUAL "OFF" AND EXISTS "${page}")
    message(WARNING "The page of lash report stays as it was built before: ${why}")
    file(TOUCH "${page}")
    return()
  elseif(NOT WANTED STREQUAL "OFF")
    message(WARNING "lash report will not work, the rest will: ${why}")
  endif()
  file(WRITE "${page}" "")
endfunction()

file(MAKE_DIRECTORY "${TO}")
if(WANTED STREQUAL "OFF")
  give_up("")
  return()
endif()
find_program(NPM npm)
find_program(NODE NAMES node nodejs)
if(NOT NPM OR NOT NODE)
  give_up("npm and Node.js were not found (Debian: nodejs npm)")
  return()
endif()

file(REMOVE_RECURSE "${TO}/src")
file(COPY "${FROM}/src" "${FROM}/package.json" "${FROM}/package-lock.json" "${FROM}/vite.config.js"
          "${FROM}/make-solver.mjs" "${FROM}/template.html" DESTINATION "${TO}")

# Packages again only when the list of them is another one.
file(SHA256 "${FROM}/package-lock.json" wanted_packages)
set(have "")
if(EXISTS "${TO}/packages")
  file(READ "${TO}/packages" have)
endif()
if(NOT have STREQUAL wanted_packages)
  file(REMOVE "${TO}/packages")
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error WORKING_DIRECTORY "${TO}"
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    give_up("npm could not fetch the packages:\n${said}")
    return()
  endif()
  file(WRITE "${TO}/packages" "${wanted_packages}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -E env LASH_PAGE_DIR=. ${NODE} node_modules/vite/bin/vite.js build
                WORKING_DIRECTORY "${TO}" RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(failed)
  # This is a mistake in web/, not a lack of the machine.
  file(REMOVE "${page}")
  message(FATAL_ERROR "vite failed:\n${said}")
endif()
