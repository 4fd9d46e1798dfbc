/* SPDX-License-Identifier: MIT
 *
 * Axes and curves of figures: units with a prefix that suits, ranges, labels, and curves thinned to what a
 * picture can show.
 *
 * A column of the picture that holds many points keeps its first, least, largest and last one: what is drawn
 * covers the same dots as all points would, and no peak is lost.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"

enum { COLUMNS = 1500, KEPT = 4 };
static const double NOISE = 1e-10;     // of a value: a smaller range counts as none
static const double SIX_DIGITS = 5e-5; // of a value: tics of a smaller range would all be the same
static const double MARGIN = 0.04;     // of the range, so that curves do not lie on the border
static const double NEARLY = 0.01;     // of the range, the ends of a horizontal axis
static const double FEW_TURNS = 2.5;   // an angle up to here is drawn in degrees, a longer one in turns
static const double PI = 3.14159265358979323846;

// ---- units

lashi_axis lashi_axis_of(const char *unit) {
    lashi_axis axis = {.factor = 1, .si = unit, .low = INFINITY, .high = -INFINITY};
    // m/s^2 as it is printed.
    const char *caret = strstr(unit, "^2");
    snprintf(axis.unit, sizeof axis.unit, "%.*s%s%.4s", caret ? (int)(caret - unit) : 20, unit,
             caret ? "²" : "", caret ? caret + 2 : "");
    return axis;
}

void lashi_axis_hold(lashi_axis *axis, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            axis->low = fmin(axis->low, values[i]);
            axis->high = fmax(axis->high, values[i]);
        }
}

void lashi_axis_prefix(lashi_axis *axis) {
    static const char *const units[] = {"m", "N", "N m", "Pa", "W", "J", "s", "m/s"};
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
    static const char *const powers[] = {"10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "", "10³", "10⁶", "10⁹"};
    enum { PLAIN = 4, LAST = 7, UNITS = sizeof units / sizeof *units };
    const double largest = fmax(fabs(axis->low - axis->offset), fabs(axis->high - axis->offset));
    size_t known = 0;
    while (known < UNITS && strcmp(axis->unit, units[known]) != 0)
        known++;
    if (!isfinite(largest) || largest == 0)
        return;
    int step = (int)floor(log10(largest) / 3 + 1e-9);
    // No km/s, and no powers of ten where plain numbers are short.
    if ((known >= UNITS - 1 && largest < 2e4 && largest >= 2e-3) || (step > 0 && known == UNITS - 1))
        step = 0;
    if (known == UNITS - 1 && largest >= 2e-4 && step < -1)
        step = -1;
    step = step < -PLAIN ? -PLAIN : step > LAST - PLAIN ? LAST - PLAIN : step;
    char unit[sizeof axis->unit];
    if (known < UNITS)
        snprintf(unit, sizeof unit, "%s%.20s", prefixes[PLAIN + step], axis->unit);
    else
        snprintf(unit, sizeof unit, "%s%s%.16s", powers[PLAIN + step], step && axis->unit[0] ? " " : "",
                 axis->unit);
    memcpy(axis->unit, unit, sizeof unit);
    axis->factor = pow(1000, -step);
}

void lashi_axis_fit(lashi_axis *axis) {
    const double range = axis->high - axis->low, size = fmax(fabs(axis->low), fabs(axis->high));
    if (range > NOISE * size && range < SIX_DIGITS * size) {
        // The middle, rounded to what the range can resolve.
        const double grain = pow(10, floor(log10(range)));
        axis->offset = round((axis->low + axis->high) / 2 / grain) * grain;
    }
    lashi_axis_prefix(axis);
}

void lashi_axis_range(FILE *stream, const lashi_axis *axis, char letter, double above) {
    double low = (axis->low - axis->offset) * axis->factor, high = (axis->high - axis->offset) * axis->factor;
    if (!(high >= low))
        low = high = 0;
    // The rounding of a constant must not fill the picture.
    const double size = fmax(fabs(low), fabs(high));
    if (high - low <= NOISE * size || high == low) {
        low -= size > 0 ? 0.1 * size : 1;
        high += size > 0 ? 0.1 * size : 1;
    }
    const double margin = MARGIN * (high - low);
    fprintf(stream, "set %crange [%.9g:%.9g]\n", letter, low - margin, high + margin + above * (high - low));
}

// ---- labels

/* What channels are called behind their last dot, in words. */
static const struct {
    const char *quantity, *words;
} quantities[] = {{"x", "position"},
                  {"y", "position"},
                  {"z", "position"},
                  {"angle", "angle"},
                  {"vx", "velocity"},
                  {"vy", "velocity"},
                  {"vz", "velocity"},
                  {"wx", "ang. velocity"},
                  {"wy", "ang. velocity"},
                  {"wz", "ang. velocity"},
                  {"ax", "acceleration"},
                  {"ay", "acceleration"},
                  {"az", "acceleration"},
                  {"alphax", "ang. accel."},
                  {"alphay", "ang. accel."},
                  {"alphaz", "ang. accel."},
                  {"fx", "force"},
                  {"fy", "force"},
                  {"fz", "force"},
                  {"f", "force"},
                  {"mx", "moment"},
                  {"my", "moment"},
                  {"mz", "moment"},
                  {"s", "travel"},
                  {"sdot", "velocity"},
                  {"ex", "eccentricity"},
                  {"ey", "eccentricity"},
                  {"ez", "eccentricity"},
                  {"e", "eccentricity"},
                  {"edot", "rate"},
                  {"offset", "offset"},
                  {"side_offset", "offset to the side"},
                  {"tilt", "tilt"},
                  {"deflection", "deflection"},
                  {"error", "transmission error"},
                  {"excitation", "power"},
                  {"delta", "indentation"},
                  {"deltadot", "rate"},
                  {"vt", "sliding speed"},
                  {"fn", "normal force"},
                  {"ft", "friction force"},
                  {"mode", "mode"},
                  {"film", "film thickness"},
                  {"film_force", "film force"},
                  {"film_torque", "torque"},
                  {"film_pressure", "pressure"},
                  {"film_power", "film loss"},
                  {"torque", "torque"},
                  {"force", "force"},
                  {"power", "power"},
                  {"length", "length"},
                  {"rate", "rate"},
                  {"energy", "energy"},
                  {"table", "value of the table"},
                  {"kinetic", "energy"},
                  {"potential", "energy"},
                  {"elastic", "energy"},
                  {"dissipated", "energy"},
                  {"damping", "energy"},
                  {"contact", "energy"},
                  {"friction", "energy"},
                  {"input", "energy"},
                  {"balance", "energy"},
                  {"position", "violation"},
                  {"velocity", "violation"},
                  {"time", "time"}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static size_t find_quantity(const char *channel) {
    const char *dot = strrchr(channel, '.'), *quantity = dot ? dot + 1 : channel;
    size_t i = 0;
    while (i < QUANTITIES && strcmp(quantity, quantities[i].quantity) != 0)
        i++;
    return i;
}

const char *lashi_axis_words(const char *channel) {
    const size_t i = find_quantity(channel);
    return i < QUANTITIES ? quantities[i].words : "";
}

void lashi_axis_label_words(FILE *stream, char letter, const char *words, const char *unit) {
    fprintf(stream, "set %clabel '", letter);
    lashi_gnuplot_text(stream, words, 2 * LASHI_NAME);
    if (*unit) {
        fputs(" (", stream);
        lashi_gnuplot_text(stream, unit, LASHI_NAME);
        fputc(')', stream);
    }
    fputs("'\n", stream);
}

void lashi_axis_label(FILE *stream, char letter, const char *channel, const lashi_axis *axis,
                      bool two_lines) {
    const char *words = lashi_axis_words(channel);
    fprintf(stream, "set %clabel '", letter);
    lashi_gnuplot_text(stream, channel, LASHI_NAME);
    if (axis->offset != 0) {
        fprintf(stream, " %s %.10g ", axis->offset > 0 ? "−" : "+", fabs(axis->offset));
        lashi_gnuplot_text(stream, axis->si, LASHI_NAME);
    }
    // A new line only between double quotes.
    fputs(two_lines && (*words || *axis->unit) ? "'.\"\\n\".'" : *words ? ": " : "", stream);
    fputs(words, stream);
    if (*axis->unit) {
        fputs(*words || !two_lines ? " (" : "(", stream);
        lashi_gnuplot_text(stream, axis->unit, LASHI_NAME);
        fputc(')', stream);
    }
    fputs("'\n", stream);
}

void lashi_put_key_above(FILE *stream, size_t entries, size_t per_row) {
    const size_t rows = (entries + per_row - 1) / per_row;
    // gnuplot would put the legend above the title.
    fprintf(stream,
            "set key at graph 0.5, graph 1.01 center bottom horizontal maxcols %zu\n"
            "set tmargin %.2f\nset title offset 0,%.2f\n",
            per_row, 2.2 + 1.2 * (double)rows, 0.1 + 1.15 * (double)rows);
}

void lashi_put_title(FILE *stream, const lashi_plot *plot, const char *joint) {
    fputs("set title '", stream);
    // In a narrow figure the name of the joint stays whole, and the title is cut.
    const size_t taken = joint ? strlen(joint) : 0;
    lashi_gnuplot_text(stream, plot->title,
                       !joint ? LASHI_TITLE : LASHI_NARROW - (taken < LASHI_NAME ? taken : LASHI_NAME));
    fputs(joint && *plot->title ? ": " : "", stream);
    lashi_gnuplot_text(stream, joint ? joint : "", LASHI_NAME);
    fputs("'\n", stream);
}

void lashi_put_file_name(FILE *stream, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char *copy = strndup(name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
    lashi_gnuplot_text(stream, copy ? copy : "", LASHI_NAME);
    free(copy);
}

// ---- the horizontal axis

/* The nearest multiple of a step if it is close enough: rows do not lie on whole degrees, tics do. */
static double snap(double value, double step, double span) {
    const double whole = round(value / step) * step;
    return fabs(whole - value) <= NEARLY * span ? whole : value;
}

/* Whether the drive turns evenly: in each part of the time by a share of what it turns on average. Over the angle of
 * one that starts slowly, stops or swings a figure would squeeze what happens meanwhile. */
static bool turns_evenly(const double *time, const double *angle, size_t count) {
    enum { PARTS = 16 };
    static const double SHARE = 0.5;
    const double turned = count ? (angle[count - 1] - angle[0]) / PARTS : 0;
    double last = count ? angle[0] : 0;
    size_t i = 1;
    for (int part = 1; part <= PARTS && count > 1; part++) {
        const double t = time[0] + (time[count - 1] - time[0]) * part / PARTS;
        while (i + 1 < count && time[i] < t)
            i++;
        const double length = time[i] - time[i - 1],
                     at = length > 0 ? angle[i - 1] + (angle[i] - angle[i - 1]) * (t - time[i - 1]) / length
                                     : angle[i];
        if (!((at - last) * turned > SHARE * turned * turned))
            return false;
        last = at;
    }
    return count > 1;
}

lash_status lashi_abscissa_choose(lashi_abscissa *out, lashi_plot *plot) {
    size_t column = plot->drive == LASHI_NONE ? 0 : plot->drive;
    lash_status status = plot->x ? lashi_plot_channel(&column, plot, plot->x) : LASH_OK;
    if (!status)
        status = lashi_plot_load(plot, (size_t[]){0, column}, 2);
    if (status)
        return status;
    if (!plot->x && column && !turns_evenly(plot->columns[0], plot->columns[column], plot->count))
        column = 0;
    const double *values = plot->columns[column];
    lashi_axis axis = lashi_axis_of(lash_result_column_unit(plot->result, column));
    lashi_axis_hold(&axis, values, plot->count);
    *out = (lashi_abscissa){.column = column};
    if (strcmp(axis.unit, "rad") == 0) {
        const bool few = axis.high - axis.low <= FEW_TURNS * 2 * PI;
        axis.factor = (column == plot->drive ? plot->drive_sign : 1) * (few ? 180 / PI : 0.5 / PI);
        strcpy(axis.unit, few ? "deg" : "rev");
    } else {
        lashi_axis_prefix(&axis);
    }
    out->factor = axis.factor;
    memcpy(out->unit, axis.unit, sizeof out->unit);
    const double a = axis.low * axis.factor, b = axis.high * axis.factor, span = fabs(b - a);
    const double step = strcmp(axis.unit, "deg") == 0 ? 15 : strcmp(axis.unit, "rev") == 0 ? 0.25 : 0;
    out->low = step > 0 ? snap(fmin(a, b), step, span) : fmin(a, b);
    out->high = step > 0 ? snap(fmax(a, b), step, span) : fmax(a, b);
    out->rising = true;
    for (size_t i = 1; out->rising && i < plot->count; i++)
        out->rising = values[i] * axis.factor >= values[i - 1] * axis.factor;
    return LASH_OK;
}

void lashi_abscissa_put(FILE *stream, const lashi_plot *plot, const lashi_abscissa *abscissa, bool label) {
    const double span = abscissa->high - abscissa->low;
    const char *name = lash_result_column_name(plot->result, abscissa->column);
    if (span > 0)
        fprintf(stream, "set xrange [%.9g:%.9g]\n", abscissa->low, abscissa->high);
    else // it stands still
        fprintf(stream, "set xrange [%.9g:%.9g]\n", abscissa->low - 1, abscissa->high + 1);
    if (strcmp(abscissa->unit, "deg") == 0 && span > 45)
        fprintf(stream, "set xtics %d\nset mxtics 3\n",
                span > 450   ? 180
                : span > 200 ? 90
                : span > 100 ? 30
                             : 15);
    fputs(label ? "set format x '%g'\n" : "set format x ''\nset xlabel\n", stream);
    if (!label)
        return;
    if (abscissa->column == 0)
        lashi_axis_label_words(stream, 'x', "time", abscissa->unit);
    else if (abscissa->column == plot->drive)
        lashi_axis_label_words(stream, 'x', abscissa->factor < 0 ? "crank angle, clockwise" : "crank angle",
                               abscissa->unit);
    else {
        lashi_axis axis = lashi_axis_of("");
        memcpy(axis.unit, abscissa->unit, sizeof axis.unit);
        lashi_axis_label(stream, 'x', name, &axis, false);
    }
}

// ---- curves

static void put_point(FILE *stream, double x, double y) {
    fprintf(stream, "%.9g %.9g\n", x, y);
}

/* Of points [first, last) the first, least, largest and last, in their order. */
static void put_bucket(FILE *stream, const double *x, double x_factor, const double *y,
                       const lashi_axis *axis, size_t first, size_t last) {
    size_t least = first, largest = first;
    for (size_t i = first; i < last; i++) {
        least = y[i] < y[least] ? i : least;
        largest = y[i] > y[largest] ? i : largest;
    }
    const size_t kept[KEPT] = {first, least < largest ? least : largest, least < largest ? largest : least,
                               last - 1};
    for (size_t k = 0; k < KEPT; k++)
        if (k == 0 || kept[k] != kept[k - 1])
            put_point(stream, x[kept[k]] * x_factor, (y[kept[k]] - axis->offset) * axis->factor);
}

void lashi_put_curve(FILE *stream, const char *name, const double *x, double x_factor, const double *y,
                     const lashi_axis *axis, size_t count) {
    fprintf(stream, "$%s << END\n", name);
    const double low = count ? x[0] : 0, width = count ? (x[count - 1] - low) / COLUMNS : 0;
    for (size_t first = 0, last; first < count; first = last) {
        last = first + 1;
        if (!isfinite(y[first]) || !isfinite(x[first])) {
            fputc('\n', stream); // a gap
            continue;
        }
        const double bucket = width != 0 ? floor((x[first] - low) / width) : 0;
        while (count > KEPT * COLUMNS && last < count && isfinite(y[last]) &&
               floor((x[last] - low) / width) == bucket)
            last++;
        put_bucket(stream, x, x_factor, y, axis, first, last);
    }
    fputs("END\n", stream);
}

void lashi_put_path(FILE *stream, const char *name, const double *x, const lashi_axis *x_axis,
                    const double *y, const lashi_axis *y_axis, size_t count, double least) {
    double last_x = INFINITY, last_y = INFINITY;
    fprintf(stream, "$%s << END\n", name);
    for (size_t i = 0; i < count; i++) {
        const double at_x = (x[i] - x_axis->offset) * x_axis->factor,
                     at_y = (y[i] - y_axis->offset) * y_axis->factor;
        if (!isfinite(at_x) || !isfinite(at_y))
            fputc('\n', stream);
        else if (i + 1 == count || !(hypot(at_x - last_x, at_y - last_y) < least))
            put_point(stream, last_x = at_x, last_y = at_y);
    }
    fputs("END\n", stream);
}
