/* SPDX-License-Identifier: MIT
 *
 * A model inside an FMU: what the functions of FMI 2.0 and 3.0 have in common. It knows the public headers of
 * Lash alone and keeps nothing outside an instance, so that any number of them may live in one process.
 *
 * Variables by their reference, as `lash fmu` writes them into modelDescription.xml:
 *   0                       time
 *   1 + i                   parameter i of the model: a number, or the text of a switch
 *   LASHI_FMU_INPUTS + k    input k of the sim          LASHI_FMU_OUTPUTS + k   line k of resources/outputs
 *
 * Steps may pass a communication point where they are longer, and outputs come from their interpolant, so
 * that a model without inputs takes the steps of `lash run`. The time is the importer's. When an input
 * changes, the last step is taken back and ends at the communication point.
 */
#ifndef LASHI_SLAVE_H
#define LASHI_SLAVE_H

#include <stdbool.h>
#include <stddef.h>

enum { LASHI_FMU_TIME = 0, LASHI_FMU_PARAMETERS = 1, LASHI_FMU_INPUTS = 100001, LASHI_FMU_OUTPUTS = 200001 };

typedef enum lashi_slave_mode {
    LASHI_SLAVE_READY = 1,        /* instantiated */
    LASHI_SLAVE_INITIALIZING = 2, /* initialization mode */
    LASHI_SLAVE_STEPPING = 4,     /* steps may be made */
    LASHI_SLAVE_EVENT = 8,        /* FMI 3.0: event mode */
    LASHI_SLAVE_TERMINATED = 16,
    LASHI_SLAVE_FAILED = 32, /* a step failed */
    LASHI_SLAVE_ANY = 63     /* all of them, where a set of modes is asked for */
} lashi_slave_mode;

typedef struct lashi_slave lashi_slave;
typedef void lashi_slave_log(void *user, const char *message); /* an error */

/* NULL: the reason has been logged. folder: resources/, with or without a slash at its end. */
lashi_slave *lashi_slave_create(const char *folder, const char *token, lashi_slave_log *log, void *user);
void lashi_slave_destroy(lashi_slave *slave);
lashi_slave_mode lashi_slave_mode_of(const lashi_slave *slave);

/* Everything below has logged what is wrong when it returns false. */

/* Whether a call is legal now: slave is not NULL, and its mode is among `modes`. */
bool lashi_slave_may(const lashi_slave *slave, int modes, const char *call);
bool lashi_slave_refuse(const lashi_slave *slave, const char *message);
/* Whether the two lists of a call are there; of no items they need not be. */
bool lashi_slave_has(const lashi_slave *slave, const void *references, const void *values, size_t count);
bool lashi_slave_setup(lashi_slave *slave, double start, bool stop_given, double stop);
bool lashi_slave_begin(lashi_slave *slave); /* initialization mode */
bool lashi_slave_start(lashi_slave *slave); /* … ends */
bool lashi_slave_terminate(lashi_slave *slave);
bool lashi_slave_reset(lashi_slave *slave);
void lashi_slave_events(lashi_slave *slave, bool on); /* event mode or step mode */

/* Values of variables; `call` is named in messages. Numbers are set before the steps begin, inputs also
 * later. */
bool lashi_slave_get_numbers(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                             double *values);
bool lashi_slave_set_numbers(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                             const double *values);
bool lashi_slave_get_texts(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                           const char **values);
bool lashi_slave_set_texts(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                           const char *const *values);

/* To time + step. stop_at_events: comes back at the first contact event inside, *early is then true. */
bool lashi_slave_step(double *reached, bool *early, lashi_slave *slave, double time, double step,
                      bool stop_at_events);
double lashi_slave_time(const lashi_slave *slave);
/* Whether the last step came to where the model ends its run (stop_at_loss), before its own end. */
bool lashi_slave_ended(const lashi_slave *slave);

/* All that an instance is: kept as a state, and as bytes. */
bool lashi_slave_get_state(lashi_slave *slave, const char *call, void **state); /* replaces the one there */
bool lashi_slave_set_state(lashi_slave *slave, const char *call, const void *state);
bool lashi_slave_drop_state(lashi_slave *slave, const char *call, void **state);
bool lashi_slave_state_size(size_t *size, lashi_slave *slave, const char *call, const void *state);
bool lashi_slave_write_state(void *bytes, size_t size, lashi_slave *slave, const char *call,
                             const void *state);
bool lashi_slave_read_state(void **state, lashi_slave *slave, const char *call, const void *bytes,
                            size_t size);

#endif
