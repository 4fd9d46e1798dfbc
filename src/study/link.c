/* SPDX-License-Identifier: MIT
 *
 * Several processes at one study. Rank 0 has the queue and the file; the others ask it for points. A message
 * is one letter and what belongs to it:
 *
 *   0 → all   G fingerprint     begin; the study must be the same there      X  there is nothing to do
 *   r → 0     R                 asks for a point         D outcome    has computed one, asks for the next
 *   0 → r     P number state    compute this             E            there are no more
 *   r → 0     B message         leaves; a message says why if it is not in peace
 *
 * A rank has one question open at a time, whatever its number of threads: answers need no address.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "study/queue.h"

static const long PAUSE = 200000;          // ns between looks for an answer
static const long REPORT_PAUSE = 50000000; // ns between looks at the wish to stop

// ---- packing

typedef struct parcel {
    unsigned char *bytes;
    size_t count;
} parcel;

static void *append(parcel *p, const void *bytes, size_t count) {
    unsigned char *larger = realloc(p->bytes, p->count + count + 1);
    if (!larger)
        return NULL;
    p->bytes = larger;
    if (count)
        memcpy(p->bytes + p->count, bytes, count);
    p->count += count;
    return larger;
}

/* Sends a letter and up to one block. */
static lash_status say(const lash_study_link *link, int to, char letter, const void *block, size_t count,
                       lash_error *error) {
    parcel p = {0};
    lash_status status = append(&p, &letter, 1) && append(&p, block, count)
                             ? link->send(link->user, to, p.bytes, p.count, error)
                             : lashi_study_fail_memory(error);
    free(p.bytes);
    return status;
}

static bool take(void *out, const unsigned char **at, size_t *left, size_t count) {
    if (*left < count)
        return false;
    if (count)
        memcpy(out, *at, count);
    *at += count;
    *left -= count;
    return true;
}

static bool pack_outcome(parcel *p, const lashi_outcome *outcome, const lash_study *study) {
    const size_t width = study->cut.channel_count + 1;
    return append(p, outcome, sizeof *outcome) &&
           append(p, outcome->values, study->metric_count * sizeof *outcome->values) &&
           append(p, outcome->trials, outcome->trial_count * sizeof *outcome->trials) &&
           append(p, outcome->section, outcome->section_count * width * sizeof *outcome->section) &&
           append(p, outcome->end.values, outcome->end.count * sizeof *outcome->end.values);
}

/* False: what came is no outcome of this study. To be cleared in either case. */
static bool unpack_outcome(lashi_outcome *out, const unsigned char *at, size_t left,
                           const lash_study *study) {
    const size_t width = study->cut.channel_count + 1;
    lashi_outcome head;
    *out = (lashi_outcome){0};
    if (!take(&head, &at, &left, sizeof head) || head.point >= study->point_count ||
        head.trial_count > left / sizeof *head.trials || head.section_count > left / sizeof *head.section ||
        head.end.count > left / sizeof *head.end.values)
        return false;
    *out = head;
    out->values = calloc(study->metric_count + 1, sizeof *out->values);
    out->trials = calloc(head.trial_count + 1, sizeof *out->trials);
    out->section = calloc(head.section_count * width + 1, sizeof *out->section);
    out->end.values = calloc(head.end.count + 1, sizeof *out->end.values);
    return out->values && out->trials && out->section && out->end.values &&
           take(out->values, &at, &left, study->metric_count * sizeof *out->values) &&
           take(out->trials, &at, &left, head.trial_count * sizeof *out->trials) &&
           take(out->section, &at, &left, head.section_count * width * sizeof *out->section) &&
           take(out->end.values, &at, &left, head.end.count * sizeof *out->end.values) && left == 0;
}

/* FNV-1a of what must be the same everywhere. */
static uint64_t fingerprint(const lash_study *study) {
    const char *const texts[] = {LASH_VERSION, lash_document_text(study->document), study->model_text,
                                 study->tables};
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *c = texts[i];; c++) {
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
            if (!*c)
                break;
        }
    return hash;
}

// ---- rank 0

lash_status lashi_link_begin(const lash_study_link *link, const lash_study *study, bool go,
                             lash_error *error) {
    const uint64_t hash = fingerprint(study);
    lash_status status = LASH_OK;
    for (int rank = 1; rank < link->size; rank++) {
        lash_status sent = say(link, rank, go ? 'G' : 'X', &hash, sizeof hash, error);
        status = status ? status : sent;
    }
    return status;
}

static lash_status answer(lashi_queue *queue, int to, lash_error *error) {
    size_t point;
    lashi_state start;
    const lash_study_link *link = queue->options->link;
    if (!lashi_queue_take(&point, &start, queue))
        return say(link, to, 'E', NULL, 0, error);
    const uint64_t number = point;
    parcel p = {0};
    lash_status status =
        append(&p, &number, sizeof number) && append(&p, start.values, start.count * sizeof *start.values)
            ? say(link, to, 'P', p.bytes, p.count, error)
            : lashi_study_fail_memory(error);
    free(p.bytes);
    free(start.values);
    return status;
}

static lash_status understand(lashi_queue *queue, int *left, int from, const unsigned char *bytes,
                              size_t count, lash_error *error) {
    lashi_outcome outcome;
    switch (count ? bytes[0] : 0) {
    case 'R': return answer(queue, from, error);
    case 'D':
        if (!unpack_outcome(&outcome, bytes + 1, count - 1, queue->study)) {
            lashi_outcome_clear(&outcome);
            return lashi_study_fail(error, LASH_ERROR_INTERNAL, "process %d sent a point that makes no sense",
                                    from);
        }
        lashi_queue_finish(queue, &outcome);
        lashi_outcome_clear(&outcome);
        return answer(queue, from, error);
    case 'B':
        --*left;
        if (count > 1)
            return lashi_study_fail(error, LASH_ERROR_IO, "process %d gave up: %.*s", from, (int)(count - 1),
                                    (const char *)bytes + 1);
        return LASH_OK;
    default: return lashi_study_fail(error, LASH_ERROR_INTERNAL, "process %d sent what makes no sense", from);
    }
}

bool lashi_link_serve(int *left, lashi_queue *queue) {
    const lash_study_link *link = queue->options->link;
    void *bytes = NULL;
    size_t count = 0;
    int from = 0;
    lash_error error;
    lash_status status = link->receive(link->user, &from, &bytes, &count, &error);
    const bool came = !status && bytes;
    if (came)
        status = understand(queue, left, from, bytes, count, &error);
    else if (status)
        *left = 0; // nothing can be heard any more
    free(bytes);
    if (status)
        lashi_queue_fail(queue, status, &error);
    return came;
}

// ---- the other ranks

typedef struct crew {
    const lash_study *study;
    const lash_study_link *link;
    atomic_bool stop;
    pthread_mutex_t mutex; // of the link and what follows
    size_t working;
    lash_status status;
    lash_error error;
} crew;

/* Waits for a message of rank 0; the mutex of the link is held. *bytes NULL: gave up since the study is being
 * stopped. */
static lash_status hear(unsigned char **bytes, size_t *count, const lash_study_link *link,
                        lash_error *error) {
    const struct timespec pause = {0, PAUSE};
    int from;
    void *came = NULL;
    lash_status status;
    while (!(status = link->receive(link->user, &from, &came, count, error)) && !came)
        nanosleep(&pause, NULL);
    *bytes = came;
    return status;
}

/* Tells an outcome (NULL: none yet) and asks for a point and its start. SIZE_MAX: no more. */
static lash_status ask(size_t *point, lashi_state *start, crew *c, const lashi_outcome *outcome,
                       lash_error *error) {
    parcel p = {0};
    unsigned char *bytes = NULL;
    size_t count = 0;
    const char letter = outcome ? 'D' : 'R';
    *point = SIZE_MAX;
    free(start->values);
    *start = (lashi_state){0};
    if (!append(&p, &letter, 1) || (outcome && !pack_outcome(&p, outcome, c->study))) {
        free(p.bytes);
        return lashi_study_fail_memory(error);
    }
    pthread_mutex_lock(&c->mutex);
    lash_status status = c->link->send(c->link->user, 0, p.bytes, p.count, error);
    if (!status)
        status = hear(&bytes, &count, c->link, error);
    pthread_mutex_unlock(&c->mutex);
    uint64_t number;
    if (!status && count >= 1 + sizeof number && bytes[0] == 'P') {
        const size_t rest = count - 1 - sizeof number;
        memcpy(&number, bytes + 1, sizeof number);
        *point = (size_t)number;
        start->values = malloc(rest + 1);
        start->count = rest / sizeof *start->values;
        if (!start->values)
            status = lashi_study_fail_memory(error);
        else
            memcpy(start->values, bytes + 1 + sizeof number, rest);
    }
    free(p.bytes);
    free(bytes);
    return status;
}

static void *labour(void *user) {
    crew *c = user;
    lashi_outcome outcome;
    lash_error error;
    size_t point = SIZE_MAX;
    lashi_state start = {0};
    lash_status status = lashi_outcome_init(&outcome, c->study, &error);
    if (!status)
        status = ask(&point, &start, c, NULL, &error);
    while (!status && point != SIZE_MAX) {
        status = lashi_point_compute(&outcome, c->study, point, &start, &c->stop);
        if (status == LASH_ERROR_MEMORY)
            lashi_study_fail_memory(&error);
        if (!status)
            status = ask(&point, &start, c, &outcome, &error);
    }
    lashi_outcome_clear(&outcome);
    free(start.values);
    pthread_mutex_lock(&c->mutex);
    if (status && !c->status) {
        c->status = status;
        if (status < 0)
            c->error = error;
    }
    c->working--;
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

static void watch(crew *c, const lash_study_options *options) {
    const struct timespec pause = {0, REPORT_PAUSE};
    const lash_study_progress nothing = {.points = c->study->point_count};
    for (;;) {
        pthread_mutex_lock(&c->mutex);
        const size_t working = c->working;
        pthread_mutex_unlock(&c->mutex);
        if (working == 0)
            return;
        if (options->progress && !options->progress(options->user, &nothing))
            atomic_store(&c->stop, true);
        nanosleep(&pause, NULL);
    }
}

static lash_status labour_together(crew *c, const lash_study_options *options, size_t jobs) {
    pthread_t *threads = calloc(jobs, sizeof *threads);
    size_t started = 0;
    c->working = threads ? jobs : 0;
    while (threads && started < jobs && pthread_create(&threads[started], NULL, labour, c) == 0)
        started++;
    pthread_mutex_lock(&c->mutex);
    c->working -= threads ? jobs - started : 0;
    if (!started)
        c->status = lashi_study_fail(&c->error, LASH_ERROR_MEMORY, "no thread could be started");
    pthread_mutex_unlock(&c->mutex);
    watch(c, options);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return c->status;
}

lash_status lashi_link_work(const lash_study *study, const lash_study_options *options, size_t jobs,
                            lash_error *error) {
    const lash_study_link *link = options->link;
    const uint64_t hash = fingerprint(study);
    unsigned char *bytes;
    size_t count;
    lash_status status = hear(&bytes, &count, link, error);
    if (status)
        return status;
    const bool go = count == 1 + sizeof hash && bytes[0] == 'G';
    const bool same = go && memcmp(bytes + 1, &hash, sizeof hash) == 0;
    free(bytes);
    if (!go) // rank 0 has said why
        return LASH_STOP_INTERRUPTED;
    crew c = {.study = study, .link = link, .mutex = PTHREAD_MUTEX_INITIALIZER};
    atomic_init(&c.stop, false);
    status = same ? labour_together(&c, options, jobs)
                  : lashi_study_fail(&c.error, LASH_ERROR_IO,
                                     "the study, the model or the version is another one there");
    lash_error unheard;
    lash_status left = say(link, 0, 'B', c.error.message, status < 0 ? strlen(c.error.message) : 0, &unheard);
    if (status < 0)
        *error = c.error;
    else if (left)
        *error = unheard;
    pthread_mutex_destroy(&c.mutex);
    return status ? status : left;
}
