/* SPDX-License-Identifier: MIT
 *
 * Normal force law kelvin-voigt (as P4 eq. 21 has it): F = K delta while deltadot > 0, F = e_r K delta while
 * < 0.
 *
 * K is a linear stiffness (N/m) and has to be given: materials do not determine it (P4 says so). A free
 * impact stores K delta^2/2 and gives back e_r of it, so that it rebounds with sqrt(e_r), not e_r. Contact
 * time: a quarter period of sqrt(m/K) and one of sqrt(m/(e_r K)).
 *
 * F jumps at deltadot = 0 inside a contact. The loop must treat the turning point as an event: locate
 * deltadot = 0, change the branch in the contact memory, restart (lashi_normal.switches_at_turning,
 * lashi_normal_force_phase). Under a steady load P with e_r K delta < P < K delta both branches push back to
 * deltadot = 0: the contact rests there as with dry friction, events come ever closer, and the loop's rule
 * for chatter applies.
 */
#include "contact/normal_laws.h"

const lashi_normal_law lashi_normal_kelvin_voigt = {
    .name = "kelvin-voigt",
    .doc = "linear spring, softer by the restitution while unloading",
    .reference =
        "P. Flores, J. Ambrosio, J. P. Claro, Dynamic analysis for planar multibody mechanical systems with "
        "lubricated joints, Multibody Syst. Dyn. 12 (2004) 47-74, eq. 21",
    .family = LASHI_NORMAL_BILINEAR,
};
