/* SPDX-License-Identifier: MIT
 *
 * HDF5, loaded when the first result is written or read. What is used of it is in the list.
 */
#ifndef LASHI_HDF5_LIBRARY_H
#define LASHI_HDF5_LIBRARY_H

#include <hdf5.h>

#include "base/library.h"

/* clang-format off */
#define LASHI_HDF5_LIST(X)                                                                                   \
    X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aread)              \
    X(H5Awrite) X(H5Dclose) X(H5Dcreate2) X(H5Dget_create_plist) X(H5Dget_space)                             \
    X(H5Dget_storage_size) X(H5Dget_type) X(H5Dopen2) X(H5Dread) X(H5Dset_extent) X(H5Dwrite)                \
    X(H5Eauto_is_v2) X(H5Eget_auto1) X(H5Eget_auto2) X(H5Eset_auto1) X(H5Eset_auto2) X(H5FDregister)         \
    X(H5FDunregister) X(H5Fclose) X(H5Fcreate) X(H5Fflush) X(H5Fopen) X(H5Gclose) X(H5Gcreate2)              \
    X(H5Gopen2) X(H5Lexists) X(H5Lget_info) X(H5P_CLS_DATASET_CREATE_ID_g)                                   \
    X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_FILE_CREATE_ID_g) X(H5P_CLS_GROUP_CREATE_ID_g) X(H5Pclose)         \
    X(H5Pcreate) X(H5Pget_driver_info) X(H5Pget_external_count) X(H5Pget_layout) X(H5Pget_nfilters)          \
    X(H5Pset_chunk) X(H5Pset_driver) X(H5Pset_libver_bounds) X(H5Pset_obj_track_times) X(H5Sclose)           \
    X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_ndims)              \
    X(H5Sget_simple_extent_npoints) X(H5Sselect_hyperslab) X(H5T_C_S1_g) X(H5T_IEEE_F64BE_g)                 \
    X(H5T_IEEE_F64LE_g) X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_INT_g) X(H5Tclose) X(H5Tcopy)                    \
    X(H5Tcreate) X(H5Tequal) X(H5Tget_class) X(H5Tget_cset) X(H5Tget_member_class)                           \
    X(H5Tget_member_index) X(H5Tget_member_offset) X(H5Tget_member_type) X(H5Tget_nmembers)                  \
    X(H5Tget_size) X(H5Tinsert) X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size) X(H5Tset_strpad)         \
    X(H5check_version) X(H5open)
/* clang-format on */

extern struct lashi_hdf5_calls LASHI_LIBRARY_ADDRESSES(LASHI_HDF5_LIST) lashi_hdf5;

lash_status lashi_hdf5_load(lash_error *error);

#define LASHI_HDF5(name)             (*lashi_hdf5.name)
#define H5Aclose                     LASHI_HDF5(H5Aclose)
#define H5Acreate2                   LASHI_HDF5(H5Acreate2)
#define H5Aexists                    LASHI_HDF5(H5Aexists)
#define H5Aget_space                 LASHI_HDF5(H5Aget_space)
#define H5Aget_type                  LASHI_HDF5(H5Aget_type)
#define H5Aopen                      LASHI_HDF5(H5Aopen)
#define H5Aread                      LASHI_HDF5(H5Aread)
#define H5Awrite                     LASHI_HDF5(H5Awrite)
#define H5Dclose                     LASHI_HDF5(H5Dclose)
#define H5Dcreate2                   LASHI_HDF5(H5Dcreate2)
#define H5Dget_create_plist          LASHI_HDF5(H5Dget_create_plist)
#define H5Dget_space                 LASHI_HDF5(H5Dget_space)
#define H5Dget_storage_size          LASHI_HDF5(H5Dget_storage_size)
#define H5Dget_type                  LASHI_HDF5(H5Dget_type)
#define H5Dopen2                     LASHI_HDF5(H5Dopen2)
#define H5Dread                      LASHI_HDF5(H5Dread)
#define H5Dset_extent                LASHI_HDF5(H5Dset_extent)
#define H5Dwrite                     LASHI_HDF5(H5Dwrite)
#define H5Eauto_is_v2                LASHI_HDF5(H5Eauto_is_v2)
#define H5Eget_auto1                 LASHI_HDF5(H5Eget_auto1)
#define H5Eget_auto2                 LASHI_HDF5(H5Eget_auto2)
#define H5Eset_auto1                 LASHI_HDF5(H5Eset_auto1)
#define H5Eset_auto2                 LASHI_HDF5(H5Eset_auto2)
#define H5FDregister                 LASHI_HDF5(H5FDregister)
#define H5FDunregister               LASHI_HDF5(H5FDunregister)
#define H5Fclose                     LASHI_HDF5(H5Fclose)
#define H5Fcreate                    LASHI_HDF5(H5Fcreate)
#define H5Fflush                     LASHI_HDF5(H5Fflush)
#define H5Fopen                      LASHI_HDF5(H5Fopen)
#define H5Gclose                     LASHI_HDF5(H5Gclose)
#define H5Gcreate2                   LASHI_HDF5(H5Gcreate2)
#define H5Gopen2                     LASHI_HDF5(H5Gopen2)
#define H5Lexists                    LASHI_HDF5(H5Lexists)
#define H5Lget_info                  LASHI_HDF5(H5Lget_info)
#define H5P_CLS_DATASET_CREATE_ID_g  LASHI_HDF5(H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g     LASHI_HDF5(H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_FILE_CREATE_ID_g     LASHI_HDF5(H5P_CLS_FILE_CREATE_ID_g)
#define H5P_CLS_GROUP_CREATE_ID_g    LASHI_HDF5(H5P_CLS_GROUP_CREATE_ID_g)
#define H5Pclose                     LASHI_HDF5(H5Pclose)
#define H5Pcreate                    LASHI_HDF5(H5Pcreate)
#define H5Pget_driver_info           LASHI_HDF5(H5Pget_driver_info)
#define H5Pget_external_count        LASHI_HDF5(H5Pget_external_count)
#define H5Pget_layout                LASHI_HDF5(H5Pget_layout)
#define H5Pget_nfilters              LASHI_HDF5(H5Pget_nfilters)
#define H5Pset_chunk                 LASHI_HDF5(H5Pset_chunk)
#define H5Pset_driver                LASHI_HDF5(H5Pset_driver)
#define H5Pset_libver_bounds         LASHI_HDF5(H5Pset_libver_bounds)
#define H5Pset_obj_track_times       LASHI_HDF5(H5Pset_obj_track_times)
#define H5Sclose                     LASHI_HDF5(H5Sclose)
#define H5Screate                    LASHI_HDF5(H5Screate)
#define H5Screate_simple             LASHI_HDF5(H5Screate_simple)
#define H5Sget_simple_extent_dims    LASHI_HDF5(H5Sget_simple_extent_dims)
#define H5Sget_simple_extent_ndims   LASHI_HDF5(H5Sget_simple_extent_ndims)
#define H5Sget_simple_extent_npoints LASHI_HDF5(H5Sget_simple_extent_npoints)
#define H5Sselect_hyperslab          LASHI_HDF5(H5Sselect_hyperslab)
#define H5T_C_S1_g                   LASHI_HDF5(H5T_C_S1_g)
#define H5T_IEEE_F64BE_g             LASHI_HDF5(H5T_IEEE_F64BE_g)
#define H5T_IEEE_F64LE_g             LASHI_HDF5(H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g          LASHI_HDF5(H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_INT_g             LASHI_HDF5(H5T_NATIVE_INT_g)
#define H5Tclose                     LASHI_HDF5(H5Tclose)
#define H5Tcopy                      LASHI_HDF5(H5Tcopy)
#define H5Tcreate                    LASHI_HDF5(H5Tcreate)
#define H5Tequal                     LASHI_HDF5(H5Tequal)
#define H5Tget_class                 LASHI_HDF5(H5Tget_class)
#define H5Tget_cset                  LASHI_HDF5(H5Tget_cset)
#define H5Tget_member_class          LASHI_HDF5(H5Tget_member_class)
#define H5Tget_member_index          LASHI_HDF5(H5Tget_member_index)
#define H5Tget_member_offset         LASHI_HDF5(H5Tget_member_offset)
#define H5Tget_member_type           LASHI_HDF5(H5Tget_member_type)
#define H5Tget_nmembers              LASHI_HDF5(H5Tget_nmembers)
#define H5Tget_size                  LASHI_HDF5(H5Tget_size)
#define H5Tinsert                    LASHI_HDF5(H5Tinsert)
#define H5Tis_variable_str           LASHI_HDF5(H5Tis_variable_str)
#define H5Tset_cset                  LASHI_HDF5(H5Tset_cset)
#define H5Tset_size                  LASHI_HDF5(H5Tset_size)
#define H5Tset_strpad                LASHI_HDF5(H5Tset_strpad)
#define H5check_version              LASHI_HDF5(H5check_version)
#define H5open                       LASHI_HDF5(H5open)

#endif
