/* SPDX-License-Identifier: MIT
 *
 * Lash: the motion of machines whose joints have play. This header is the whole library.
 *
 *   lash_model → lash_system → lash_sim with its lash_state → lash_record
 *
 * What a program may rely on. Objects are opaque and made by functions. Structs of settings and of results
 * grow at their end only, within one minor version (0.2) not at all: a program that was compiled against
 * 0.2.0 runs with the shared library of any 0.2.x, whose name (liblash.so.0.2) says so. A struct of settings
 * begins with its default function or with zeros, so that a field that is new stays as it was. lash_version()
 * names the library that runs. Every `error` may be NULL, and other pointers where the comment of a function
 * says so.
 */
#ifndef LASH_LASH_H
#define LASH_LASH_H

#include "lash/bearing.h"
#include "lash/document.h"
#include "lash/ensemble.h"
#include "lash/file.h"
#include "lash/life.h"
#include "lash/linear.h"
#include "lash/model.h"
#include "lash/quantity.h"
#include "lash/record.h"
#include "lash/scene.h"
#include "lash/sim.h"
#include "lash/status.h"
#include "lash/study.h"
#include "lash/system.h"
#include "lash/text.h"
#include "lash/version.h"
#include "lash/wear.h"

#endif
