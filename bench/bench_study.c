/* SPDX-License-Identifier: MIT
 *
 * Studies: turns per second and core, and what two workers gain over one.
 *
 *   bench_study [POINTS [TURNS [ROUNDS]]]     64 points of 20 turns, three times; 400 100: a bifurcation diagram
 *
 * A sweep of flores-2010 over its clearance, in a table that is thrown away; with one worker, with two
 * threads and, where mpirun is installed, as one and as two processes of the program (LASH in the
 * environment, else `lash` on the path), the start of mpirun counted.
 *
 * Notation: n workers, t_n wall time, c_n processor time of everything that ran, b_n = Σ (time of a point) /
 * (n t_n) the share of their time that workers spend computing. The efficiency is t_1 / (n t_n). A load of
 * other programs falsifies it, so the best of ROUNDS counts, and b_n c_1 / c_n stands beside it: waiting for
 * points, for messages and for the last point lowers b_n, looking for messages raises c_n, and neither
 * depends on the load. On an idle machine both agree, since t_n = Σ / (n b_n) and Σ grows as c_n.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lash/lash.h"
#include "lash/study.h"

extern char **environ;

static const char study_file[] = "study.yaml", store[] = "study.db";

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of this process and of its children that have ended, s. */
static double processor_time(void) {
    double sum = 0;
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        getrusage(whose[i], &usage);
        sum += (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
               (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
    }
    return sum;
}

static void remove_store(void) {
    unlink(store);
    unlink("study.db-wal");
    unlink("study.db-shm");
}

static bool write_study(int points, int turns) {
    FILE *file = fopen(study_file, "w");
    if (!file)
        return false;
    fprintf(file,
            "model: %s/examples/flores-2010.yaml\n"
            "axes: {play: {from: 0.05 mm, to: 0.5 mm, steps: %d}}\n"
            "run: {until: %d rev of motor}\n"
            "section: {channels: [slider.vx], keep: true}\n"
            "metrics: [max slider.ax, evaluations-per-turn, wall-time]\n",
            LASH_SOURCE_DIR, points, turns);
    return fclose(file) == 0;
}

/* Wall times of all points of the table together, s; NaN: they are not there. */
static double sum_points(void) {
    lash_study_table *table;
    double sum = (double)NAN;
    if (lash_study_table_open(&table, store, NULL))
        return sum;
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        if (lash_study_table_column(table, c).kind == LASH_COLUMN_TIMING) {
            sum = 0;
            for (size_t r = 0; r < lash_study_table_rows(table); r++)
                sum += lash_study_table_number(table, r, c);
        }
    lash_study_table_close(table);
    return sum;
}

/* Wall time of the whole study, s; negative: it failed, and has said so. */
static double run_threads(size_t jobs) {
    lash_study *study;
    lash_error error = {0};
    lash_study_progress outcome;
    remove_store();
    const double begun = wall_clock();
    lash_status status = lash_study_load(&study, study_file, NULL, &error);
    if (!status) {
        const lash_study_options options = {.store = store, .jobs = jobs};
        status = lash_study_run(&outcome, study, &options, &error);
        lash_study_destroy(study);
    }
    const double time = wall_clock() - begun;
    if (status || outcome.failed) {
        fprintf(stderr, "bench_study: %s\n", status ? error.message : "points failed");
        return -1;
    }
    return time;
}

/* The same as processes, the start of mpirun included; negative: that was not possible. */
static double run_processes(const char *count) {
    const char *given = getenv("LASH"), *program = given ? given : "lash";
    char *const arguments[] = {"mpirun",
                               "--allow-run-as-root",
                               "--oversubscribe",
                               "-n",
                               (char *)count,
                               (char *)program,
                               "study",
                               (char *)study_file,
                               "-o",
                               (char *)store,
                               "-j",
                               "1",
                               "-q",
                               NULL};
    pid_t child;
    int status;
    posix_spawn_file_actions_t quiet;
    remove_store();
    if (posix_spawn_file_actions_init(&quiet))
        return -1;
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "mpirun.log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const double begun = wall_clock();
    const int failed = posix_spawnp(&child, arguments[0], &quiet, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (failed)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? wall_clock() - begun : -1;
}

typedef struct sample {
    double wall, cpu, points; /* s; wall negative: none yet */
} sample;

static void take_best(sample *best, sample it) {
    if (it.wall >= 0 && !(best->wall >= 0 && best->wall <= it.wall))
        *best = it;
}

static void print(const char *workers, int count, sample it, sample one, double turns) {
    if (it.wall < 0)
        printf("%-12s %9s\n", workers, "did not run");
    else
        printf("%-12s %9.2f %9.2f %7.2f %14.1f %18.1f %12.3f %7.3f %12.3f\n", workers, it.wall, it.cpu,
               it.cpu / it.wall, turns / it.wall / count, turns / it.cpu, one.wall / (count * it.wall),
               it.points / (count * it.wall), it.points / (count * it.wall) * one.cpu / it.cpu);
}

int main(int argc, char **argv) {
    const int points = argc > 1 ? atoi(argv[1]) : 64, turns = argc > 2 ? atoi(argv[2]) : 20,
              rounds = argc > 3 ? atoi(argv[3]) : 3;
    char folder[] = "/tmp/lash-bench-XXXXXX";
    if (points < 2 || turns < 1 || rounds < 1) {
        fprintf(stderr, "usage: bench_study [POINTS [TURNS [ROUNDS]]]\n");
        return 2;
    }
    if (!mkdtemp(folder) || chdir(folder) || !write_study(points, turns)) {
        perror("bench_study");
        return 1;
    }
    sample best[4] = {{.wall = -1}, {.wall = -1}, {.wall = -1}, {.wall = -1}};
    for (int i = 0; i < 4 * rounds; i++) {
        const double before = processor_time();
        const double wall =
            i % 4 < 2 ? run_threads((size_t)(i % 4) + 1) : run_processes(i % 4 == 2 ? "1" : "2");
        take_best(&best[i % 4], (sample){wall, processor_time() - before, sum_points()});
    }
    const double all = (double)points * turns;
    printf("flores-2010, %d clearances of %d turns each, best of %d\n", points, turns, rounds);
    printf("%-12s %9s %9s %7s %14s %18s %12s %7s %12s\n", "workers", "wall s", "cpu s", "cores",
           "turns/s/core", "turns/s of cpu", "efficiency", "busy", "without load");
    print("1 thread", 1, best[0], best[0], all);
    print("2 threads", 2, best[1], best[0], all);
    print("1 process", 1, best[2], best[0], all);
    print("2 processes", 2, best[3], best[0], all);
    remove_store();
    unlink(study_file);
    unlink("mpirun.log");
    if (!chdir("/"))
        rmdir(folder);
    return best[0].wall < 0 || best[1].wall < 0;
}
