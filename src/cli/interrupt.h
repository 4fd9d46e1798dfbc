/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C and SIGTERM, for commands that may take long and keep what they have computed: the first signal sets
 * a flag, which they look at; the next one ends the program.
 */
#ifndef LASHI_INTERRUPT_H
#define LASHI_INTERRUPT_H

#include <stdbool.h>

void lashi_interrupt_watch(bool watch);
/* Whether a signal has come. */
bool lashi_interrupted(void);

#endif
