/* SPDX-License-Identifier: MIT
 *
 * Writes the unit table of Lash from the database of udunits. Run at build time:
 *   make_units > units_table.c
 *
 * The texts of names, symbols and prefixes come from the XML files of the database; what they mean is asked
 * of the library. Texts with digits are left out, since a unit in a model has none in its name, and so are
 * logarithms, which are no factors.
 */
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <udunits2.h>

enum { MOST = 4096, LONGEST = 128, BASES = 7 };

typedef struct entry {
    char text[LONGEST];
    double scale, offset;
    int exponent[BASES];
    bool angle;
} entry;

typedef struct list {
    entry items[MOST];
    size_t count;
} list;

static list names, symbols, prefix_names, prefix_symbols;

static void give_up(const char *what, const char *about) {
    fprintf(stderr, "make_units: %s %s\n", what, about);
    exit(1);
}

/* ---- what a unit is ---- */

static ut_status visit_product(const ut_unit *whole, int count, const ut_unit *const *basic,
                               const int *powers, void *out) {
    static const char *const bases[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    entry *u = out;
    (void)whole;
    for (int i = 0; i < count; i++) {
        const char *symbol = ut_get_symbol(basic[i], UT_ASCII);
        int k = 0;
        if (!symbol)
            return UT_MEANINGLESS;
        if (strcmp(symbol, "rad") == 0) {
            u->angle = true;
            continue;
        }
        while (k < BASES && strcmp(bases[k], symbol) != 0)
            k++;
        if (k == BASES)
            return UT_MEANINGLESS;
        u->exponent[k] += powers[i];
    }
    return UT_SUCCESS;
}

static ut_status visit_basic(const ut_unit *basic, void *out) {
    const int one = 1;
    return visit_product(basic, 1, &basic, &one, out);
}

static const ut_visitor visitor;

/* udunits counts the offset in the unit itself: K = 5/9 (F + 459.67). */
static ut_status visit_galilean(const ut_unit *whole, double scale, const ut_unit *underlying, double offset,
                                void *out) {
    entry *u = out;
    (void)whole;
    u->scale *= scale;
    u->offset += u->scale * offset;
    return ut_accept_visitor(underlying, &visitor, out);
}

static ut_status visit_timestamp(const ut_unit *whole, const ut_unit *time, double origin, void *out) {
    (void)whole, (void)time, (void)origin, (void)out;
    return UT_MEANINGLESS;
}

static ut_status visit_logarithmic(const ut_unit *whole, double base, const ut_unit *reference, void *out) {
    (void)whole, (void)base, (void)reference, (void)out;
    return UT_MEANINGLESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp,
                                   visit_logarithmic};

/* Adds a text with its meaning, unless it is there already or is no factor. */
static void add(list *to, const char *text, ut_unit *unit) {
    entry found = {.scale = 1};
    bool good = unit && ut_accept_visitor(unit, &visitor, &found) == UT_SUCCESS;
    ut_free(unit);
    if (!good || strpbrk(text, "0123456789 '\""))
        return;
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->items[i].text, text) == 0)
            return;
    if (to->count == MOST || strlen(text) >= LONGEST)
        give_up("too many units, or too long a name:", text);
    strcpy(found.text, text);
    to->items[to->count++] = found;
}

static void add_name(ut_system *database, const char *text) {
    add(&names, text, ut_get_unit_by_name(database, text));
}

/* Plurals that the library has made by itself. */
static void add_plurals(ut_system *database, const char *singular) {
    char text[LONGEST + 4];
    const size_t length = strlen(singular);
    snprintf(text, sizeof text, "%ss", singular);
    add_name(database, text);
    snprintf(text, sizeof text, "%ses", singular);
    add_name(database, text);
    if (length > 1 && singular[length - 1] == 'y') {
        snprintf(text, sizeof text, "%.*sies", (int)length - 1, singular);
        add_name(database, text);
    }
}

static void add_prefix(list *to, const char *text, double value) {
    if (to->count == MOST || strlen(text) >= LONGEST)
        give_up("too many prefixes, or too long a name:", text);
    entry *out = &to->items[to->count++];
    strcpy(out->text, text);
    out->scale = value;
}

/* ---- the files ---- */

/* The text between two tags, with character references (&#xB0;) as UTF-8. */
static void decode(char out[LONGEST], const char *from, const char *to) {
    size_t n = 0;
    while (from < to && n < LONGEST - 4) {
        unsigned code = 0;
        int length = 0;
        if (sscanf(from, "&#x%x;%n", &code, &length) == 1 && length > 0) {
            if (code < 0x80) {
                out[n++] = (char)code;
            } else if (code < 0x800) {
                out[n++] = (char)(0xc0 | code >> 6);
                out[n++] = (char)(0x80 | (code & 0x3f));
            } else {
                out[n++] = (char)(0xe0 | code >> 12);
                out[n++] = (char)(0x80 | (code >> 6 & 0x3f));
                out[n++] = (char)(0x80 | (code & 0x3f));
            }
            from += length;
        } else {
            out[n++] = *from++;
        }
    }
    out[n] = '\0';
}

static char *read_whole(const char *path) {
    enum { ROOM = 1 << 20 };
    char *text = calloc(ROOM, 1);
    FILE *file = fopen(path, "rb");
    if (!text || !file || fread(text, 1, ROOM - 1, file) == 0 || !feof(file))
        give_up("cannot read", path);
    fclose(file);
    return text;
}

static void read_file(ut_system *database, const char *path) {
    char *text = read_whole(path), tag[LONGEST], value[LONGEST];
    bool in_prefix = false;
    double prefix = 1;
    for (char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        if (strncmp(at, "<!--", 4) == 0) {
            at = strstr(at, "-->");
            if (!at)
                break;
            continue;
        }
        if (sscanf(at, "<%127[a-z/]", tag) != 1)
            continue;
        const char *begin = strchr(at, '>');
        const char *end = begin ? strchr(begin, '<') : NULL;
        if (!end)
            break;
        decode(value, begin + 1, end);
        if (strcmp(tag, "prefix") == 0 || strcmp(tag, "/prefix") == 0) {
            in_prefix = tag[0] != '/';
        } else if (strcmp(tag, "value") == 0) {
            prefix = strtod(value, NULL);
        } else if (strcmp(tag, "symbol") == 0 && in_prefix) {
            add_prefix(&prefix_symbols, value, prefix);
        } else if (strcmp(tag, "symbol") == 0) {
            add(&symbols, value, ut_get_unit_by_symbol(database, value));
        } else if (strcmp(tag, "name") == 0 && in_prefix) {
            add_prefix(&prefix_names, value, prefix);
        } else if (strcmp(tag, "singular") == 0 || strcmp(tag, "plural") == 0) {
            add_name(database, value);
            add_plurals(database, value);
        } else if (strcmp(tag, "import") == 0) {
            char *copy = strdup(path), imported[4096];
            snprintf(imported, sizeof imported, "%s/%s", dirname(copy), value);
            free(copy);
            read_file(database, imported);
        }
    }
    free(text);
}

/* ---- the table ---- */

static int by_name(const void *a, const void *b) {
    return strcasecmp(((const entry *)a)->text, ((const entry *)b)->text);
}

static int by_symbol(const void *a, const void *b) {
    return strcmp(((const entry *)a)->text, ((const entry *)b)->text);
}

static void print_text(const char *text) {
    putchar('"');
    for (; *text; text++)
        if ((unsigned char)*text < 0x80 && *text != '"' && *text != '\\')
            putchar(*text);
        else
            printf("\\%03o", (unsigned)(unsigned char)*text);
    putchar('"');
}

static void print_units(const char *name, list *units, int (*order)(const void *, const void *)) {
    qsort(units->items, units->count, sizeof(entry), order);
    printf("\nconst lashi_table_unit lashi_unit_%ss[] = {\n", name);
    for (size_t i = 0; i < units->count; i++) {
        const entry *u = &units->items[i];
        printf("    {");
        print_text(u->text);
        printf(", %.17g, %.17g, {", u->scale, u->offset);
        for (int k = 0; k < BASES; k++)
            printf("%s%d", k ? ", " : "", u->exponent[k]);
        printf("}, %s},\n", u->angle ? "true" : "false");
    }
    printf("};\nconst size_t lashi_unit_%s_count = %zu;\n", name, units->count);
}

static void print_prefixes(const char *name, const list *prefixes) {
    printf("\nconst lashi_table_prefix lashi_prefix_%ss[] = {\n", name);
    for (size_t i = 0; i < prefixes->count; i++) {
        printf("    {");
        print_text(prefixes->items[i].text);
        printf(", %.17g},\n", prefixes->items[i].scale);
    }
    printf("    {NULL, 0},\n};\n");
}

int main(void) {
    ut_status status;
    const char *path = ut_get_path_xml(NULL, &status);
    ut_set_error_message_handler(ut_ignore);
    ut_system *database = path ? ut_read_xml(path) : NULL;
    if (!database)
        give_up("the database of udunits cannot be read:", path ? path : "");
    read_file(database, path);
    if (names.count < 100 || symbols.count < 50 || prefix_names.count < 20 || prefix_symbols.count < 20)
        give_up("there is too little in", path);
    printf("/* SPDX-License-Identifier: MIT\n *\n * Written by cmake/make_units.c from the database of "
           "udunits.\n */\n#include \"input/units_table.h\"\n");
    print_units("name", &names, by_name);
    print_units("symbol", &symbols, by_symbol);
    print_prefixes("name", &prefix_names);
    print_prefixes("symbol", &prefix_symbols);
    ut_free_system(database);
    return 0;
}
