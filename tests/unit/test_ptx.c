/* SPDX-License-Identifier: MIT
 *
 * Code for a GPU, finished for the driver (compile/ptx.h): its quotients and roots, computed here instruction by
 * instruction, with estimates as coarse as those of a device.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compile/ptx.h"

enum { MOST = 32, NAME = 16 };
typedef struct machine {
    char names[MOST][NAME];
    double values[MOST];
    int count;
} machine;

static double *find(machine *m, const char *name) {
    for (int k = 0; k < m->count; k++)
        if (strcmp(m->names[k], name) == 0)
            return &m->values[k];
    assert_true(m->count < MOST && strlen(name) < NAME);
    strcpy(m->names[m->count], name);
    return &m->values[m->count++];
}

static double value_of(machine *m, const char *name) {
    if (strncmp(name, "0d", 2) != 0)
        return *find(m, name);
    const uint64_t bits = strtoull(name + 2, NULL, 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Only the upper half of a number counts, as on a device: 20 digits in the estimate, too. */
static double coarse(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0xffffffff00000000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Runs the instructions between the braces of `code`. */
static void run(machine *m, const char *code) {
    char line[200];
    for (code = strchr(strchr(code, '{') + 1, '{') + 1;
         sscanf(code, " %199[^\n]", line) == 1 && line[0] != '}';) {
        char op[NAME * 2], a[4][NAME * 2] = {{0}};
        code = strchr(code + strspn(code, " \t\n"), '\n');
        if (line[0] == '.')
            continue;
        assert_true(sscanf(line, "%31s %31[^,;], %31[^,;], %31[^,;], %31[^,;]", op, a[0], a[1], a[2], a[3]) >=
                    3);
        double x[4];
        for (int k = 1; k < 4; k++)
            x[k] = a[k][0] ? value_of(m, a[k]) : 0;
        double *out = find(m, a[0]);
        if (strcmp(op, "rcp.approx.ftz.f64") == 0)
            *out = coarse(1 / x[1]);
        else if (strcmp(op, "rsqrt.approx.ftz.f64") == 0)
            *out = coarse(1 / sqrt(x[1]));
        else if (strcmp(op, "neg.f64") == 0)
            *out = -x[1];
        else if (strcmp(op, "mul.f64") == 0)
            *out = x[1] * x[2];
        else if (strcmp(op, "fma.rn.f64") == 0)
            *out = fma(x[1], x[2], x[3]);
        else if (strcmp(op, "setp.nan.f64") == 0)
            *out = isnan(x[1]) || isnan(x[2]);
        else if (strcmp(op, "setp.ge.f64") == 0)
            *out = x[1] >= x[2];
        else if (strcmp(op, "setp.nan.and.f64") == 0)
            *out = (isnan(x[1]) || isnan(x[2])) && x[3] != 0;
        else if (strcmp(op, "selp.f64") == 0)
            *out = x[3] != 0 ? x[1] : x[2];
        else
            fail_msg("an unknown instruction: %s", line);
    }
}

/* What an instruction with the operands %a and %b gives. */
static double result(const char *instruction, double a, double b) {
    char text[300];
    snprintf(text, sizeof text, ".visible .entry lash_members()\n{\n\t%s\n\tret;\n}\n", instruction);
    char *code = lashi_ptx_finish(text);
    assert_non_null(code);
    assert_null(strstr(code, instruction));
    assert_non_null(strstr(code, "\tret;\n}\n"));
    machine m = {0};
    *find(&m, "%a") = a;
    *find(&m, "%b") = b;
    run(&m, code);
    free(code);
    return *find(&m, "%q");
}

static bool agree(double x, double y) {
    return x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= 2.3e-16 * fabs(y);
}

static void quotients_and_roots(void **state) {
    (void)state;
    static const double special[] = {0, 1, -1, 3, INFINITY, 1e-290, 1e290, -7e-200, 5e-324};
    uint64_t seed = 1;
    double numbers[300];
    for (int k = 0; k < 300; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double mantissa = 1 + (double)(seed >> 11) / 9007199254740992.0;
        numbers[k] = ldexp(k % 2 ? -mantissa : mantissa, (int)(seed % 61) - 30);
    }
    memcpy(numbers, special, sizeof special);
    for (int i = 0; i < 300; i++) {
        const double a = numbers[i], root = result("sqrt.rn.f64 \t%q, %a;", a, 0);
        if (fabs(a) > 1e-300 || a == 0) {
            if (!agree(root, sqrt(a)))
                fail_msg("the root of %.17g is %.17g", a, root);
            const double inverse = result("rcp.rn.f64 \t%q, %a;", a, 0);
            if (!agree(inverse, 1 / a))
                fail_msg("1 / %.17g is %.17g", a, inverse);
        }
        for (int j = 0; j < 300; j += i < 9 ? 1 : 37) {
            const double b = numbers[j], q = result("div.rn.f64 \t%q, %a, %b;", a, b);
            if ((fabs(b) > 1e-300 || b == 0) && (fabs(a / b) > 1e-290 || a / b == 0) && !agree(q, a / b))
                fail_msg("%.17g / %.17g is %.17g", a, b, q);
            // By a number in the text: the instruction has no other operand of that name.
            char by[100];
            uint64_t bits;
            memcpy(&bits, &b, sizeof bits);
            snprintf(by, sizeof by, "div.rn.f64 \t%%q, %%a, 0d%016" PRIX64 ";", bits);
            const double share = result(by, a, 0);
            if ((fabs(b) > 1e-300 || b == 0) && (fabs(a / b) > 1e-290 || a / b == 0) && !agree(share, a / b))
                fail_msg("%.17g / %.17g in the text is %.17g", a, b, share);
        }
    }
}

static void other_lines_stay(void **state) {
    (void)state;
    static const char text[] =
        "// made\n.visible .func lash_members(\n\t.param .u64 p\n)\n{\n\tadd.f64 %a, %b, %c;\n"
        "\tdiv.rn.f32 %f, %g, %h;\n\tret;\n}\n";
    char *code = lashi_ptx_finish(text);
    assert_string_equal(
        code, "// made\n.visible .entry lash_members(\n\t.param .u64 p\n)\n{\n\tadd.f64 %a, %b, %c;\n"
              "\tdiv.rn.f32 %f, %g, %h;\n\tret;\n}\n");
    free(code);
    assert_null(lashi_ptx_finish("nothing of the kind"));
    assert_null(lashi_ptx_finish(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotients_and_roots),
                                       cmocka_unit_test(other_lines_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
