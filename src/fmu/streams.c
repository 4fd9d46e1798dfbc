/* SPDX-License-Identifier: MIT
 *
 * The standard streams for the copy of libfyaml inside an FMU: the distribution's static library cannot refer
 * to those of the C library from a shared object, so that its references are given these names.
 */
#include <stdio.h>

FILE *lashi_fmu_stdin, *lashi_fmu_stdout, *lashi_fmu_stderr;

__attribute__((constructor)) static void take_streams(void) {
    lashi_fmu_stdin = stdin;
    lashi_fmu_stdout = stdout;
    lashi_fmu_stderr = stderr;
}
