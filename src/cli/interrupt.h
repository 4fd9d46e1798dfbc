/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C and SIGTERM, asked after by what may take long and keeps what it has: the first one sets a flag, the
 * next one ends the program.
 */
#ifndef LASHI_INTERRUPT_H
#define LASHI_INTERRUPT_H

#include <stdbool.h>

void lashi_interrupt_watch(bool watch);
/* Whether one has come. */
bool lashi_interrupted(void);

#endif
