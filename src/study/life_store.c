/* SPDX-License-Identifier: MIT
 *
 * The file of a life: one row per stage, one per stage and joint, each stage one transaction. As the table of
 * a study (store.c) it survives a killed process, and a lock keeps a second writer out. It may come from anyone:
 * every row must be there, none is larger than the file, and texts are without control characters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lash/text.h"
#include "study/database.h"
#include "study/life.h"

struct lashi_life_store {
    char *path;
    sqlite3 *db;
    int lock;
};

static lash_status fail(const lashi_life_store *store, lash_error *error, const char *what) {
    return lashi_database_fail(store->db, store->path, what, error);
}

static lash_status perform(lashi_life_store *store, const char *sql, lash_error *error) {
    return lashi_database_perform(store->db, store->path, sql, error);
}

/* ---- writing ---- */

typedef struct insertion {
    lashi_life_store *store;
    sqlite3_stmt *statement;
    int at;
    lash_status status;
} insertion;

static insertion row_begin(lashi_life_store *store, const char *sql, lash_error *error) {
    insertion r = {store, NULL, 1, LASH_OK};
    if (sqlite3_prepare_v2(store->db, sql, -1, &r.statement, NULL) != SQLITE_OK)
        r.status = fail(store, error, "writing");
    return r;
}
static void put_number(insertion *r, double x) {
    if (!r->status)
        isnan(x) ? sqlite3_bind_null(r->statement, r->at++) : sqlite3_bind_double(r->statement, r->at++, x);
}
static void put_text(insertion *r, const char *text) {
    if (!r->status)
        sqlite3_bind_text(r->statement, r->at++, text, -1, SQLITE_STATIC);
}
static void put_doubles(insertion *r, const double *values, size_t count) {
    if (!r->status)
        sqlite3_bind_blob64(r->statement, r->at++, count ? (const void *)values : "", count * sizeof(double),
                            SQLITE_STATIC);
}
static lash_status row_end(insertion *r, lash_error *error) {
    if (!r->status && sqlite3_step(r->statement) != SQLITE_DONE)
        r->status = fail(r->store, error, "writing");
    sqlite3_finalize(r->statement);
    return r->status;
}

static lash_status put_about(lashi_life_store *store, const char *name, const char *value,
                             lash_error *error) {
    insertion r = row_begin(store, "INSERT OR REPLACE INTO about VALUES (?, ?)", error);
    put_text(&r, name);
    put_text(&r, value);
    return row_end(&r, error);
}

static lash_status put_about_number(lashi_life_store *store, const char *name, double value,
                                    lash_error *error) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    return put_about(store, name, text, error);
}

static lash_status write_stage(lashi_life_store *store, const lash_life *life, lash_error *error) {
    const lashi_life_stage *stage = &life->stages[life->stage_count - 1];
    const lash_life_stage *seen = &stage->seen;
    insertion r =
        row_begin(store, "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
    const double numbers[] = {
        (double)life->stage_count, seen->turns,      seen->hours,   seen->torque_peak, seen->torque_rms,
        seen->turns_run,           seen->turns_kept, seen->repeats, seen->spread,      stage->jump};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_number(&r, numbers[i]);
    put_doubles(&r, stage->start.values, stage->start.count);
    lash_status status = row_end(&r, error);
    for (size_t j = 0; !status && j < life->joint_count; j++) {
        const lash_life_joint *joint = &stage->joints[j];
        r = row_begin(store, "INSERT OR REPLACE INTO wear VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      error);
        put_number(&r, (double)life->stage_count);
        put_text(&r, joint->shape.joint);
        const double values[] = {joint->volume, joint->wear,       joint->deepest[0], joint->deepest[1],
                                 joint->play,   joint->peak_force, joint->impacts,    joint->energy_lost};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            put_number(&r, values[i]);
        for (int part = 0; part < LASH_WORN_PARTS; part++)
            put_doubles(&r, joint->profile[part], joint->shape.count);
        status = row_end(&r, error);
    }
    return status;
}

static lash_status transact(lashi_life_store *store, const lash_life *life,
                            lash_status (*act)(lashi_life_store *, const lash_life *, lash_error *),
                            lash_error *error) {
    lash_status status = perform(store, "BEGIN IMMEDIATE", error);
    if (!status)
        status = act(store, life, error);
    if (!status)
        status = perform(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

lash_status lashi_life_store_write(lashi_life_store *store, const lash_life *life, lash_error *error) {
    return transact(store, life, write_stage, error);
}

static lash_status write_end(lashi_life_store *store, const lash_life *life, lash_error *error) {
    lash_status status = put_about(store, "end", life->end, error);
    if (!status)
        status = put_about_number(store, "turns", life->turns, error);
    return status ? status : put_about_number(store, "hours", life->hours, error);
}

lash_status lashi_life_store_end(lashi_life_store *store, const lash_life *life, lash_error *error) {
    return transact(store, life, write_end, error);
}

/* ---- reading ---- */

typedef struct reader {
    lash_life *life;
    const char *path, *key; /* key NULL: not compared */
    bool same;
    size_t joints;
} reader;

static lash_status damaged(const reader *r, lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_IO,
                            "'%.200s' is damaged: a row of it is missing or cut; remove it and compute the "
                            "life again",
                            r->path);
}

static lash_status take_about(void *user, sqlite3_stmt *row, lash_error *error) {
    reader *r = user;
    const char *name = (const char *)sqlite3_column_text(row, 0),
               *value = (const char *)sqlite3_column_text(row, 1);
    if (!name || !value)
        return damaged(r, error);
    if (strcmp(name, "key") == 0)
        r->same = r->key && strcmp(value, r->key) == 0;
    else if (strcmp(name, "turns") == 0)
        r->life->turns = strtod(value, NULL);
    else if (strcmp(name, "hours") == 0)
        r->life->hours = strtod(value, NULL);
    else if (strcmp(name, "end") == 0) {
        snprintf(r->life->end, sizeof r->life->end, "%.*s",
                 (int)lash_text_fit(value, sizeof r->life->end - 1), value);
        lash_text_tame(r->life->end, false);
    } else if (strcmp(name, "title") == 0 && !r->key) {
        free(r->life->title);
        r->life->title = strdup(value);
        if (!r->life->title)
            return lashi_study_fail_memory(error);
        lash_text_tame(r->life->title, false);
    }
    return LASH_OK;
}

static lash_status take_stage(void *user, sqlite3_stmt *row, lash_error *error) {
    reader *r = user;
    lashi_life_stage *stage = lashi_life_add(r->life);
    if (!stage)
        return lashi_study_fail_memory(error);
    lash_life_stage *seen = &stage->seen;
    if (sqlite3_column_int64(row, 0) != (sqlite3_int64)r->life->stage_count)
        return damaged(r, error);
    double *to[] = {&seen->turns,      &seen->hours, &seen->torque_peak, &seen->torque_rms, &seen->turns_run,
                    &seen->turns_kept, NULL,         &seen->spread,      &stage->jump};
    for (int i = 0; i < (int)(sizeof to / sizeof *to); i++)
        if (to[i])
            *to[i] = sqlite3_column_type(row, i + 1) == SQLITE_NULL ? (double)NAN
                                                                    : sqlite3_column_double(row, i + 1);
    seen->repeats = sqlite3_column_double(row, 7) != 0;
    const double before = r->life->stage_count > 1 ? r->life->stages[r->life->stage_count - 2].seen.turns : 0;
    if (!(seen->turns >= before && stage->jump > 0) || !isfinite(seen->turns) || !isfinite(stage->jump))
        return damaged(r, error);
    const size_t bytes = (size_t)sqlite3_column_bytes(row, 10);
    stage->start.count = bytes / sizeof(double);
    stage->start.values = calloc(stage->start.count + 1, sizeof(double));
    if (!stage->start.values)
        return lashi_study_fail_memory(error);
    if (bytes % sizeof(double))
        return damaged(r, error);
    if (bytes)
        memcpy(stage->start.values, sqlite3_column_blob(row, 10), bytes);
    return LASH_OK;
}

/* The rows of all joints of one stage after the other, in the order of the joints. */
static lash_status take_joint(void *user, sqlite3_stmt *row, lash_error *error) {
    reader *r = user;
    const lash_life *life = r->life;
    const char *name = (const char *)sqlite3_column_text(row, 1);
    if (!name || r->joints >= life->joint_count * life->stage_count)
        return damaged(r, error);
    const size_t number = r->joints / life->joint_count;
    lashi_life_stage *stage = &life->stages[number];
    lash_life_joint *joint = &stage->joints[r->joints % life->joint_count];
    if (sqlite3_column_int64(row, 0) != (sqlite3_int64)number + 1 || strcmp(joint->shape.joint, name) != 0)
        return damaged(r, error);
    double *to[] = {&joint->volume, &joint->wear,       &joint->deepest[0], &joint->deepest[1],
                    &joint->play,   &joint->peak_force, &joint->impacts,    &joint->energy_lost};
    for (int i = 0; i < (int)(sizeof to / sizeof *to); i++)
        *to[i] =
            sqlite3_column_type(row, i + 2) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, i + 2);
    for (int part = 0; part < LASH_WORN_PARTS; part++) {
        if ((size_t)sqlite3_column_bytes(row, 10 + part) != joint->shape.count * sizeof(double))
            return damaged(r, error);
        double *profile = stage->profiles + (joint->profile[part] - stage->profiles);
        memcpy(profile, sqlite3_column_blob(row, 10 + part), joint->shape.count * sizeof(double));
        for (size_t s = 0; s < joint->shape.count; s++)
            if (!isfinite(profile[s]))
                return damaged(r, error);
    }
    r->joints++;
    return LASH_OK;
}

/* Before there is room made for them: profiles as long as the joints say, of every stage. */
static lash_status take_sizes(void *user, sqlite3_stmt *row, lash_error *error) {
    const reader *r = user;
    const double stages = sqlite3_column_double(row, 0), bytes = sqlite3_column_double(row, 1);
    return bytes == stages * (double)(lashi_life_width(r->life) * sizeof(double)) ? LASH_OK
                                                                                  : damaged(r, error);
}

static lash_status take_name(void *user, sqlite3_stmt *row, lash_error *error) {
    enum { MOST_SECTORS = 100000 };
    reader *r = user;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    const double sectors = sqlite3_column_double(row, 1), count = sqlite3_column_double(row, 6),
                 origin = sqlite3_column_double(row, 3), pitch = sqlite3_column_double(row, 4);
    if (!name || !(sectors >= 1 && sectors <= count && count <= MOST_SECTORS) || !(pitch > 0) ||
        !isfinite(pitch) || !isfinite(origin) || r->joints >= r->life->joint_count)
        return damaged(r, error);
    const lash_worn_shape shape = {.joint = name,
                                   .closed = sqlite3_column_double(row, 2) != 0,
                                   .sectors = (size_t)sectors,
                                   .count = (size_t)count,
                                   .origin = origin,
                                   .pitch = pitch,
                                   .clearance = sqlite3_column_double(row, 5)};
    const lash_status status = lashi_life_shape(r->life, r->joints, &shape, error);
    if (!status)
        lash_text_tame(r->life->names[r->joints++], false);
    return status;
}

static lash_status read_stages(reader *r, sqlite3 *db, lash_error *error) {
    lash_status status =
        lashi_database_each(db, r->path, "SELECT name, value FROM about", take_about, r, error);
    const lash_life *life = r->life;
    if (!status && !((life->end[0] && isfinite(life->turns) && isfinite(life->hours)) ||
                     (!life->end[0] && isnan(life->turns) && isnan(life->hours))))
        status = damaged(r, error);
    if (!status && r->key && !r->same)
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "'%.200s' holds the life of another model, or with other settings or limits; "
                                "give another file with -o, or remove this one",
                                r->path);
    if (!status)
        status = lashi_database_each(db, r->path,
                                     "SELECT (SELECT count(*) FROM stages), coalesce(sum(length(first) + "
                                     "length(second)), 0) FROM wear",
                                     take_sizes, r, error);
    if (!status)
        status =
            lashi_database_each(db, r->path,
                                "SELECT stage, turns, hours, torque_peak, torque_rms, turns_run, turns_kept, "
                                "repeats, spread, jump, start FROM stages ORDER BY stage",
                                take_stage, r, error);
    r->joints = 0;
    if (!status)
        status = lashi_database_each(db, r->path,
                                     "SELECT stage, joint, volume, wear_per_turn, first_depth, "
                                     "second_depth, play, peak_force, impacts, energy_lost, first, second "
                                     "FROM wear LEFT JOIN joints ON joint = name ORDER BY stage, number",
                                     take_joint, r, error);
    return status || r->joints == r->life->joint_count * r->life->stage_count ? status : damaged(r, error);
}

static lash_status take_count(void *user, sqlite3_stmt *row, lash_error *error) {
    (void)error;
    *(size_t *)user = (size_t)sqlite3_column_int64(row, 0);
    return LASH_OK;
}

/* Whether a life was begun in this file: it has tables. */
static bool is_begun(sqlite3 *db, const char *path) {
    size_t tables = 0;
    return lashi_database_each(db, path, "SELECT count(*) FROM sqlite_master", take_count, &tables, NULL) ||
           tables > 0; // what cannot be read is reported later
}

lash_status lash_life_open(lash_life **out, const char *path, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !path)
        return lashi_study_fail_null(error);
    sqlite3 *db;
    lash_life *life = NULL;
    size_t joints = 0;
    lash_status status = lashi_database_open(&db, path, error);
    if (status)
        return status;
    status = lashi_database_check(db, path, LASHI_LIFE_MARK, error);
    if (!status && !is_begun(db, path))
        status = lashi_study_fail(error, LASH_ERROR_IO,
                                  "'%.200s' holds no life yet: it was stopped before its first stage", path);
    if (!status)
        status = lashi_database_each(db, path, "SELECT count(*) FROM joints", take_count, &joints, error);
    if (!status && !joints)
        status = damaged(&(reader){.path = path}, error);
    if (!status)
        status = lashi_life_create(&life, "", joints, error);
    reader r = {.life = life, .path = path};
    if (!status)
        status = lashi_database_each(db, path,
                                     "SELECT name, sectors, closed, origin, pitch, clearance, coefficients "
                                     "FROM joints ORDER BY number",
                                     take_name, &r, error);
    if (!status)
        status = read_stages(&r, db, error);
    sqlite3_close(db);
    if (status)
        lash_life_destroy(life);
    else
        *out = life;
    return status;
}

/* ---- opening ---- */

static lash_status create(lashi_life_store *store, const lash_life *life, const char *key,
                          lash_error *error) {
    char mark[64];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d", LASHI_LIFE_MARK);
    // The mark first: it is then in the file itself, where plots look for it, not in the log beside it.
    lash_status status = perform(store, mark, error);
    if (!status)
        status = perform(store, "PRAGMA journal_mode = WAL", error);
    if (!status)
        status = perform(store, "BEGIN IMMEDIATE", error);
    if (!status)
        status =
            perform(store,
                    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT);"
                    "CREATE TABLE joints (number INTEGER PRIMARY KEY, name TEXT, sectors INTEGER, "
                    "closed INTEGER, origin REAL, pitch REAL, clearance REAL, coefficients INTEGER);"
                    "CREATE TABLE stages (stage INTEGER PRIMARY KEY, turns REAL, hours REAL, torque_peak "
                    "REAL, torque_rms REAL, turns_run REAL, turns_kept REAL, repeats REAL, spread REAL, "
                    "jump REAL, start BLOB);"
                    "CREATE TABLE wear (stage INTEGER, joint TEXT, volume REAL, wear_per_turn REAL, "
                    "first_depth REAL, second_depth REAL, play REAL, peak_force REAL, impacts REAL, "
                    "energy_lost REAL, first BLOB, second BLOB, PRIMARY KEY (stage, joint));",
                    error);
    const char *const about[][2] = {{"version", LASH_VERSION}, {"title", life->title}, {"key", key}};
    for (size_t i = 0; !status && i < sizeof about / sizeof *about; i++)
        status = put_about(store, about[i][0], about[i][1], error);
    for (size_t j = 0; !status && j < life->joint_count; j++) {
        insertion r = row_begin(store, "INSERT INTO joints VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);
        put_number(&r, (double)j + 1);
        const lash_worn_shape *shape = &life->shapes[j];
        put_text(&r, shape->joint);
        const double numbers[] = {(double)shape->sectors, shape->closed,    shape->origin,
                                  shape->pitch,           shape->clearance, (double)shape->count};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            put_number(&r, numbers[i]);
        status = row_end(&r, error);
    }
    return status ? status : perform(store, "COMMIT", error);
}

/* A life that failed before its first stage leaves nothing worth keeping: the next one, of a model that was mended,
 * takes its place. What cannot be read is reported later. */
static lash_status forget_if_empty(lashi_life_store *store, lash_error *error) {
    size_t stages = 1;
    if (lashi_database_check(store->db, store->path, LASHI_LIFE_MARK, NULL) ||
        lashi_database_each(store->db, store->path, "SELECT count(*) FROM stages", take_count, &stages,
                            NULL) ||
        stages)
        return LASH_OK;
    return perform(
        store,
        "BEGIN IMMEDIATE; DROP TABLE about; DROP TABLE joints; DROP TABLE stages; DROP TABLE wear; COMMIT",
        error);
}

static lash_status open_file(lashi_life_store *store, lash_life *life, const char *key, lash_error *error) {
    reader r = {.life = life, .path = store->path, .key = key};
    lash_status status = lashi_database_lock(&store->lock, store->path, error);
    if (!status)
        status = lashi_database_open(&store->db, store->path, error);
    if (!status && is_begun(store->db, store->path))
        status = forget_if_empty(store, error);
    if (!status && !is_begun(store->db, store->path))
        status = create(store, life, key, error);
    if (!status)
        status = lashi_database_check(store->db, store->path, LASHI_LIFE_MARK, error);
    if (!status)
        status = read_stages(&r, store->db, error);
    // Safe against a killed process; a power cut may take the last stages, never the file.
    return status ? status : perform(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
}

lash_status lashi_life_store_open(lashi_life_store **out, lash_life *life, const char *path, const char *key,
                                  lash_error *error) {
    *out = NULL;
    lashi_life_store *store = calloc(1, sizeof *store);
    if (!store)
        return lashi_study_fail_memory(error);
    store->lock = -1;
    store->path = strdup(path);
    const lash_status status =
        store->path ? open_file(store, life, key, error) : lashi_study_fail_memory(error);
    if (status)
        lashi_life_store_close(store);
    else
        *out = store;
    return status;
}

void lashi_life_store_close(lashi_life_store *store) {
    if (!store)
        return;
    if (store->db)
        sqlite3_close(store->db);
    // Only now: closing a file of SQLite's earlier would take SQLite's own locks away.
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}
