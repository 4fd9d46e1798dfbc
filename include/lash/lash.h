/* SPDX-License-Identifier: MIT
 *
 * Lash: the motion of machines whose joints have play. This header is the whole library.
 *
 *   lash_model → lash_system → lash_sim with its lash_state → lash_record
 */
#ifndef LASH_LASH_H
#define LASH_LASH_H

#include "lash/bearing.h"
#include "lash/document.h"
#include "lash/file.h"
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

#endif
