/* SPDX-License-Identifier: MIT
 *
 * A million rows in a page of a few megabytes: figures keep the least and the greatest value of every bundle
 * of rows, so that no peak is lost; the animation keeps rows equally far apart in time, and of every joint
 * with play the row with the largest force in between. Rows are looked at once, as they are read.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/page.h"

// ---- curves

bool lashi_thin_init(lashi_thin *thin, size_t columns, size_t rows, size_t most) {
    *thin = (lashi_thin){.columns = columns, .per = 1, .capacity = rows};
    if (most < 2)
        most = 2;
    if (rows > most) {
        thin->per = (rows + most / 2 - 1) / (most / 2);
        thin->capacity = 2 * ((rows + thin->per - 1) / thin->per);
    }
    thin->time = calloc(thin->capacity + 1, sizeof *thin->time);
    thin->values = calloc(columns * thin->capacity + 1, sizeof *thin->values);
    thin->low = calloc(columns + 1, sizeof *thin->low);
    thin->high = calloc(columns + 1, sizeof *thin->high);
    thin->low_first = calloc(columns + 1, sizeof *thin->low_first);
    return thin->time && thin->values && thin->low && thin->high && thin->low_first;
}

static void put_point(lashi_thin *thin, double time, bool second) {
    if (thin->count == thin->capacity)
        return;
    for (size_t c = 0; c < thin->columns; c++)
        thin->values[c * thin->capacity + thin->count] =
            (float)(thin->low_first[c] == second ? thin->high[c] : thin->low[c]);
    thin->time[thin->count++] = time;
}

static void put_bundle(lashi_thin *thin) {
    if (!thin->gathered)
        return;
    put_point(thin, thin->first, false);
    if (thin->per > 1)
        put_point(thin, thin->last, true);
    thin->gathered = 0;
}

void lashi_thin_row(lashi_thin *thin, double time, const double *row, const size_t *columns) {
    const bool begins = thin->gathered == 0;
    if (begins)
        thin->first = time;
    thin->last = time;
    for (size_t c = 0; c < thin->columns; c++) {
        const double x = row[columns[c]];
        // What is not a number gives way to what is.
        if (begins || isnan(thin->low[c])) {
            thin->low[c] = thin->high[c] = x;
            thin->low_first[c] = true;
        } else if (x < thin->low[c]) {
            thin->low[c] = x;
            thin->low_first[c] = false;
        } else if (x > thin->high[c]) {
            thin->high[c] = x;
            thin->low_first[c] = true;
        }
    }
    if (++thin->gathered == thin->per)
        put_bundle(thin);
}

void lashi_thin_finish(lashi_thin *thin) {
    put_bundle(thin);
}

void lashi_thin_clear(lashi_thin *thin) {
    free(thin->time);
    free(thin->values);
    free(thin->low);
    free(thin->high);
    free(thin->low_first);
    *thin = (lashi_thin){0};
}

// ---- frames

bool lashi_frames_init(lashi_frames *frames, size_t rows, size_t most, double start, double end) {
    frames->most = rows;
    frames->start = start;
    frames->span = 0;
    frames->count = 0;
    if (rows > most) {
        frames->most = most + 1; // the end of the last span is a frame, too
        frames->span = (end - start) / (double)most;
    }
    frames->time = calloc(frames->most + 1, sizeof *frames->time);
    frames->values = calloc(frames->columns * frames->most + 1, sizeof *frames->values);
    frames->largest = calloc(frames->groups + 1, sizeof *frames->largest);
    return frames->time && frames->values && frames->largest;
}

static void take(lashi_frames *frames, size_t from, size_t to, const double *row, const size_t *columns) {
    for (size_t c = from; c < to; c++)
        frames->values[c * frames->most + frames->count - 1] = (float)row[columns[c]];
}

void lashi_frames_row(lashi_frames *frames, double time, const double *row, const size_t *columns) {
    // Spans that no row falls into have no frame.
    const double last = frames->count ? frames->time[frames->count - 1] : 0;
    const bool begins =
        frames->span <= 0 || frames->count == 0 ||
        floor((time - frames->start) / frames->span) > floor((last - frames->start) / frames->span);
    if (begins && frames->count == frames->most)
        return;
    if (begins) {
        frames->time[frames->count++] = time;
        take(frames, 0, frames->group[0], row, columns);
    }
    for (size_t g = 0; g < frames->groups; g++) {
        const size_t from = frames->group[g], to = frames->group[g + 1];
        double weight = 0;
        for (size_t c = from; c < to; c++)
            weight += frames->weight[c] ? row[columns[c]] * row[columns[c]] : 0;
        if (begins || weight > frames->largest[g]) {
            frames->largest[g] = weight;
            take(frames, from, to, row, columns);
        }
    }
}

void lashi_frames_clear(lashi_frames *frames) {
    free(frames->time);
    free(frames->values);
    free(frames->largest);
    frames->time = frames->largest = NULL;
    frames->values = NULL;
}
