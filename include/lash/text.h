/* SPDX-License-Identifier: MIT
 *
 * Text of an unknown author, in UTF-8.
 */
#ifndef LASH_TEXT_H
#define LASH_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many bytes of the text, at most `most`, end where a character ends. */
size_t lash_text_fit(const char *text, size_t most);

/* Makes a text harmless for terminals and tables: what is not UTF-8 becomes '?', control characters become
 * spaces, except line ends and tabs where `lines` are wanted. */
void lash_text_tame(char *text, bool lines);

#ifdef __cplusplus
}
#endif
#endif
