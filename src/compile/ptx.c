/* SPDX-License-Identifier: MIT
 *
 * What a compiler makes for a GPU, finished for the driver.
 *
 * Before clang 19 plain C gives no kernels, but functions; their code differs in one word.
 *
 * The driver computes a quotient or a root that is rounded to the last bit with a branch for numbers that are very
 * large or very small. Between branches it cannot order instructions, and a thread waits for each of them: a launch
 * took 8 % longer. Here they are Newton's iterations from the device's estimates r of 1/b and 1/√x, whose
 * error e is about 2⁻²⁰:
 *
 *   a/b:  e = 1 - b r,     q = a r,   q ← q + q (e + e²),   r ← r + r (e + e²),   q ← q + r (a - b q)
 *   √x:   g = x r,   e = 1 - g r,   g ← g + g e (1/2 + 3/8 e),   g ← g + r/2 (x - g²)
 *
 * The first step leaves an error of e³, far below the last digit; the second one rounds. A quotient by a number that is
 * written in the text begins with that number's inverse, and has the second step alone.
 *
 * They are wrong by a unit in the last place at most. Where an iteration meets infinities (b or x is 0 or infinite, or
 * the quotient is too large) it gives NaN; then a r, or x itself, is the result.
 */
#include "compile/ptx.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FUNCTION[] = ".visible .func lash_members", ENTRY[] = ".visible .entry lash_members";
static const char ONE[] = "0d3FF0000000000000";
enum { OPERAND = 64 }; /* bytes of an operand, at most */
_Static_assert(OPERAND > sizeof ONE, "a number is an operand");

/* In a block of its own, where names of registers may be used again; $0 is the result, $1 and $2 are operands. */
static const char QUOTIENT[] = "\t{\n"
                               "\t.reg .f64 %lr, %lb, %le, %lq, %lf;\n"
                               "\t.reg .pred %ln;\n"
                               "\trcp.approx.ftz.f64 %lr, $2;\n"
                               "\tneg.f64 %lb, $2;\n"
                               "\tmul.f64 %lf, $1, %lr;\n"
                               "\tfma.rn.f64 %le, %lb, %lr, 0d3FF0000000000000;\n"
                               "\tfma.rn.f64 %le, %le, %le, %le;\n"
                               "\tfma.rn.f64 %lq, %lf, %le, %lf;\n"
                               "\tfma.rn.f64 %lr, %lr, %le, %lr;\n"
                               "\tfma.rn.f64 %le, %lb, %lq, $1;\n"
                               "\tfma.rn.f64 %lq, %le, %lr, %lq;\n"
                               "\tsetp.nan.f64 %ln, %lq, %lq;\n"
                               "\tselp.f64 $0, %lf, %lq, %ln;\n"
                               "\t}\n";
static const char INVERSE[] = "\t{\n"
                              "\t.reg .f64 %lr, %lb, %le, %lf;\n"
                              "\t.reg .pred %ln;\n"
                              "\trcp.approx.ftz.f64 %lf, $1;\n"
                              "\tneg.f64 %lb, $1;\n"
                              "\tfma.rn.f64 %le, %lb, %lf, 0d3FF0000000000000;\n"
                              "\tfma.rn.f64 %le, %le, %le, %le;\n"
                              "\tfma.rn.f64 %lr, %lf, %le, %lf;\n"
                              "\tfma.rn.f64 %le, %lb, %lr, 0d3FF0000000000000;\n"
                              "\tfma.rn.f64 %lr, %lr, %le, %lr;\n"
                              "\tsetp.nan.f64 %ln, %lr, %lr;\n"
                              "\tselp.f64 $0, %lf, %lr, %ln;\n"
                              "\t}\n";
/* By a number that is written in the text; $3 is its inverse. */
static const char SHARE[] = "\t{\n"
                            "\t.reg .f64 %lb, %le, %lq, %lf;\n"
                            "\t.reg .pred %ln;\n"
                            "\tmul.f64 %lf, $1, $3;\n"
                            "\tneg.f64 %lb, $2;\n"
                            "\tfma.rn.f64 %le, %lb, %lf, $1;\n"
                            "\tfma.rn.f64 %lq, %le, $3, %lf;\n"
                            "\tsetp.nan.f64 %ln, %lq, %lq;\n"
                            "\tselp.f64 $0, %lf, %lq, %ln;\n"
                            "\t}\n";
static const char ROOT[] = "\t{\n"
                           "\t.reg .f64 %lg, %lh, %le, %ld, %lm;\n"
                           "\t.reg .pred %ln;\n"
                           "\trsqrt.approx.ftz.f64 %lh, $1;\n"
                           "\tsetp.ge.f64 %ln, $1, 0d0000000000000000;\n"
                           "\tmul.f64 %lg, $1, %lh;\n"
                           "\tneg.f64 %lm, %lg;\n"
                           "\tfma.rn.f64 %le, %lm, %lh, 0d3FF0000000000000;\n"
                           "\tmul.f64 %lh, %lh, 0d3FE0000000000000;\n"
                           "\tmul.f64 %ld, %lg, %le;\n"
                           "\tfma.rn.f64 %le, %le, 0d3FD8000000000000, 0d3FE0000000000000;\n"
                           "\tfma.rn.f64 %lg, %ld, %le, %lg;\n"
                           "\tneg.f64 %lm, %lg;\n"
                           "\tfma.rn.f64 %ld, %lm, %lg, $1;\n"
                           "\tfma.rn.f64 %lg, %ld, %lh, %lg;\n"
                           "\tsetp.nan.and.f64 %ln, %lg, %lg, %ln;\n"
                           "\tselp.f64 $0, $1, %lg, %ln;\n"
                           "\t}\n";

/* The operands of an instruction of this name that stands alone on its line; how many there are, 0: another one. */
static int operands(char out[4][OPERAND], const char *line, const char *name) {
    const size_t length = strlen(name);
    line += strspn(line, " \t");
    if (strncmp(line, name, length) != 0)
        return 0;
    line += length;
    for (int k = 0; k < 3; k++) {
        line += strspn(line, " \t");
        const size_t n = strcspn(line, " \t,;\n");
        if (n == 0 || n >= OPERAND)
            return 0;
        memcpy(out[k], line, n);
        out[k][n] = '\0';
        line += n;
        if (line[0] == ';' && line[1] == '\n')
            return k + 1;
        if (line[0] != ',')
            return 0;
        line++;
    }
    return 0;
}

/* Writes a text with these operands; how long it is. */
static size_t fill(char *out, const char *text, char of[4][OPERAND]) {
    char *to = out;
    for (; *text; text++)
        if (*text == '$') {
            const char *operand = of[*++text - '0'];
            const size_t length = strlen(operand);
            memcpy(to, operand, length);
            to += length;
        } else {
            *to++ = *text;
        }
    return (size_t)(to - out);
}

/* The inverse of a number that is written as an operand, if it has one without loss. */
static bool invert(char out[OPERAND], const char *operand) {
    uint64_t bits;
    double x;
    if (sscanf(operand, "0d%16" SCNx64, &bits) != 1)
        return false;
    memcpy(&x, &bits, sizeof x);
    x = 1 / x;
    if (!isnormal(x))
        return false;
    memcpy(&bits, &x, sizeof bits);
    snprintf(out, OPERAND, "0d%016" PRIX64, bits);
    return true;
}

/* Writes what replaces a line; 0: nothing does. */
static size_t replace(char *out, const char *line) {
    char of[4][OPERAND];
    if (operands(of, line, "div.rn.f64") == 3)
        return fill(out, invert(of[3], of[2]) ? SHARE : strcmp(of[1], ONE) == 0 ? INVERSE : QUOTIENT, of);
    if (operands(of, line, "rcp.rn.f64") == 2)
        return fill(out, INVERSE, of);
    return operands(of, line, "sqrt.rn.f64") == 2 ? fill(out, ROOT, of) : 0;
}

static size_t count_of(const char *code, const char *word) {
    size_t count = 0;
    while ((code = strstr(code, word)) != NULL)
        count++, code++;
    return count;
}

char *lashi_ptx_finish(const char *code) {
    const size_t many =
        count_of(code, "div.rn.f64") + count_of(code, "rcp.rn.f64") + count_of(code, "sqrt.rn.f64");
    const bool is_function = strstr(code, FUNCTION) != NULL;
    char *out = is_function || strstr(code, ENTRY)
                    ? malloc(strlen(code) + (many + 1) * (sizeof ROOT + 20 * OPERAND))
                    : NULL;
    char *to = out;
    if (!out)
        return NULL;
    for (const char *line = code, *next; *line; line = next) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        next = line + length;
        size_t written = many ? replace(to, line) : 0;
        if (is_function && strncmp(line, FUNCTION, sizeof FUNCTION - 1) == 0) {
            memcpy(to, ENTRY, sizeof ENTRY - 1);
            to += sizeof ENTRY - 1;
            line += sizeof FUNCTION - 1;
        }
        if (!written) {
            written = (size_t)(next - line);
            memcpy(to, line, written);
        }
        to += written;
    }
    *to = '\0';
    return out;
}
