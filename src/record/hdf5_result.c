/* SPDX-License-Identifier: MIT
 *
 * An HDF5 result read again. The file may come from anyone: a cut, damaged, foreign or forged
 * one is an error, never a crash, and never a way to other files.
 *
 *   - Headers carry checksums (HDF5 1.8 on), so that damage is found before HDF5 stumbles over it.
 *   - Links inside the file are followed only where they are hard links: others lead elsewhere.
 *   - Data lie in the file itself, as they were written: no external storage, no virtual sets, no filters. So
 *     nothing is larger than the file.
 *   - Numbers are doubles, texts have a fixed length, and every member of an event lies inside its record.
 *   - Texts are UTF-8 without control characters.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "lash/text.h"
#include "record/hdf5_file.h"
#include "record/result.h"
#include "record/summary.h"

enum { EVENT_BLOCK = 256, MOST_COLUMNS = 1 << 20, MOST_MEMBERS = 256 };

typedef struct file_result {
    lash_result base;
    lashi_arena arena; // names and texts
    char *path;
    lashi_hdf5_target target;
    hid_t file, data[LASH_STREAMS], events;
    size_t file_size; // bytes; nothing stored plainly can be larger
} file_result;

static lash_status damaged(const file_result *result, const char *what, lash_error *error) {
    return lashi_fail(error, LASH_ERROR_IO, "'%s' is damaged or was made by another program: %s",
                      result->path, what);
}

// ---- what a file may hold

typedef enum presence { ABSENT, PRESENT, FORBIDDEN } presence;

/* Whether a name stands for something in the file itself. */
static presence find(hid_t parent, const char *name) {
    H5L_info_t link;
    const htri_t there = H5Lexists(parent, name, H5P_DEFAULT);
    if (there == 0)
        return ABSENT;
    return there > 0 && H5Lget_info(parent, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD
               ? PRESENT
               : FORBIDDEN;
}

/* A dataset whose values are stored as they are, in the file, and all of them. -1: none. */
static hid_t open_set(const file_result *result, hid_t parent, const char *name) {
    hid_t set = find(parent, name) == PRESENT ? H5Dopen2(parent, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return -1;
    hid_t list = H5Dget_create_plist(set), space = H5Dget_space(set), type = H5Dget_type(set);
    const H5D_layout_t layout = H5Pget_layout(list);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t each = H5Tget_size(type);
    const hsize_t stored = H5Dget_storage_size(set);
    const bool fine = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                      H5Pget_external_count(list) == 0 && H5Pget_nfilters(list) == 0 && count >= 0 &&
                      each > 0 && (hsize_t)count <= result->file_size / each &&
                      (hsize_t)count * each <= stored;
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(list);
    if (!fine)
        H5Dclose(set);
    return fine ? set : -1;
}

static bool is_double(hid_t type) {
    return H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0;
}

/* Text of a fixed length, one byte for one character of its encoding at least. */
static bool is_text(hid_t type) {
    const H5T_cset_t set = H5Tget_cset(type);
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
           (set == H5T_CSET_ASCII || set == H5T_CSET_UTF8);
}

// ---- texts

/* A text of `bytes` bytes as HDF5 stores it, ended by a zero. */
static char *read_text_value(file_result *result, hid_t type, hid_t set, hid_t attribute) {
    if (!is_text(type))
        return NULL;
    size_t bytes = H5Tget_size(type);
    if (bytes == 0 || bytes > result->file_size)
        return NULL;
    hid_t space = set >= 0 ? H5Dget_space(set) : H5Aget_space(attribute);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    H5Sclose(space);
    char *text = single ? lashi_arena_alloc(&result->arena, bytes + 1, 1) : NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    bool fine = text && H5Tset_size(memory, bytes) >= 0 && H5Tset_strpad(memory, H5T_STR_NULLPAD) >= 0 &&
                H5Tset_cset(memory, H5Tget_cset(type)) >= 0 &&
                (set >= 0 ? H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, text)
                          : H5Aread(attribute, memory, text)) >= 0;
    H5Tclose(memory);
    if (fine)
        lash_text_tame(text, true);
    return fine ? text : NULL;
}

static char *read_text(file_result *result, hid_t parent, const char *name) {
    hid_t set = open_set(result, parent, name), type = H5Dget_type(set);
    char *text = set >= 0 ? read_text_value(result, type, set, -1) : NULL;
    H5Tclose(type);
    H5Dclose(set);
    return text;
}

static char *read_text_attribute(file_result *result, const char *name) {
    hid_t attribute = H5Aopen(result->file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    char *text = attribute >= 0 ? read_text_value(result, type, -1, attribute) : NULL;
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

/* The list of texts written by write_names of the sink; NULL if it is not one of `count`. */
static const char **read_names(file_result *result, hid_t group, const char *name, size_t count) {
    hid_t set = open_set(result, group, name), type = H5Dget_type(set), space = H5Dget_space(set);
    const char **names = NULL;
    size_t length = H5Tget_size(type);
    bool fine = set >= 0 && is_text(type) && H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_npoints(space) == (hssize_t)count && length > 0 &&
                length <= result->file_size / (count ? count : 1);
    char *table = fine ? malloc(count * length + 1) : NULL;
    if (table && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table) >= 0)
        names = lashi_arena_alloc(&result->arena, count, sizeof *names);
    for (size_t i = 0; names && i < count; i++) {
        char *text = lashi_arena_alloc(&result->arena, strnlen(table + i * length, length) + 1, 1);
        if (text) {
            memcpy(text, table + i * length, strnlen(table + i * length, length));
            lash_text_tame(text, false);
            names[i] = text;
        } else {
            names = NULL;
        }
    }
    free(table);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return names;
}

// ---- streams and events

static lash_status open_stream(file_result *result, lash_stream stream, lash_error *error) {
    const char *group_name = lashi_stream_name(stream);
    const presence there = find(result->file, group_name);
    if (there == ABSENT)
        return LASH_OK;
    lash_status status = LASH_OK;
    hid_t group = there == PRESENT ? H5Gopen2(result->file, group_name, H5P_DEFAULT) : -1;
    hid_t data = open_set(result, group, "data"), space = H5Dget_space(data), type = H5Dget_type(data);
    hsize_t size[2] = {0, 0};
    bool fine = data >= 0 && is_double(type) && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[1] > 0 && size[1] <= MOST_COLUMNS;
    const char **names = fine ? read_names(result, group, "names", (size_t)size[1]) : NULL;
    const char **units = fine ? read_names(result, group, "units", (size_t)size[1]) : NULL;
    if (!fine || !names || !units)
        status = damaged(result, "a table of rows cannot be read", error);
    else if (result->base.names && result->base.columns != (size_t)size[1])
        status = damaged(result, "samples and steps have different columns", error);
    if (status == LASH_OK) {
        result->data[stream] = data;
        result->base.rows[stream] = (size_t)size[0];
        result->base.columns = (size_t)size[1];
        result->base.names = names;
        result->base.units = units;
        result->base.meanings = read_names(result, group, "meanings", (size_t)size[1]);
    } else {
        H5Dclose(data);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Gclose(group);
    return status;
}

/* Whether every member is a double or a text, and lies inside the record: HDF5 does not look. */
static bool is_event(hid_t type) {
    const size_t size = H5Tget_size(type);
    const int members = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : -1;
    bool fine = members > 0 && members <= MOST_MEMBERS;
    for (unsigned i = 0; fine && i < (unsigned)members; i++) {
        hid_t member = H5Tget_member_type(type, i);
        const size_t offset = H5Tget_member_offset(type, i), bytes = H5Tget_size(member);
        fine =
            (is_double(member) || is_text(member)) && bytes > 0 && offset <= size && bytes <= size - offset;
        H5Tclose(member);
    }
    // Later numbers are missing in files of earlier versions.
    for (size_t i = 0; fine && i < LASHI_EVENT_NUMBERS; i++) {
        const int index = H5Tget_member_index(type, lashi_event_number_names[i]);
        fine = index >= 0 ? H5Tget_member_class(type, (unsigned)index) == H5T_FLOAT
                          : i >= LASHI_EVENT_NUMBERS_FIRST;
    }
    static const char *const texts[] = {"joint", "kind"};
    for (size_t i = 0; fine && i < sizeof texts / sizeof *texts; i++) {
        const int index = H5Tget_member_index(type, texts[i]);
        fine = index >= 0 && H5Tget_member_class(type, (unsigned)index) == H5T_STRING;
    }
    return fine;
}

static lash_status open_events(file_result *result, lash_error *error) {
    if (find(result->file, "events") == ABSENT)
        return LASH_OK;
    hsize_t size[1] = {0};
    result->events = open_set(result, result->file, "events");
    hid_t space = H5Dget_space(result->events), type = H5Dget_type(result->events);
    bool fine = result->events >= 0 && is_event(type) && H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_dims(space, size, NULL) == 1;
    H5Tclose(type);
    H5Sclose(space);
    result->base.event_count = (size_t)size[0];
    return fine ? LASH_OK : damaged(result, "the table of events cannot be read", error);
}

// ---- reading

/* Rows first … first + count - 1 of a table into memory of the given type. */
static bool read_block(hid_t set, hid_t type, int rank, size_t first, size_t count, size_t columns,
                       void *into) {
    const hsize_t start[2] = {first, 0}, block[2] = {count, columns};
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, block, NULL);
    bool fine = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
                H5Dread(set, type, in_memory, in_file, H5P_DEFAULT, into) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return fine;
}

static lash_status read_rows(double *values, lash_result *base, lash_stream stream, size_t first,
                             size_t count, lash_error *error) {
    file_result *result = (file_result *)base;
    bool fine;
    H5E_BEGIN_TRY {
        fine = read_block(result->data[stream], H5T_NATIVE_DOUBLE, 2, first, count, base->columns, values);
    }
    H5E_END_TRY
    return fine ? LASH_OK : damaged(result, "rows cannot be read", error);
}

enum { KIND_BYTES = 24, JOINT_BYTES = LASH_ERROR_PLACE };
typedef struct event_record {
    char kind[KIND_BYTES], joint[JOINT_BYTES];
    double numbers[LASHI_EVENT_NUMBERS];
} event_record;

static hid_t event_type(void) {
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(event_record)), kind = H5Tcopy(H5T_C_S1),
          joint = H5Tcopy(H5T_C_S1);
    H5Tset_size(kind, KIND_BYTES);
    H5Tset_size(joint, JOINT_BYTES);
    H5Tset_cset(kind, H5T_CSET_UTF8);
    H5Tset_cset(joint, H5T_CSET_UTF8);
    H5Tinsert(type, "kind", offsetof(event_record, kind), kind);
    H5Tinsert(type, "joint", offsetof(event_record, joint), joint);
    for (size_t i = 0; i < LASHI_EVENT_NUMBERS; i++)
        H5Tinsert(type, lashi_event_number_names[i], offsetof(event_record, numbers) + i * sizeof(double),
                  H5T_NATIVE_DOUBLE);
    H5Tclose(kind);
    H5Tclose(joint);
    return type;
}

static bool take_event(lash_event *out, file_result *result, event_record *record, const char *last_joint) {
    const double *n = record->numbers;
    record->kind[KIND_BYTES - 1] = '\0';
    record->joint[lash_text_fit(record->joint, JOINT_BYTES - 1)] = '\0';
    lash_text_tame(record->joint, false);
    lash_event_kind kind = 0;
    while (kind < LASH_EVENT_KINDS && strcmp(record->kind, lash_event_kind_name(kind)) != 0)
        kind++;
    // Neighbouring events are mostly of one joint: its name is kept once.
    const char *joint = last_joint && strcmp(last_joint, record->joint) == 0
                            ? last_joint
                            : lashi_arena_copy_text(&result->arena, record->joint);
    *out = (lash_event){kind,      n[0], joint, n[1],  n[2],  n[3],  n[4],  n[5],  n[6],
                        n[7] != 0, n[8], n[9],  n[10], n[11], n[12], n[13], n[14], n[15]};
    return kind < LASH_EVENT_KINDS && joint;
}

static lash_status read_events(lash_event *events, lash_result *base, lash_error *error) {
    file_result *result = (file_result *)base;
    event_record *block = calloc(EVENT_BLOCK, sizeof *block);
    if (!block)
        return lashi_fail_memory(error);
    bool fine = true;
    const char *joint = NULL;
    H5E_BEGIN_TRY {
        hid_t type = event_type(), stored = H5Dget_type(result->events);
        bool missing[LASHI_EVENT_NUMBERS]; // in a file of an earlier version
        for (size_t i = 0; i < LASHI_EVENT_NUMBERS; i++)
            missing[i] = H5Tget_member_index(stored, lashi_event_number_names[i]) < 0;
        H5Tclose(stored);
        for (size_t i = 0; fine && i < result->base.event_count; i += EVENT_BLOCK) {
            size_t count =
                result->base.event_count - i < EVENT_BLOCK ? result->base.event_count - i : EVENT_BLOCK;
            fine = read_block(result->events, type, 1, i, count, 1, block);
            for (size_t k = 0; fine && k < count; k++) {
                for (size_t n = 0; n < LASHI_EVENT_NUMBERS; n++)
                    block[k].numbers[n] = missing[n] ? (double)NAN : block[k].numbers[n];
                fine = take_event(&events[i + k], result, &block[k], joint);
                joint = events[i + k].joint;
            }
        }
        H5Tclose(type);
    }
    H5E_END_TRY
    free(block);
    return fine ? LASH_OK : damaged(result, "events cannot be read", error);
}

// ---- opening

static lash_status check_format(file_result *result, lash_error *error) {
    int format = 0;
    const htri_t there = H5Aexists(result->file, "format");
    if (there < 0)
        return damaged(result, "its header cannot be read", error);
    hid_t attribute = there > 0 ? H5Aopen(result->file, "format", H5P_DEFAULT) : -1;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool fine = attribute >= 0 && H5Tget_class(type) == H5T_INTEGER &&
                H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_INT, &format) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    if (!fine || format < 1)
        return lashi_fail(error, LASH_ERROR_IO, "'%s' is an HDF5 file, but not a result of Lash",
                          result->path);
    if (format > LASHI_HDF5_FORMAT)
        return lashi_fail(error, LASH_ERROR_IO,
                          "'%s' was written by a newer Lash (file format %d, this program reads up to %d)",
                          result->path, format, LASHI_HDF5_FORMAT);
    char *text = lashi_arena_print(&result->arena, "%d", format);
    lashi_result_keep(&result->base, "format", text);
    return text ? LASH_OK : lashi_fail_memory(error);
}

static lash_status read_all(file_result *result, lash_error *error) {
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char first[sizeof signature] = "";
    result->file = lashi_hdf5_open(&result->target);
    if (result->file < 0 && pread(result->target.descriptor, first, sizeof first, 0) == sizeof first &&
        memcmp(first, signature, sizeof first) == 0)
        return lashi_fail(error, LASH_ERROR_IO,
                          "'%s' is truncated or damaged: the HDF5 library cannot open it", result->path);
    if (result->file < 0)
        return lashi_fail(error, LASH_ERROR_IO, "'%s' is not an HDF5 file: no result of lash run%s",
                          result->path,
                          strstr(result->path, ".yaml")
                              ? ", but perhaps a model or a study: lash run and lash study make their results"
                          : strstr(result->path, ".db") ? ", but perhaps that of a study or a life: lash "
                                                          "plot, lash report and lash study show read it"
                                                        : "");
    if (pread(result->target.descriptor, first, sizeof first, sizeof signature) < 1 || first[0] < 2)
        return lashi_fail(
            error, LASH_ERROR_IO,
            "'%s' is not a result of Lash, or one of an early version, whose files have no checksums; "
            "run the model again",
            result->path);
    lash_status status = check_format(result, error);
    if (status != LASH_OK)
        return status;
    lashi_result_keep(&result->base, "version", read_text_attribute(result, "version"));
    lashi_result_keep(&result->base, "title", read_text_attribute(result, "title"));
    lashi_result_keep(&result->base, "model", read_text(result, result->file, "model"));
    lashi_result_keep(&result->base, "settings", read_text(result, result->file, "settings"));
    if (find(result->file, "tables") == PRESENT)
        lashi_result_keep(&result->base, "tables", read_text(result, result->file, "tables"));
    // A run that was killed left no summary.
    if (find(result->file, "summary") == PRESENT) {
        hid_t group = H5Gopen2(result->file, "summary", H5P_DEFAULT);
        lashi_result_keep(&result->base, "summary", read_text(result, group, "text"));
        H5Gclose(group);
    }
    for (lash_stream i = 0; i < LASH_STREAMS && status == LASH_OK; i++)
        status = open_stream(result, i, error);
    return status == LASH_OK ? open_events(result, error) : status;
}

/* After a wrong checksum, HDF5 (1.10) cannot close down and says so at exit, unless it prints no errors at
 * all.
 */
static void silence_exit(void) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* Does not wait for the other end of a pipe: it is refused. */
static lash_status open_file(file_result *result, lash_error *error) {
    struct stat info;
    const char *path = result->path;
    result->target.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (result->target.descriptor < 0 || fstat(result->target.descriptor, &info) != 0)
        return lashi_fail(error, LASH_ERROR_IO, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return lashi_fail(error, LASH_ERROR_IO, "cannot read '%s': it is %s", path,
                          S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    result->file_size = (size_t)info.st_size;
    return LASH_OK;
}

static void close_file(lash_result *base) {
    file_result *result = (file_result *)base;
    H5E_BEGIN_TRY {
        for (size_t i = 0; i < LASH_STREAMS; i++)
            H5Dclose(result->data[i]);
        H5Dclose(result->events);
        H5Fclose(result->file);
    }
    H5E_END_TRY
    if (result->target.descriptor >= 0)
        close(result->target.descriptor);
    lashi_arena_clear(&result->arena);
    free(result->path);
    free(result);
}

static lash_status read_state(void **bytes, size_t *count, lash_result *base, const char *name,
                              lash_error *error) {
    file_result *result = (file_result *)base;
    lash_status status = LASH_OK;
    H5E_BEGIN_TRY {
        if (find(result->file, name) != ABSENT) {
            hid_t set = open_set(result, result->file, name), type = H5Dget_type(set),
                  space = H5Dget_space(set);
            const hssize_t values = H5Sget_simple_extent_npoints(space);
            bool fine = set >= 0 && is_double(type) && H5Sget_simple_extent_ndims(space) == 1 && values > 0;
            double *read = fine ? malloc((size_t)values * sizeof *read) : NULL;
            fine = read && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0;
            if (fine) {
                *bytes = read;
                *count = (size_t)values * sizeof *read;
            } else {
                free(read);
                status = damaged(result, "its state cannot be read", error);
            }
            H5Sclose(space);
            H5Tclose(type);
            H5Dclose(set);
        }
    }
    H5E_END_TRY
    return status;
}

static const lashi_result_kind kind = {read_rows, read_events, close_file, read_state};

lash_status lash_result_open(lash_result **out, const char *path, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !path)
        return lashi_fail_null(error);
    lash_status status = lashi_hdf5_load(error);
    if (status)
        return status;
    file_result *result = calloc(1, sizeof *result);
    if (!result)
        return lashi_fail_memory(error);
    result->base.kind = &kind;
    result->file = result->events = result->target.descriptor = -1;
    for (size_t i = 0; i < LASH_STREAMS; i++)
        result->data[i] = -1;
    result->path = strdup(path);
    status = result->path ? open_file(result, error) : lashi_fail_memory(error);
    if (status == LASH_OK) {
        H5E_BEGIN_TRY {
            status = read_all(result, error);
        }
        H5E_END_TRY
    }
    if (status != LASH_OK) {
        close_file(&result->base);
        silence_exit();
        return status;
    }
    *out = &result->base;
    return LASH_OK;
}
