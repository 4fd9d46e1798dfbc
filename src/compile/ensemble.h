/* SPDX-License-Identifier: MIT
 *
 * Runs many members of an ensemble, each from its start to its end. The text of a model (write.c) ends with
 * this file where it is compiled for studies. One source serves a core (W members side by side in vector
 * registers) and a GPU (one member per thread). It allocates nothing, calls no other functions, and keeps
 * only a row of doubles per member.
 *
 * A member is advanced by attempts. An attempt takes a step of dop853 and accepts it, repeats it shorter, or
 * repeats it up to where a contact begins or ends: there is no interpolant. Where q̇ = v only accelerations are
 * stored (Nyström's form of the method: positions by N = A A); others, such as Euler parameters and bristles, have
 * stages of their own. Three rules find contacts that a step
 * would miss: the largest value of the cubic of a gap between its ends; the stage at which a gap is farthest
 * beyond its border; and in flight no step is longer than half the play over the speed. A step in which a
 * value exceeds all values so far is repeated up to where the value is largest (by parabolas through the ends
 * of attempts, the first one up to that stage). A step that passes a KINK of friction is repeated up to the
 * kink (sim/kinks.c).
 *
 * Expressions of the state hold the pieces of their SWITCHES over a step (math/switch.h). A step at whose end, or
 * at one of whose stages, some d is beyond its piece is repeated up to where it leaves it (by secants), and the
 * next piece holds from there on. Where d rests on a border (sim/switches.c), a step shows when it no longer does: it is
 * taken again with the next piece. A member whose switches go back and forth without a step between is given up:
 * the run alone says why. Signals that are SAMPLED change where steps end.
 *
 * Contacts with three MODES (sim/modes.c) are constraints while they press. Following ends where N falls through zero,
 * which is located as the end of a piece is, by secants; a flight ends where δ rises through zero. Which of them change
 * at one instant, and what impulses do there, is found before the next step by the same equations, asked for other
 * things (AIM_…) at the same point as often as it takes; lanes without a change wait. Where they rub (grip.h) impulses have
 * a second axis. Those with the law coulomb stick or slide: a sliding one has its speed along its way as a border, a
 * sticking one what is left of its friction, and which do what is decided as in sim/sticking.c.
 *
 * Steps end where something must be done: where counting begins and ends, at cuts of a section, at the ends
 * of the intervals of an exponent.
 *
 * The exponent is the growth of a difference w. A second member, the shadow, takes exactly the steps of the
 * first one, so w follows the tangent of the method and contains no error of the steps. Where accelerations jump as a contact
 * begins (JUMPS: bits of those whose forces set in so) or as its law changes where it turns, the shadow's velocities get
 * what they do between both instants. Contacts of the
 * shadow change with those of the first; what that leaves out is of second order in w, except for the speed
 * at first touch and the mass that bounds its damping, which are found as
 * the shadow stands at its own instant. Steps become shorter towards both ends of a contact. At the end of an interval the length of w is
 * recorded and w is made short again. It begins as the change of velocities by a kick, which the joints allow
 * by construction. Errors by rounding against the joints decay with a gain of four per interval; with the
 * gain of the model they could outlive a motion that contracts. If a difference falls below LOST in one
 * interval, it is not known: the member is given up.
 *
 * An account of energy is kept up to the end of counting, as in src/sim/account.c, and how far joints were
 * apart; whether they were within what is allowed is decided by ensemble.c. A contact that is deeper than its
 * law holds ends the member.
 *
 * The model defines: P positions with their velocities, OTHERS that are in the state, the first TURNING of
 * them angles, the place of each in y, how many of all are MEASURED by a tolerance, C contacts, those that may
 * touch (bits of WATCHED), those that always do, as constraints (ALWAYS), those whose loss ends the run (NEEDED), and those that do at times (MODES), of these that
 * rub (RUBS; AXES of impulses), PLACES of ideal joints that rub, which of all these may stick (STICKS; GRIPS: how many they are
 * if any may, else 0), whether modes are CHANGING (PRESSES: C if they are, else 0), V values that are observed, the last LOSSES of them powers lost in contacts, CUTS of them kept at cuts, those whose extrema are wanted (bits of EXTREMA); whether contacts are WEIGHed, whether the damping of some is
 * BOUNDED by that mass, and whether there is a SHADOW; TABLES over the motion, whether some are ENDING, SWITCHES and SAMPLES of expressions
 * of the state, and whether there are STOPS, times at which forces or drives pass from one piece of their function
 * to the next; equations(), scales(), limits_of() and others, and the tables of the method.
 */
#define D (P + OTHERS) /* rates that are stored, … */
#define R (P + D)      /* … and numbers of the state */
/* Numbers that end a step where they rise through zero: of switches how far d is beyond its piece, then -N of contacts, then
 * minus what is left of their sticking, or of sliding the way they do. */
#define BORDERS (SWITCHES + PRESSES + GRIPS)
#define SLIPS   (SWITCHES + PRESSES)
/* Directions of impulses: normals of all contacts, then their tangents. */
#define DIRECTIONS (AXES * PRESSES)
/* Numbers that decide about switches, then for a shadow their rates. */
#define NUMBERS_OF_SWITCHES ((1 + SHADOW) * SWITCHES)
/* Places that slide: contacts, then those of ideal joints with friction. */
#define SLIDES (C + PLACES)

#ifndef W
#define W 1
#endif
#define LANES for (int l = 0; l < W; l++)
#if W > 1
#define SIMD _Pragma("omp simd")
#else
#define SIMD
#endif

#ifdef __NVPTX__
static __attribute__((address_space(3))) double lash_stages[12 * D * BLOCK];
#endif

/* Columns of a member, all of them doubles: its state … */
enum {
    COLUMN_T,
    COLUMN_H,
    COLUMN_STATUS,
    FIRST,
    COLUMN_ERROR = FIRST, /* 32nd root of the error of the last step */
    COLUMN_Y,
    COLUMN_SHADOW = COLUMN_Y + R,
    COLUMN_CONTACTS = COLUMN_SHADOW + SHADOW * R
};
/* … its status; those from TOO_SHORT on, but for ELSEWHERE, say why it was given up (given_up of ensemble.c) … */
enum {
    RUNNING,
    AT_END,
    TOO_SHORT, /* a step, or its numbers are not finite */
    ELSEWHERE, /* a core takes it over */
    TOO_DEEP,  /* a contact */
    TOO_FAR,   /* an angle: there are no sines of larger ones */
    TOO_MANY,  /* steps */
    UNSETTLED, /* conditions change without end */
    UNYIELDING, /* contacts that are constraints: their rows repeat others, or nothing can give way to an impact */
    LOST_CONTACT /* one that is NEEDED */
};
/* … that of each contact … */
enum {
    CONTACT_TOUCHING,
    CONTACT_SPEED,                          /* m/s, at first touch */
    CONTACT_STEP,                           /* s, first step of the last one */
    CONTACT_SINCE,                          /* s, when it began or ended, … */
    CONTACT_MASS = CONTACT_SINCE + WEIGH,   /* … kg, that it had to stop then, where it is weighed */
    CONTACT_INVERSE = CONTACT_MASS + WEIGH, /* 1/kg, of that mass, where the damping needs it */
    CONTACT_NEAR =
        CONTACT_INVERSE + BOUNDED, /* m, what a flight must exceed to be one, while it has not; else 0 */
    CONTACT_SHADOW_TOUCHING = CONTACT_NEAR + (PRESSES > 0),
    CONTACT_SHADOW_SPEED = CONTACT_SHADOW_TOUCHING + SHADOW,
    CONTACT_SHADOW_INVERSE = CONTACT_SHADOW_SPEED + SHADOW,
    CONTACT_COLUMNS = CONTACT_SHADOW_INVERSE + SHADOW * BOUNDED
};
/* What a contact remembers, and the shadow's. */
LASHI_INLINE int remembered(int k) {
    return k == 2 ? CONTACT_INVERSE : CONTACT_TOUCHING + k;
}
LASHI_INLINE int shadow_remembered(int k) {
    return k == 2 ? CONTACT_SHADOW_INVERSE : CONTACT_SHADOW_TOUCHING + k;
}
enum { REMEMBERED = 2 + BOUNDED };
#define COLUMN_CONTACT(c, k) (COLUMN_CONTACTS + CONTACT_COLUMNS * (c) + (k))
/* … that of each grip … */
enum { GRIP_WAY, GRIP_SHARE, GRIP_HELD, GRIP_COLUMNS };
#define COLUMN_GRIP(c, k) (COLUMN_CONTACT(C, 0) + GRIP_COLUMNS * (c) + (k))
#define COLUMN_MODE(k)    (COLUMN_GRIP(GRIPS, 0) + (k)) /* … the modes of switches … */
#define COLUMN_BORDER(k)  COLUMN_MODE(SWITCHES + (k))   /* … how near d is on a border, to rounding, … */
#define COLUMN_BAND(k)    COLUMN_MODE(2 * SWITCHES + (k)) /* … and while it rests there, at full pace … */
#define COLUMN_REST       COLUMN_MODE(3 * SWITCHES)
/* … then what it is given, and what is summed up: for the whole member … */
enum {
    COLUMN_END = COLUMN_REST,
    COLUMN_BEGIN,      /* s, from when on values and contacts are counted, … */
    COLUMN_UNTIL,      /* … and until when */
    COLUMN_CUT,        /* s, the first cut, … */
    COLUMN_CUT_PERIOD, /* … s from one to the next, … */
    COLUMN_CUT_COUNT,  /* … how many there are … */
    COLUMN_CUT_NEXT,   /* … and the next one */
    COLUMN_INTERVAL,   /* s, of the exponent, … */
    COLUMN_ALIGN,      /* … how many for the difference to turn into its direction, … */
    COLUMN_BLOCK,      /* … and how many in each block of the following ones */
    COLUMN_INTERVAL_NEXT,
    COLUMN_STOP,   /* place of the next stop in the list of all */
    COLUMN_SOUGHT, /* while an extremum is sought: */
    COLUMN_TRIES,
    COLUMN_FROM, /* s from the beginning of the step and value of the best place, and of others at both sides of it */
    COLUMN_LEFT,
    COLUMN_BEST_AT,
    COLUMN_BEST,
    COLUMN_TO,
    COLUMN_RIGHT,
    COLUMN_ENOUGH, /* what is not worth a search, as it was when this one began */
    COLUMN_STEPS,  /* in the time that counts, … */
    COLUMN_EVALUATIONS,
    COLUMN_KINETIC, /* J, of the account: energies at the start, … */
    COLUMN_POTENTIAL,
    COLUMN_ELASTIC,
    COLUMN_LOST, /* … J since then, … */
    COLUMN_INPUT,
    COLUMN_EXCHANGED, /* … J, the largest change of an entry, … */
    COLUMN_BALANCE,   /* … J, the largest error of the balance, … */
    COLUMN_APART,     /* … m or rad, joints at most, … */
    COLUMN_TAKEN,     /* … and steps */
    COLUMN_SUMS
};
/* … of each contact … */
enum {
    SUM_COUNT,     /* how many have begun */
    SUM_TIME,      /* s, in contact */
    SUM_PEAK,      /* N, largest force */
    SUM_IMPACTS,   /* how many were impacts */
    SUM_IMPACT,    /* s, in those … */
    SUM_FOLLOWING, /* … and in others */
    SUM_COLUMNS
};
#define COLUMN_SUM(c, k) (COLUMN_SUMS + SUM_COLUMNS * (c) + (k))
/* … of each value … */
enum {
    VALUE_LEAST,
    VALUE_MOST,
    VALUE_SUM,
    VALUE_SQUARES,
    VALUE_LAST,
    VALUE_DOUBT, /* how much the rule of lower order differs in the integral, where extrema are wanted */
    VALUE_NOISE, /* what it may be by rounding */
    VALUE_COLUMNS
};
#define COLUMN_VALUE(v, k) (COLUMN_SUM(C, 0) + VALUE_COLUMNS * (v) + (k))
/* … and for the exponent: the growth in each block as a number from 1 to 2 times a power of two. */
enum { BLOCKS = 16 };
#define COLUMN_GROWTH(b) (COLUMN_VALUE(V, 0) + 2 * (b))
/* … and how far and how fast a member has been, as shares of its own motion (sim/tolerance.c), and where it began. */
#define COLUMN_WAY       COLUMN_GROWTH(SHADOW *BLOCKS)
#define COLUMN_PACE      (COLUMN_WAY + 1)
#define COLUMN_ORIGIN(i) (COLUMN_WAY + 2 + (i))
#define COLUMNS          (COLUMN_WAY + 2 + R)
/* A thread of a GPU keeps the other columns in memory of its own, a core beside the member. */
#ifdef __NVPTX__
#define KEPT          COLUMN_REST
#define REST_ARGUMENT , double *rest
#define REST_PASSED   , rest
#define REST(k, l)    rest[(k)-KEPT]
#else
#define KEPT COLUMNS
#define REST_ARGUMENT
#define REST_PASSED
#define REST(k, l) m->column[k][l]
#endif
/* Values at cuts: [cut][CUTS] of each member. */
typedef struct cut_store {
    double *at[W];
} cut_store;
/* Stops of all members, one after the other; those of each end with INFINITY. Among them, what members share: tables. */
typedef struct stop_list {
    const double *at;
} stop_list;
#define CUT_VALUE(j, v, l) cuts->at[l][(long)(j)*CUTS + (v)]

/* Members side by side, between attempts. */
typedef struct members {
    double column[KEPT][W];
    double a[D][W]; /* accelerations and other rates at the present point */
    double delta[C + !C][W], rate[C + !C][W], speed[C + !C][W]; /* gaps there, and a bound of their rates */
    double sliding[SLIDES + !SLIDES][W];
    double value[V + !V][W];
    double lost[W], input[W];          /* W */
    double table[TABLES + !TABLES][W]; /* where tables are read */
    double lo[W], hi[W], after[W],
        grow[W]; /* while an event is located: bracket, and the step to go on with */
#if BORDERS
    double beyond[BORDERS][W]; /* how far it is beyond its border there; inside it is negative */
    double beyond_lo[W], beyond_hi[W],
        way[W];   /* of the one that is located: at the bracket, and in the whole step */
    int stuck[W]; /* changes without a step */
#endif
#if SWITCHES
    unsigned long long flipped[W]; /* bits of those that have just changed */
    int fits[W];                   /* passes until all pieces fit */
#endif
#if CHANGING
    unsigned long long arrive[W], leave[W]; /* bits of the contacts that change here, … */
    unsigned long long beside[W];           /* … and of others at their walls */
    unsigned long long turn[W];             /* bits of those that stick or slide no longer as they did */
#if GRIPS
    double onward[GRIPS][W]; /* m/s², of what slides, along its way */
    int sorts[W];            /* contacts have begun or ended: what sticks is decided again */
#endif
#endif
#if SAMPLES
    int sample[W]; /* samples may be due */
#endif
    double pace[W];  /* COLUMN_PACE, but no less than what counts as standing still, … */
    double rest[W];  /* … or than rounding allows */
    int seek[W];     /* the value whose top is sought, from 1; < 0: its bottom */
    double whole[W]; /* s, the step in which it is; 0: none */
    unsigned long long passed_top[W], passed_bottom[W]; /* bits of values that have been sought in it */
    int locating[W], which[W], fresh[W];
#if WEIGH
    unsigned long long weigh[W]; /* bits of the contacts that have just begun */
    double pushed[W];
#endif
#if SHADOW
    int kick[W], pass[W], ends[W]; /* the shadow begins; takes its step; an interval ends */
    unsigned long long flip[W];    /* bits of the contacts that change */
    double gain[W];                /* 1/s, with which errors of the joints decay */
    double kicked[D][W]; /* accelerations with the kick; or those of the shadow where a contact changes */
    unsigned long long weighs[W]; /* bits of the contacts of the other one that are to be weighed */
    unsigned long long begun[W];  /* bits of the shadow's contacts that have begun … */
    double back[C + !C][W];       /* … s, and how long before they did */
    double touched[C + !C][W];    /* m, depths of the first one where they change */
    double unpushed[W];
    double late[W]; /* s, by how much the shadow changes later */
#if SWITCHES
    double was[SWITCHES][W], told[SWITCHES][W]; /* pieces in the step, and numbers at its end */
    unsigned long long turned[W];               /* bits of the switches that change there */
#endif
    double main_t[W], main_h[W], step[W]; /* of the first one, meanwhile */
#endif
} members;

#if GRIPS
/* What has been found in a grip. */
typedef struct grip_point {
    double way[W], force[W], limit[W], rate[W], scale[W], rest[W], travel[W];
} grip_point;
#endif

typedef struct point {
    double a[D][W], delta[C + !C][W], rate[C + !C][W], speed[C + !C][W], force[C + !C][W],
        sliding[SLIDES + !SLIDES][W], value[V + !V][W], table[TABLES + !TABLES][W], response[W],
        beyond[BORDERS + !BORDERS][W], number[NUMBERS_OF_SWITCHES + !SWITCHES][W],
        samples[SAMPLES + !SAMPLES][W], yields[DIRECTIONS + !DIRECTIONS][W];
#if GRIPS
    grip_point grip[GRIPS];
#endif
    double kinetic[W], potential[W], elastic[W], lost[W], input[W], apart[W];
    int bad[W];
} point;

/* What is asked of the equations where modes change, and impulses. */
typedef struct asked {
    int aim[W];
    double blow[DIRECTIONS + !DIRECTIONS][W]; /* N s, along n on part j: into the wall; and along t */
} asked;

/* The number of the lowest bit, from 1; 0: none. */
LASHI_INLINE int first_bit(unsigned long long bits) {
    int first = 0;
    UNROLL for (int c = C - 1; c >= 0; c--) first = bits >> c & 1 ? c + 1 : first;
    return first;
}

#if SWITCHES
/* The piece of a switch. At the end of a step its member may have passed to the next one; the shadow takes the step with
 * the one before. */
LASHI_INLINE double mode_in_step(const members *restrict m, int k, int l) {
    double mode = m->column[COLUMN_MODE(k)][l];
#if SHADOW
    mode = m->pass[l] ? m->was[k][l] : mode;
#endif
    return mode;
}
#endif

/* The equations at (t, y) of all lanes. inside: a time of the step, which decides about pieces. extra: with
 * the push of a contact that is weighed, or the kick; changes: what is asked of them; whole: with what only the ends of
 * a step and changes need. */
LASHI_INLINE void look(point *restrict out, const members *restrict m, const double t[W],
                       const double inside[W], const double y[R][W], numbers n, const double *shared,
                       int extra, int changes, int whole, const asked *restrict asked) {
    SIMD LANES {
        const lashi_frame ground = {.c = 1, .A = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {1}, .inside = inside[l]};
        // All are set, so that no lane depends on the one before it.
        lashi_memory memory[C + 1] = {0};
        lashi_contact_state state[C + 1] = {0};
        double own[RATES] = {0}, ydot[RATES] = {0}, seen[V + 1] = {0}, sum = 0, drives[DRIVES + 1] = {0},
               tables[TABLES + 1] = {0}, response = 0, kick = 0, gain = 0, modes[SWITCHES + 1] = {0},
               beyond[SWITCHES + 1] = {0}, number[NUMBERS_OF_SWITCHES + 1] = {0}, samples[SAMPLES + 1] = {0},
               blows[2 * PRESSES + 1] = {0}, yields[2 * PRESSES + 1] = {0};
        lashi_grip grips[SLIDES + 1] = {0};
        int mismatch = 0, probe = 0, aim = AIM_MOTION;
        lashi_account account = {.whole = W > 1 || whole}; // side by side there are no branches
#if WEIGH
        probe = first_bit(m->weigh[l]);
#endif
#if SHADOW
        kick = extra && m->kick[l] ? 1.0 : 0.0;
        gain = m->gain[l];
#endif
        UNROLL for (int k = 0; k < SWITCHES; k++) {
            modes[k] = mode_in_step(m, k, l);
            beyond[k] = -1; // of what is not evaluated
        }
        UNROLL for (int c = 0; c < C; c++) {
            memory[c].touching = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0;
            memory[c].through = 0;
            memory[c].onset = (lashi_onset){.speed = m->column[COLUMN_CONTACT(c, CONTACT_SPEED)][l],
                                            .unloading = turning[1 + c] >= 0 && modes[turning[1 + c]] < 0};
#if BOUNDED
            memory[c].onset.inverse_mass = m->column[COLUMN_CONTACT(c, CONTACT_INVERSE)][l];
#endif
        }
        UNROLL for (int i = 0; i < R; i++) own[place[i]] = y[i][l];
#if CHANGING
        aim = changes ? asked->aim[l] : AIM_MOTION;
        UNROLL for (int d = 0; d < DIRECTIONS; d++) blows[d] = asked->blow[d][l];
#endif
#if GRIPS
        UNROLL for (int c = 0; c < GRIPS; c++) {
            grips[c].way = m->column[COLUMN_GRIP(c, GRIP_WAY)][l];
            grips[c].share = m->column[COLUMN_GRIP(c, GRIP_SHARE)][l];
            grips[c].held = m->column[COLUMN_GRIP(c, GRIP_HELD)][l];
        }
#endif
        const numbers of = {n.at + l, n.stride};
        const int flag =
            equations(ydot, state, &sum, &mismatch, t[l], own, of, (const void *const *)shared, memory,
                      &ground, (lashi_workspace *)0, probe, extra ? 1.0 : 0.0, kick, gain, modes, &response,
                      drives, tables, beyond, number, samples, &account, seen, aim, blows, yields, grips);
        out->bad[l] = flag;
        out->response[l] = response;
        out->kinetic[l] = account.energy.kinetic;
        out->potential[l] = account.energy.potential;
        out->elastic[l] = account.energy.elastic;
        out->lost[l] = account.lost;
        out->input[l] = account.input;
        out->apart[l] = account.apart;
        UNROLL for (int i = 0; i < D; i++) out->a[i][l] = ydot[place[P + i]];
        UNROLL for (int c = 0; c < C; c++) {
            // A film without dry contact never touches, permanent contact always does, and may pull.
            // One that is a constraint at times has a gap to be seen in flight.
            // Everything is found in every lane: a root or number that only some need would keep them from being
            // computed side by side.
            const lashi_gap *gap = &state[c].gap;
            const double speed = lashi_length3(gap->ddot), delta = gap->delta, rate = gap->deltadot;
            const int follows = (MODES >> c & 1) & (memory[c].touching != 0),
                      watched = (WATCHED >> c & 1) | ((MODES >> c & 1) & !follows), always = ALWAYS >> c & 1;
            out->delta[c][l] = watched ? delta : always | follows ? 1 : -1;
            out->rate[c][l] = watched ? rate : 0;
            out->speed[c][l] = watched ? speed : 0;
#if CHANGING
            const double press = state[c].normal_force;
            out->beyond[SWITCHES + c][l] = follows ? -press : -1;
            UNROLL for (int axis = 0; axis < AXES; axis++) out->yields[axis * C + c][l] =
                yields[axis * C + c];
#endif
            out->force[c][l] = always ? __builtin_fabs(state[c].normal_force) : state[c].normal_force;
            grips[c].speed = state[c].gap.sliding;
        }
        UNROLL for (int c = 0; c < SLIDES; c++) out->sliding[c][l] = grips[c].speed;
#if GRIPS
        UNROLL for (int c = 0; c < GRIPS; c++) {
            grips[c].rest *= m->rest[l];
            const double left = lashi_grip_left(&grips[c], whole);
            const int touches = c >= C || memory[c < C ? c : 0].touching != 0;
            out->beyond[SLIPS + c][l] = touches & (STICKS >> c & 1) ? -left : -1;
            grip_point *grip = &out->grip[c];
            grip->way[l] = grips[c].way;
            grip->force[l] = grips[c].force;
            grip->limit[l] = grips[c].limit;
            grip->rate[l] = grips[c].rate;
            grip->scale[l] = grips[c].scale;
            grip->rest[l] = grips[c].rest;
            grip->travel[l] = grips[c].travel;
        }
#endif
        UNROLL for (int k = 0; k < TABLES; k++) out->table[k][l] = tables[k];
        UNROLL for (int k = 0; k < SWITCHES; k++) {
            // What rests on a border is not beyond it before it leaves its band.
            double band = m->column[COLUMN_BAND(k)][l];
            const double rounding = m->column[COLUMN_BORDER(k)][l];
            band = rounding + m->pace[l] * (band - rounding);
            const int rests =
                lashi_switch_rests(switch_code[1 + k], modes[k]) && beyond[k] > 0 && beyond[k] <= band;
            out->beyond[k][l] = rests ? 0 : beyond[k];
        }
        UNROLL for (int k = 0; k < NUMBERS_OF_SWITCHES; k++) out->number[k][l] = number[k];
        UNROLL for (int k = 0; k < SAMPLES; k++) out->samples[k][l] = samples[k];
        UNROLL for (int v = 0; v < V; v++) out->value[v][l] = seen[v];
    }
}

/* Whether the shadow takes its step. */
LASHI_INLINE int is_shadow(const members *restrict m, int l) {
    int shadow = 0;
#if SHADOW
    shadow = m->pass[l];
#endif
    (void)m, (void)l;
    return shadow;
}

#if SWITCHES || SAMPLES
/* For lanes that have just begun: takes samples that are due, and other pieces where d is beyond its own, or on a border
 * where its expression jumps: there it rests, until a step shows that it does not. Whether the point must be evaluated
 * again. */
enum { MOST_FITS = 16 };
LASHI_INLINE int fit(members *restrict m, const point *restrict p, numbers n) {
    int again = 0;
    LANES {
        int open = 0;
        if (!m->fresh[l] || is_shadow(m, l))
            continue;
#if SAMPLES
        double every[SAMPLES];
        periods_of(every, (numbers){n.at + l, n.stride});
        UNROLL for (int k = 0; m->sample[l] && k < SAMPLES;
                    k++) if (lashi_is_sample(every[k], m->column[COLUMN_T][l])) {
            m->column[COLUMN_Y + sampled[1 + k]][l] = p->samples[k][l];
            open = 1;
        }
        m->sample[l] = 0;
#endif
#if SWITCHES
        UNROLL for (int k = 0; k < SWITCHES; k++) {
            const lashi_opcode code = switch_code[1 + k];
            const double d = p->number[k][l], beyond = p->beyond[k][l];
            double *mode = &m->column[COLUMN_MODE(k)][l];
            const int borders = lashi_switch_jumps(code) && !lashi_switch_rests(code, *mode) &&
                                __builtin_fabs(beyond) <= m->column[COLUMN_BORDER(k)][l];
            if (open || !(beyond > 0 || borders) || (m->flipped[l] >> k & 1) || m->fits[l] >= MOST_FITS)
                continue;
            const double next =
                lashi_switch_find(code, lashi_jet_constant(borders && code != LASHI_OP_MOD ? 0 : d));
            again |= next != *mode;
            m->fits[l] += next != *mode;
            *mode = next;
        }
        m->column[COLUMN_STATUS][l] = m->fits[l] >= MOST_FITS && m->column[COLUMN_STATUS][l] == RUNNING
                                          ? UNSETTLED
                                          : m->column[COLUMN_STATUS][l];
#endif
        again |= open;
    }
    (void)n, (void)p;
    return again;
}
#endif

#if BORDERS
/* How far a number may be beyond its border by errors alone: a speed that is none; and less of what holds a contact than
 * is left of it where it counts as held. */
LASHI_INLINE double noise_of(const point *restrict p, int k, int l) {
    double noise = 0;
#if GRIPS
    UNROLL for (int c = 0; c < GRIPS; c++) if (k == SLIPS + c) noise =
        p->grip[c].way[l] == LASHI_GRIP_STICKS ? 0.25 * LASHI_RUB_HELD : p->grip[c].rest[l];
#endif
    (void)p, (void)k, (void)l;
    return noise;
}
/* What is kept of it: inside its border, and by more than such errors, or none. */
LASHI_INLINE double inside_of(const point *restrict p, int k, int l) {
    return p->beyond[k][l] < -noise_of(p, k, l) ? p->beyond[k][l] : 0;
}
#endif
#if GRIPS
LASHI_INLINE void keep_onward(members *restrict m, const point *restrict p, int l) {
    UNROLL for (int c = 0; c < GRIPS; c++) m->onward[c][l] = p->grip[c].way[l] * p->grip[c].rate[l];
}
/* Whether what has been at rest begins to slide the way it should, and comes back within a step of length h: that is seen in a
 * shorter one. */
LASHI_INLINE int comes_back(const members *restrict m, const point *restrict p, int k, int l, double h) {
    static const double SEEN = 0.1; /* of a step: a speed that lasts so long shows in its stages */
    int back = 0;
    UNROLL for (int c = 0; c < GRIPS; c++) back |=
        k == SLIPS + c && SEEN * h * m->onward[c][l] > p->grip[c].rest[l];
    return back;
}
#endif

/* For lanes that have just begun: keeps what was found at the present point. */
LASHI_INLINE void settle(members *restrict m, const point *restrict p REST_ARGUMENT) {
    SIMD LANES {
        const int begins = m->fresh[l] && REST(COLUMN_TAKEN, l) == 0;
        REST(COLUMN_KINETIC, l) = begins ? p->kinetic[l] : REST(COLUMN_KINETIC, l);
        REST(COLUMN_POTENTIAL, l) = begins ? p->potential[l] : REST(COLUMN_POTENTIAL, l);
        REST(COLUMN_ELASTIC, l) = begins ? p->elastic[l] : REST(COLUMN_ELASTIC, l);
        m->lost[l] = m->fresh[l] ? p->lost[l] : m->lost[l];
        m->input[l] = m->fresh[l] ? p->input[l] : m->input[l];
        UNROLL for (int i = 0; i < D; i++) m->a[i][l] = m->fresh[l] ? p->a[i][l] : m->a[i][l];
        UNROLL for (int c = 0; c < C; c++) {
            // A contact that has just begun or ended must be on its own side of the border.
            const int touching = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0;
            const double delta = p->delta[c][l], small = 1e-18;
            const double side =
                touching ? (delta > small ? delta : small) : (delta < -small ? delta : -small);
            m->delta[c][l] = m->fresh[l] ? side : m->delta[c][l];
            m->rate[c][l] = m->fresh[l] ? p->rate[c][l] : m->rate[c][l];
            m->speed[c][l] = m->fresh[l] ? p->speed[c][l] : m->speed[c][l];
        }
        UNROLL for (int c = 0; c < SLIDES; c++) m->sliding[c][l] =
            m->fresh[l] ? p->sliding[c][l] : m->sliding[c][l];
        UNROLL for (int v = 0; v < V; v++) m->value[v][l] = m->fresh[l] ? p->value[v][l] : m->value[v][l];
        UNROLL for (int k = 0; k < TABLES; k++) m->table[k][l] =
            m->fresh[l] ? p->table[k][l] : m->table[k][l];
#if BORDERS
        UNROLL for (int k = 0; k < BORDERS; k++) {
            const double inside = inside_of(p, k, l);
            m->beyond[k][l] = m->fresh[l] ? inside : m->beyond[k][l];
        }
#endif
#if SWITCHES
        m->flipped[l] = m->fresh[l] && !is_shadow(m, l) ? 0 : m->flipped[l];
        m->fits[l] = 0;
#endif
#if SHADOW
        // Where the member has passed to other accelerations, its shadow did so later: w += (a before - a after) late.
        const double late = m->fresh[l] && !m->pass[l] ? m->late[l] : 0;
        UNROLL for (int i = 0; i < D; i++) m->column[COLUMN_SHADOW + P + i][l] +=
            late != 0 ? late * (m->kicked[i][l] - p->a[i][l]) : 0;
        UNROLL for (int c = 0; c < C; c++)
            UNROLL for (int i = bristles_from[c]; i < bristles_from[c + 1]; i++) {
            const double none = m->column[COLUMN_Y + i][l], w = m->column[COLUMN_SHADOW + i][l];
            const int ends = late != 0 && m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] == 0;
            m->column[COLUMN_SHADOW + i][l] = ends ? none : w;
        }
        m->late[l] = m->pass[l] ? m->late[l] : 0;
#endif
#if GRIPS
        if (m->fresh[l])
            keep_onward(m, p, l);
#endif
        m->fresh[l] = 0;
    }
}

/* Whether a contact that is always a constraint does not pull, in the step that has been taken, where that is asked. */
LASHI_INLINE int presses(const members *restrict m, int c, int l) {
    int presses = 1;
#if SWITCHES
    presses = pressing[1 + c] < 0 || m->column[COLUMN_MODE(pressing[1 + c])][l] >= 0;
#endif
    (void)m, (void)c, (void)l;
    return presses;
}

/* Begins with lane l, whose columns are filled. */
LASHI_INLINE void begin_lane(members *restrict m, int l) {
    m->locating[l] = m->which[l] = m->seek[l] = 0;
    m->passed_top[l] = m->passed_bottom[l] = 0;
    m->grow[l] = 6;
    m->whole[l] = 0;
    m->fresh[l] = 1;
#if BORDERS
    m->stuck[l] = 0;
#endif
#if SWITCHES
    m->flipped[l] = 0;
    m->fits[l] = 0;
#endif
#if CHANGING
    m->arrive[l] = m->leave[l] = m->beside[l] = m->turn[l] = 0;
#if GRIPS
    m->sorts[l] = 0;
#endif
#endif
#if SAMPLES
    m->sample[l] = 0;
#endif
#if WEIGH
    m->weigh[l] = 0;
    m->pushed[l] = 0;
#endif
#if SHADOW
    m->kick[l] = m->pass[l] = m->ends[l] = 0;
    m->flip[l] = m->weighs[l] = 0;
    m->begun[l] = 0;
    m->late[l] = 0;
#if SWITCHES
    m->turned[l] = 0;
#endif
#endif
}

/* Where the next step of lane l ends at the latest, and what must be done there. Only this function decides
 * that: the same sum computed in two places may differ in its last bit. */
enum { AT_CUT = 1, AT_INTERVAL = 2, AT_STOP = 4 };
LASHI_INLINE double next_stop(int *what, const members *restrict m, stop_list stops, int l REST_ARGUMENT) {
    const double t = m->column[COLUMN_T][l], begin = REST(COLUMN_BEGIN, l), until = REST(COLUMN_UNTIL, l);
    double stop = REST(COLUMN_END, l);
    *what = 0;
    stop = t < begin && begin < stop ? begin : stop;
    stop = t < until && until < stop ? until : stop;
#if CUTS
    const double next = REST(COLUMN_CUT_NEXT, l),
                 plain = REST(COLUMN_CUT, l) + next * REST(COLUMN_CUT_PERIOD, l),
                 cut = plain < until ? plain : until;
    if (next < REST(COLUMN_CUT_COUNT, l) && cut <= stop) {
        stop = cut;
        *what = AT_CUT;
    }
#endif
#if SHADOW
    const double end = until + (REST(COLUMN_INTERVAL_NEXT, l) + 1) * REST(COLUMN_INTERVAL, l);
    if (t >= until) { // the last one ends at the end
        stop = end < stop ? end : stop;
        *what = AT_INTERVAL;
    }
#endif
#if STOPS
    const double piece = stops.at[(long)REST(COLUMN_STOP, l)];
    *what = piece < stop ? AT_STOP : piece == stop ? *what | AT_STOP : *what;
    stop = piece < stop ? piece : stop;
#endif
    return stop;
}

#if WEIGH
/* Adds the time of a contact that has lasted from CONTACT_SINCE to t. */
LASHI_INLINE double stretch(members *restrict m, int c, int l, double t, double sign,
                            double law REST_ARGUMENT) {
    const double lasted = t - m->column[COLUMN_CONTACT(c, CONTACT_SINCE)][l];
    const int is_impact = law <= m->column[COLUMN_CONTACT(c, CONTACT_MASS)][l];
    REST(COLUMN_SUM(c, is_impact ? SUM_IMPACT : SUM_FOLLOWING), l) += sign * lasted;
    return is_impact;
}
#endif

#if SHADOW
/* Exchanges the shadow with the first member. */
LASHI_INLINE void swap(members *restrict m, int l) {
    UNROLL for (int i = 0; i < R; i++) {
        const double y = m->column[COLUMN_Y + i][l];
        m->column[COLUMN_Y + i][l] = m->column[COLUMN_SHADOW + i][l];
        m->column[COLUMN_SHADOW + i][l] = y;
    }
    UNROLL for (int c = 0; c < C; c++) UNROLL for (int k = 0; k < REMEMBERED; k++) {
        const double x = m->column[COLUMN_CONTACT(c, remembered(k))][l];
        m->column[COLUMN_CONTACT(c, remembered(k))][l] =
            m->column[COLUMN_CONTACT(c, shadow_remembered(k))][l];
        m->column[COLUMN_CONTACT(c, shadow_remembered(k))][l] = x;
    }
#if WEIGH
    const unsigned long long weighs = m->weigh[l];
    m->weigh[l] = m->weighs[l];
    m->weighs[l] = weighs;
#endif
}

#define LOST 1e-4
/* Multiplies the growth of a block by x > 0. */
LASHI_INLINE void multiply_growth(double *growth, double *power, double x) {
    double product = (*growth > 0 ? *growth : 1) * x;
    unsigned long bits;
    __builtin_memcpy(&bits, &product, sizeof bits);
    *power += (double)(long)(bits >> 52 & 0x7ff) - 1023;
    bits = (bits & 0xffffffffffffful) | 1023ul << 52;
    __builtin_memcpy(growth, &bits, sizeof bits);
}
#endif

/* The bristles of a contact that begins or ends are straight. */
LASHI_INLINE void loosen(members *restrict m, int c, int l) {
    UNROLL for (int i = 0; i < R; i++) m->column[COLUMN_Y + i][l] =
        i >= bristles_from[c] && i < bristles_from[c + 1] ? 0.0 : m->column[COLUMN_Y + i][l];
}

/* Takes note of how far and how fast members are (sim/tolerance.c). */
LASHI_INLINE void note_motion(members *restrict m, numbers n REST_ARGUMENT) {
    SIMD LANES {
        double share[R], least[R], way = REST(COLUMN_WAY, l), pace = REST(COLUMN_PACE, l);
        const double rounding = motions_of(share, least, (numbers){n.at + l, n.stride});
        UNROLL for (int i = 0; i < R; i++) {
            const double y = m->column[COLUMN_Y + i][l],
                         far = share[i] * __builtin_fabs(y - REST(COLUMN_ORIGIN(i), l)),
                         fast = share[i] * __builtin_fabs(y);
            way = kind_of[i] == IS_POSITION && far > way ? far : way;
            pace = kind_of[i] == IS_VELOCITY && fast > pace ? fast : pace;
        }
#if SHADOW // the shadow takes the steps of its member
        way = m->pass[l] ? REST(COLUMN_WAY, l) : way;
        pace = m->pass[l] ? REST(COLUMN_PACE, l) : pace;
#endif
        REST(COLUMN_WAY, l) = way < 1 ? way : 1;
        REST(COLUMN_PACE, l) = pace < 1 ? pace : 1;
        m->pace[l] = pace < AT_REST ? AT_REST : REST(COLUMN_PACE, l);
        m->rest[l] = pace < rounding ? rounding : REST(COLUMN_PACE, l);
    }
}
/* Error scales at that. */
LASHI_INLINE void hold_errors(double held[R][W], const members *restrict m, numbers n REST_ARGUMENT) {
    SIMD LANES {
        double share[R], least[R];
        (void)motions_of(share, least, (numbers){n.at + l, n.stride});
        UNROLL for (int i = 0; i < R; i++) {
            const double scale =
                held[i][l] * (kind_of[i] == IS_POSITION ? REST(COLUMN_WAY, l) : REST(COLUMN_PACE, l));
            held[i][l] = kind_of[i] == IS_OTHER || held[i][l] == UNHELD ? held[i][l]
                         : scale > least[i]                             ? scale
                                                                        : least[i];
        }
    }
}

#if SHADOW
/* The next step, where a shadow takes it too. A force K δ^n has no second derivative at δ = 0: w follows its slope, whose
 * errors there are larger than those of the motion, which choose the step. Steps go with δ itself, down to some
 * share of the depth of a typical impact. */
LASHI_INLINE double graded(double next, const members *restrict m, numbers n, int l) {
    static const double GRADE = 0.5, SHALLOW = 1e-4;
    double typical[C + 1];
    depths_of(typical, n);
    UNROLL for (int c = 0; c < C; c++) {
        const double least = SHALLOW * typical[c], delta = m->delta[c][l] > least ? m->delta[c][l] : least,
                     most = GRADE * delta / (__builtin_fabs(m->rate[c][l]) + 1e-300);
        const int touching = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0;
        next = touching && most > 0 && next > most ? most : next;
    }
    return next;
}
#endif

/* Whether x is finite; by its bits, whatever a compiler assumes. */
LASHI_INLINE int is_finite(double x) {
    unsigned long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* Roots by square roots alone. */
LASHI_INLINE double fourth_root(double x) {
    return __builtin_sqrt(__builtin_sqrt(x));
}

/* What an attempt of length h has found for one contact: the time of the border or of a maximum, as a share
 * of h; 0: nothing. */
LASHI_INLINE double crossing(int *crosses, double g0, double r0, double g1, double r1, double h) {
    const double rise = 2 * (g0 - g1) + h * (r0 + r1), bend = 3 * (g1 - g0) - h * (2 * r0 + r1),
                 slope = h * r0;
    *crosses = g1 > 0;
    if (g1 > 0) { // the root of the cubic
        double x = g0 < 0 ? g0 / (g0 - g1) : 0.5;
        UNROLL for (int pass = 0; pass < 6; pass++) {
            const double p = g0 + x * (slope + x * (bend + x * rise)),
                         d = slope + x * (2 * bend + 3 * x * rise);
            const double next = x - p / d;
            x = next > 0.001 && next < 1 ? next : 0.5 * (x + (p > 0 ? 0.0 : 1.0));
        }
        return x;
    }
    const double square = bend * bend - 3 * rise * slope, root = __builtin_sqrt(square > 0 ? square : 0);
    const double x = bend <= 0 ? slope / (root - bend + 1e-300) : -(bend + root) / (3 * rise);
    const double top = g0 + x * (slope + x * (bend + x * rise)), end = g0 > g1 ? g0 : g1;
    return square > 0 && x > 1e-3 && x < 1 - 1e-3 && top + (top - end) > 0 ? x : 0;
}

#if BORDERS
/* The share of the way of a number in a step to which its change is located, and changes without a step after which
 * a member is given up. */
#define SWITCH_PLACE 1e-9
#define AT_ONCE      1e-9 /* of a step */
enum { MOST_STUCK = 16 };
#endif

#if SWITCHES
/* The piece of d beyond that of a switch. */
LASHI_INLINE void flip(members *restrict m, int k, int l, double d) {
    double *mode = &m->column[COLUMN_MODE(k)][l];
    const lashi_bounds piece = lashi_switch_range(switch_code[1 + k], *mode);
    *mode = lashi_switch_after(switch_code[1 + k], *mode, d - piece.high > piece.low - d);
    m->flipped[l] |= 1ull << k;
}

#endif

#if BORDERS
/* A border is to be located, which is passed in the step from here. */
LASHI_INLINE void leave_piece(members *restrict m, int k, int l, double beyond, double h) {
    m->which[l] = C + k;
    m->lo[l] = 0;
    m->hi[l] = h;
    m->beyond_lo[l] = m->beyond[k][l];
    m->beyond_hi[l] = beyond;
    m->way[l] = beyond - m->beyond[k][l];
}

/* The next length of the step to it, by the secant of the bracket. An end that has stayed counts for half from
 * the second time on (Illinois). */
LASHI_INLINE double secant(members *restrict m, int l, double g, double h) {
    const int above = g > 0;
    double *mine = above ? &m->beyond_hi[l] : &m->beyond_lo[l],
           *other = above ? &m->beyond_lo[l] : &m->beyond_hi[l];
    *other *= m->locating[l] > 1 && (above ? h < m->hi[l] : h > m->lo[l]) ? 0.5 : 1.0;
    *mine = g;
    const double lo = above ? m->lo[l] : h, hi = above ? h : m->hi[l];
    return lo + (hi - lo) * m->beyond_lo[l] / (m->beyond_lo[l] - m->beyond_hi[l]);
}
#endif

#if KINKS
/* The first share of a step at which a touching contact, or an ideal joint, slides at a speed where the slope of its friction
 * jumps; 1: there is none, or it is so close to an end of the step that it does no harm. */
LASHI_INLINE double first_kink(const members *restrict m, const point *restrict p, int l, double h,
                               numbers n) {
    double speeds[2 * SLIDES], first = 1;
    const double least = kinks_of(speeds, (numbers){n.at + l, n.stride}) / h; // by errors of positions alone
    UNROLL for (int k = 0; k < 4 * SLIDES; k++) {
        const int c = k / 4, touching = c >= C || m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0;
        const double speed = k % 2 ? -speeds[k / 2] : speeds[k / 2], a = m->sliding[c][l] - speed,
                     b = p->sliding[c][l] - speed, share = a / (a - b);
        const int passed = touching & (a * b < 0) & (share > 0.01) & (share < 0.99) &
                           ((__builtin_fabs(a) > least) | (__builtin_fabs(b) > least));
        first = passed && share < first ? share : first;
    }
    return first;
}
#endif

#if TABLES
/* Up to which share of a step nothing of a table was passed unseen; and *ahead: as many steps of this kind show what comes. */
LASHI_INLINE double along_tables(double *ahead, const members *restrict m, const point *restrict p, int l,
                                 numbers n, stop_list stops) {
    static const double LITTLE = 0.25, MUCH = 2; // of what is seen past an end: that much more is still seen
    const void *const *shared = (const void *const *)stops.at;
    double moved[TABLES], from[TABLES], to[TABLES], room[TABLES], past[TABLES], along = 1;
    int up[TABLES];
    UNROLL for (int k = 0; k < TABLES; k++) {
        from[k] = m->table[k][l];
        to[k] = p->table[k][l];
        up[k] = to[k] > from[k];
        moved[k] = __builtin_fabs(to[k] - from[k]) + 1e-300;
    }
    ways_of(room, past, from, up, n, shared);
    UNROLL for (int k = 0; k < TABLES; k++) {
        const double sure = room[k] > past[k] ? room[k] : past[k], share = sure / moved[k];
        const int missed = (moved[k] > room[k] + LITTLE * past[k]) & (moved[k] > MUCH * past[k]);
        along = missed & (share < along) ? share : along;
    }
    ways_of(room, past, to, up, n, shared);
    UNROLL for (int k = 0; k < TABLES; k++) {
        const double share = (room[k] > past[k] ? room[k] : past[k]) / moved[k];
        *ahead = share < *ahead ? share : *ahead;
    }
    return along;
}
#endif

/* The extremum of a value near the end of a step, where no stage sees it: the stages LATE, LATE + 1 and LATE + 2 lie at
 * 3/5, at 6/7 and at the end. By the parabola through the first two and the new point,
 *   x(s) = end + slope (s - 1) + bend (s - 1)².
 * Stages are in doubt by what the third differs from the new point. An extremum within that doubt counts where it would
 * matter: by more than `matters`, the tolerance of the range. If it may be on either side of the end, the step ends
 * before it: the next one begins with the slope itself, and its stages show it.
 * Where it is, as a share of the step, and its value; 1 and the end's: none. */
enum { LATE = 9 };
LASHI_INLINE double late_extremum(double *value, double first, double second, double end, double doubt,
                                  double matters) {
    const double a = (end - first) * 2.5, b = (end - second) * 7, // slopes of chords
        bend = (b - a) * 35.0 / 9, slope = b + bend / 7, back = 0.5 * slope / bend,
                 beyond = 0.5 * slope * back, size = __builtin_fabs(beyond);
    const int inside = (back > 0) & (back < 1.0 / 7) & ((size > doubt) | (size > matters)),
              open = !inside & (back > -1.0 / 7) & (back < 1.0 / 7) & (size <= doubt) & (doubt > matters);
    *value = inside ? end - beyond : open ? end + (bend < 0 ? doubt : -doubt) : end;
    return inside ? 1 - back : open ? 6.0 / 7 : 1;
}

/* The same near the beginning, by the parabola through the first point and the stages EARLY and EARLY_TOO, at 0.118 and 1/4:
 * the stages before them know little but the rates at the first point. 0: none. */
enum { EARLY = 3, EARLY_TOO = 6 };
LASHI_INLINE double early_extremum(double *value, double start, double first, double second, double matters) {
    const double a = (first - start) / table_c[EARLY], b = (second - start) / table_c[EARLY_TOO],
                 bend = (b - a) / (table_c[EARLY_TOO] - table_c[EARLY]), slope = a - bend * table_c[EARLY],
                 at = -0.5 * slope / bend;
    const int inside = (at > 0) & (at < table_c[EARLY]) & (__builtin_fabs(0.5 * slope * at) > matters);
    *value = inside ? start + 0.5 * slope * at : start;
    return inside ? at : 0;
}

/* The same between these: by the polynomial through the first point, EARLY_TOO, the stages LATE and LATE + 1 and the new
 * point, from the top of the parabola through the three in the middle. The other stages there lie close together, and an
 * extremum that is little beyond all before, as in a motion that repeats, may be between them. 0: none. */
LASHI_INLINE double middle_extremum(double *value, double start, double early, double first, double second,
                                    double end) {
    static const double x0 = 0, x1 = 0.25, x2 = 0.6, x3 = 6.0 / 7, x4 = 1;
    const double f12 = (first - early) / (x2 - x1), f23 = (second - first) / (x3 - x2),
                 f123 = (f23 - f12) / (x3 - x1), f01 = (early - start) / (x1 - x0),
                 f012 = (f12 - f01) / (x2 - x0), f0123 = (f123 - f012) / (x3 - x0),
                 f34 = (end - second) / (x4 - x3), f234 = (f34 - f23) / (x4 - x2),
                 f1234 = (f234 - f123) / (x4 - x1), f01234 = (f1234 - f0123) / (x4 - x0);
    // From x = 0.6, where it is f + a u + b u² + c u³ + d u⁴: what is known from each pair of neighbours, and so on.
    double u = 0.5 * (x1 - x2) - 0.5 * f12 / (f123 + 1e-300), w = first;
    UNROLL for (int i = 0; i < 3; i++) {
        const double p1 = u + x2 - x1, p3 = u + x2 - x3, p0 = u + x2;
        // u, u p1, u p1 p3, u p1 p3 p0 and their derivatives
        const double a = u * p1, da = p1 + u, b = a * p3, db = da * p3 + a, c = b * p0, dc = db * p0 + b,
                     ddb = 2 * p3 + 2 * da, ddc = ddb * p0 + 2 * db;
        const double slope = f12 + f123 * da + f0123 * db + f01234 * dc,
                     bend = 2 * f123 + f0123 * ddb + f01234 * ddc;
        w = first + f12 * u + f123 * a + f0123 * b + f01234 * c;
        u -= i < 2 ? slope / (bend + 1e-300) : 0;
    }
    const double at = u + x2;
    const int inside = (at > table_c[EARLY]) & (at < x3) & (w - w == 0);
    *value = inside ? w : start;
    return inside ? at : 0;
}

/* The step to the extremum of a value, by parabolas through the ends of attempts; the one of length h has
 * ended with `value`, and went through `best` at best_at. It is accepted at the best place, when nothing more is gained
 * and none of its own stages is beyond it, and where a stage was misleading: the stages of a shorter step are better. */
enum { MOST_TRIES = 12 };
LASHI_INLINE double seek_top(int *accept, members *restrict m, int l, double value, double h, double best,
                             double best_at, double enough REST_ARGUMENT) {
    const int first = REST(COLUMN_BEST_AT, l) == 0, open = REST(COLUMN_TRIES, l) < MOST_TRIES;
    const int inside = (best_at < h) & (best > value + enough);
    const int is_top = (value > REST(COLUMN_LEFT, l)) & (value > REST(COLUMN_RIGHT, l));
    if (!open || (first && !is_top && !inside))
        return h;
    *accept = 0;
    REST(COLUMN_TRIES, l)++;
    if (first && !is_top) { // it is before that place
        REST(COLUMN_TO, l) = h;
        REST(COLUMN_RIGHT, l) = value;
        return best_at;
    }
    const int better = first || value > REST(COLUMN_BEST, l), later = h > REST(COLUMN_BEST_AT, l);
    if (better != later || first) { // the interval ends there, or at the best place so far
        REST(COLUMN_TO, l) = first ? REST(COLUMN_TO, l) : better ? REST(COLUMN_BEST_AT, l) : h;
        REST(COLUMN_RIGHT, l) = first ? REST(COLUMN_RIGHT, l) : better ? REST(COLUMN_BEST, l) : value;
    } else {
        REST(COLUMN_FROM, l) = better ? REST(COLUMN_BEST_AT, l) : h;
        REST(COLUMN_LEFT, l) = better ? REST(COLUMN_BEST, l) : value;
    }
    REST(COLUMN_BEST_AT, l) = better ? h : REST(COLUMN_BEST_AT, l);
    REST(COLUMN_BEST, l) = better ? value : REST(COLUMN_BEST, l);
    const double before = REST(COLUMN_BEST_AT, l) - REST(COLUMN_FROM, l),
                 after = REST(COLUMN_TO, l) - REST(COLUMN_BEST_AT, l),
                 fall = (REST(COLUMN_BEST, l) - REST(COLUMN_LEFT, l)) / before,
                 drop = (REST(COLUMN_BEST, l) - REST(COLUMN_RIGHT, l)) / after,
                 bend = (fall + drop) / (before + after),
                 slope = (fall * after - drop * before) / (before + after),
                 move = 0.5 * slope / (bend + 1e-300), gain = 0.5 * slope * move;
    if (better && inside && REST(COLUMN_TRIES, l) < MOST_TRIES)
        return best_at;
    if (!(gain > enough) || REST(COLUMN_TRIES, l) == MOST_TRIES) {
        *accept = better;
        REST(COLUMN_TRIES, l) = MOST_TRIES;
        return REST(COLUMN_BEST_AT, l);
    }
    return REST(COLUMN_BEST_AT, l) + move;
}

/* Of a value so far, with one more. */
LASHI_INLINE double range_of(const members *restrict m, int v, int l, double x REST_ARGUMENT) {
    const double most = REST(COLUMN_VALUE(v, VALUE_MOST), l), least = REST(COLUMN_VALUE(v, VALUE_LEAST), l),
                 now = m->value[v][l];
    double high = now > x ? now : x, deep = now > x ? x : now;
    high = most > high ? most : high;
    deep = least < deep ? least : deep;
    return high - deep;
}

/* The account of lanes whose step from t is accepted; powers: sums over its stages. */
LASHI_INLINE void keep_account(members *restrict m, const point *restrict p, const int accepted[W],
                               const double t[W], const double h[W], const double lost[W],
                               const double input[W] REST_ARGUMENT) {
    SIMD LANES {
        const int counts = accepted[l] && t[l] < REST(COLUMN_UNTIL, l);
        if (W > 1 || counts) { // side by side there are no branches
            const double whole = counts ? 1.0 : 0.0,
                         out = REST(COLUMN_LOST, l) + whole * h[l] * (lost[l] + table_a[12][0] * m->lost[l]),
                         in =
                             REST(COLUMN_INPUT, l) + whole * h[l] * (input[l] + table_a[12][0] * m->input[l]),
                         kinetic = p->kinetic[l] - REST(COLUMN_KINETIC, l),
                         potential = p->potential[l] - REST(COLUMN_POTENTIAL, l),
                         elastic = p->elastic[l] - REST(COLUMN_ELASTIC, l),
                         error = __builtin_fabs(kinetic + potential + elastic + out - in);
            double most = __builtin_fabs(kinetic);
            most = __builtin_fabs(potential) > most ? __builtin_fabs(potential) : most;
            most = __builtin_fabs(elastic) > most ? __builtin_fabs(elastic) : most;
            most = out > most ? out : most;
            most = __builtin_fabs(in) > most ? __builtin_fabs(in) : most;
            double *exchanged = &REST(COLUMN_EXCHANGED, l), *balance = &REST(COLUMN_BALANCE, l),
                   *apart = &REST(COLUMN_APART, l);
            *exchanged = counts && most > *exchanged ? most : *exchanged;
            *balance = counts && error > *balance ? error : *balance;
            *apart = counts && p->apart[l] > *apart ? p->apart[l] : *apart;
            REST(COLUMN_LOST, l) = out;
            REST(COLUMN_INPUT, l) = in;
            REST(COLUMN_TAKEN, l) += whole;
        }
        m->lost[l] = accepted[l] ? p->lost[l] : m->lost[l];
        m->input[l] = accepted[l] ? p->input[l] : m->input[l];
    }
}

/* ---- changes of mode (sim/modes.c) ---- */

enum { CHANGES = -2 }; /* the stage of an attempt in which they are */

#if CHANGING

/* A change of modes takes several looks at the same point. In their order:
 *   ARRIVAL   positions onto the walls of all that follow or arrive, for what the others have drifted would push
 *             those that arrive into theirs
 *   PLACES    positions onto the constraints that hold, …
 *   SPEEDS    … and velocities
 *   RESPONSES what a unit impulse in one contact after the other does to all gaps: W of dynamics/impact.c, with the
 *             rows of all that join off
 *   IMPACT    the impulses
 *   CLOSED    N of the contacts that rest against their walls …
 *   OPEN      … and of each open one as if it were closed as well
 *   SORT      which of those that follow are at rest along their walls, …
 *   STOP      … whose speeds become zero, by the smallest change of velocities, …
 *   DECIDE    … and which of these are held by friction */
enum {
    CHANGE_NONE,
    CHANGE_ARRIVAL,
    CHANGE_PLACES,
    CHANGE_SPEEDS,
    CHANGE_RESPONSES,
    CHANGE_IMPACT,
    CHANGE_CLOSED,
    CHANGE_OPEN,
    CHANGE_SORT,
    CHANGE_STOP,
    CHANGE_DECIDE
};
/* A contact that an impact has thrown off its wall flies from so many of its tolerances on (sim/contact_events.c). */
#define OFF_THE_WALL 0.01

typedef struct change {
    int phase[W], passes[W], at[W]; /* at: the contact that is asked for, from 0 */
    unsigned long long was[W];      /* bits of the contacts that followed before, … */
    unsigned long long joins[W];    /* … that take part, … */
    unsigned long long rests[W];    /* … that rest against their walls, … */
    unsigned long long flies[W];    /* … and that are thrown off them */
    int meets[W];                   /* an impact is to come */
    double before[W], scale[W];     /* |Φ| in the pass before; the largest N */
    double blow[DIRECTIONS][W], leave[C][W], lost[C][W], pressure[C][W];
    double response[DIRECTIONS * DIRECTIONS][W], approach[DIRECTIONS][W];
#if GRIPS
    unsigned long long still[W], starts[W]; /* bits of those at rest that are held, and that begin to slide */
    unsigned long long with[W];             /* bits of those that followed when this was decided */
    int balances[W], rounds[W];
    double most[W]; /* use of friction, before */
#endif
} change;

/* What the next look is asked for. */
LASHI_INLINE void ask(asked *restrict asked, const change *restrict x) {
    LANES {
        const int phase = x->phase[l];
        asked->aim[l] = phase == CHANGE_ARRIVAL || phase == CHANGE_PLACES     ? AIM_PLACES
                        : phase == CHANGE_SPEEDS || phase == CHANGE_STOP      ? AIM_SPEEDS
                        : phase == CHANGE_RESPONSES || phase == CHANGE_IMPACT ? AIM_IMPULSES
                                                                              : AIM_MOTION;
        UNROLL for (int d = 0; d < DIRECTIONS; d++) asked->blow[d][l] =
            phase == CHANGE_IMPACT                       ? -x->blow[d][l]
            : phase == CHANGE_RESPONSES && x->at[l] == d ? 1.0
                                                         : 0.0;
    }
}

/* Bits of the contacts with three modes that follow. */
LASHI_INLINE unsigned long long following(const members *restrict m, int l) {
    unsigned long long bits = 0;
    UNROLL for (int c = 0; c < C; c++) if (MODES >> c & 1) bits |=
        (unsigned long long)(m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0) << c;
    return bits;
}
/* Bits of what may stick: contacts that touch, and places of ideal joints. */
LASHI_INLINE unsigned long long gripping(const members *restrict m, int l) {
    unsigned long long bits = ~0ull << C;
    UNROLL for (int c = 0; c < C; c++) bits |=
        (unsigned long long)(m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0) << c;
    return bits & STICKS;
}
LASHI_INLINE void set_following(members *restrict m, int l, unsigned long long bits, double touching) {
    UNROLL for (int c = 0; c < C; c++) {
        double *mine = &m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l];
        *mine = bits >> c & 1 ? touching : *mine;
    }
}

/* Which contacts are at their event, at the point that has been located. */
LASHI_INLINE void meet(members *restrict m, const point *restrict p, int l, numbers n) {
    mode_numbers of[C];
    double enough;
    modes_of(of, &enough, (numbers){n.at + l, n.stride});
    UNROLL for (int c = 0; c < GRIPS; c++) m->turn[l] |= m->which[l] == C + SLIPS + c ? 1ull << c : 0;
    UNROLL for (int c = 0; c < C; c++) {
        if (!(MODES >> c & 1))
            continue;
        const int touching = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0;
        const unsigned long long bit = 1ull << c;
        const double delta = p->delta[c][l], tolerance = of[c].tolerance;
        if (touching) {
            m->leave[l] |= m->which[l] == C + SWITCHES + c ? bit : 0;
        } else if (c == m->which[l] || (delta >= -tolerance && p->rate[c][l] > 0)) {
            m->arrive[l] |= bit;
        } else if (delta >= -tolerance &&
                   delta <= tolerance) { // it may be thrown back by the impact of another
            m->beside[l] |= bit;
        }
    }
}

LASHI_INLINE void begin_passes(change *restrict x, int l, int phase) {
    x->phase[l] = phase;
    x->passes[l] = 0;
    x->before[l] = 1e300;
}

/* The lowest bit from `at` on; `none` where there is none below that. */
LASHI_INLINE int next_of(unsigned long long bits, int at, int none) {
    int next = none;
    UNROLL for (int c = none - 1; c >= 0; c--) next = c >= at && (bits >> c & 1) ? c : next;
    return next;
}
/* Bits of the directions of the contacts that join. */
LASHI_INLINE unsigned long long directions_of(unsigned long long joins) {
    return joins | (AXES > 1 ? (joins & RUBS) << C : 0);
}

LASHI_INLINE void begin_responses(members *restrict m, change *restrict x, int l) {
    set_following(m, l, x->joins[l], 0);
    x->phase[l] = CHANGE_RESPONSES;
    x->at[l] = next_of(directions_of(x->joins[l]), 0, DIRECTIONS);
}

LASHI_INLINE void begin_change(members *restrict m, change *restrict x, int l) {
    x->was[l] = following(m, l);
    x->meets[l] = m->arrive[l] != 0;
    x->joins[l] = m->arrive[l] | m->leave[l] | x->was[l] | (x->meets[l] ? m->beside[l] : 0);
    x->rests[l] = x->flies[l] = 0;
    x->scale[l] = 0;
#if GRIPS
    x->with[l] = 0;
    x->rounds[l] = 0;
#endif
    if ((m->arrive[l] | m->leave[l]) == 0) {
        x->joins[l] = 0;
        x->phase[l] = CHANGE_SORT;
        return;
    }
    if (x->was[l] == 0) {
        begin_responses(m, x, l);
        return;
    }
    begin_passes(x, l, x->meets[l] ? CHANGE_ARRIVAL : CHANGE_PLACES);
    set_following(m, l, m->arrive[l], 1);
}

/* Modes have changed. */
LASHI_INLINE void end_change(members *restrict m, change *restrict x, int l, numbers n REST_ARGUMENT) {
    const unsigned long long now = following(m, l);
    const double t = m->column[COLUMN_T][l];
    const int counts = t >= REST(COLUMN_BEGIN, l) && t < REST(COLUMN_UNTIL, l);
    mode_numbers of[C];
    double enough;
    modes_of(of, &enough, (numbers){n.at + l, n.stride});
    UNROLL for (int c = 0; c < C; c++) {
        if (!(x->joins[l] >> c & 1))
            continue;
        const double usual = x->flies[l] >> c & 1 ? OFF_THE_WALL * of[c].tolerance : of[c].tolerance,
                     resolution = fmax(of[c].resolution * REST(COLUMN_WAY, l), of[c].rounding);
        REST(COLUMN_SUM(c, SUM_COUNT), l) += counts && (now & ~x->was[l]) >> c & 1;
        m->column[COLUMN_CONTACT(c, CONTACT_NEAR)][l] = now >> c & 1 ? 0 : fmax(usual, resolution);
    }
#if GRIPS
    const unsigned long long grips = gripping(m, l);
    UNROLL for (int c = 0; c < GRIPS; c++) if (!(grips >> c & 1)) m->column[COLUMN_GRIP(c, GRIP_WAY)][l] =
        m->column[COLUMN_GRIP(c, GRIP_SHARE)][l] = 1;
    m->sorts[l] = 0;
#endif
    x->phase[l] = CHANGE_NONE;
    m->arrive[l] = m->leave[l] = m->beside[l] = m->turn[l] = 0;
    m->fresh[l] = 1;
}

/* Those that follow are known. What is decided of their friction may change that again. */
enum { MOST_ROUNDS = 8 };
LASHI_INLINE void modes_settled(members *restrict m, change *restrict x, int l, numbers n REST_ARGUMENT) {
#if GRIPS
    const unsigned long long now = gripping(m, l);
    if (now && now != x->with[l] && x->rounds[l]++ < MOST_ROUNDS) {
        x->with[l] = now;
        x->phase[l] = CHANGE_SORT;
        return;
    }
#endif
    end_change(m, x, l, n REST_PASSED);
}

/* Which of the contacts at rest follow: from the N of all that are closed. */
LASHI_INLINE void begin_rest(members *restrict m, change *restrict x, int l, numbers n REST_ARGUMENT) {
    x->phase[l] = CHANGE_CLOSED;
    x->passes[l] = 0;
    if (x->rests[l] == 0)
        modes_settled(m, x, l, n REST_PASSED);
}

/* After the velocities have been put onto the constraints. */
LASHI_INLINE void go_on(members *restrict m, change *restrict x, int l, numbers n REST_ARGUMENT) {
    if (x->meets[l]) {
        begin_responses(m, x, l);
        return;
    }
    if (x->rests[l] == 0) { // no impact: those whose N has fallen through zero are let go
        set_following(m, l, m->leave[l], 0);
        x->rests[l] = x->was[l] & ~m->leave[l];
    }
    begin_rest(m, x, l, n REST_PASSED);
}

/* Impulses of the contacts that join, from the responses. */
LASHI_INLINE void find_impulses(members *restrict m, change *restrict x, int l, numbers n) {
    double mobility[LASHI_IMPACT_AXES * C * LASHI_IMPACT_AXES * C], room[(3 * LASHI_IMPACT_AXES + 5) * C];
    mode_numbers of[C];
    double enough;
    int count = 0;
    modes_of(of, &enough, (numbers){n.at + l, n.stride});
    UNROLL for (int c = 0; c < C; c++) count += x->joins[l] >> c & 1;
    const int directions = LASHI_IMPACT_AXES * count;
    lashi_impulses p = {.count = count,
                        .mobility = mobility,
                        .u = room,
                        .after = room + directions,
                        .impulse = room + 2 * directions,
                        .restitution = room + 3 * directions,
                        .mu = room + 3 * directions + count,
                        .rest = room + 3 * directions + 2 * count,
                        .held = room + 3 * directions + 3 * count,
                        .response = room + 3 * directions + 4 * count};
    for (int i = 0; i < directions * directions; i++)
        mobility[i] = 0;
    int i = 0;
    UNROLL for (int c = 0; c < C; c++) {
        if (!(x->joins[l] >> c & 1))
            continue;
        const int at = LASHI_IMPACT_AXES * i;
        const bool merges = (m->arrive[l] >> c & 1) && m->column[COLUMN_CONTACT(c, CONTACT_NEAR)][l] > 0;
        int j = 0;
        UNROLL for (int d = 0; d < C; d++) {
            if (!(x->joins[l] >> d & 1))
                continue;
            UNROLL for (int a = 0; a < AXES; a++) UNROLL for (int b = 0; b < AXES; b++)
                p.mobility[(at + a) * directions + LASHI_IMPACT_AXES * j + b] =
                (a == 0 || RUBS >> c & 1) && (b == 0 || RUBS >> d & 1)
                    ? x->response[DIRECTIONS * (a * C + c) + b * C + d][l]
                    : 0;
            j++;
        }
        p.mu[i] = of[c].mu;
        p.u[at] = x->approach[c][l];
        p.u[at + 1] = RUBS >> c & 1 ? x->approach[C * (AXES - 1) + c][l] : 0;
        p.rest[i] = of[c].rest_speed;
        p.response[i] = of[c].response;
        p.held[i] = merges;
        p.restitution[i] = lashi_impact_restitution(of[c].restitution, of[c].rest_speed, p.u[at], merges);
        i++;
    }
    lashi_impulses_solve(&p);
    m->column[COLUMN_STATUS][l] = lashi_impulses_locked(&p) >= 0 ? UNYIELDING : m->column[COLUMN_STATUS][l];
    i = 0;
    UNROLL for (int c = 0; c < C; c++) {
        const int joins = x->joins[l] >> c & 1, at = LASHI_IMPACT_AXES * i;
        UNROLL for (int axis = 0; axis < AXES; axis++) x->blow[axis * C + c][l] =
            joins ? p.impulse[at + axis] : 0;
        x->leave[c][l] = joins ? -p.after[at] : 0;
        x->lost[c][l] = joins ? lashi_impulse_lost(&p, at) + lashi_impulse_lost(&p, at + 1) : 0;
        i += joins;
    }
}

/* After the impact: what it has done, and which contacts rest. */
LASHI_INLINE void end_impact(members *restrict m, change *restrict x, const point *restrict p, int l,
                             numbers n REST_ARGUMENT) {
    const double t = m->column[COLUMN_T][l];
    const int counts = t >= REST(COLUMN_BEGIN, l) && t < REST(COLUMN_UNTIL, l);
    double fastest = 0, largest = 0, all = 0, enough;
    mode_numbers of[C];
    modes_of(of, &enough, (numbers){n.at + l, n.stride});
    UNROLL for (int c = 0; c < C; c++) {
        if (!(x->joins[l] >> c & 1))
            continue;
        fastest = fmax(fastest, fabs(x->approach[c][l]));
        largest = fmax(largest, x->blow[c][l]);
    }
    UNROLL for (int c = 0; c < C; c++) {
        if (!(x->joins[l] >> c & 1))
            continue;
        const unsigned long long bit = 1ull << c;
        const int rests = lashi_impact_rests(x->leave[c][l], fastest, of[c].rest_speed);
        x->rests[l] |= rests ? bit : 0;
        x->flies[l] |= x->leave[c][l] > 0 ? bit : 0;
        all += x->lost[c][l];
        REST(COLUMN_SUM(c, SUM_IMPACTS), l) += counts && lashi_impulse_counts(x->blow[c][l], largest);
#if LOSSES
        REST(COLUMN_VALUE(V - LOSSES + c, VALUE_SUM), l) += counts ? x->lost[c][l] : 0;
#endif
    }
    if (t < REST(COLUMN_UNTIL, l)) {
        REST(COLUMN_LOST, l) += all;
        REST(COLUMN_INPUT, l) += p->input[l];
    }
    set_following(m, l, x->rests[l], 1);
#if GRIPS
    UNROLL for (int c = 0; c < C; c++) if (x->rests[l] >> c & 1) // also of those that stuck before it
        m->column[COLUMN_GRIP(c, GRIP_WAY)][l] = LASHI_GRIP_BY_SPEED;
#endif
    x->meets[l] = 0;
    begin_passes(x, l, CHANGE_PLACES);
    if (x->rests[l] == 0)
        end_change(m, x, l, n REST_PASSED);
}

/* From the N of all that rest: the first one in the wrong mode changes, and all are looked at again. */
LASHI_INLINE void exchange(members *restrict m, change *restrict x, int l, numbers n REST_ARGUMENT) {
    const unsigned long long now = following(m, l);
    int wrong = C;
    UNROLL for (int c = 0; c < C; c++) if (x->rests[l] >> c & 1) x->scale[l] =
        fmax(x->scale[l], fabs(x->pressure[c][l]));
    UNROLL for (int c = C - 1; c >= 0;
                c--) if ((x->rests[l] >> c & 1) &&
                         lashi_rest_is_wrong(now >> c & 1, x->pressure[c][l], x->scale[l],
                                             x->passes[l] < LASHI_REST_EXCHANGES * C)) wrong = c;
    x->phase[l] = CHANGE_CLOSED;
    x->passes[l]++;
    if (wrong == C)
        modes_settled(m, x, l, n REST_PASSED);
    else
        set_following(m, l, 1ull << wrong, now >> wrong & 1 ? 0.0 : 1.0);
}

/* The first open contact at rest from `at` on is looked at next, as if it were closed. */
LASHI_INLINE void look_at_open(members *restrict m, change *restrict x, int l, int at,
                               numbers n REST_ARGUMENT) {
    x->at[l] = next_of(x->rests[l] & ~following(m, l), at, C);
    x->phase[l] = CHANGE_OPEN;
    if (x->at[l] == C)
        exchange(m, x, l, n REST_PASSED);
    else
        set_following(m, l, 1ull << x->at[l], 1);
}

/* Takes the step that has been found in positions (AIM_PLACES) or velocities. */
LASHI_INLINE void take_step(members *restrict m, const point *restrict p, int l, int places, numbers n) {
    double y[RATES] = {0}, step[RATES] = {0};
    UNROLL for (int i = 0; i < R; i++) y[place[i]] = m->column[COLUMN_Y + i][l];
    UNROLL for (int i = 0; i < D; i++) step[place[P + i]] = p->a[i][l];
    if (places)
        move_by(y, step, (numbers){n.at + l, n.stride});
    else
        speed_by(y, step);
    UNROLL for (int i = 0; i < R; i++) m->column[COLUMN_Y + i][l] = y[place[i]];
}

#if GRIPS
/* Which of those that follow are at rest along their walls, and how the others slide. */
LASHI_INLINE void sort_ways(members *restrict m, change *restrict x, const point *restrict p, int l) {
    const unsigned long long now = gripping(m, l);
    int stops = 0;
    x->still[l] = x->starts[l] = 0;
    UNROLL for (int c = 0; c < GRIPS; c++) {
        if (!(now >> c & 1))
            continue;
        double *way = &m->column[COLUMN_GRIP(c, GRIP_WAY)][l];
        const double speed = p->sliding[c][l];
        const int stuck = *way == LASHI_GRIP_STICKS,
                  rests = fabs(speed) <= p->grip[c].rest[l] || (!stuck && (m->turn[l] >> c & 1));
        stops |= rests && !stuck;
        x->still[l] |= rests ? 1ull << c : 0;
        *way = rests ? LASHI_GRIP_STICKS : speed < 0 ? -1.0 : 1.0;
        double *held = &m->column[COLUMN_GRIP(c, GRIP_HELD)][l];
        *held = stuck ? *held : p->grip[c].travel[l];
        m->column[COLUMN_GRIP(c, GRIP_SHARE)][l] = 1;
    }
    x->phase[l] = stops ? CHANGE_STOP : CHANGE_DECIDE;
    x->passes[l] = x->balances[l] = 0;
    x->most[l] = -1;
}

/* One that was at rest begins to slide, or one that was to slide stays. */
LASHI_INLINE void set_way(members *restrict m, change *restrict x, int c, int l, double way) {
    const unsigned long long bit = 1ull << c;
    m->column[COLUMN_GRIP(c, GRIP_WAY)][l] = way;
    x->still[l] = way == LASHI_GRIP_STICKS ? x->still[l] | bit : x->still[l] & ~bit;
    x->starts[l] = way == LASHI_GRIP_STICKS ? x->starts[l] & ~bit : x->starts[l] | bit;
}

/* What sticks and what begins to slide of what is at rest (sim/sticking.c). */
LASHI_INLINE void decide(members *restrict m, change *restrict x, const point *restrict p, int l,
                         numbers n REST_ARGUMENT) {
    double use[GRIPS], most = 0;
    int moved = 0;
    UNROLL for (int c = 0; c < GRIPS; c++) {
        const double force = fabs(p->grip[c].force[l]), limit = p->grip[c].limit[l];
        use[c] = !(x->still[l] >> c & 1) || !(force > 0) ? 0 : limit > 0 ? force / limit : 1e300;
        most = fmax(most, use[c]);
    }
    // Shares for which the largest use is least.
    if ((x->still[l] & (x->still[l] - 1)) && most > 0 && most < 1e300 &&
        fabs(most - x->most[l]) > LASHI_RUB_SAME_USE * most && x->balances[l]++ < LASHI_RUB_BALANCES) {
        x->most[l] = most;
        UNROLL for (int c = 0; c < GRIPS; c++) {
            double *share = &m->column[COLUMN_GRIP(c, GRIP_SHARE)][l];
            const double part = fmax(use[c], LASHI_RUB_LEAST_USE * most) / most;
            *share = x->still[l] >> c & 1 ? fmin(*share / part, LASHI_GRIP_LARGEST_SHARE) : *share;
        }
        return;
    }
    UNROLL for (int c = 0; c < GRIPS; c++) { // drives move them
        const double rate = p->grip[c].rate[l];
        if ((x->still[l] >> c & 1) && fabs(rate) > LASHI_RUB_NO_RATE * p->grip[c].scale[l]) {
            set_way(m, x, c, l, rate < 0 ? -1 : 1);
            moved = 1;
        }
    }
    const int slips = !moved && most > 1 - LASHI_RUB_HELD;
    UNROLL for (int c = 0; c < GRIPS;
                c++) if (slips && (x->still[l] >> c & 1) && !(use[c] < (1 - LASHI_RUB_ONE_OF) * most))
        set_way(m, x, c, l, p->grip[c].force[l] < 0 ? 1 : -1);
    const int looks = !moved && !slips;
    UNROLL for (int c = 0; c < GRIPS; c++) { // it would slide the other way
        const double onward = p->grip[c].way[l] * p->grip[c].rate[l];
        if (looks && (x->starts[l] >> c & 1) && onward < -LASHI_RUB_NO_RATE * p->grip[c].scale[l]) {
            set_way(m, x, c, l, LASHI_GRIP_STICKS);
            moved = 1;
        }
    }
    x->balances[l] = 0;
    x->most[l] = -1;
    if (!moved && !slips) {
        begin_rest(m, x, l, n REST_PASSED);
    } else if (++x->passes[l] > LASHI_RUB_CHANGES * GRIPS) {
        m->column[COLUMN_STATUS][l] = UNSETTLED;
        x->phase[l] = CHANGE_NONE;
    }
}
#endif

/* After a look. */
LASHI_INLINE void proceed(members *restrict m, change *restrict x, const point *restrict p, int l,
                          numbers n REST_ARGUMENT) {
    const int phase = x->phase[l];
    if (p->bad[l] || !is_finite(p->apart[l])) { // rows that repeat others, for instance
        m->column[COLUMN_STATUS][l] = UNYIELDING;
        x->phase[l] = CHANGE_NONE;
        return;
    }
    int steps = phase == CHANGE_SPEEDS || phase == CHANGE_IMPACT || phase == CHANGE_STOP, places = 0;
    if (phase == CHANGE_ARRIVAL || phase == CHANGE_PLACES) {
        mode_numbers of[C];
        double enough;
        modes_of(of, &enough, (numbers){n.at + l, n.stride});
        steps = places = !lashi_projection_ends(p->apart[l], x->before[l], enough, x->passes[l]);
        x->before[l] = p->apart[l];
        x->passes[l]++;
    }
    if (steps)
        take_step(m, p, l, places, n);
    if (phase == CHANGE_ARRIVAL && !places) {
        set_following(m, l, m->arrive[l], 0);
        begin_passes(x, l, CHANGE_PLACES);
    } else if (phase == CHANGE_PLACES && !places) {
        x->phase[l] = CHANGE_SPEEDS;
    } else if (phase == CHANGE_SPEEDS) {
        go_on(m, x, l, n REST_PASSED);
    } else if (phase == CHANGE_RESPONSES) {
        UNROLL for (int c = 0; c < C; c++) {
            x->approach[c][l] = p->rate[c][l];
            if (AXES > 1)
                x->approach[C * (AXES - 1) + c][l] = p->sliding[c][l];
        }
        UNROLL for (int c = 0; c < DIRECTIONS; c++) UNROLL for (int d = 0; d < DIRECTIONS; d++)
            x->response[DIRECTIONS * c + d][l] =
            c == x->at[l] ? p->yields[d][l] : x->response[DIRECTIONS * c + d][l];
        x->at[l] = next_of(directions_of(x->joins[l]), x->at[l] + 1, DIRECTIONS);
        if (x->at[l] == DIRECTIONS) {
            find_impulses(m, x, l, n);
            x->phase[l] = m->column[COLUMN_STATUS][l] == RUNNING ? CHANGE_IMPACT : CHANGE_NONE;
        }
    } else if (phase == CHANGE_IMPACT) {
        end_impact(m, x, p, l, n REST_PASSED);
    } else if (phase == CHANGE_CLOSED) {
        UNROLL for (int c = 0; c < C; c++) x->pressure[c][l] = p->force[c][l];
        look_at_open(m, x, l, 0, n REST_PASSED);
    } else if (phase == CHANGE_OPEN) {
        const int at = x->at[l];
        UNROLL for (int c = 0; c < C; c++) x->pressure[c][l] = c == at ? p->force[c][l] : x->pressure[c][l];
        set_following(m, l, 1ull << at, 0);
        look_at_open(m, x, l, at + 1, n REST_PASSED);
    }
#if GRIPS
    if (phase == CHANGE_SORT)
        sort_ways(m, x, p, l);
    else if (phase == CHANGE_STOP)
        x->phase[l] = CHANGE_DECIDE;
    else if (phase == CHANGE_DECIDE)
        decide(m, x, p, l, n REST_PASSED);
#endif
}
#endif

/* Sums over the stages before stage s, and those of the error. On a GPU stages are taken four at a time, so that a thread
 * waits once for the memory of four: what is not known yet has the coefficient 0, and must be finite. */
#ifdef __NVPTX__
#define STAGES_PASSED
enum { AT_A_TIME = 4, RATES_AT_A_TIME = 4 };
typedef const double __attribute__((address_space(3))) stage_memory;
typedef const double __attribute__((address_space(4))) constant_memory;
LASHI_INLINE void sum_stages(double vs[D][W], double qs[P + !P][W], int s) {
    stage_memory *k = &STAGE(0, 0, 0);
    constant_memory *a = table_a[s < 0 ? 0 : s], *n = table_n[s < 0 ? 0 : s];
    ROLLED for (int j = 0; j < s; j += AT_A_TIME) {
        UNROLL for (int m = 0; m < AT_A_TIME; m++) UNROLL for (int i = 0; i < D; i++) {
            const double rate = k[(m * D + i) * BLOCK];
            vs[i][0] += a[m] * rate;
            if (i < P)
                qs[i][0] += n[m] * rate;
        }
        k += AT_A_TIME * D * BLOCK;
        a += AT_A_TIME;
        n += AT_A_TIME;
    }
}
LASHI_INLINE void sum_errors(double error[4][D][W]) {
    UNROLL for (int i = 0; i < D; i++) UNROLL for (int e = 0; e < 4; e++) error[e][i][0] = 0;
    UNROLL for (int from = 0; from < D; from += RATES_AT_A_TIME) {
        stage_memory *k = &STAGE(0, from, 0);
        constant_memory *w = table_e[0];
        ROLLED2 for (int j = 0; j < 12; j++) {
            UNROLL for (int i = from; i < D && i < from + RATES_AT_A_TIME; i++) {
                const double rate = k[(i - from) * BLOCK];
                UNROLL for (int e = 0; e < 4; e++) if (i < P || e % 2 == 0) error[e][i][0] +=
                    w[12 * e] * rate;
            }
            k += D * BLOCK;
            w++;
        }
    }
}
/* What the member before, or an attempt that failed, has left may be no number. */
LASHI_INLINE void clear_stages(void) {
    ROLLED for (int j = 0; j < 12; j++) UNROLL for (int i = 0; i < D; i++) STAGE(j, i, 0) = 0;
}
#else
#define STAGES_ARGUMENT , double lash_stages[12][D][W]
#define STAGES_PASSED   , lash_stages
LASHI_INLINE void sum_stages(double vs[D][W], double qs[P + !P][W], int s STAGES_ARGUMENT) {
    for (int j = 0; j < s; j++) {
        const double wv = table_a[s][j], wq = table_n[s][j];
        SIMD LANES UNROLL for (int i = 0; i < D; i++) {
            vs[i][l] += wv * STAGE(j, i, l);
            if (i < P)
                qs[i][l] += wq * STAGE(j, i, l);
        }
    }
}
LASHI_INLINE void sum_errors(double error[4][D][W] STAGES_ARGUMENT) {
    UNROLL for (int i = 0; i < D; i++) {
        SIMD LANES UNROLL for (int e = 0; e < 4; e++) error[e][i][l] = 0;
        for (int j = 0; j < 12; j++)
            SIMD LANES UNROLL for (int e = 0; e < 4; e++) if (i < P || e % 2 == 0) error[e][i][l] +=
                table_e[e][j] * STAGE(j, i, l);
    }
}
LASHI_INLINE void clear_stages(void) {
}
#endif

/* Stages before this one follow a tangent rather than the motion: a pin that slides off its wall seems to go into it. */
enum { FIRST_SHARP = 4 };

/* The first stage of a contact that is weighed. */
#if SHADOW && BOUNDED
enum { BEFORE = -2 };
#else
enum { BEFORE = -1 };
#endif

#if SHADOW
/* The point at which the first of the contacts of the shadow that have begun did so. */
LASHI_INLINE void step_back(double y[R][W], double *t, const members *restrict m, int l) {
    const int probe = first_bit(m->begun[l]);
    double back = 0;
    UNROLL for (int c = 0; c < C; c++) back = probe == c + 1 ? m->back[c][l] : back;
    UNROLL for (int i = 0; i < P; i++) y[i][l] -= back * m->column[COLUMN_Y + P + i][l];
    UNROLL for (int i = 0; i < D; i++) y[P + i][l] -= back * m->kicked[i][l];
    *t -= back;
}
#endif

/* One attempt of every lane that is running. */
LASHI_INLINE void attempt(members *restrict m, numbers n, const cut_store *restrict cuts,
                          stop_list stops REST_ARGUMENT) {
    double h[W], t[W], t_new[W], inside[W], stop[W], y[R][W], s5[W], s3[W], far[W], far_at[W];
    double sum[V + !V][W], squares[V + !V][W], doubt[V + !V][W], lost[W], input[W];
    double top[V + !V][W], top_at[V + !V][W], low[V + !V][W], low_at[V + !V][W], late[3][V + !V][W],
        quarter[V + !V][W];
    double near[C + !C][W], atol[R][W], held[R][W], rtol[R][W], room[C + !C][W], deepest[C + !C][W],
        strongest[C + !C][W], longest[W], steps[W], rtol_of[W];
#if BORDERS
    double out[BORDERS][W], out_at[BORDERS][W], in[BORDERS][W], in_at[BORDERS][W];
#endif
#if ENDING
    int ended[W]; /* a stage was where a table has ended */
    LANES ended[l] = 0;
#endif
    int clipped[W], what[W], evaluations[W], accepted[W], first = 1;
    asked asked;
#if CHANGING
    double away[C][W]; // the largest distance from the wall in the step
    change change;
#endif
    point p;
    (void)cuts, (void)stops; // where there are none
    STAGES_LOCAL
    note_motion(m, n REST_PASSED);
    LANES evaluations[l] = 12 + m->fresh[l];
#if WEIGH
    LANES evaluations[l] += m->weigh[l] != 0;
#endif
    LANES first = m->fresh[l] && first > 0 ? 0 : first;
#if WEIGH
    LANES first = m->weigh[l] ? BEFORE : first;
#endif
#if SHADOW
    LANES first = (m->kick[l] | (m->pass[l] && m->begun[l])) && first > -1 ? -1 : first;
#endif
    first = ANY(first < -1) ? -2 : ANY(first < 0) ? -1 : ANY(first == 0) ? 0 : 1;
    const int before = first > 0 ? 0 : first; // of the stages, where one has begun
#if CHANGING
    LANES {
        asked.aim[l] = AIM_MOTION;
        change.phase[l] = CHANGE_NONE;
        int sorts = 0;
#if GRIPS
        sorts = m->sorts[l];
#endif
        if (m->column[COLUMN_STATUS][l] == RUNNING && (sorts || (m->arrive[l] | m->leave[l] | m->turn[l]))) {
            begin_change(m, &change, l);
            first = CHANGES;
        }
        UNROLL for (int c = 0; c < C; c++) away[c][l] = 0;
    }
    ask(&asked, &change);
#endif
    SIMD LANES {
        stop[l] = next_stop(&what[l], m, stops, l REST_PASSED);
#if SHADOW
        stop[l] = m->pass[l] ? m->main_t[l] : stop[l];
        m->gain[l] = m->column[COLUMN_T][l] < REST(COLUMN_UNTIL, l) ? 0 : 4 / REST(COLUMN_INTERVAL, l);
        m->column[COLUMN_H][l] = m->pass[l] ? m->step[l] : m->column[COLUMN_H][l];
#endif
        const double left = stop[l] - m->column[COLUMN_T][l];
        clipped[l] = m->column[COLUMN_H][l] >= left;
#if SHADOW // to the last bit: between two instants there is another length than that of the step
        clipped[l] = clipped[l] & !m->pass[l];
#endif
        h[l] = clipped[l] ? left : m->column[COLUMN_H][l];
        t[l] = m->column[COLUMN_T][l];
        inside[l] = t[l] + 0.5 * h[l];
        far[l] = 0;
        far_at[l] = 1;
        lost[l] = input[l] = 0;
        UNROLL for (int v = 0; v < V; v++) {
            sum[v][l] = squares[v][l] = doubt[v][l] = late[0][v][l] = late[1][v][l] = late[2][v][l] =
                quarter[v][l] = 0;
            top[v][l] = low[v][l] = m->value[v][l];
            top_at[v][l] = low_at[v][l] = 1;
        }
    }
    SIMD LANES {
        double rooms[C + 1];
        rooms_of(rooms, (numbers){n.at + l, n.stride});
        UNROLL for (int c = 0; c < C; c++) room[c][l] = rooms[c];
        double depths[C + 1], forces[C + 1];
        longest[l] = limits_of(depths, forces, &steps[l], &rtol_of[l], (numbers){n.at + l, n.stride});
        UNROLL for (int c = 0; c < C; c++) deepest[c][l] = depths[c];
        UNROLL for (int c = 0; c < C; c++) strongest[c][l] = forces[c];
        UNROLL for (int c = 0; c < C; c++) near[c][l] = 0;
#if CHANGING
        // Bounces that come to rest are small: an impact is located as in a run by itself.
        mode_numbers of[C];
        double enough;
        modes_of(of, &enough, (numbers){n.at + l, n.stride});
        UNROLL for (int c = 0; c < C; c++) near[c][l] =
            1e-3 * of[c].tolerance > enough ? 1e-3 * of[c].tolerance : enough;
#endif
    }
    SIMD LANES UNROLL for (int i = 0; i < D; i++) STAGE(0, i, l) = m->a[i][l];
    // Stage 0 is known except for lanes that begin; -1: the same point with a push or kick; CHANGES: there modes change;
    // 12: the new one. The shadow is weighed at another point, -2 and -1: where its contact began.
    ROLLED for (int s = first; s <= 12; s++) {
        const double c_of = s < 0 ? 0.0 : table_c[s < 0 ? 0 : s];
        double vs[D][W], qs[P + !P][W];
        SIMD LANES UNROLL for (int i = 0; i < D; i++) {
            vs[i][l] = 0;
            if (i < P)
                qs[i][l] = 0;
        }
        sum_stages(vs, qs, s STAGES_PASSED);
        SIMD LANES {
            UNROLL for (int i = 0; i < D; i++) {
                const double v = m->column[COLUMN_Y + P + i][l];
                if (i < P)
                    y[i][l] = m->column[COLUMN_Y + i][l] + h[l] * (c_of * v + h[l] * qs[i][l]);
                y[P + i][l] = v + h[l] * vs[i][l];
            }
            t_new[l] = t[l] + c_of * h[l];
        }
#if SHADOW
        LANES if (s < 0 && m->pass[l]) step_back(y, &t_new[l], m, l);
#endif
        look(&p, m, t_new, inside, (const double(*)[W])y, n, stops.at, s == -1, s == CHANGES,
             s <= 0 || s == 12, &asked);
#if ENDING
        LANES ended[l] |= (s > 0) & p.bad[l];
#endif
#if CHANGING
        if (s == CHANGES) {
            int open = 0;
            LANES {
                if (change.phase[l] == CHANGE_NONE)
                    continue;
                evaluations[l]++;
                proceed(m, &change, &p, l, n REST_PASSED);
                open |= change.phase[l] != CHANGE_NONE;
            }
            ask(&asked, &change);
            s = (open ? CHANGES : before) - 1;
            continue;
        }
#endif
        if (s < 0) {
#if WEIGH
            LANES m->pushed[l] = p.response[l];
#endif
#if SHADOW
            LANES m->unpushed[l] = s == -1 ? m->unpushed[l] : p.response[l];
            SIMD LANES UNROLL for (int i = 0; i < D; i++) m->kicked[i][l] =
                m->kick[l] ? p.a[i][l] : m->kicked[i][l];
            LANES {
                const int begins = m->pass[l] ? first_bit(m->begun[l]) : 0;
                UNROLL for (int c = 0; c < C; c++) {
                    double *speed = &m->column[COLUMN_CONTACT(c, CONTACT_SPEED)][l];
                    *speed = begins == c + 1 ? p.rate[c][l] : *speed;
                }
            }
#endif
        } else if (s == 0) {
#if SWITCHES || SAMPLES
            if (fit(m, &p, n)) {
                s = before - 1;
                continue;
            }
#endif
#if CHANGING
            // Forces have jumped, and a contact that pressed would pull, or one that stuck slides.
            int pulls = 0;
            LANES {
                unsigned long long bits = 0, slips = 0;
                UNROLL for (int c = 0; c < C; c++) bits |= (unsigned long long)(p.beyond[SWITCHES + c][l] > 0)
                                                           << c;
#if GRIPS
                UNROLL for (int c = 0; c < GRIPS; c++) slips |=
                    (unsigned long long)(p.grip[c].way[l] == LASHI_GRIP_STICKS &&
                                         p.beyond[SLIPS + c][l] > LASHI_RUB_HELD)
                    << c;
#endif
                if (!m->fresh[l] || (bits | slips) == 0 || m->column[COLUMN_STATUS][l] != RUNNING)
                    continue;
                if (++m->stuck[l] > MOST_STUCK) {
                    m->column[COLUMN_STATUS][l] = UNSETTLED;
                    continue;
                }
                m->leave[l] = bits;
                m->turn[l] = slips;
                begin_change(m, &change, l);
                pulls = 1;
            }
            ask(&asked, &change);
            if (pulls) {
                s = CHANGES - 1;
                continue;
            }
#endif
            settle(m, &p REST_PASSED);
            SIMD LANES UNROLL for (int i = 0; i < D; i++) STAGE(0, i, l) = m->a[i][l];
            SIMD LANES UNROLL for (int v = 0; v < V; v++) top[v][l] = low[v][l] = m->value[v][l];
            int again = 0; // for one that has begun at the same instant
#if WEIGH
            LANES {
                const int probe = first_bit(m->weigh[l]);
                double yields = m->pushed[l] - p.response[l];
                int own = 1; // the mass of the shadow counts for nothing but its damping
#if SHADOW
                own = !m->pass[l];
                yields = own ? yields : m->pushed[l] - m->unpushed[l];
#endif
                UNROLL for (int c = 0; c < C; c++) {
                    double *mass = &m->column[COLUMN_CONTACT(c, CONTACT_MASS)][l];
                    *mass = own && probe == c + 1 ? 1 / yields : *mass;
#if BOUNDED
                    double *inverse = &m->column[COLUMN_CONTACT(c, CONTACT_INVERSE)][l];
                    *inverse = probe == c + 1 ? yields : *inverse;
#endif
                }
                m->weigh[l] &= m->weigh[l] - 1;
                again |= m->weigh[l] != 0;
            }
#endif
#if SHADOW
            LANES {
                m->begun[l] &= m->pass[l] ? m->begun[l] - 1 : m->begun[l];
                again |= m->pass[l] && m->begun[l];
            }
#endif
            s = again ? BEFORE - 1 : s;
        } else if (s < 12)
            SIMD LANES {
                UNROLL for (int i = 0; i < D; i++) STAGE(s, i, l) = p.a[i][l];
                lost[l] += table_a[12][s] * p.lost[l];
                input[l] += table_a[12][s] * p.input[l];
                UNROLL for (int c = 0; c < C; c++) {
                    const double side = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 ? -1.0 : 1.0;
                    const double least = s < FIRST_SHARP && (MODES >> c & 1) ? room[c][l] : 1e-9 * room[c][l],
                                 beyond = side * p.delta[c][l] - least;
                    far_at[l] = beyond > far[l] ? c_of : far_at[l];
                    far[l] = beyond > far[l] ? beyond : far[l];
                }
#if CHANGING
                UNROLL for (int c = 0; c < C; c++) away[c][l] =
                    -p.delta[c][l] > away[c][l] ? -p.delta[c][l] : away[c][l];
#endif
#if BORDERS
                UNROLL for (int k = 0; k < BORDERS; k++) {
                    const double beyond = p.beyond[k][l];
                    out_at[k][l] = s == 1 || beyond > out[k][l] ? c_of : out_at[k][l];
                    out[k][l] = s == 1 || beyond > out[k][l] ? beyond : out[k][l];
                    in_at[k][l] = s == 1 || beyond < in[k][l] ? c_of : in_at[k][l];
                    in[k][l] = s == 1 || beyond < in[k][l] ? beyond : in[k][l];
                }
#endif
                UNROLL for (int v = 0; v < V; v++) {
                    sum[v][l] += table_a[12][s] * p.value[v][l];
                    squares[v][l] += table_a[12][s] * p.value[v][l] * p.value[v][l];
                    if (EXTREMA >> v & 1) {
                        doubt[v][l] += table_e[0][s] * p.value[v][l];
                        if (s < LATE + 2) { // that one is the new point, and in doubt
                            top_at[v][l] = p.value[v][l] > top[v][l] ? c_of : top_at[v][l];
                            top[v][l] = p.value[v][l] > top[v][l] ? p.value[v][l] : top[v][l];
                            low_at[v][l] = p.value[v][l] < low[v][l] ? c_of : low_at[v][l];
                            low[v][l] = p.value[v][l] < low[v][l] ? p.value[v][l] : low[v][l];
                        }
                        if (s == EARLY)
                            late[0][v][l] = p.value[v][l]; // until there is a late one
                        if (s == EARLY_TOO) {
                            double early;
                            quarter[v][l] = p.value[v][l];
                            const double at =
                                early_extremum(&early, m->value[v][l], late[0][v][l], p.value[v][l],
                                               rtol_of[l] * range_of(m, v, l, p.value[v][l] REST_PASSED) +
                                                   REST(COLUMN_VALUE(v, VALUE_NOISE), l));
                            top_at[v][l] = at > 0 && early > top[v][l] ? at : top_at[v][l];
                            top[v][l] = at > 0 && early > top[v][l] ? early : top[v][l];
                            low_at[v][l] = at > 0 && early < low[v][l] ? at : low_at[v][l];
                            low[v][l] = at > 0 && early < low[v][l] ? early : low[v][l];
                        }
                        UNROLL for (int k = 0; k < 3; k++) late[k][v][l] =
                            s == LATE + k ? p.value[v][l] : late[k][v][l];
                    }
                }
            }
    }
    SIMD LANES UNROLL for (int v = 0; v < V; v++) {
        sum[v][l] += table_a[12][0] * m->value[v][l];
        squares[v][l] += table_a[12][0] * m->value[v][l] * m->value[v][l];
        if (EXTREMA >> v & 1)
            doubt[v][l] += table_e[0][0] * m->value[v][l];
    }
    // The error.
    SIMD LANES {
        double absolute[R], relative[R];
        scales(absolute, relative, (numbers){n.at + l, n.stride});
        UNROLL for (int i = 0; i < R; i++) {
            atol[i][l] = held[i][l] = absolute[i];
            rtol[i][l] = relative[i];
        }
    }
    hold_errors(held, m, n REST_PASSED);
    SIMD LANES s5[l] = s3[l] = 0;
    double error[4][D][W];
    sum_errors(error STAGES_PASSED);
    UNROLL for (int i = 0; i < D; i++) {
        SIMD LANES {
            const double va = __builtin_fabs(m->column[COLUMN_Y + P + i][l]),
                         vb = __builtin_fabs(y[P + i][l]);
            const double wv = 1 / (held[P + i][l] + rtol[P + i][l] * (va > vb ? va : vb) + 1e-290);
            const double a5 = wv * error[0][i][l], a3 = wv * error[2][i][l];
            if (i < P) {
                const double qa = __builtin_fabs(m->column[COLUMN_Y + i][l]), qb = __builtin_fabs(y[i][l]),
                             wq = 1 / (held[i][l] + rtol[i][l] * (qa > qb ? qa : qb) + 1e-290);
                const double b5 = h[l] * wq * error[1][i][l], b3 = h[l] * wq * error[3][i][l];
                s5[l] += a5 * a5 + b5 * b5;
                s3[l] += a3 * a3 + b3 * b3;
            } else {
                s5[l] += a5 * a5;
                s3[l] += a3 * a3;
            }
        }
    }
    SIMD LANES accepted[l] = 0;
    LANES {
        if (m->column[COLUMN_STATUS][l] != RUNNING)
            continue;
#if SHADOW
        if (m->kick[l]) { // the shadow begins; what follows is also its first step
            double length = 0;
            UNROLL for (int i = 0; i < D; i++) {
                const double w =
                    (m->kicked[i][l] - m->a[i][l]) /
                    (atol[P + i][l] + rtol[P + i][l] * __builtin_fabs(m->column[COLUMN_Y + P + i][l]));
                length += w * w;
            }
            const double share = distance_of((numbers){n.at + l, n.stride}) / __builtin_sqrt(length + 1e-300);
            UNROLL for (int i = 0; i < P; i++) m->column[COLUMN_SHADOW + i][l] = m->column[COLUMN_Y + i][l];
            UNROLL for (int i = 0; i < D; i++) m->column[COLUMN_SHADOW + P + i][l] =
                m->column[COLUMN_Y + P + i][l] + share * (m->kicked[i][l] - m->a[i][l]);
            UNROLL for (int c = 0; c < C; c++) UNROLL for (int k = 0; k < REMEMBERED; k++)
                m->column[COLUMN_CONTACT(c, shadow_remembered(k))][l] =
                m->column[COLUMN_CONTACT(c, remembered(k))][l];
            m->kick[l] = 0;
        }
        if (m->pass[l]) { // the shadow's step is taken as it is
            int good = !p.bad[l], turns = 0;
#if ENDING
            good = good && !ended[l];
#endif
            UNROLL for (int i = 0; i < R; i++) {
                m->column[COLUMN_Y + i][l] = y[i][l];
                good = good && is_finite(y[i][l]);
            }
            UNROLL for (int c = 0; c < C; c++) {
                if (!(m->flip[l] >> c & 1))
                    continue;
                double *touching = &m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l];
                *touching = *touching == 0;
                loosen(m, c, l);
                // Its own instant is a little earlier or later: where it is as deep as the first one was at its own.
                const unsigned long long bit = 1ull << c;
                m->back[c][l] = (p.delta[c][l] - m->touched[c][l]) / p.rate[c][l];
                m->begun[l] |= *touching != 0 ? bit : 0;
#if BOUNDED
                m->weigh[l] |= *touching != 0 ? bit : 0;
#endif
                m->late[l] = JUMPS & bit ? -m->back[c][l] : m->late[l];
                turns += (JUMPS & bit) != 0;
            }
            UNROLL for (int i = 0; i < D; i++) m->kicked[i][l] = p.a[i][l];
#if SWITCHES
            UNROLL for (int k = 0; k < SWITCHES; k++) {
                const double rate = p.number[SWITCHES + k][l];
                if (!(m->turned[l] >> k & 1) || rate == 0) // nothing in the machine depends on it
                    continue;
                m->late[l] = (m->told[k][l] - p.number[k][l]) / rate;
                turns++;
            }
#endif
            good = good && turns <= 1; // of two, which of the shadow's comes first is not known
            swap(m, l);
            m->column[COLUMN_T][l] = m->main_t[l];
            m->column[COLUMN_H][l] = m->main_h[l];
            m->pass[l] = 0;
            m->fresh[l] = 1;
            if (m->ends[l]) {
                const double number_of = REST(COLUMN_INTERVAL_NEXT, l);
                double length = 0;
                UNROLL for (int i = 0; i < R; i++) {
                    const double w =
                        (m->column[COLUMN_SHADOW + i][l] - m->column[COLUMN_Y + i][l]) /
                        (atol[i][l] + rtol[i][l] * __builtin_fabs(m->column[COLUMN_Y + i][l]) + 1e-290);
                    length += w * w;
                }
                length = __builtin_sqrt(length);
                const double distance = distance_of((numbers){n.at + l, n.stride});
                const double block = (number_of - REST(COLUMN_ALIGN, l)) / REST(COLUMN_BLOCK, l);
                good = good && is_finite(length) && length > LOST * distance;
                if (good && block >= 0 && block < BLOCKS)
                    multiply_growth(&REST(COLUMN_GROWTH((int)block), l),
                                    &REST(COLUMN_GROWTH((int)block) + 1, l), length / distance);
                UNROLL for (int i = 0; i < R; i++) {
                    const double main = m->column[COLUMN_Y + i][l];
                    m->column[COLUMN_SHADOW + i][l] =
                        main + distance / length * (m->column[COLUMN_SHADOW + i][l] - main);
                }
                UNROLL for (int c = 0; c < C; c++) UNROLL for (int k = 1; k < REMEMBERED; k++) {
                    // What contacts remember is part of w.
                    const double main = m->column[COLUMN_CONTACT(c, remembered(k))][l];
                    double *shadow = &m->column[COLUMN_CONTACT(c, shadow_remembered(k))][l];
                    *shadow = main + distance / length * (*shadow - main);
                }
                REST(COLUMN_INTERVAL_NEXT, l)++;
            }
            m->column[COLUMN_STATUS][l] = !good                                           ? TOO_SHORT
                                          : m->column[COLUMN_T][l] >= REST(COLUMN_END, l) ? AT_END
                                                                                          : RUNNING;
            continue;
        }
#endif
        const double both = s5[l] + 0.01 * s3[l];
        const double err = both > 0 ? h[l] * s5[l] / __builtin_sqrt(both * MEASURED) : 0;
        const double root8 = __builtin_sqrt(fourth_root(err + 1e-24)), root32 = fourth_root(root8);
        if (t[l] >= REST(COLUMN_BEGIN, l) && t[l] < REST(COLUMN_UNTIL, l))
            REST(COLUMN_EVALUATIONS, l) += evaluations[l];
        int finite = is_finite(both) && !p.bad[l];
        UNROLL for (int i = 0; i < R; i++) finite = finite && is_finite(y[i][l]);
        UNROLL for (int v = 0; v < V; v++) finite = finite && is_finite(p.value[v][l]);
#if ENDING
        finite = finite && !ended[l];
#endif
        finite = finite && is_finite(p.kinetic[l] + p.potential[l] + p.elastic[l] + p.lost[l] + p.input[l]);
        if ((!finite || err > 1) && !(m->locating[l] && finite)) {
            double factor = 0.9 / root8;
            factor = finite ? (factor > 1.0 / 3 ? factor : 1.0 / 3) : 0.25;
            if (!finite)
                clear_stages();
            m->column[COLUMN_H][l] = h[l] * (factor < 0.95 ? factor : 0.95);
            m->grow[l] = 1;
            if (!(m->column[COLUMN_H][l] > 1e-15 * (1e-9 + t[l])))
                m->column[COLUMN_STATUS][l] = TOO_SHORT;
            m->locating[l] = finite ? m->locating[l] : 0;
            m->seek[l] = 0;
            m->passed_top[l] = m->passed_bottom[l] = 0;
            continue;
        }
        int event = 0, accept = 1;
        unsigned long long changed = 0;
        double along = 1, ahead = 1e300; // of the step, along a table; and of the next one
#if TABLES
        along = along_tables(&ahead, m, &p, l, (numbers){n.at + l, n.stride}, stops);
#endif
        if (along < 1) { // too far to see all of it
            m->column[COLUMN_H][l] = along * h[l];
            m->locating[l] = m->seek[l] = 0;
            accept = 0;
        } else if (m->locating[l]) {
            double g = 0, r = 1, size = 1;
            // Another one may come first: of all that are beyond their borders here, the one that passed it earliest.
            double earliest = 1e300;
            int comes = m->which[l];
            UNROLL for (int c = 0; c < C; c++) {
                const double side = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 ? -1.0 : 1.0,
                             past = side * p.delta[c][l], rate = side * p.rate[c][l],
                             at = rate > 0 ? h[l] - past / rate : h[l];
                const int passed = past > (c == m->which[l] ? 0 : 1e-13 * room[c][l]) &&
                                   side * m->delta[c][l] < 0 && at < earliest;
                comes = passed ? c : comes;
                earliest = passed ? at : earliest;
            }
#if BORDERS
            UNROLL for (int k = 0; k < BORDERS; k++) {
                const double from = m->beyond[k][l], to = p.beyond[k][l], at = h[l] * from / (from - to);
                const int passed = to > 0 && from < 0 && at < earliest;
                comes = passed ? C + k : comes;
                earliest = passed ? at : earliest;
            }
#endif
            if (comes != m->which[l]) {
                m->which[l] = comes;
                m->locating[l] = 1;
                m->lo[l] = 0;
                m->hi[l] = h[l];
#if BORDERS
                UNROLL for (int k = 0; k < BORDERS; k++) if (comes == C + k)
                    leave_piece(m, k, l, p.beyond[k][l], h[l]);
#endif
            }
            UNROLL for (int c = 0; c < C; c++) {
                const double side = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 ? -1.0 : 1.0;
                const int it = c == m->which[l];
                g = it ? side * p.delta[c][l] : g;
                r = it ? side * p.rate[c][l] : r;
                size = it ? room[c][l] : size;
            }
            UNROLL for (int c = 0; c < C; c++) size =
                c == m->which[l] && (MODES >> c & 1) ? near[c][l] / 1e-10 : size;
            double next = h[l] - g / r;
            int at_once = 0;
#if BORDERS
            UNROLL for (int k = 0; k < BORDERS; k++) g = C + k == m->which[l] ? p.beyond[k][l] : g;
            if (m->which[l] >= C) {
                size = m->way[l] * (SWITCH_PLACE / 1e-10);
                // A contact is let go where N is below zero: above it would come back at once.
                const int presses = m->which[l] >= C + SWITCHES;
                g -= presses ? 0.5 * SWITCH_PLACE * m->way[l] : 0;
                size *= presses ? 0.5 : 1;
                next = secant(m, l, g, h[l]);
                // Where a contact begins to press at rest, what holds it is known a moment later.
                at_once = m->which[l] >= C + SLIPS && g > 0 && h[l] <= AT_ONCE * m->after[l];
            }
#endif
            if (at_once || __builtin_fabs(g) <= 1e-10 * size || m->hi[l] - m->lo[l] <= 1e-13 * m->hi[l] ||
                m->locating[l] > 40) {
                event = 1;
            } else {
                if (g > 0)
                    m->hi[l] = h[l];
                else
                    m->lo[l] = h[l];
                if (!(next > m->lo[l] && next < m->hi[l]))
                    next = 0.5 * (m->lo[l] + m->hi[l]);
                m->column[COLUMN_H][l] = next;
                m->locating[l]++;
                accept = 0;
            }
        } else {
            double border = 1, cut = 1;
            UNROLL for (int c = 0; c < C; c++) {
                const double side = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 ? -1.0 : 1.0;
                int crosses;
                const double slack =
                    MODES >> c & 1 ? near[c][l] : 0; // of a contact that has just left its wall
                const double x = crossing(&crosses, side * m->delta[c][l] - slack, side * m->rate[c][l],
                                          side * p.delta[c][l] - slack, side * p.rate[c][l], h[l]);
                if (crosses && x < border) {
                    border = x;
                    m->which[l] = c;
                } else if (!crosses && x > 0 && x < cut && !(slack > 0 && side * m->delta[c][l] > -slack)) {
                    cut =
                        x; // δ of one that slides off its wall is no cubic of that kind: stages show where it goes
                }
            }
            if (far_at[l] < cut)
                cut = far_at[l];
#if KINKS
            const double kink = first_kink(m, &p, l, h[l], n);
            m->whole[l] = kink < cut && kink < border && m->whole[l] < h[l] ? h[l] : m->whole[l];
            cut = kink < cut ? kink : cut;
#endif
#if BORDERS
            int flips = 0;
            UNROLL for (int k = 0; k < BORDERS; k++) {
                const double from = m->beyond[k][l], to = p.beyond[k][l],
                             range = (out[k][l] > to ? out[k][l] : to) - (in[k][l] < to ? in[k][l] : to),
                             place = from / (from - to), noise = from < 0 ? 0 : noise_of(&p, k, l);
                if (!(to > noise)) { // it may have been outside between
                    // N between two stages may be lower than in both: then the step ends where it was lowest.
                    const double ends = from > to ? from : to,
                                 least = k < SWITCHES ? SWITCH_PLACE * range
                                         : out[k][l] > ends + 0.1 * range && noise == 0
                                             ? -0.2 * range
                                             : SWITCH_PLACE * range;
                    cut = out[k][l] > least + noise && out_at[k][l] < cut ? out_at[k][l] : cut;
                } else if (from < 0 && place < border) {
                    border = place > 1e-3 ? place : 1e-3;
                    leave_piece(m, k, l, to, h[l]);
                } else if (!(from < 0) && in[k][l] < -SWITCH_PLACE * range) { // it was inside between
                    cut = in_at[k][l] < cut ? in_at[k][l] : cut;
#if GRIPS
                } else if (!(from < 0) && comes_back(m, &p, k, l, h[l])) {
                    cut = 0.1 < cut ? 0.1 : cut;
#endif
                } else if (!(from < 0)) { // it leaves at once
#if SWITCHES
                    if (k < SWITCHES)
                        flip(m, k, l, p.number[k][l]);
#endif
#if CHANGING
                    m->leave[l] |= k >= SWITCHES && k < SLIPS ? 1ull << (k - SWITCHES) : 0;
                    m->turn[l] |= k >= SLIPS ? 1ull << (k - SLIPS) : 0;
#endif
                    flips = 1;
                }
            }
            if (flips) {
                m->fresh[l] = 1;
                int most = MOST_STUCK;
#if SHADOW
                most = t[l] >= REST(COLUMN_UNTIL, l) ? 0 : most; // the shadow has no such step
#endif
                m->column[COLUMN_STATUS][l] = ++m->stuck[l] > most ? UNSETTLED : RUNNING;
                continue;
            }
#endif
            if (cut < 1 && cut < border) { // up to the top, where it will be seen
                m->column[COLUMN_H][l] = cut * h[l];
                accept = 0;
            } else if (border < 1) {
                m->locating[l] = 1;
                m->lo[l] = 0;
                m->hi[l] = h[l];
                m->after[l] = h[l];
                m->column[COLUMN_H][l] = border * h[l];
                accept = 0;
            }
        }
        // A value that exceeds all values so far: the step ends where it is largest.
        if (accept && t[l] >= REST(COLUMN_BEGIN, l) && t[l] < REST(COLUMN_UNTIL, l)) {
            double share = 1;
            UNROLL for (int pass = 0; pass < 2; pass++) UNROLL for (int v = 0; v < V; v++) {
                if (!(EXTREMA >> v & 1))
                    continue;
                const double a = m->value[v][l], b = p.value[v][l],
                             most = REST(COLUMN_VALUE(v, VALUE_MOST), l),
                             least = REST(COLUMN_VALUE(v, VALUE_LEAST), l);
                double high = a > b ? a : b, deep = a > b ? b : a;
                high = most > high ? most : high;
                deep = least < deep ? least : deep;
                // What is not worth a search.
                const double fine = 0.1 * rtol_of[l] < 1e-6 ? 0.1 * rtol_of[l] : 1e-6;
                const double noise = REST(COLUMN_VALUE(v, VALUE_NOISE), l);
                const double enough =
                    noise + fine * (high - deep) +
                    1e-12 * (__builtin_fabs(high) > __builtin_fabs(deep) ? __builtin_fabs(high)
                                                                         : __builtin_fabs(deep));
                double last, between;
                const double doubt = __builtin_fabs(late[2][v][l] - b),
                             late_at = late_extremum(&last, late[0][v][l], late[1][v][l], b, doubt,
                                                     rtol_of[l] * (high - deep) + noise),
                             between_at =
                                 middle_extremum(&between, a, quarter[v][l], late[0][v][l], late[1][v][l], b);
                const double late_top = last > top[v][l] ? last : top[v][l],
                             late_top_at = last > top[v][l] ? late_at : top_at[v][l],
                             peak = between > late_top ? between : late_top,
                             peak_at = between > late_top ? between_at : late_top_at,
                             late_low = last < low[v][l] ? last : low[v][l],
                             late_low_at = last < low[v][l] ? late_at : low_at[v][l],
                             pit = between < late_low ? between : late_low,
                             pit_at = between < late_low ? between_at : late_low_at;
                if (pass == 0 && (m->seek[l] == v + 1 || m->seek[l] == -v - 1)) {
                    const int up = m->seek[l] > 0;
                    m->column[COLUMN_H][l] =
                        seek_top(&accept, m, l, up ? b : -b, h[l], (up ? peak : -pit) - doubt,
                                 (up ? peak_at : pit_at) * h[l], REST(COLUMN_ENOUGH, l) REST_PASSED);
                    const unsigned long long bit = accept ? 1ull << v : 0;
                    m->passed_top[l] |= up ? bit : 0;
                    m->passed_bottom[l] |= up ? 0 : bit;
                    m->seek[l] = accept ? 0 : m->seek[l]; // others may be in what is left of the step
                } else if (pass == 1 && accept && m->seek[l] == 0) {
                    const int up = peak > high + enough && !(m->passed_top[l] >> v & 1),
                              down = pit < deep - enough && !(m->passed_bottom[l] >> v & 1);
                    const double at = up ? peak_at : down ? pit_at : 1;
                    if (at < share) {
                        share = at;
                        REST(COLUMN_SOUGHT, l) = up ? v + 1 : -v - 1;
                        REST(COLUMN_LEFT, l) = up ? a : -a;
                        REST(COLUMN_RIGHT, l) = up ? b : -b;
                        REST(COLUMN_ENOUGH, l) = enough;
                    }
                }
            }
            if (share < 1) {
                m->seek[l] = (int)REST(COLUMN_SOUGHT, l);
                m->whole[l] = m->whole[l] > h[l] ? m->whole[l] : h[l];
                REST(COLUMN_FROM, l) = REST(COLUMN_BEST_AT, l) = 0;
                REST(COLUMN_TO, l) = h[l];
                REST(COLUMN_TRIES, l) = 0;
                m->column[COLUMN_H][l] = share * h[l];
                accept = 0;
            }
            m->locating[l] = accept ? m->locating[l] : 0; // an event is found again afterwards
        }
        if (!accept) {
            if (!(m->column[COLUMN_H][l] > 1e-15 * (1e-9 + t[l]))) { // nor does it come any nearer
                m->column[COLUMN_STATUS][l] = TOO_SHORT;
                m->locating[l] = 0;
            }
            continue;
        }
        const int stopped = clipped[l] && !event;
        m->column[COLUMN_T][l] = stopped ? stop[l] : t_new[l];
        const int counts = t[l] >= REST(COLUMN_BEGIN, l) && t[l] < REST(COLUMN_UNTIL, l);
        REST(COLUMN_STEPS, l) += counts;
        accepted[l] = 1;
        UNROLL for (int i = 0; i < R; i++) m->column[COLUMN_Y + i][l] = y[i][l];
        UNROLL for (int i = 0; i < D; i++) m->a[i][l] = p.a[i][l];
        UNROLL for (int c = 0; c < SLIDES; c++) m->sliding[c][l] = p.sliding[c][l];
        UNROLL for (int c = 0; c < C; c++) {
            m->delta[c][l] = p.delta[c][l];
            m->rate[c][l] = p.rate[c][l];
            m->speed[c][l] = p.speed[c][l];
            if (counts) {
                double *peak = &REST(COLUMN_SUM(c, SUM_PEAK), l), *time = &REST(COLUMN_SUM(c, SUM_TIME), l);
                *peak = p.force[c][l] > *peak ? p.force[c][l] : *peak;
                *time += h[l] * (presses(m, c, l) ? m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] : 0);
            }
        }
        UNROLL for (int k = 0; k < TABLES; k++) m->table[k][l] = p.table[k][l];
#if SWITCHES
#if SHADOW
        m->turned[l] = 0;
#endif
        UNROLL for (int k = 0; k < SWITCHES; k++) { // others may leave their pieces at the same instant
            const double beyond = p.beyond[k][l], rise = beyond - m->beyond[k][l];
            const int turns =
                event && (C + k == m->which[l] || (rise > 0 && beyond > -10 * SWITCH_PLACE * rise));
#if SHADOW
            m->was[k][l] = m->column[COLUMN_MODE(k)][l];
            m->told[k][l] = p.number[k][l];
            m->turned[l] |= turns ? 1ull << k : 0;
#endif
            if (turns)
                flip(m, k, l, p.number[k][l]);
        }
#endif
#if BORDERS
        m->stuck[l] = 0;
        UNROLL for (int k = 0; k < BORDERS; k++) m->beyond[k][l] = inside_of(&p, k, l);
#endif
#if GRIPS
        keep_onward(m, &p, l);
#endif
#if CHANGING
        UNROLL for (int c = 0; c < C; c++) {
            double *least = &m->column[COLUMN_CONTACT(c, CONTACT_NEAR)][l];
            *least = away[c][l] > *least || -p.delta[c][l] > *least ? 0 : *least;
            if ((MODES >> c & 1) && m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] == 0 &&
                m->delta[c][l] > -1e-18)
                m->delta[c][l] = -1e-18;
        }
        if (event)
            meet(m, &p, l, n);
#endif
        UNROLL for (int v = 0; v < V; v++) {
            const double value = p.value[v][l], before = m->value[v][l];
            m->value[v][l] = value;
            if (counts) {
                double *least = &REST(COLUMN_VALUE(v, VALUE_LEAST), l),
                       *most = &REST(COLUMN_VALUE(v, VALUE_MOST), l),
                       *total = &REST(COLUMN_VALUE(v, VALUE_SUM), l),
                       *square = &REST(COLUMN_VALUE(v, VALUE_SQUARES), l);
                *least = before < *least ? before : *least;
                *most = before > *most ? before : *most;
                *least = value < *least ? value : *least;
                *most = value > *most ? value : *most;
                *total += h[l] * sum[v][l];
                *square += h[l] * squares[v][l];
                if (EXTREMA >> v & 1)
                    REST(COLUMN_VALUE(v, VALUE_DOUBT), l) += h[l] * __builtin_fabs(doubt[v][l]);
                REST(COLUMN_VALUE(v, VALUE_LAST), l) = value;
            }
        }
        // The error of a vibrating contact varies with its phase: proportional and integral control.
        double *before = &m->column[COLUMN_ERROR][l];
        const double factor = 0.9 * *before / (root32 * root32 * root32);
        double next = h[l] * (factor < m->grow[l] ? factor : m->grow[l]);
        *before = root32 > 0.75 ? root32 : 0.75;
        m->grow[l] = 6;
        next = next < m->whole[l] ? m->whole[l] : next; // the extremum was the only reason to be short
        m->whole[l] = 0;
        m->seek[l] = 0;
        m->passed_top[l] = m->passed_bottom[l] = 0;
        if (event) {
            m->locating[l] = 0;
            m->fresh[l] = 1;
            *before = 1;
            next = m->after[l];
            UNROLL for (int c = 0; c < C; c++) {
                // Others may begin or end at the same instant, such as both ends of a pin.
                const double side = m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 ? -1.0 : 1.0;
                if (MODES >> c & 1)
                    continue;
                if (c != m->which[l] &&
                    !(side * p.delta[c][l] > -1e-10 * room[c][l] && side * p.rate[c][l] > 0))
                    continue;
                changed |= 1ull << c;
                double *touching = &m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l],
                       *short_step = &m->column[COLUMN_CONTACT(c, CONTACT_STEP)][l];
#if WEIGH
                double *since = &m->column[COLUMN_CONTACT(c, CONTACT_SINCE)][l];
                if (*touching != 0 && t[l] < REST(COLUMN_UNTIL, l))
                    REST(COLUMN_SUM(c, SUM_IMPACTS), l) += stretch(
                        m, c, l, t_new[l], 1,
                        impact_measure(c, t_new[l] - *since, m->column[COLUMN_CONTACT(c, CONTACT_SPEED)][l],
                                       m->column[COLUMN_CONTACT(c, CONTACT_MASS)][l],
                                       (numbers){n.at + l, n.stride}) REST_PASSED);
                m->weigh[l] |= *touching == 0 ? 1ull << c : 0;
                *since = t_new[l];
#endif
                *touching = *touching == 0;
                loosen(m, c, l);
#if GRIPS
                m->sorts[l] = 1;
                m->column[COLUMN_GRIP(c, GRIP_WAY)][l] =
                    *touching != 0 ? LASHI_GRIP_BY_SPEED : m->column[COLUMN_GRIP(c, GRIP_WAY)][l];
#endif
                if (*touching != 0) {
                    m->column[COLUMN_CONTACT(c, CONTACT_SPEED)][l] = p.rate[c][l];
                    REST(COLUMN_SUM(c, SUM_COUNT), l) += counts;
                    next = *short_step > 0 && *short_step < next ? *short_step : next;
                    *short_step = 0;
                }
            }
        } else {
            if (clipped[l] && m->column[COLUMN_H][l] > next)
                next = m->column[COLUMN_H][l];
            UNROLL for (int c = 0; c < C; c++) {
                double *short_step = &m->column[COLUMN_CONTACT(c, CONTACT_STEP)][l];
                if (m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 && !(*short_step > 0) &&
                    !(MODES >> c & 1))
                    *short_step = h[l];
            }
        }
        UNROLL for (int c = 0; c < C; c++) {
            const double most = 0.5 * room[c][l] / (m->speed[c][l] + 1e-300);
            if (m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] == 0 && next > most)
                next = most;
        }
#if SHADOW
        next = t[l] >= REST(COLUMN_UNTIL, l) ? graded(next, m, (numbers){n.at + l, n.stride}, l) : next;
#endif
        next = h[l] > 0 && next > ahead * h[l] ? ahead * h[l] : next; // an event may be where the step begins
        next = next > longest[l] ? longest[l] : next;
        next = GRIPS && next > LASHI_LONGEST_STUCK ? LASHI_LONGEST_STUCK : next;
        m->column[COLUMN_H][l] = next;
        const double now = m->column[COLUMN_T][l];
        UNROLL for (int i = 0; i < 2 * P + TURNING; i++) // there are no sines of larger angles
            if ((i < P || i >= 2 * P) && __builtin_fabs(m->column[COLUMN_Y + i][l]) > 0.5 * LASHI_TRIG_RANGE)
                m->column[COLUMN_STATUS][l] = TOO_FAR;
        UNROLL for (int c = 0; c < C; c++) if ((NEEDED >> c & 1) && !presses(m, c, l))
            m->column[COLUMN_STATUS][l] = LOST_CONTACT;
        UNROLL for (int c = 0; c < C; c++) // no law holds there
            if (m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 &&
                (p.delta[c][l] > deepest[c][l] || p.force[c][l] > strongest[c][l]))
                m->column[COLUMN_STATUS][l] = TOO_DEEP;
#if WEIGH
        if (stopped && (now == REST(COLUMN_BEGIN, l) || now == REST(COLUMN_UNTIL, l))) {
            // A contact that lasts counts with its time so far; one that has ended before does not.
            const int ends = now == REST(COLUMN_UNTIL, l);
            UNROLL for (int c = 0; c < C; c++) {
                UNROLL for (int k = SUM_IMPACTS; k <= SUM_FOLLOWING; k++) REST(COLUMN_SUM(c, k), l) =
                    ends || (MODES >> c & 1) ? REST(COLUMN_SUM(c, k), l) : 0.0;
                if (m->column[COLUMN_CONTACT(c, CONTACT_TOUCHING)][l] != 0 && !((MODES | ALWAYS) >> c & 1))
                    stretch(m, c, l, now, ends ? 1.0 : -1.0,
                            impact_measure(c, now - m->column[COLUMN_CONTACT(c, CONTACT_SINCE)][l],
                                           m->column[COLUMN_CONTACT(c, CONTACT_SPEED)][l],
                                           m->column[COLUMN_CONTACT(c, CONTACT_MASS)][l],
                                           (numbers){n.at + l, n.stride}) REST_PASSED);
            }
        }
#endif
#if STOPS
        if (stopped && (what[l] & AT_STOP)) { // forces may jump
            REST(COLUMN_STOP, l)++;
            m->fresh[l] = 1;
#if SAMPLES
            m->sample[l] = 1;
#endif
        }
#endif
#if CUTS
        if (stopped && (what[l] & AT_CUT)) {
            const double number_of = REST(COLUMN_CUT_NEXT, l);
            UNROLL for (int v = 0; v < CUTS; v++) CUT_VALUE(number_of, v, l) = p.value[v][l];
            REST(COLUMN_CUT_NEXT, l) = number_of + 1;
        }
#endif
#if SHADOW
        if (t[l] >= REST(COLUMN_UNTIL, l)) {
            // The shadow takes the same step.
            m->pass[l] = 1;
            m->flip[l] = changed;
            UNROLL for (int c = 0; c < C; c++) m->touched[c][l] = p.delta[c][l];
            m->main_t[l] = now;
            m->main_h[l] = next;
            m->step[l] = h[l];
            m->ends[l] = stopped && (what[l] & AT_INTERVAL);
            m->column[COLUMN_T][l] = t[l];
            m->fresh[l] = 1;
            swap(m, l);
            continue;
        }
        m->kick[l] = now >= REST(COLUMN_UNTIL, l) && now < REST(COLUMN_END, l);
        m->fresh[l] = m->kick[l] ? 1 : m->fresh[l];
#endif
        if (now >= REST(COLUMN_END, l) && m->column[COLUMN_STATUS][l] == RUNNING)
            m->column[COLUMN_STATUS][l] = AT_END;
        else if (m->column[COLUMN_STATUS][l] == RUNNING && REST(COLUMN_TAKEN, l) + 1 >= steps[l])
            m->column[COLUMN_STATUS][l] = TOO_MANY;
    }
    keep_account(m, &p, accepted, t, h, lost, input REST_PASSED);
}

#ifdef __NVPTX__
/* Whether the columns hold the whole member, so that it can be continued later. */
LASHI_INLINE int may_pause(const members *restrict m) {
    int open = m->locating[0] | m->seek[0] | (m->grow[0] < 6);
#if WEIGH
    open |= m->weigh[0] != 0;
#endif
#if SHADOW
    open |= m->kick[0] | m->pass[0] | ((m->weighs[0] | m->begun[0]) != 0) | (m->late[0] != 0);
#endif
#if SWITCHES
    open |= m->flipped[0] != 0;
#endif
#if CHANGING
    open |= (m->arrive[0] | m->leave[0] | m->turn[0]) != 0;
#endif
#if SAMPLES
    open |= m->sample[0];
#endif
    return !open;
}
#endif

LASHI_OUTSIDE

#ifdef __NVPTX__

/* Takes a member; the memory of a thread lies beside that of its neighbours, other than rows. */
LASHI_INLINE void take(members *restrict m, double *rest, double *list, const double *rows,
                       const double *lists, long member) {
    UNROLL for (int k = 0; k < KEPT; k++) m->column[k][0] = rows[member * COLUMNS + k];
    ROLLED for (int k = KEPT; k < COLUMNS; k++) rest[k - KEPT] = rows[member * COLUMNS + k];
    ROLLED for (int k = 0; k < NUMBERS; k++) list[k] = lists[member * NUMBERS + k];
    clear_stages();
    begin_lane(m, 0);
}

/* As many attempts of each member as a launch may take. rows: [count][COLUMNS]; lists: [count][NUMBERS]; cut_values:
 * [count][cut_count]; stops: of all; reached: [FIRST][count], the first columns of all members: those whose
 * status is not 0 there stay as they are; *left: how many are still running afterwards. The threads of a warp end
 * together (ANY): one that finds no more members makes the attempts of the others with its last one, which has ended. */
LASHI_KERNEL_ENTRY void lash_members(double *rows, const double *lists, const double *stops,
                                     double *cut_values, long cut_count, double *reached, long count,
                                     int attempts, unsigned *taken, unsigned *left) {
    members m;
    double own_rest[COLUMNS - KEPT], own_list[NUMBERS + !NUMBERS], *rest = own_rest, *list = own_list;
    __asm__ volatile("" : "+l"(rest), "+l"(list)); // in memory: registers are few
    long member = -1;
    int tries = 0, all_taken = 0;
    take(&m, rest, list, rows, lists, 0);
    m.column[COLUMN_STATUS][0] = AT_END;
    for (;;) {
        if (member >= 0 && (m.column[COLUMN_STATUS][0] != RUNNING || (tries >= attempts && may_pause(&m)))) {
            UNROLL for (int k = 0; k < KEPT; k++) rows[member * COLUMNS + k] = m.column[k][0];
            ROLLED for (int k = KEPT; k < COLUMNS; k++) rows[member * COLUMNS + k] = rest[k - KEPT];
            UNROLL for (int k = 0; k < FIRST; k++) reached[k * count + member] = m.column[k][0];
            if (m.column[COLUMN_STATUS][0] == RUNNING)
                __nvvm_atom_add_gen_i((int *)left, 1);
            m.column[COLUMN_STATUS][0] = AT_END;
            member = -1;
        }
        while (member < 0 && !all_taken) {
            member = (unsigned)__nvvm_atom_add_gen_i((int *)taken, 1);
            all_taken = member >= count;
            if (all_taken || reached[COLUMN_STATUS * count + member] != RUNNING) {
                member = -1;
            } else {
                take(&m, rest, list, rows, lists, member);
                tries = 0;
            }
        }
        if (!ANY(member >= 0))
            return;
        const cut_store cuts = {{cut_values + (member < 0 ? 0 : member) * cut_count}};
        attempt(&m, (numbers){list, 1}, &cuts, (stop_list){stops}, rest);
        tries++;
    }
}

#else

/* Attempts between two questions whether to go on. */
enum { PATIENCE = 1024 };

/* Runs the members from `first` up to `last` to their ends, or until it is told to stop. rows: [][COLUMNS]; lists: [][NUMBERS];
 * cut_values: [][cut_count]. */
LASHI_EXPORT __attribute__((flatten)) void lash_members(double *rows, const double *lists,
                                                        const double *stops, double *cut_values,
                                                        long cut_count, long first, long last,
                                                        _Bool (*stopped)(void *user), void *user) {
    members m = {0};
    double own[NUMBERS + !NUMBERS][W] = {{0}};
    cut_store cuts = {0};
    long of[W], next = first;
    int busy = 0, patience = PATIENCE;
    LANES {
        of[l] = -1;
        m.column[COLUMN_STATUS][l] = AT_END;
    }
    do {
        busy = 0;
        LANES {
            if (m.column[COLUMN_STATUS][l] != RUNNING) {
                if (of[l] >= 0)
                    UNROLL for (int k = 0; k < COLUMNS; k++) rows[of[l] * COLUMNS + k] = m.column[k][l];
                of[l] = -1;
                while (next < last && rows[next * COLUMNS + COLUMN_STATUS] != RUNNING)
                    next++;
                if (next < last) {
                    of[l] = next++;
                    UNROLL for (int k = 0; k < COLUMNS; k++) m.column[k][l] = rows[of[l] * COLUMNS + k];
                    for (long k = 0; k < NUMBERS; k++)
                        own[k][l] = lists[of[l] * NUMBERS + k];
                    cuts.at[l] = cut_values + of[l] * cut_count;
                    begin_lane(&m, l);
                }
            }
            busy |= of[l] >= 0;
        }
        if (busy)
            attempt(&m, (numbers){&own[0][0], W}, &cuts, (stop_list){stops});
        if (--patience == 0) {
            if (stopped(user))
                return;
            patience = PATIENCE;
        }
    } while (busy);
}

#endif
