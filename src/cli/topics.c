/* SPDX-License-Identifier: MIT
 *
 * The documents of the program, as text for a terminal.
 *
 * A page is Markdown, of which these parts are known: headings, paragraphs and lists (filled again), tables
 * (topic_table.c), code (as it is), links (their words), pictures and comments (left out). A section reaches from its
 * heading to the next one of the same or a higher level.
 */
#include "cli/topics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/embedded.h"
#include "cli/topic_table.h"

enum { WIDTH = 92, LONGEST = 4096, HEADING = 96, MOST_FOUND = 15, SHOWN = 70 };

typedef struct topic {
    const char *name, *page;
    const char *sections[3]; /* NULL: the whole page */
    const char *brief;
} topic;

static const topic topics[] = {
    {"units", "model-format.md", {"Numbers and units"}, "numbers, their units, what is refused"},
    {"expressions",
     "model-format.md",
     {"Expressions", "Functions of time"},
     "what can be written in place of a number"},
    {"parameters", "model-format.md", {"Parameters and switches"}, "$name, --set, switches"},
    {"tables", "model-format.md", {"Tables"}, "values by points: loads, springs, drives"},
    {"channels", "results.md", {"Channels"}, "the quantities of a result"},
    {"play",
     "clearance.md",
     {"What play is, and how to write it", "Kinematics"},
     "what it is, how a model has it"},
    {"laws", "clearance.md", {"Normal force", "Friction"}, "contact laws, friction laws, how to choose"},
    {"messages", "messages.md", {NULL}, "what messages say, and common ones with their cure"},
    {"glossary", "glossary.md", {NULL}, "the words that Lash uses"},
    {"tutorial", "tutorial.md", {NULL}, "seven short chapters"},
};
enum { TOPICS = sizeof topics / sizeof *topics };

/* "model-format.md" → "model-format" */
static const char *page_name(char out[HEADING], const lashi_embedded_file *file) {
    snprintf(out, HEADING, "%.*s", (int)strcspn(file->name, "."), file->name);
    return out;
}

/* The words of the page's heading. */
static const char *title(char out[HEADING], const lashi_embedded_file *file) {
    const char *text = file->text + strspn(file->text, "# ");
    snprintf(out, HEADING, "%.*s", (int)strcspn(text, "\n"), text);
    return out;
}

static bool has_topic(const char *page) {
    for (size_t i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].page, page) == 0 && !topics[i].sections[0])
            return true;
    return false;
}

const char *lashi_topic_at(const char **brief, size_t index) {
    enum { PAGES = 64 };
    static char names[PAGES][HEADING], words[HEADING]; // callers compare names of several pages
    if (index < TOPICS) {
        *brief = topics[index].brief;
        return topics[index].name;
    }
    index -= TOPICS;
    for (size_t i = 0; i < PAGES && lashi_documents[i].name; i++) {
        const lashi_embedded_file *file = &lashi_documents[i];
        if (has_topic(file->name) || lashi_command_find(page_name(names[i], file)))
            continue;
        if (index-- == 0) {
            *brief = title(words, file);
            return names[i];
        }
    }
    return NULL;
}

const char *lashi_help_at(const char **brief, size_t index) {
    static const struct {
        const char *name, *brief;
    } made[] = {{"format", "every key of a model file"}, {"schema", "JSON Schema of model and study files"}};
    const lashi_command *command;
    size_t commands = 0;
    while ((command = lashi_command_at(commands)) != NULL && commands < index)
        commands++;
    if (command) {
        *brief = command->brief;
        return command->name;
    }
    index -= commands;
    if (index >= sizeof made / sizeof *made)
        return lashi_topic_at(brief, index - sizeof made / sizeof *made);
    *brief = made[index].brief;
    return made[index].name;
}

// ---- lines

/* The line at `text` without its end; *next: the one after it, NULL at the end. */
static size_t take_line(const char **next, const char *text) {
    const size_t length = strcspn(text, "\n");
    *next = text[length] ? text + length + 1 : NULL;
    if (*next && !**next)
        *next = NULL;
    return length;
}

/* The level of a heading, 0 where the line is none; its words in `words`. */
static size_t heading(char words[HEADING], const char *line, size_t length) {
    const size_t level = strspn(line, "#");
    if (level == 0 || level > 4 || line[level] != ' ')
        return 0;
    snprintf(words, HEADING, "%.*s", (int)(length - level - 1), line + level + 1);
    return level;
}

/* Where a section ends. */
static const char *section_end(const char *begin) {
    const char *line = begin, *next;
    char words[HEADING];
    bool code = false;
    size_t length = take_line(&next, line);
    const size_t level = heading(words, line, length);
    while ((line = next) != NULL) {
        length = take_line(&next, line);
        if (strncmp(line, "```", 3) == 0)
            code = !code;
        const size_t other = code ? 0 : heading(words, line, length);
        if (other && other <= level)
            return line;
    }
    return begin + strlen(begin);
}

// ---- printing

typedef struct printer {
    size_t column, indent;
    bool code;
} printer;

static void end_paragraph(printer *p) {
    if (p->column)
        putchar('\n');
    p->column = 0;
}

static void put_word(printer *p, const char *word, size_t length) {
    size_t width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)word[i] & 0xC0) != 0x80;
    if (p->column && p->column + 1 + width > WIDTH)
        end_paragraph(p);
    p->column += (size_t)printf("%*s%.*s", p->column ? 1 : (int)p->indent, "", (int)length, word);
    p->column -= length - width;
}

static void fill(printer *p, const char *line, size_t length) {
    char text[LONGEST];
    if (length >= sizeof text)
        length = sizeof text - 1;
    const size_t n = lashi_topic_plain(text, line, length);
    for (size_t i = 0, word; i < n; i += word) {
        while (i < n && text[i] == ' ')
            i++;
        for (word = 0; i + word < n && text[i + word] != ' ';)
            word++;
        if (word)
            put_word(p, text + i, word);
    }
}

static void print_line(printer *p, const char *line, size_t length) {
    char words[HEADING];
    if (strncmp(line, "```", 3) == 0) {
        end_paragraph(p);
        p->code = !p->code;
        return;
    }
    if (p->code || (!p->column && strncmp(line, "    ", 4) == 0)) {
        printf("%s%.*s\n", p->code && length ? "    " : "", (int)length, line);
        return;
    }
    if (length == 0) {
        end_paragraph(p);
        printf("\n");
        p->indent = 0;
    } else if (heading(words, line, length)) {
        end_paragraph(p);
        printf("%s\n", words);
    } else if (strncmp(line, "![", 2) != 0 && line[0] != '<') {
        if (strncmp(line, "- ", 2) == 0 || (isdigit((unsigned char)line[0]) && line[1] == '.')) {
            end_paragraph(p);
            p->indent = 0;
            put_word(p, line, strcspn(line, " "));
            p->indent = 2;
            line += strcspn(line, " ");
            length = strcspn(line, "\n");
        }
        fill(p, line, length);
    }
}

static void print_part(const char *begin, const char *end) {
    printer p = {0};
    const char *next;
    for (const char *line = begin; line && line < end; line = next)
        if (line[0] == '|' && !p.code) {
            end_paragraph(&p);
            next = lashi_topic_table(line, end, WIDTH);
        } else {
            print_line(&p, line, take_line(&next, line));
        }
    end_paragraph(&p);
}

// ---- finding

static const lashi_embedded_file *find_page(const char *name) {
    for (const lashi_embedded_file *file = lashi_documents; file->name; file++)
        if (strcasecmp(file->name, name) == 0)
            return file;
    return NULL;
}

/* The headings of a page, from its first line on. */
typedef struct outline {
    const char *next; /* line to look at */
    bool code;        /* within a block of code, which has none */
    char words[HEADING];
} outline;

/* The line of the next heading, whose words are then known; NULL: there are no more. */
static const char *next_heading(outline *page) {
    for (const char *line; (line = page->next) != NULL;) {
        const size_t length = take_line(&page->next, line);
        if (strncmp(line, "```", 3) == 0)
            page->code = !page->code;
        if (!page->code && heading(page->words, line, length))
            return line;
    }
    return NULL;
}

/* The heading of that name in a page, NULL: none. */
static const char *find_section(const lashi_embedded_file *file, const char *name) {
    outline page = {.next = file->text};
    const char *line;
    while ((line = next_heading(&page)) != NULL && strcasecmp(page.words, name) != 0)
        continue;
    return line;
}

bool lashi_topic_print(const char *name) {
    char page[HEADING];
    for (size_t i = 0; i < TOPICS; i++) {
        const lashi_embedded_file *file = find_page(topics[i].page);
        if (strcasecmp(topics[i].name, name) != 0 || !file)
            continue;
        if (!topics[i].sections[0])
            print_part(file->text, file->text + file->size);
        for (size_t k = 0; k < 3 && topics[i].sections[k]; k++) {
            const char *begin = find_section(file, topics[i].sections[k]);
            if (begin)
                print_part(begin, section_end(begin));
        }
        return true;
    }
    snprintf(page, sizeof page, "%.80s.md", name);
    const lashi_embedded_file *file = find_page(page);
    if (file) {
        print_part(file->text, file->text + file->size);
        return true;
    }
    for (file = lashi_documents; file->name; file++) {
        const char *begin = find_section(file, name);
        if (begin) {
            print_part(begin, section_end(begin));
            return true;
        }
    }
    return false;
}

// ---- searching

typedef struct place {
    int worth;
    char name[2 * HEADING + 2], line[SHOWN + 8];
} place;

static void keep(place found[MOST_FOUND], size_t *count, const place *one) {
    if (*count == MOST_FOUND && found[MOST_FOUND - 1].worth >= one->worth)
        return;
    size_t at = *count < MOST_FOUND ? (*count)++ : MOST_FOUND - 1;
    for (; at > 0 && found[at - 1].worth < one->worth; at--)
        found[at] = found[at - 1];
    found[at] = *one;
}

/* The part of a line around the word. */
static void excerpt(char out[SHOWN + 8], const char *line, size_t length, const char *word) {
    const char *hit = strcasestr(line, word), *begin = hit - line > 30 ? hit - 30 : line;
    while (begin > line && begin[-1] != ' ')
        begin--;
    size_t n = (size_t)(line + length - begin), k = 0;
    n = n > SHOWN ? SHOWN : n;
    while (n > 0 && ((unsigned char)begin[n] & 0xC0) == 0x80)
        n--;
    for (size_t i = 0; i < n; i++)
        if (!strchr("`*#", begin[i]) || begin[i] == '\0')
            out[k++] = begin[i] == '|' && line[0] == '|' ? ' ' : begin[i]; // of a table
    out[k] = '\0';
}

static bool holds(const char *line, size_t length, const char *word) {
    const char *hit = strcasestr(line, word);
    return hit && hit + strlen(word) <= line + length;
}

static void search_page(place found[MOST_FOUND], size_t *count, const lashi_embedded_file *file,
                        const char *word) {
    char words[HEADING], section[HEADING], page[HEADING];
    place here = {0};
    const char *next;
    title(section, file);
    for (const char *line = file->text; line; line = next) {
        const size_t length = take_line(&next, line);
        const bool begins = heading(words, line, length) > 0, hit = holds(line, length, word);
        if (begins) {
            if (here.worth)
                keep(found, count, &here);
            here = (place){0};
            memcpy(section, words, sizeof section);
        }
        if (!hit)
            continue;
        if (!here.worth || begins)
            excerpt(here.line, line, length, word);
        char key[HEADING];
        snprintf(key, sizeof key, "| `%.80s` |", word);
        here.worth += begins ? 100 : strncasecmp(line, key, strlen(key)) == 0 ? 50 : 1;
        snprintf(here.name, sizeof here.name, "%s: %s", page_name(page, file), section);
    }
    if (here.worth)
        keep(found, count, &here);
}

static void search_commands(place found[MOST_FOUND], size_t *count, const char *word) {
    const lashi_command *command;
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++) {
        place here = {0};
        const char *texts[] = {command->brief, command->details};
        snprintf(here.name, sizeof here.name, "lash %s", command->name);
        for (size_t k = 0; k < 2; k++)
            if (strcasestr(texts[k], word)) {
                const char *hit = strcasestr(texts[k], word), *line = hit;
                while (line > texts[k] && line[-1] != '\n')
                    line--;
                here.worth += k ? 2 : 60;
                if (!here.line[0])
                    excerpt(here.line, line, strcspn(line, "\n"), word);
            }
        for (const lashi_option *option = command->options; option->name; option++)
            if (strcasestr(option->doc, word) || strcasecmp(option->name, word) == 0) {
                here.worth += strcasecmp(option->name, word) == 0 ? 50 : 2;
                if (!here.line[0])
                    snprintf(here.line, sizeof here.line, "--%s: %s", option->name, option->doc);
            }
        if (here.worth)
            keep(found, count, &here);
    }
}

bool lashi_topics_search(const char *word) {
    place found[MOST_FOUND] = {0};
    size_t count = 0;
    if (strlen(word) < 2 || strlen(word) > SHOWN / 2)
        return false;
    search_commands(found, &count, word);
    for (const lashi_embedded_file *file = lashi_documents; file->name; file++)
        search_page(found, &count, file, word);
    for (size_t i = 0; i < count; i++)
        printf("%-44s %s\n", found[i].name, found[i].line);
    if (count)
        printf("\nlash help PAGE prints a page, lash help \"SECTION\" a section of one.\n");
    return count > 0;
}

static const char *only(const void *name, size_t index) {
    return index ? NULL : name;
}

const char *lashi_topics_nearest(const char *word) {
    static outline page;
    for (const lashi_embedded_file *file = lashi_documents; file->name; file++)
        for (page = (outline){.next = file->text}; next_heading(&page);)
            if (lashi_options_nearest(word, only, page.words))
                return page.words;
    return NULL;
}
