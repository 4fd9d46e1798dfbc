/* SPDX-License-Identifier: MIT
 *
 * The workers of this process, and the run of a study.
 *
 * Points are handed out one by one in the order of their numbers, so that cheap and expensive ones balance. A
 * worker that has finished a point writes it under the queue's mutex. Where points carry over, only those are
 * handed out whose point before is done; a worker that finds none ends, since every chain that is left has
 * one already, which continues with it. The calling thread reports the progress and answers the messages of
 * other processes.
 */
#include "study/clock.h"
#include "study/queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lash/ensemble.h"
#include "study/metric.h"

static const double REPORT_INTERVAL = 0.1; // s
/* s between checks for ended workers. */
static const double LOOK_INTERVAL = 5e-3;
/* Checks for messages take processor time from the worker beside them, and a process waits half of the pause
 * between them. The pause is a share of the time since the last message, so that both are small against the
 * time T of a point: with 0.02 a message waits 1 % of it, and there are fewer than 50 ln(T/5 ms) checks in a
 * point. */
static const double LOOK_SHARE = 0.02, SHORTEST_LOOK = 1e-4; // s

// ---- the queue

/* Whether a point can be computed now. */
static bool ready(const lashi_queue *queue, size_t point) {
    const size_t before = lashi_point_before(queue->study, point);
    return !queue->done[point] &&
           (before == SIZE_MAX || (queue->done[before] && queue->done[before] != LASHI_TAKEN));
}

size_t lashi_queue_take(size_t *points, lashi_state *start, lashi_queue *queue, size_t wanted) {
    const size_t count = queue->study->point_count;
    lash_error error;
    lash_status status = LASH_OK;
    size_t found = 0;
    *start = (lashi_state){0};
    pthread_mutex_lock(&queue->mutex);
    while (queue->next < count && queue->done[queue->next])
        queue->next++;
    for (size_t at = queue->next; at < count && found < wanted && !atomic_load(&queue->stop); at++)
        if (ready(queue, at)) {
            points[found++] = at;
            queue->done[at] = LASHI_TAKEN;
        }
    const size_t before = found == 1 ? lashi_point_before(queue->study, points[0]) : SIZE_MAX;
    if (before != SIZE_MAX && (status = lashi_store_read_end(start, queue->store, before, &error)))
        found = 0;
    pthread_mutex_unlock(&queue->mutex);
    if (status)
        lashi_queue_fail(queue, status, &error);
    return found;
}

void lashi_queue_finish(lashi_queue *queue, const lashi_outcome *outcomes, size_t count) {
    lash_error error;
    pthread_mutex_lock(&queue->mutex);
    lash_status status = lashi_store_write(queue->store, outcomes, count, &error);
    for (size_t i = 0; !status && i < count; i++) {
        queue->done[outcomes[i].point] = outcomes[i].status ? 2 : 1;
        queue->progress.done++;
        queue->progress.failed += outcomes[i].status != LASH_OK;
    }
    pthread_mutex_unlock(&queue->mutex);
    if (status)
        lashi_queue_fail(queue, status, &error);
}

void lashi_queue_fail(lashi_queue *queue, lash_status status, const lash_error *error) {
    pthread_mutex_lock(&queue->mutex);
    if (!queue->status) {
        queue->status = status;
        queue->error = *error;
    }
    pthread_mutex_unlock(&queue->mutex);
    atomic_store(&queue->stop, true);
}

// ---- the way in which points are computed

/* Members of a batch: on a core enough for lanes to stay busy, few enough to be shared by workers; on a GPU as
 * many as it takes at once, which are bounded by the memory that they need here. */
enum { LANES_LEAST = 16, LANES_MOST = 128, GPU_LEAST = 4096, GPU_MOST = 131072 };
/* Points from which on a GPU is worth its start. */
enum { GPU_WORTH = 256 };

void lashi_manner_say(lashi_manner *manner, const char *message) {
    pthread_mutex_lock(&manner->mutex);
    size_t k = 0;
    while (k < 4 && manner->said[k][0] && strcmp(manner->said[k], message) != 0)
        k++;
    if (k < 4 && !manner->said[k][0]) {
        snprintf(manner->said[k], sizeof manner->said[k], "%s", message);
        if (manner->options->say)
            manner->options->say(manner->options->user, message);
    }
    pthread_mutex_unlock(&manner->mutex);
}

static size_t within(size_t x, size_t least, size_t most) {
    return x < least ? least : x > most ? most : x;
}

void lashi_manner_begin(lashi_manner *manner, const lash_study *study, const lash_study_options *options,
                        size_t points, size_t jobs) {
    char why[LASH_ERROR_TEXT], message[LASH_ERROR_TEXT];
    lash_error error;
    *manner = (lashi_manner){.way = options->way, .options = options, .at_once = 1};
    pthread_mutex_init(&manner->mutex, NULL);
    if (manner->way == LASH_STUDY_FASTEST)
        manner->way = points >= GPU_WORTH && !lash_ensemble_can(LASH_ON_GPU, &error) ? LASH_STUDY_GPU
                                                                                     : LASH_STUDY_LANES;
    if (manner->way != LASH_STUDY_ONE_BY_ONE && points > 0 && !lashi_batch_suits(study, manner->way, why)) {
        snprintf(message, sizeof message, "the points are computed one by one: %.400s", why);
        lashi_manner_say(manner, message);
        manner->way = LASH_STUDY_ONE_BY_ONE;
    }
    if (manner->way == LASH_STUDY_GPU && lash_ensemble_can(LASH_ON_GPU, &error)) {
        snprintf(message, sizeof message, "the points are computed on the processor: %.400s", error.message);
        lashi_manner_say(manner, message);
        manner->way = LASH_STUDY_LANES;
    }
    if (manner->way == LASH_STUDY_GPU)
        manner->at_once = within((points + jobs - 1) / jobs, GPU_LEAST, GPU_MOST);
    else if (manner->way == LASH_STUDY_LANES)
        manner->at_once = within(points / (4 * jobs), LANES_LEAST, LANES_MOST);
}

static void give_up(lashi_manner *manner, const char *reason) {
    pthread_mutex_lock(&manner->mutex);
    size_t k = 0;
    while (k + 1 < LASHI_REASONS && manner->given_up[k].text && strcmp(manner->given_up[k].text, reason) != 0)
        k++;
    manner->given_up[k].text = reason;
    manner->given_up[k].count++;
    pthread_mutex_unlock(&manner->mutex);
}

/* The most frequent first; whichever worker came first makes no difference. */
static int more_frequent(const void *a, const void *b) {
    const lashi_reason *x = a, *y = b;
    if (!x->text || !y->text)
        return (x->text == NULL) - (y->text == NULL);
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : strcmp(x->text, y->text);
}

void lashi_manner_end(lashi_manner *manner) {
    char message[LASH_ERROR_TEXT];
    size_t all = 0, length;
    qsort(manner->given_up, LASHI_REASONS, sizeof *manner->given_up, more_frequent);
    for (size_t k = 0; k < LASHI_REASONS; k++)
        all += manner->given_up[k].count;
    length = (size_t)snprintf(message, sizeof message,
                              "%zu point%s failed side by side and %s computed one by one", all,
                              all == 1 ? "" : "s", all == 1 ? "was" : "were");
    for (size_t k = 0; k < LASHI_REASONS && manner->given_up[k].text; k++)
        length += (size_t)snprintf(message + length, sizeof message - length, "%s%s (%zu)", k ? ", " : ": ",
                                   manner->given_up[k].text, manner->given_up[k].count);
    if (all > 0 && manner->options->say)
        manner->options->say(manner->options->user, message);
    pthread_mutex_destroy(&manner->mutex);
}

static void say_of_hands(void *user, const char *message) {
    lashi_manner_say(((const lashi_hands *)user)->manner, message);
}
static void give_up_of_hands(void *user, const char *reason) {
    give_up(((const lashi_hands *)user)->manner, reason);
}
static void finish_of_batch(void *user, const lashi_outcome *outcomes, size_t count) {
    const lashi_hands *hands = user;
    hands->finish(hands->user, outcomes, count);
}
static void ahead_of_batch(void *user, size_t points) {
    const lashi_hands *hands = user;
    hands->ahead(hands->user, points);
}

lash_status lashi_hands_compute(lashi_hands *hands, const size_t *points, size_t count,
                                const lashi_state *start) {
    lash_status status;
    if (hands->manner->at_once > 1) {
        const lashi_batch batch = {.study = hands->study,
                                   .way = hands->manner->way,
                                   .points = points,
                                   .count = count,
                                   .stop = hands->stop,
                                   .finish = finish_of_batch,
                                   .ahead = ahead_of_batch,
                                   .say = say_of_hands,
                                   .give_up = give_up_of_hands,
                                   .user = hands};
        status = lashi_batch_compute(&batch);
    } else {
        status = lashi_point_compute(&hands->outcome, hands->study, points[0], start, hands->stop);
        if (!status)
            hands->finish(hands->user, &hands->outcome, 1);
    }
    return status;
}

// ---- workers

typedef struct worker {
    lashi_queue *queue;
    size_t ahead;
} worker;

static void finish(void *user, const lashi_outcome *outcomes, size_t count) {
    lashi_queue_finish(((worker *)user)->queue, outcomes, count);
}

static void go_ahead(void *user, size_t points) {
    worker *w = user;
    pthread_mutex_lock(&w->queue->mutex);
    w->queue->progress.ahead += points - w->ahead;
    w->ahead = points;
    pthread_mutex_unlock(&w->queue->mutex);
}

static void *work(void *user) {
    lashi_queue *queue = user;
    worker w = {queue, 0};
    lash_error error;
    size_t count, *points = calloc(queue->manner.at_once, sizeof *points);
    lashi_state start;
    lashi_hands hands = {.study = queue->study,
                         .manner = &queue->manner,
                         .stop = &queue->stop,
                         .finish = finish,
                         .ahead = go_ahead,
                         .user = &w};
    lash_status status =
        points ? lashi_outcome_init(&hands.outcome, queue->study, &error) : lashi_study_fail_memory(&error);
    while (!status && (count = lashi_queue_take(points, &start, queue, queue->manner.at_once)) > 0) {
        status = lashi_hands_compute(&hands, points, count, &start);
        free(start.values);
        go_ahead(&w, 0);
        if (status == LASH_ERROR_MEMORY)
            lashi_study_fail_memory(&error);
        if (status == LASH_STOP_INTERRUPTED)
            atomic_store(&queue->stop, true);
    }
    lashi_outcome_clear(&hands.outcome);
    free(points);
    if (status < 0)
        lashi_queue_fail(queue, status, &error);
    pthread_mutex_lock(&queue->mutex);
    queue->working--;
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

/* As many threads as could be made, at least one or a failure. */
static size_t start_workers(pthread_t *threads, lashi_queue *queue, size_t jobs) {
    size_t started = 0;
    for (; started < jobs; started++) {
        pthread_mutex_lock(&queue->mutex);
        queue->working++;
        pthread_mutex_unlock(&queue->mutex);
        if (pthread_create(&threads[started], NULL, work, queue)) {
            pthread_mutex_lock(&queue->mutex);
            queue->working--;
            pthread_mutex_unlock(&queue->mutex);
            break;
        }
    }
    return started;
}

// ---- progress and messages

static void report(lashi_queue *queue, double begun) {
    pthread_mutex_lock(&queue->mutex);
    queue->progress.elapsed = lashi_wall_clock() - begun;
    const lash_study_progress progress = queue->progress;
    pthread_mutex_unlock(&queue->mutex);
    if (queue->options->progress && !queue->options->progress(queue->options->user, &progress))
        atomic_store(&queue->stop, true);
}

/* `silence`: s since the last message. */
static double look_pause(bool linked, double silence) {
    const double pause = LOOK_SHARE * silence;
    if (!linked || pause > LOOK_INTERVAL)
        return LOOK_INTERVAL;
    return pause > SHORTEST_LOOK ? pause : SHORTEST_LOOK;
}

static void look_after(lashi_queue *queue, double begun) {
    int left = queue->options->link ? queue->options->link->size - 1 : 0;
    double reported = begun, heard = begun;
    for (;;) {
        const bool served = left > 0 && lashi_link_serve(&left, queue);
        pthread_mutex_lock(&queue->mutex);
        const size_t working = queue->working;
        pthread_mutex_unlock(&queue->mutex);
        if (working == 0 && left <= 0)
            break;
        const double now = lashi_wall_clock();
        if (now - reported >= REPORT_INTERVAL) {
            reported = now;
            report(queue, begun);
        }
        if (served)
            heard = now;
        else
            nanosleep(&(struct timespec){0, (long)(1e9 * look_pause(left > 0, now - heard))}, NULL);
    }
    report(queue, begun);
}

// ---- the run

static size_t choose_jobs(const lash_study_options *options) {
    if (options->jobs)
        return options->jobs;
    // Processes of a link are usually one per core already.
    return options->link && options->link->size > 1 ? 1 : lash_core_count();
}

/* Failed points that are to be tried again count as not done, and so do points that begin where they end;
 * their rows stay until they are replaced. */
static void count_done(lash_study_progress *progress, unsigned char *done, const lash_study *study,
                       bool retry) {
    const size_t points = study->point_count;
    *progress = (lash_study_progress){.points = points};
    for (size_t i = 0; i < points; i++) {
        const size_t before = lashi_point_before(study, i);
        if ((retry && done[i] == 2) || (before != SIZE_MAX && !done[before]))
            done[i] = 0;
        progress->done += done[i] != 0;
        progress->failed += done[i] == 2;
    }
    progress->earlier = progress->done;
}

static lash_status lead(lashi_queue *queue, size_t jobs, lash_error *error) {
    const size_t points = queue->study->point_count;
    const lash_study_link *link = queue->options->link;
    pthread_t *threads = NULL;
    queue->done = calloc(points + 1, 1);
    lash_status status = queue->done ? LASH_OK : lashi_study_fail_memory(error);
    if (!status)
        status = lashi_store_open(&queue->store, queue->done, queue->options->store, queue->study, error);
    if (!status && !(threads = calloc(jobs, sizeof *threads)))
        status = lashi_study_fail_memory(error);
    if (link && link->size > 1) {
        lash_status said = lashi_link_begin(link, queue->study, !status, status ? NULL : error);
        status = status ? status : said;
    }
    if (!status) {
        count_done(&queue->progress, queue->done, queue->study, queue->options->retry_failed);
        const size_t pending = points - queue->progress.done;
        lashi_manner_begin(&queue->manner, queue->study, queue->options, pending, jobs);
        const size_t wanted = jobs < pending ? jobs : pending;
        const double begun = lashi_wall_clock();
        const size_t started = start_workers(threads, queue, wanted);
        if (started == 0 && wanted > 0) {
            lash_error none;
            lashi_queue_fail(
                queue, LASH_ERROR_MEMORY,
                (lashi_study_fail(&none, LASH_ERROR_MEMORY, "no thread could be started"), &none));
        }
        look_after(queue, begun);
        for (size_t i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
        lashi_manner_end(&queue->manner);
        status = queue->status;
        if (status && error)
            *error = queue->error;
        if (!status && atomic_load(&queue->stop))
            status = LASH_STOP_INTERRUPTED;
    }
    const lash_status closed = lashi_store_close(queue->store, status < 0 ? NULL : error);
    free(threads);
    free(queue->done);
    return status ? status : closed;
}

lash_status lash_study_run(lash_study_progress *outcome, const lash_study *study,
                           const lash_study_options *options, lash_error *error) {
    if (!outcome || !study || !options)
        return lashi_study_fail_null(error);
    lash_error unseen;
    error = error ? error : &unseen;
    for (size_t i = 0; i < study->metric_count; i++)
        if (study->metrics[i].kind->subject == LASHI_OF_CALLER && !study->metrics[i].own.value)
            return lashi_study_fail(
                error, LASH_ERROR_USAGE,
                "the metric '%.100s' must be computed by the program that runs the study, with "
                "lash_study_set_metric or in Python with own={'%.100s': function}",
                study->metrics[i].name, study->metrics[i].subject);
    size_t jobs = choose_jobs(options);
    if (jobs > study->point_count)
        jobs = study->point_count ? study->point_count : 1;
    *outcome = (lash_study_progress){.points = study->point_count};
    if (options->link && options->link->rank > 0)
        return lashi_link_work(study, options, jobs, error);
    lashi_queue queue = {.study = study, .options = options, .mutex = PTHREAD_MUTEX_INITIALIZER};
    atomic_init(&queue.stop, false);
    lash_status status = lead(&queue, jobs, error);
    *outcome = queue.progress;
    pthread_mutex_destroy(&queue.mutex);
    return status;
}
