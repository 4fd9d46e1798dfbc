/* SPDX-License-Identifier: MIT
 *
 * The workers of this process, and the run of a study.
 *
 * Points are handed out one by one in the order of their numbers, so that cheap and expensive ones balance. A
 * worker that has finished a point writes it under the queue's mutex. Where points carry over, only those are
 * handed out whose point before is done; a worker that finds none ends, since every chain that is left has
 * one already, which goes on with it. The thread that called looks after the progress, and after the messages
 * of other processes.
 */
#include "study/queue.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "study/metric.h"

static const double REPORT_INTERVAL = 0.1; // s
/* s between looks for ended workers. */
static const double LOOK_INTERVAL = 5e-3;
/* Looks for messages take processor time from the worker beside them, and a process waits half of the pause
 * between them. The pause is a share of the time since the last message, so that both are small against a
 * point whatever it costs: with 0.02 a message waits 1 %, and a point sees fewer than 50 ln(T/5 ms) looks. */
static const double LOOK_SHARE = 0.02, SHORTEST_LOOK = 1e-4; // s

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- the queue

/* Whether a point can be computed now. */
static bool ready(const lashi_queue *queue, size_t point) {
    const size_t before = lashi_point_before(queue->study, point);
    return !queue->done[point] &&
           (before == SIZE_MAX || (queue->done[before] && queue->done[before] != LASHI_TAKEN));
}

bool lashi_queue_take(size_t *point, lashi_state *start, lashi_queue *queue) {
    const size_t count = queue->study->point_count;
    lash_error error;
    lash_status status = LASH_OK;
    *start = (lashi_state){0};
    pthread_mutex_lock(&queue->mutex);
    while (queue->next < count && queue->done[queue->next])
        queue->next++;
    size_t at = queue->next;
    while (at < count && !ready(queue, at))
        at++;
    bool found = at < count && !atomic_load(&queue->stop);
    if (found) {
        *point = at;
        queue->done[at] = LASHI_TAKEN;
        const size_t before = lashi_point_before(queue->study, at);
        if (before != SIZE_MAX && (status = lashi_store_read_end(start, queue->store, before, &error)))
            found = false;
    }
    pthread_mutex_unlock(&queue->mutex);
    if (status)
        lashi_queue_fail(queue, status, &error);
    return found;
}

void lashi_queue_finish(lashi_queue *queue, const lashi_outcome *outcome) {
    lash_error error;
    pthread_mutex_lock(&queue->mutex);
    lash_status status = lashi_store_write(queue->store, outcome, &error);
    if (!status) {
        queue->done[outcome->point] = outcome->status ? 2 : 1;
        queue->progress.done++;
        queue->progress.failed += outcome->status != LASH_OK;
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

// ---- workers

static void *work(void *user) {
    lashi_queue *queue = user;
    lashi_outcome outcome;
    lash_error error;
    size_t point;
    lashi_state start;
    lash_status status = lashi_outcome_init(&outcome, queue->study, &error);
    while (!status && lashi_queue_take(&point, &start, queue)) {
        status = lashi_point_compute(&outcome, queue->study, point, &start, &queue->stop);
        free(start.values);
        if (!status)
            lashi_queue_finish(queue, &outcome);
        else if (status == LASH_ERROR_MEMORY)
            lashi_study_fail_memory(&error);
    }
    lashi_outcome_clear(&outcome);
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

// ---- looking after them

static void report(lashi_queue *queue, double begun) {
    pthread_mutex_lock(&queue->mutex);
    queue->progress.elapsed = wall_clock() - begun;
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

static void look_after(lashi_queue *queue) {
    const double begun = wall_clock();
    int left = queue->options->link ? queue->options->link->size - 1 : 0;
    double reported = begun, heard = begun;
    for (;;) {
        const bool served = left > 0 && lashi_link_serve(&left, queue);
        pthread_mutex_lock(&queue->mutex);
        const size_t working = queue->working;
        pthread_mutex_unlock(&queue->mutex);
        if (working == 0 && left <= 0)
            break;
        const double now = wall_clock();
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

/* Cores that this process may use: a launcher, a container or the user may have left it a few of the
 * machine's. */
static size_t count_cores(void) {
    cpu_set_t usable;
    const int count = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 0;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : all > 0 ? (size_t)all : 1;
}

static size_t choose_jobs(const lash_study_options *options) {
    if (options->jobs)
        return options->jobs;
    // Processes of a link are usually one per core already.
    return options->link && options->link->size > 1 ? 1 : count_cores();
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
        const size_t wanted = jobs < pending ? jobs : pending;
        const size_t started = start_workers(threads, queue, wanted);
        if (started == 0 && wanted > 0) {
            lash_error none;
            lashi_queue_fail(
                queue, LASH_ERROR_MEMORY,
                (lashi_study_fail(&none, LASH_ERROR_MEMORY, "no thread could be started"), &none));
        }
        look_after(queue);
        for (size_t i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
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
            return lashi_study_fail(error, LASH_ERROR_USAGE,
                                    "the metric '%.100s' is to be made by the program that runs the study, "
                                    "with lash_study_set_metric or in Python with own={'%.100s': function}",
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
