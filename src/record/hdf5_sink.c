/* SPDX-License-Identifier: MIT
 *
 * Rows and events → an HDF5 file, laid out as hdf5_file.h says.
 *
 * A buffer holds one chunk of rows, so that every chunk is written once and as a whole. Data are not
 * compressed: for a smooth motion, shuffle and deflate save a fifth of the space and take forty times the
 * time. The file is flushed after every chunk: what a killed run leaves in PATH.part can be read. Nothing in
 * it comes from the clock: equal runs make equal bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lash/file.h"
#include "lash/text.h"
#include "lash/version.h"
#include "model/model.h"
#include "record/hdf5_file.h"
#include "record/sink.h"
#include "record/summary.h"

enum {
    CHUNK_BYTES = 64 * 1024, // large enough for the disk, small enough not to pad short runs
    EVENT_BUFFER = 256,
    KIND_LENGTH = 24 // "contact-regained" and its end
};

typedef struct stream_writer {
    hid_t data; // -1: the stream is not recorded
    double *buffer;
    hsize_t written; // rows in the file
    size_t buffered, capacity;
} stream_writer;

typedef struct hdf5_sink {
    lashi_sink base;
    lash_file *output;
    lashi_hdf5_target target;
    hid_t file, events, event_type;
    size_t columns;
    stream_writer streams[LASH_STREAMS];
    char *event_buffer; // EVENT_BUFFER records of event_size bytes
    size_t event_size, joint_length, buffered_events;
    hsize_t written_events;
    bool failed; // something could not be written: the file is not to be kept
} hdf5_sink;

/* Failures of HDF5 itself do not come from the disk, whose errors the driver hides: most likely it is out of
 * memory. */
static lash_status outcome(hdf5_sink *self, bool fine, lash_error *error) {
    self->failed = self->failed || !fine;
    if (self->target.error)
        return lash_file_fail(self->output, self->target.error, error);
    if (self->failed)
        return lashi_fail(error, LASH_ERROR_IO, "writing '%s' failed inside HDF5",
                          lash_file_path(self->output));
    return LASH_OK;
}

// ---- the pieces of the file; each returns false on failure

static hid_t text_type(size_t length) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, length ? length : 1) < 0 ||
                      H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t create_group(hid_t parent, const char *name) {
    hid_t list = lashi_hdf5_untimed(H5P_GROUP_CREATE);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    return group;
}

static hid_t create_fixed(hid_t parent, const char *name, hid_t type, hid_t space) {
    hid_t list = lashi_hdf5_untimed(H5P_DATASET_CREATE);
    hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    return set;
}

static bool write_text(hid_t parent, const char *name, const char *text) {
    hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
    hid_t set = create_fixed(parent, name, type, space);
    bool fine = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

static bool write_attribute(hid_t parent, const char *name, hid_t type, const void *value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return fine;
}

static bool write_text_attribute(hid_t parent, const char *name, const char *text) {
    enum { LONGEST_ATTRIBUTE = 32 * 1024 }; // HDF5 keeps attributes below 64 kB
    size_t length = lash_text_fit(text, LONGEST_ATTRIBUTE);
    hid_t type = text_type(length);
    bool fine = write_attribute(parent, name, type, text);
    H5Tclose(type);
    return fine;
}

/* A list of texts as a table of equally long ones. */
static bool write_names(hid_t parent, const char *name, const char *const *texts, size_t count) {
    size_t length = 1;
    for (size_t i = 0; i < count; i++)
        length = strlen(texts[i]) > length ? strlen(texts[i]) : length;
    char *table = calloc(count ? count : 1, length);
    if (!table)
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(table + i * length, texts[i], strlen(texts[i]));
    const hsize_t size[1] = {count};
    hid_t type = text_type(length), space = H5Screate_simple(1, size, NULL);
    hid_t set = create_fixed(parent, name, type, space);
    bool fine = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    free(table);
    return fine;
}

static hid_t create_growing(hid_t parent, const char *name, hid_t type, int rank, hsize_t chunk_rows,
                            hsize_t columns) {
    const hsize_t size[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns},
                  chunk[2] = {chunk_rows, columns};
    hid_t space = H5Screate_simple(rank, size, most), list = lashi_hdf5_untimed(H5P_DATASET_CREATE), set = -1;
    if (H5Pset_chunk(list, rank, chunk) >= 0)
        set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return set;
}

static bool append_rows(hid_t set, hid_t type, int rank, hsize_t *written, size_t count, hsize_t columns,
                        const void *rows) {
    const hsize_t size[2] = {*written + count, columns}, start[2] = {*written, 0},
                  block[2] = {count, columns};
    bool fine = H5Dset_extent(set, size) >= 0;
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, block, NULL);
    fine = fine && H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
           H5Dwrite(set, type, in_memory, in_file, H5P_DEFAULT, rows) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    *written += count;
    return fine;
}

// ---- writing what has come

static bool write_stream(hdf5_sink *self, stream_writer *stream) {
    if (stream->buffered == 0)
        return true;
    bool fine = append_rows(stream->data, H5T_NATIVE_DOUBLE, 2, &stream->written, stream->buffered,
                            self->columns, stream->buffer);
    stream->buffered = 0;
    return fine;
}

static bool write_events(hdf5_sink *self) {
    if (self->buffered_events == 0)
        return true;
    bool fine = append_rows(self->events, self->event_type, 1, &self->written_events, self->buffered_events,
                            1, self->event_buffer);
    self->buffered_events = 0;
    return fine;
}

/* After every chunk of rows: where things lie in the file depends on the rows alone, not on the clock. */
static bool flush(hdf5_sink *self) {
    return write_events(self) && H5Fflush(self->file, H5F_SCOPE_LOCAL) >= 0;
}

static lash_status row(lashi_sink *base, lash_stream which, const double *values, lash_error *error) {
    hdf5_sink *self = (hdf5_sink *)base;
    stream_writer *stream = &self->streams[which];
    if (stream->data < 0)
        return LASH_OK;
    memcpy(stream->buffer + stream->buffered * self->columns, values, self->columns * sizeof *values);
    if (++stream->buffered < stream->capacity)
        return LASH_OK;
    bool fine;
    H5E_BEGIN_TRY {
        fine = write_stream(self, stream) && flush(self);
    }
    H5E_END_TRY
    return outcome(self, fine, error);
}

/* The record in memory is packed: kind, joint, then the numbers. */
static lash_status event(lashi_sink *base, const lash_event *what, lash_error *error) {
    hdf5_sink *self = (hdf5_sink *)base;
    char *record = self->event_buffer + self->buffered_events * self->event_size;
    const double numbers[LASHI_EVENT_NUMBERS] = {what->time,
                                                 what->angle,
                                                 what->speed,
                                                 what->peak_force,
                                                 what->peak_penetration,
                                                 what->duration,
                                                 what->energy_lost,
                                                 what->impact ? 1.0 : 0.0,
                                                 what->rebound,
                                                 what->impulse,
                                                 what->crank,
                                                 what->elevation,
                                                 what->peak_time,
                                                 what->peak_elastic,
                                                 what->peak_damping,
                                                 what->peak_depth};
    memset(record, 0, self->event_size);
    snprintf(record, KIND_LENGTH, "%s", lash_event_kind_name(what->kind));
    if (what->joint)
        memcpy(record + KIND_LENGTH, what->joint, strnlen(what->joint, self->joint_length));
    memcpy(record + KIND_LENGTH + self->joint_length, numbers, sizeof numbers);
    if (++self->buffered_events < EVENT_BUFFER)
        return LASH_OK;
    bool fine;
    H5E_BEGIN_TRY {
        fine = write_events(self);
    }
    H5E_END_TRY
    return outcome(self, fine, error);
}

// ---- beginning and end

static bool create_stream(hdf5_sink *self, lash_stream which, const lashi_sink_layout *layout) {
    stream_writer *stream = &self->streams[which];
    size_t row_bytes = layout->columns * sizeof(double);
    stream->capacity = row_bytes && row_bytes < CHUNK_BYTES ? CHUNK_BYTES / row_bytes : 1;
    stream->buffer = calloc(stream->capacity, row_bytes ? row_bytes : 1);
    hid_t group = create_group(self->file, lashi_stream_name(which));
    bool fine = stream->buffer && group >= 0 && write_names(group, "names", layout->names, layout->columns) &&
                write_names(group, "units", layout->units, layout->columns) &&
                write_names(group, "meanings", layout->meanings, layout->columns);
    if (fine)
        stream->data = create_growing(group, "data", H5T_NATIVE_DOUBLE, 2, stream->capacity, layout->columns);
    H5Gclose(group);
    return fine && stream->data >= 0;
}

static bool create_events(hdf5_sink *self, const lashi_sink_layout *layout) {
    self->joint_length = layout->contact_length ? layout->contact_length : 1;
    self->event_size = KIND_LENGTH + self->joint_length + LASHI_EVENT_NUMBERS * sizeof(double);
    self->event_buffer = calloc(EVENT_BUFFER, self->event_size);
    self->event_type = H5Tcreate(H5T_COMPOUND, self->event_size);
    hid_t kind = text_type(KIND_LENGTH), joint = text_type(self->joint_length);
    bool fine = self->event_buffer && H5Tinsert(self->event_type, "kind", 0, kind) >= 0 &&
                H5Tinsert(self->event_type, "joint", KIND_LENGTH, joint) >= 0;
    for (size_t i = 0; fine && i < LASHI_EVENT_NUMBERS; i++)
        fine = H5Tinsert(self->event_type, lashi_event_number_names[i],
                         KIND_LENGTH + self->joint_length + i * sizeof(double), H5T_NATIVE_DOUBLE) >= 0;
    H5Tclose(kind);
    H5Tclose(joint);
    if (fine)
        self->events = create_growing(self->file, "events", self->event_type, 1, EVENT_BUFFER, 1);
    return fine && self->events >= 0;
}

/* The text becomes free. */
static bool write_made(hdf5_sink *self, const char *name, char *text) {
    bool fine = text && write_text(self->file, name, text);
    free(text);
    return fine;
}

static bool create_file(hdf5_sink *self, const lashi_sink_layout *layout) {
    const int format = LASHI_HDF5_FORMAT;
    const lash_model *model = layout->model;
    self->file = lashi_hdf5_create(&self->target);
    bool fine = self->file >= 0 && write_attribute(self->file, "format", H5T_NATIVE_INT, &format) &&
                write_text_attribute(self->file, "version", LASH_VERSION) &&
                write_text_attribute(self->file, "title", model ? lash_model_title(model) : "") &&
                write_text(self->file, "model", model ? lash_model_text(model) : "") &&
                write_made(self, "settings", lashi_settings_text(model)) &&
                (!lash_model_table(model, 0) || write_made(self, "tables", lashi_tables_text(model))) &&
                create_events(self, layout);
    for (int i = 0; fine && i < LASH_STREAMS; i++)
        if (layout->streams[i])
            fine = create_stream(self, (lash_stream)i, layout);
    return fine;
}

static void close_file(hdf5_sink *self) {
    for (size_t i = 0; i < LASH_STREAMS; i++)
        if (self->streams[i].data >= 0)
            H5Dclose(self->streams[i].data);
    if (self->events >= 0)
        H5Dclose(self->events);
    if (self->event_type >= 0)
        H5Tclose(self->event_type);
    if (self->file >= 0)
        H5Fclose(self->file);
    for (size_t i = 0; i < LASH_STREAMS; i++)
        self->streams[i].data = -1;
    self->events = self->event_type = self->file = -1;
}

typedef struct summary_writer {
    hid_t group;
    bool fine;
} summary_writer;

static void write_summary_entry(void *user, const lashi_summary_entry *entry) {
    summary_writer *writer = user;
    writer->fine =
        writer->fine &&
        (entry->text ? write_text_attribute(writer->group, entry->name, entry->text)
                     : write_attribute(writer->group, entry->name, H5T_NATIVE_DOUBLE, &entry->number));
}

static bool write_summary(hdf5_sink *self, const lash_summary *summary) {
    char *text = lashi_summary_text(summary);
    if (!text)
        return false;
    summary_writer writer = {create_group(self->file, "summary"), true};
    lashi_summary_each(summary, write_summary_entry, &writer);
    bool fine = writer.fine && write_text(writer.group, "text", text);
    H5Gclose(writer.group);
    free(text);
    return fine;
}

/* The bytes of a state as numbers, which HDF5 leaves as they are. */
static bool write_state(hid_t parent, const char *name, const void *bytes, size_t count) {
    const hsize_t size[1] = {count / sizeof(double)};
    hid_t space = H5Screate_simple(1, size, NULL);
    hid_t set = create_fixed(parent, name, H5T_NATIVE_DOUBLE, space);
    bool fine = set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    return fine;
}

static lash_status keep(lashi_sink *base, const char *name, const void *bytes, size_t count,
                        lash_error *error) {
    hdf5_sink *self = (hdf5_sink *)base;
    bool fine;
    H5E_BEGIN_TRY {
        fine = count % sizeof(double) == 0 && write_state(self->file, name, bytes, count);
    }
    H5E_END_TRY
    return outcome(self, fine, error);
}

static lash_status finish(lashi_sink *base, const lash_summary *summary, lash_error *error) {
    hdf5_sink *self = (hdf5_sink *)base;
    bool fine = true;
    H5E_BEGIN_TRY {
        for (size_t i = 0; i < LASH_STREAMS; i++)
            fine = write_stream(self, &self->streams[i]) && fine;
        fine = write_events(self) && write_summary(self, summary) && fine;
        close_file(self);
    }
    H5E_END_TRY
    lash_status status = outcome(self, fine, error);
    return status == LASH_OK ? lash_file_commit(self->output, error) : status;
}

static void destroy(lashi_sink *base) {
    hdf5_sink *self = (hdf5_sink *)base;
    H5E_BEGIN_TRY {
        close_file(self);
    }
    H5E_END_TRY
    lash_file_destroy(self->output);
    for (size_t i = 0; i < LASH_STREAMS; i++)
        free(self->streams[i].buffer);
    free(self->event_buffer);
    free(self);
}

lash_status lashi_hdf5_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                   lash_error *error) {
    *out = NULL;
    lash_status status = lashi_hdf5_load(error);
    if (status)
        return status;
    hdf5_sink *self = calloc(1, sizeof *self);
    if (!self)
        return lashi_fail_memory(error);
    self->base = (lashi_sink){row, event, keep, finish, destroy};
    self->columns = layout->columns;
    self->file = self->events = self->event_type = -1;
    for (size_t i = 0; i < LASH_STREAMS; i++)
        self->streams[i].data = -1;
    status = lash_file_create(&self->output, path, false, error);
    if (status != LASH_OK) {
        destroy(&self->base);
        return status;
    }
    self->target.descriptor = lash_file_descriptor(self->output);
    bool fine;
    H5E_BEGIN_TRY {
        fine = create_file(self, layout);
    }
    H5E_END_TRY
    status = outcome(self, fine, error);
    if (status != LASH_OK) {
        destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return LASH_OK;
}
