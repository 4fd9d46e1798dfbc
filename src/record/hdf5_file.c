/* SPDX-License-Identifier: MIT
 *
 * A file driver for HDF5 over an open descriptor whose writes never fail. Reading goes through it, too: the
 * file that was looked at is the one that is read, and no lock is asked of the file system.
 *
 * HDF5 (1.10) does not survive a full disk: after a failed write a dataset or file cannot be closed, stays
 * with the library, and crashes the process at exit. This driver notes the first failure, discards what
 * follows, and lets HDF5 close in peace; the sink reads the note and gives the file up.
 */
#include "record/hdf5_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { DRIVER_VALUE = 611 }; // any number above those HDF5 keeps for itself, asked for from 1.14 on

typedef struct driver_file {
    H5FD_t base; // HDF5 knows only this part
    lashi_hdf5_target *target;
    haddr_t end_of_addresses, end_of_file;
} driver_file;

typedef struct driver_settings {
    lashi_hdf5_target *target;
} driver_settings;

static void *settings_copy(const void *settings) {
    driver_settings *copy = malloc(sizeof *copy);
    if (copy)
        memcpy(copy, settings, sizeof *copy);
    return copy;
}

static herr_t settings_free(void *settings) {
    free(settings);
    return 0;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access_list, haddr_t max_address) {
    (void)name;
    (void)flags;
    (void)max_address;
    const driver_settings *settings = H5Pget_driver_info(access_list);
    driver_file *file = calloc(1, sizeof *file);
    if (!settings || !file) {
        free(file);
        return NULL;
    }
    file->target = settings->target;
    struct stat info;
    if (fstat(file->target->descriptor, &info) == 0)
        file->end_of_file = (haddr_t)info.st_size;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base) {
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->end_of_addresses;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((driver_file *)base)->end_of_addresses = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->end_of_file;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                          void *buffer) {
    (void)type;
    (void)transfer;
    driver_file *file = (driver_file *)base;
    char *bytes = buffer;
    while (size > 0) {
        ssize_t got = pread(file->target->descriptor, bytes, size, (off_t)address);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && file->target->error == 0)
            return -1;
        if (got <= 0) {
            memset(bytes, 0, size); // beyond the end, and what was discarded
            return 0;
        }
        bytes += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *buffer) {
    (void)type;
    (void)transfer;
    driver_file *file = (driver_file *)base;
    const char *bytes = buffer;
    if (address + size > file->end_of_file)
        file->end_of_file = address + size;
    while (size > 0 && file->target->error == 0) {
        ssize_t put = pwrite(file->target->descriptor, bytes, size, (off_t)address);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            file->target->error = put < 0 && errno ? errno : EIO;
            break;
        }
        bytes += put;
        address += (haddr_t)put;
        size -= (size_t)put;
    }
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer;
    (void)closing;
    driver_file *file = (driver_file *)base;
    if (file->end_of_file == file->end_of_addresses)
        return 0;
    if (file->target->error == 0 && ftruncate(file->target->descriptor, (off_t)file->end_of_addresses) != 0)
        file->target->error = errno;
    file->end_of_file = file->end_of_addresses;
    return 0;
}

hid_t lashi_hdf5_untimed(hid_t class) {
    hid_t list = H5Pcreate(class);
    H5Pset_obj_track_times(list, false);
    return list;
}

static hid_t open_or_create(lashi_hdf5_target *target, bool create) {
    const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 14, 0)
        .version = H5FD_CLASS_VERSION,
        .value = DRIVER_VALUE,
#endif
        .name = "lash",
        .maxaddr = ((haddr_t)1 << (8 * sizeof(off_t) - 1)) - 1,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(driver_settings),
        .fapl_copy = settings_copy,
        .fapl_free = settings_free,
        .open = driver_open,
        .close = driver_close,
        .query = driver_query,
        .get_eoa = driver_get_eoa,
        .set_eoa = driver_set_eoa,
        .get_eof = driver_get_eof,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    const driver_settings settings = {target};
    hid_t file = -1, id = H5FDregister(&driver), list = H5Pcreate(H5P_FILE_ACCESS),
          creation = lashi_hdf5_untimed(H5P_FILE_CREATE);
    // From 1.8 on, headers carry checksums; 1.10's own format would call the file of a killed run unreadable.
    if (id >= 0 && list >= 0 && creation >= 0 && H5Pset_driver(list, id, &settings) >= 0 &&
        H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        file =
            create ? H5Fcreate("lash", H5F_ACC_TRUNC, creation, list) : H5Fopen("lash", H5F_ACC_RDONLY, list);
    // The file and the list keep the driver for as long as they need it.
    if (list >= 0)
        H5Pclose(list);
    if (creation >= 0)
        H5Pclose(creation);
    if (id >= 0)
        H5FDunregister(id);
    return file;
}

hid_t lashi_hdf5_create(lashi_hdf5_target *target) {
    return open_or_create(target, true);
}

hid_t lashi_hdf5_open(lashi_hdf5_target *target) {
    return open_or_create(target, false);
}
