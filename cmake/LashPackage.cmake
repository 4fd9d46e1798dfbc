# SPDX-License-Identifier: MIT
#
# Debian packages by cpack: one per component of the installation. Libraries that Lash loads when it needs them are
# recommended, not needed.

set(CPACK_PACKAGE_NAME lash)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Lash <lash@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program library dev python)
if(NOT LASH_HAVE_PYTHON)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(loaded "libhdf5-103-1, libsundials-cvode6, libsqlite3-0, libspqr2")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lash)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Motion of machines whose joints have play\n The program, its examples and pages.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "${loaded}, gnuplot-nox")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblash${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Motion of machines whose joints have play\n The shared library.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "${loaded}")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblash-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Motion of machines whose joints have play\n Headers and the static library.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "liblash${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} (= ${PROJECT_VERSION}), libfyaml-dev, libsuitesparse-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-lash)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Motion of machines whose joints have play\n The package for Python 3.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3-cffi-backend, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "${loaded}, lash")
include(CPack)
