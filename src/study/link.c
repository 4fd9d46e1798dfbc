/* SPDX-License-Identifier: MIT
 *
 * Several processes at one study. Rank 0 has the queue and the file; the others ask it for points. A message
 * is one letter and what belongs to it:
 *
 *   0 → all   G fingerprint     begin; the study must be the same there      X  there is nothing to do
 *   r → 0     R wanted          asks for points          D size outcome …   has computed some
 *   0 → r     P count numbers … state     compute these; the state is a single one's     E    there are no more
 *   r → 0     B message         leaves; a message says why, if something went wrong
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

static lash_status answer(lashi_queue *queue, int to, const unsigned char *at, size_t left,
                          lash_error *error) {
    lashi_state start;
    uint64_t wanted = 0;
    const lash_study_link *link = queue->options->link;
    if (!take(&wanted, &at, &left, sizeof wanted) || wanted == 0)
        return lashi_study_fail(error, LASH_ERROR_INTERNAL, "process %d asked for nothing", to);
    wanted = wanted < queue->study->point_count ? wanted : queue->study->point_count;
    size_t *points = calloc((size_t)wanted + 1, sizeof *points);
    if (!points)
        return lashi_study_fail_memory(error);
    const size_t count = lashi_queue_take(points, &start, queue, (size_t)wanted);
    parcel p = {0};
    bool packed = append(&p, &(uint64_t){count}, sizeof(uint64_t));
    for (size_t i = 0; packed && i < count; i++)
        packed = append(&p, &(uint64_t){points[i]}, sizeof(uint64_t));
    packed = packed && append(&p, start.values, start.count * sizeof *start.values);
    lash_status status = !packed      ? lashi_study_fail_memory(error)
                         : count == 0 ? say(link, to, 'E', NULL, 0, error)
                                      : say(link, to, 'P', p.bytes, p.count, error);
    free(p.bytes);
    free(points);
    free(start.values);
    return status;
}

/* Outcomes that have come. */
static lash_status finish_all(lashi_queue *queue, int from, const unsigned char *at, size_t left,
                              lash_error *error) {
    while (left > 0) {
        uint64_t size;
        lashi_outcome outcome = {0};
        const bool sound = take(&size, &at, &left, sizeof size) && size <= left &&
                           unpack_outcome(&outcome, at, (size_t)size, queue->study);
        if (sound)
            lashi_queue_finish(queue, &outcome, 1);
        lashi_outcome_clear(&outcome);
        if (!sound)
            return lashi_study_fail(error, LASH_ERROR_INTERNAL, "process %d sent an invalid point", from);
        at += size;
        left -= (size_t)size;
    }
    return LASH_OK;
}

static lash_status understand(lashi_queue *queue, int *left, int from, const unsigned char *bytes,
                              size_t count, lash_error *error) {
    switch (count ? bytes[0] : 0) {
    case 'R': return answer(queue, from, bytes + 1, count - 1, error);
    case 'D': return finish_all(queue, from, bytes + 1, count - 1, error);
    case 'B':
        --*left;
        if (count > 1)
            return lashi_study_fail(error, LASH_ERROR_IO, "process %d gave up: %.*s", from, (int)(count - 1),
                                    (const char *)bytes + 1);
        return LASH_OK;
    default: return lashi_study_fail(error, LASH_ERROR_INTERNAL, "process %d sent an invalid message", from);
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
    lashi_manner manner;
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

/* Sends outcomes. */
static void tell(void *user, const lashi_outcome *outcomes, size_t count) {
    crew *c = user;
    lash_error error;
    parcel p = {0};
    bool packed = append(&p, "D", 1);
    for (size_t i = 0; packed && i < count; i++) {
        parcel one = {0};
        packed = pack_outcome(&one, &outcomes[i], c->study) &&
                 append(&p, &(uint64_t){one.count}, sizeof(uint64_t)) && append(&p, one.bytes, one.count);
        free(one.bytes);
    }
    pthread_mutex_lock(&c->mutex);
    const lash_status status =
        packed ? c->link->send(c->link->user, 0, p.bytes, p.count, &error) : lashi_study_fail_memory(&error);
    if (status && !c->status) {
        c->status = status;
        c->error = error;
        atomic_store(&c->stop, true);
    }
    pthread_mutex_unlock(&c->mutex);
    free(p.bytes);
}

static void look_ahead(void *user, size_t points) {
    (void)user, (void)points; // rank 0 shows what it has
}

/* Asks for points, and the start of a single one. *count 0: no more. */
static lash_status ask(size_t *points, size_t *count, lashi_state *start, crew *c, lash_error *error) {
    const uint64_t wanted = c->manner.at_once;
    unsigned char *bytes = NULL;
    size_t size = 0;
    *count = 0;
    free(start->values);
    *start = (lashi_state){0};
    pthread_mutex_lock(&c->mutex);
    lash_status status = say(c->link, 0, 'R', &wanted, sizeof wanted, error);
    if (!status)
        status = hear(&bytes, &size, c->link, error);
    pthread_mutex_unlock(&c->mutex);
    const unsigned char *at = bytes ? bytes + 1 : NULL;
    size_t left = size ? size - 1 : 0;
    uint64_t given = 0, number;
    if (!status && size > 0 && bytes[0] == 'P' && take(&given, &at, &left, sizeof given) && given <= wanted)
        while (*count < given && take(&number, &at, &left, sizeof number))
            points[(*count)++] = (size_t)number;
    if (*count == 1 && given == 1) {
        start->values = malloc(left + 1);
        start->count = left / sizeof *start->values;
        if (!start->values)
            status = lashi_study_fail_memory(error);
        else
            memcpy(start->values, at, left);
    }
    free(bytes);
    return status;
}

static void *labour(void *user) {
    crew *c = user;
    lash_error error;
    size_t count = 0, *points = calloc(c->manner.at_once, sizeof *points);
    lashi_state start = {0};
    lashi_hands hands = {.study = c->study,
                         .manner = &c->manner,
                         .stop = &c->stop,
                         .finish = tell,
                         .ahead = look_ahead,
                         .user = c};
    lash_status status =
        points ? lashi_outcome_init(&hands.outcome, c->study, &error) : lashi_study_fail_memory(&error);
    if (!status)
        status = ask(points, &count, &start, c, &error);
    while (!status && count > 0) {
        status = lashi_hands_compute(&hands, points, count, &start);
        if (status == LASH_ERROR_MEMORY)
            lashi_study_fail_memory(&error);
        if (status == LASH_STOP_INTERRUPTED)
            atomic_store(&c->stop, true);
        if (!status)
            status = ask(points, &count, &start, c, &error);
    }
    lashi_outcome_clear(&hands.outcome);
    free(points);
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
    lashi_manner_begin(&c.manner, study, options, study->point_count, jobs * (size_t)link->size);
    status =
        same ? labour_together(&c, options, jobs)
             : lashi_study_fail(&c.error, LASH_ERROR_IO, "the study, the model or the version differs there");
    lash_error unheard;
    lash_status left = say(link, 0, 'B', c.error.message, status < 0 ? strlen(c.error.message) : 0, &unheard);
    if (status < 0)
        *error = c.error;
    else if (left)
        *error = unheard;
    lashi_manner_end(&c.manner);
    pthread_mutex_destroy(&c.mutex);
    return status ? status : left;
}
