/* SPDX-License-Identifier: MIT
 *
 * The inside of a model in an FMU, which slave.c, variables.c and states.c share.
 */
#ifndef LASHI_FMU_INSIDE_H
#define LASHI_FMU_INSIDE_H

#include "fmu/slave.h"
#include "lash/lash.h"

/* What is built from the model, its parameters and the start time. */
typedef struct lashi_machine {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;      /* NULL: not built */
    lash_state *before; /* at the beginning of the last step */
    size_t *channels;   /* [output_count] of the sim */
} lashi_machine;

struct lashi_slave {
    lashi_slave_log *log;
    void *user;
    lashi_slave_mode mode;
    char *folder;
    lash_model *usual; /* as in the resources */
    char **texts;      /* [parameters] as set; NULL: as in the model */
    size_t parameters;
    char **outputs; /* [output_count] names of channels */
    size_t output_count;
    double *inputs; /* [input_count] as set; NaN: as in the model */
    size_t input_count;
    double start, stop; /* s; stop NaN: not given */
    lashi_machine machine;
    double *values; /* [output_count] at the communication point */
    double time;    /* s, the communication point */
    bool behind;    /* the sim is behind the communication point */
    bool ended;     /* the run has ended there, before that of the last step */
};

bool lashi_slave_told(const lashi_slave *slave, lash_status status, const lash_error *error);
bool lashi_slave_out_of_memory(const lashi_slave *slave);
__attribute__((format(printf, 2, 3))) bool lashi_slave_refuse_as(const lashi_slave *slave, const char *format,
                                                                 ...);

/* A machine with these parameters from this time on. False: there is none, and the reason has been logged. */
bool lashi_machine_build(lashi_machine *out, lashi_slave *slave, char *const *texts, double start);
void lashi_machine_clear(lashi_machine *machine);
/* The machine of the slave at its start, if none. */
bool lashi_slave_build(lashi_slave *slave);
/* From now on the slave has this machine, at its start. */
void lashi_slave_take(lashi_slave *slave, lashi_machine machine);
/* The values of the outputs where the sim stands. */
void lashi_slave_look(lashi_slave *slave);
/* Takes the last step back and ends it at the communication point. */
lash_status lashi_slave_go_back(lashi_slave *slave, lash_error *error);
void lashi_texts_free(char **texts, size_t count);

#endif
