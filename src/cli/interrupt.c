/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void lashi_interrupt_watch(bool watch) {
    struct sigaction action = {.sa_handler = watch ? interrupt : SIG_DFL, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool lashi_interrupted(void) {
    return interrupted;
}
