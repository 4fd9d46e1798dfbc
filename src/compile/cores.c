/* SPDX-License-Identifier: MIT */
#include "compile/cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "lash/ensemble.h"

enum { MOST_CORES = 64 };

struct lashi_cores {
    lashi_members_function *run;
    const double *stops;
    size_t column_count, number_count, cut_count;
    lashi_alone **all; /* [taken] */
    size_t taken, capacity, next, ended;
    bool stopped;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[MOST_CORES];
    size_t started;
};

size_t lash_core_count(void) {
    cpu_set_t usable;
    const int count = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 0;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : all > 0 ? (size_t)all : 1;
}

size_t lashi_cores_count(void) {
    const size_t count = lash_core_count();
    return count < MOST_CORES ? count : MOST_CORES;
}

static bool is_stopped(void *user) {
    lashi_cores *c = user;
    pthread_mutex_lock(&c->lock);
    const bool stopped = c->stopped;
    pthread_mutex_unlock(&c->lock);
    return stopped;
}

static void *work(void *user) {
    lashi_cores *c = user;
    pthread_mutex_lock(&c->lock);
    while (!c->stopped) {
        if (c->next == c->taken) {
            pthread_cond_wait(&c->changed, &c->lock);
            continue;
        }
        const lashi_alone *one = c->all[c->next++];
        pthread_mutex_unlock(&c->lock);
        c->run(one->columns, one->numbers, c->stops, one->cuts, (long)c->cut_count, 0, 1, is_stopped, c);
        pthread_mutex_lock(&c->lock);
        c->ended++;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

lashi_cores *lashi_cores_start(lashi_members_function *run, const double *stops, size_t column_count,
                               size_t number_count, size_t cut_count) {
    lashi_cores *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->run = run;
    c->stops = stops;
    c->column_count = column_count;
    c->number_count = number_count;
    c->cut_count = cut_count;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    const size_t most = lashi_cores_count();
    while (c->started < most && pthread_create(&c->threads[c->started], NULL, work, c) == 0)
        c->started++;
    if (c->started)
        return c;
    lashi_cores_destroy(c);
    return NULL;
}

lashi_alone *lashi_cores_room(lashi_cores *cores) {
    lashi_alone *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    one->columns =
        calloc(cores->column_count + cores->number_count + cores->cut_count + 1, sizeof *one->columns);
    pthread_mutex_lock(&cores->lock);
    const bool room =
        one->columns && lashi_grow(&cores->all, &cores->capacity, cores->taken, sizeof(lashi_alone *));
    pthread_mutex_unlock(&cores->lock);
    if (!room) {
        free(one->columns);
        free(one);
        return NULL;
    }
    one->numbers = one->columns + cores->column_count;
    one->cuts = one->numbers + cores->number_count;
    return one;
}

void lashi_cores_take(lashi_cores *cores, lashi_alone *one) {
    pthread_mutex_lock(&cores->lock);
    cores->all[cores->taken++] = one;
    pthread_cond_broadcast(&cores->changed);
    pthread_mutex_unlock(&cores->lock);
}

size_t lashi_cores_taken(const lashi_cores *cores) {
    return cores->taken;
}

size_t lashi_cores_ended(lashi_cores *cores) {
    pthread_mutex_lock(&cores->lock);
    const size_t ended = cores->ended;
    pthread_mutex_unlock(&cores->lock);
    return ended;
}

bool lashi_cores_wait(lashi_cores *cores) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&cores->lock);
    if (cores->ended < cores->taken)
        pthread_cond_timedwait(&cores->changed, &cores->lock, &until);
    const bool open = cores->ended < cores->taken;
    pthread_mutex_unlock(&cores->lock);
    return open;
}

void lashi_cores_stop(lashi_cores *cores) {
    pthread_mutex_lock(&cores->lock);
    cores->stopped = true;
    pthread_cond_broadcast(&cores->changed);
    pthread_mutex_unlock(&cores->lock);
    for (; cores->started > 0; cores->started--)
        pthread_join(cores->threads[cores->started - 1], NULL);
}

const lashi_alone *lashi_cores_at(const lashi_cores *cores, size_t index) {
    return cores->all[index];
}

void lashi_cores_destroy(lashi_cores *cores) {
    if (!cores)
        return;
    lashi_cores_stop(cores);
    for (size_t i = 0; i < cores->taken; i++) {
        free(cores->all[i]->columns);
        free(cores->all[i]);
    }
    free(cores->all);
    pthread_cond_destroy(&cores->changed);
    pthread_mutex_destroy(&cores->lock);
    free(cores);
}
