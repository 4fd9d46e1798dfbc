/* SPDX-License-Identifier: MIT
 *
 * Code for a GPU as text (PTX), as it is handed to the driver.
 */
#ifndef LASHI_PTX_H
#define LASHI_PTX_H

/* The text of a compiler with a kernel lash_members, and with quotients and roots that need no branches, to be freed.
 * NULL: there is no such function in it, or no memory. */
char *lashi_ptx_finish(const char *code);

#endif
