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
 *   1/b:  e = 1 - b r,   r ← r + r (e + e²),   e = 1 - b r,   r ← r + r e
 *   a/b:  q = a r,       q ← q + r (a - b q)
 *   √x:   g = x r, h = r/2,   twice: d = 1/2 - g h, g ← g + g d, h ← h + h d;   g ← g + h (x - g²)
 *
 * They are wrong by a unit in the last place at most. Where an iteration meets infinities (b or x is 0 or infinite, or
 * the quotient is too large) it gives NaN; then a r, or x itself, is the result.
 */
#include "compile/ptx.h"

#include <stdbool.h>
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
                               "\tmul.f64 %lf, $1, %lr;\n"
                               "\tneg.f64 %lb, $2;\n"
                               "\tfma.rn.f64 %le, %lb, %lr, 0d3FF0000000000000;\n"
                               "\tfma.rn.f64 %le, %le, %le, %le;\n"
                               "\tfma.rn.f64 %lr, %lr, %le, %lr;\n"
                               "\tfma.rn.f64 %le, %lb, %lr, 0d3FF0000000000000;\n"
                               "\tfma.rn.f64 %lr, %lr, %le, %lr;\n"
                               "\tmul.f64 %lq, $1, %lr;\n"
                               "\tfma.rn.f64 %le, %lb, %lq, $1;\n"
                               "\tfma.rn.f64 %lq, %le, %lr, %lq;\n"
                               "\tsetp.nan.f64 %ln, %lq, %lq;\n"
                               "\tselp.f64 $0, %lf, %lq, %ln;\n"
                               "\t}\n";
static const char ROOT[] = "\t{\n"
                           "\t.reg .f64 %lg, %lh, %ld, %lm;\n"
                           "\t.reg .pred %ln;\n"
                           "\trsqrt.approx.ftz.f64 %lh, $1;\n"
                           "\tmul.f64 %lg, $1, %lh;\n"
                           "\tmul.f64 %lh, %lh, 0d3FE0000000000000;\n"
                           "\tneg.f64 %lm, %lg;\n"
                           "\tfma.rn.f64 %ld, %lm, %lh, 0d3FE0000000000000;\n"
                           "\tfma.rn.f64 %lg, %lg, %ld, %lg;\n"
                           "\tfma.rn.f64 %lh, %lh, %ld, %lh;\n"
                           "\tneg.f64 %lm, %lg;\n"
                           "\tfma.rn.f64 %ld, %lm, %lh, 0d3FE0000000000000;\n"
                           "\tfma.rn.f64 %lg, %lg, %ld, %lg;\n"
                           "\tfma.rn.f64 %lh, %lh, %ld, %lh;\n"
                           "\tneg.f64 %lm, %lg;\n"
                           "\tfma.rn.f64 %ld, %lm, %lg, $1;\n"
                           "\tfma.rn.f64 %lg, %ld, %lh, %lg;\n"
                           "\tsetp.nan.f64 %ln, %lg, %lg;\n"
                           "\tsetp.ge.and.f64 %ln, $1, 0d0000000000000000, %ln;\n"
                           "\tselp.f64 $0, $1, %lg, %ln;\n"
                           "\t}\n";

/* The operands of an instruction of this name that stands alone on its line; how many there are, 0: another one. */
static int operands(char out[3][OPERAND], const char *line, const char *name) {
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
static size_t fill(char *out, const char *text, char of[3][OPERAND]) {
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

/* Writes what replaces a line; 0: nothing does. */
static size_t replace(char *out, const char *line) {
    char of[3][OPERAND];
    if (operands(of, line, "div.rn.f64") == 3)
        return fill(out, QUOTIENT, of);
    if (operands(of, line, "rcp.rn.f64") == 2) {
        memcpy(of[2], of[1], OPERAND);
        memcpy(of[1], ONE, sizeof ONE);
        return fill(out, QUOTIENT, of);
    }
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
                    ? malloc(strlen(code) + (many + 1) * (sizeof ROOT + 10 * OPERAND))
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
