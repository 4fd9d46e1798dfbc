/* SPDX-License-Identifier: MIT
 *
 * lash_model: what the user wrote. Bodies, joints, drives, forces, materials and run settings, by name, in SI
 * units.
 *
 * A model is loaded from a YAML file or built in C from definition structs. A definition starts from its
 * default (lash_body_default(), lash_joint_default("revolute"), …), which is exactly what the file format
 * documents; then fields are set and the definition is added under a name. Text in a definition is copied;
 * expressions and tables are taken over by the model, also when adding fails.
 * References are written as in the file: "crank" (its centre of mass) or "crank.pin" (a named point),
 * "ground".
 */
#ifndef LASH_MODEL_H
#define LASH_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_model lash_model;
typedef struct lash_expression lash_expression; /* a function of time with its first two derivatives */
typedef struct lash_table lash_table;           /* a function given by points */

/* A number that was not given; what it means is said where the field is declared. */
#define LASH_UNSET ((double)NAN)

typedef enum lash_space { LASH_PLANAR, LASH_SPATIAL } lash_space;

enum { /* initial values that assembly must not change */
       LASH_HOLD_X = 1,
       LASH_HOLD_Y = 2,
       LASH_HOLD_ANGLE = 4, /* in space: the whole orientation */
       LASH_HOLD_VX = 8,
       LASH_HOLD_VY = 16,
       LASH_HOLD_W = 32, /* in space: the whole angular velocity */
       LASH_HOLD_Z = 64,
       LASH_HOLD_VZ = 128
};

/* How a body is drawn; no part of the computation. Lengths in m, places and directions in body axes. */
typedef struct lash_shape_def {
    struct {
        double radius, length; /* length unset: chosen to suit the drawing */
        double axis[3];        /* unset: z */
        double at[3];          /* of its middle */
    } cylinder;
    struct {
        double size[3]; /* of the edges along x, y, z; 0: chosen to suit */
        double at[3];
    } box;
    struct {
        double radius;
        double at[3];
    } sphere;
    struct {
        double width; /* of the bars between the body's points */
    } link;
    bool has_cylinder, has_box, has_sphere, has_link; /* none: drawn from points and joints */
    double layer; /* plane: depth of the drawing; larger ones are in front, and let through what is behind */
} lash_shape_def;

typedef struct lash_body_def {
    double mass;       /* kg, > 0 */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz of the tensor (xy = −∫xy dm); the plane uses zz alone;
                        * products that are unset are zero */
    double inertia_at[3];   /* m, space: point the inertia is about, body axes; unset: the centre of mass */
    double inertia_axes[4]; /* space: Euler parameters of the axes it is given in, relative to the body's */
    double position[3];     /* m, centre of mass in ground axes at the start; approximate unless held */
    double angle;           /* rad, plane: body axes relative to ground axes at the start */
    double orientation[4];  /* space: the same as Euler parameters, of any length but zero */
    double velocity[3];     /* m/s, of the centre of mass at the start */
    double angular_velocity[3]; /* rad/s, ground axes; the plane uses [2] alone */
    unsigned hold;              /* LASH_HOLD_… */
    lash_shape_def shape;
} lash_body_def;

typedef struct lash_material_def {
    double young;   /* Pa, > 0 */
    double poisson; /* -1 < nu < 0.5 */
    double density; /* kg/m^3, > 0; unset: the validity check of the contact law is left out */
} lash_material_def;

typedef struct lash_contact_def {
    const char *law;     /* normal force law */
    double restitution;  /* asked for, 0 < e <= 1 */
    double stiffness;    /* N/m^exponent; unset: from the materials */
    double exponent;     /* of the indentation; unset: the law's own (1.5 for Hertz-like laws) */
    double speed_floor;  /* m/s, least approach speed used in the damping factor */
    const char *damping; /* cylinder laws: law of the damping factor, or "none" */
    const char *points;  /* where the forces on the two bodies act: "common" or "own" */
    /* What scales the damping: "first": the approach speed at the first touch; "energy": the speed that
     * corresponds to the energy in the contact */
    const char *approach;
    /* Lasting contact whose vibration is over: "resolve": is integrated as any other; "auto": becomes a
     * constraint where what that leaves out is below the tolerance; "reduce": a thousandth of its depth */
    const char *following;
} lash_contact_def;

typedef struct lash_friction_def {
    const char *law;    /* "none", "ambrosio", … */
    double coefficient; /* kinetic coefficient, >= 0 */
    double v0, v1;      /* m/s, ambrosio: dead zone and full slip */
    double vr;          /* m/s, threlfall: speed of (nearly) full slip; stribeck, bengisu-akay: transition */
    double coefficient_static; /* >= coefficient; all but ambrosio, threlfall; unset: = coefficient */
    double stribeck_speed;     /* m/s; stribeck, bengisu-akay, lugre */
    double viscous;            /* s/m, added to the coefficient per unit sliding speed; stribeck, lugre */
    double bristle_stiffness;  /* 1/m, lugre sigma0 per unit normal force */
    double bristle_damping;    /* s/m, lugre sigma1 per unit normal force */
} lash_friction_def;

typedef struct lash_lubricant_def {
    const char *film;   /* pins: "squeeze-long", "long", "short", "reynolds"; balls: "squeeze-ball" */
    double viscosity;   /* Pa s; or … */
    const char *oil;    /* … an oil by its grade, "SAE 30" … */
    double temperature; /* … at this temperature, K */
    const char
        *extent; /* "half": oil takes no tension; "full"; NULL: full for squeeze-long, half for others */
    const char *shear; /* drag of the turning walls: "yes", "no"; NULL: as the film model has it */
    const char *inlet; /* reynolds: "periodic", "max-film", "groove" */
    double groove;     /* rad, inlet "groove": where it is, in the axes of the first body */
    bool dry;          /* dry contact where the film is pressed through; false: the film carries all */
    double
        transition[2]; /* e0: width of the transition to dry contact, m, or as a share of c; one is unset */
    double reserve[2]; /* e1: added to c in the film, m, or as a share of c; one is unset */
} lash_lubricant_def;

/* Wear of a bearing and its journal, or of the faces of a channel, after Archard: worn volume per load and
 * sliding distance. Either k, or coefficient and hardness; none of them: the surfaces are as given and stay
 * so. */
typedef struct lash_wear_def {
    double coefficient; /* Archard's, without a unit; with hardness */
    double hardness;    /* Pa, of the softer part */
    double k;           /* m²/N, coefficient over hardness */
    double share[2];    /* of the worn volume: bearing, journal; guides: channel, block */
    double sectors;     /* of the profiles */
    double span[2];     /* m, guides: from where to where corners touch along the channel */
    /* m, worn depth at the start, expressions of `angle` in the part's own axes; NULL: none */
    lash_expression *bearing, *journal;
} lash_wear_def;

typedef struct lash_clearance_def {
    const char *model;        /* "compliant", "permanent-contact", "three-mode" */
    double bearing_radius;    /* m, R_i > 0; compliant contact and friction need it */
    double journal_radius;    /* m, R_j; exactly one of journal_radius, radial and diametric is given */
    double radial;            /* m, c = R_i - R_j > 0 */
    double diametric;         /* m, 2c */
    double length;            /* m, of the bearing; cylinder laws, films and a pin in space need it */
    double axial;             /* m, space: play along the pin to either side; unset: none, an ideal stop */
    double axial_stiffness;   /* N/m^exponent, of the end stops; unset: as across the pin */
    const char *materials[2]; /* of bearing and journal; second NULL: the same */
    lash_contact_def contact;
    lash_friction_def friction;
    const char *sliding;  /* "material" or "geometric" */
    const char *detector; /* "located" or "penetration-tolerance" */
    double tolerance;     /* m, of the detector */
    bool has_lubricant;
    lash_lubricant_def lubricant;
    bool has_wear;
    lash_wear_def wear;
    double offset[3];   /* m, journal centre from bearing centre at the start, ground axes; unset: centred */
    double velocity[3]; /* m/s, of the journal's centre in its bearing at the start, ground axes; unset: 0 */
    double restitution; /* three-mode: of impacts, 0 <= e <= 1 */
    double rest_speed;  /* m/s, three-mode: an impact that would rebound slower ends in following contact */
    bool stop_at_loss;  /* permanent-contact: the run ends where contact would be lost */
    /* Guides. `length` is that of the block along its guide. */
    double height;         /* m, of the block across the guide */
    double width;          /* m, of the block across guide and height; in the plane wear alone needs it */
    double play;           /* m, height of the channel less that of the block */
    double side_play;      /* m, space: the same across the width; unset: as play */
    double height_axis[3]; /* space: direction of the height, axes of the first body; unset: any */
    double corner_radius;  /* m, rounding of the corners where materials give the stiffness */
} lash_clearance_def;

/* Friction of an ideal joint. Which of the numbers it has depends on its type. */
typedef struct lash_rubbing_def {
    lash_friction_def
        law;       /* and its numbers; `coefficient` may be left out where a torque or force is given */
    double radius; /* m, of the pin, ball or shaft where it slides */
    double length; /* m, between the two ends that carry the load: of a guide, sleeve, pin, cross */
    double width;  /* m, prismatic: between the sides that keep it from turning; unset: left out */
    double torque; /* N m, constant friction of seals or preload; unset: none */
    double force;  /* N, likewise of what slides */
    double loss;   /* gears: share of the power that the mesh loses */
} lash_rubbing_def;

/* Stops of a joint's coordinate. At least one of min and max is given. */
typedef struct lash_stops_def {
    const char *coordinate; /* space: "angle" or "travel" of a joint that has both; NULL: its first */
    double min, max;        /* rad or m; unset: no stop there */
    const char *model;      /* "compliant" or "three-mode" */
    lash_contact_def contact;
    double restitution; /* three-mode */
    double rest_speed;  /* rad/s or m/s, three-mode */
    double tolerance;   /* rad or m, to which the instant of touch is located */
} lash_stops_def;

/* Play between the teeth of a gear pair or of rack and pinion. One of circumferential, normal and angle is
 * given. */
typedef struct lash_backlash_def {
    double circumferential; /* m, along the pitch circle */
    double normal;          /* m, along the line of action */
    double angle;           /* rad, space: of the second wheel */
    double radius;          /* m, space: pitch radius of the second wheel */
    double pressure_angle;  /* rad; unset: that of the gear */
    double stiffness;       /* N/m along the line of action; with `angle` N m/rad */
    double damping;         /* N s/m, with `angle` N m s/rad; unset: none */
    double restitution;     /* damping by a law of impact instead; unset: none */
    const char *law;        /* of that damping */
    double speed_floor;     /* m/s, of that law */
    const char *approach;   /* "first" or "energy": speed that scales it */
    double teeth;           /* of the first wheel, for what goes with the mesh */
    lash_table *mesh;       /* stiffness over one pitch, as a factor, over 0 to 1; NULL: constant */
    lash_expression
        *error;       /* m, transmission error as an expression of the first wheel's angle; NULL: none */
    double tolerance; /* m or rad, to which the instant of touch is located */
} lash_backlash_def;

typedef struct lash_joint_def {
    const char *type;       /* "revolute", "translational", … */
    const char *between[2]; /* points; a joint with play: bearing first, journal second */
    double axis[3];         /* direction in the first body's axes */
    double second_axis[3];  /* space: the same in the second body's axes; unset: as drawn */
    const char *joints[2];  /* space, gear: the joints whose angles it couples */
    double pitch;           /* m, screw: travel per turn, right-handed positive */
    double angle;           /* rad, angle of the second body relative to the first; unset: as drawn */
    double length;          /* m, distance joint; unset: as drawn */
    double ratio;           /* gear: teeth of the first wheel over the second's; negative: an internal ring */
    double radius; /* m, rack-and-pinion: pitch radius of the pinion; its sign says on which side it is */
    double pressure_angle; /* rad, gear, rack-and-pinion */
    bool has_clearance;
    lash_clearance_def clearance;
    bool has_stops;
    lash_stops_def stops;
    bool has_backlash;
    lash_backlash_def backlash;
    bool has_friction;
    lash_rubbing_def friction; /* of an ideal joint; that of play is in its clearance */
} lash_joint_def;

typedef struct lash_drive_def {
    const char *joint;       /* drives this joint's coordinate … */
    const char *coordinate;  /* space: "angle" or "travel" of a joint that has both; NULL: its first */
    const char *body;        /* … or this body's absolute angle; one of the two */
    double speed;            /* rad/s or m/s, constant; unset: another profile */
    double start;            /* rad or m, value at t = 0 for speed and ramp; unset: as assembled */
    lash_expression *motion; /* the coordinate as a function of time */
    double ramp_from, ramp_to, ramp_over; /* smooth ramp of the speed: rad/s or m/s, and s */
    lash_table *table;                    /* the coordinate over time */
} lash_drive_def;

/* A controller of a motor: the torque or force that it asks for is
 *   kp e + ki ∫ e dt + kd ė,  e = to − position or speed,
 * and the integral follows what is left of it where it is limited. */
typedef struct lash_control_def {
    lash_expression *to; /* rad or m, rad/s or m/s */
    double kp, ki, kd;   /* SI; kd of a position */
    double limit;        /* N m or N, along the coordinate; unset: none */
    double windup;       /* s, in which the integral follows; unset: kp/ki */
    double every;        /* s between samples; unset: it works all the time */
} lash_control_def;

/* A motor that acts on a joint's coordinate by torque. All but gear is on the motor's side. */
typedef struct lash_motor_def {
    double gear;                          /* its turns per turn of the joint; of a sliding joint rad/m */
    double rotor_inertia;                 /* kg m², plane, on a joint of the ground */
    double stall_torque, no_load_speed;   /* N m, rad/s: ends of a straight line … */
    double nominal_torque, nominal_speed; /* … or a point of it, in place of one of them */
    lash_table *curve;                    /* N m over rad/s, instead */
    lash_expression *voltage;             /* share of the full one; NULL: 1 */
    double torque_constant;               /* N m/A */
    double current_limit;                 /* A */
    bool has_position, has_speed;
    lash_control_def position, speed; /* one of them, or neither */
} lash_motor_def;

typedef struct lash_force_def {
    const char *type;            /* "force", "torque", "spring", … */
    const char *at;              /* point of application */
    const char *body;            /* torque: body it acts on */
    const char *reaction;        /* body or point that takes the opposite; NULL: ground */
    const char *between[2];      /* spring: its ends; rotational spring: its bodies */
    const char *joint;           /* element acts on this joint's coordinate */
    const char *coordinate;      /* as of a drive */
    const char *over;            /* load: joint whose coordinate the table is read with */
    const char *frame;           /* "ground" or "body": axes of the components */
    lash_expression *force[3];   /* N */
    lash_expression *torque;     /* N m, plane */
    lash_expression *torques[3]; /* N m, space */
    lash_expression *actuator;   /* N or N m, pushes the ends apart */
    double stiffness;            /* N/m or N m/rad */
    double damping;              /* N s/m or N m s/rad */
    double along[3], about[3];   /* N/m and N m/rad, bushing: stiffness along and about its axes */
    double damping_along[3], damping_about[3]; /* N s/m and N m s/rad, bushing */
    double free_length;                        /* m; unset: as drawn */
    double free_angle;                         /* rad; unset: as drawn */
    lash_table *table;                         /* force over elongation or over the coordinate `over` */
    double direction[3];                       /* load: unit direction of the force, ground axes */
    double period; /* rad or m: the load repeats with this period; unset: it does not */
    lash_motor_def motor;
} lash_force_def;

/* A signal: a number made of others by an expression, to be used in other expressions and recorded. One of
 * value, integral, lag and hold is given; the last three have a state of their own. */
typedef struct lash_signal_def {
    lash_expression *value;    /* the signal itself */
    lash_expression *integral; /* its rate */
    lash_expression *lag;      /* what it follows, with the time constant `time` */
    lash_expression *hold;     /* what it is set to at t = 0, every, 2 every, …, and keeps in between */
    double time;               /* s, lag */
    double every;              /* s, hold */
    double initial;   /* SI; unset: of an integral and before the first sample 0; a lag starts settled */
    const char *unit; /* SI unit for the record; NULL: none */
} lash_signal_def;

/* An input: a number that expressions use and that is set from outside during the run. */
typedef struct lash_input_def {
    double value;      /* SI, until it is set */
    lash_table *table; /* over time, instead; NULL: none */
    const char *unit;  /* SI unit; NULL: none */
} lash_input_def;

typedef struct lash_run_def {
    double until;       /* s; or … */
    double until_turns; /* … turns (rev) of the drive `until_drive` */
    const char *until_drive;
    double discard;       /* s, the transient that statistics and figures leave out; or … */
    double discard_turns; /* … turns of the drive `discard_drive`; unset or 0: none */
    const char *discard_drive;
    const char *start;           /* "assembled", "equilibrium", "settled" */
    double settle_turns;         /* settled: gives up after so many turns or periods */
    double settle_tolerance;     /* settled: a turn repeats the last one so well, in the scales of rtol */
    double settle_period;        /* s, settled: a period; unset: a turn of the first drive */
    const char *method;          /* "dop853", "adams", "gear" */
    double rtol;                 /* relative tolerance of the integrator */
    double atol;                 /* absolute tolerance in units of the model's own scales; unset: rtol */
    double first_step, max_step; /* s; unset: automatic, unlimited */
    double max_steps;            /* gives up after so many accepted steps; unset: never */
    double balance; /* of the energy exchanged: an energy balance that is off by more fails the run */
    const char *stabilisation; /* "baumgarte", "projection", "none" */
    double alpha, beta;        /* 1/s, Baumgarte */
    double samples;            /* uniform samples over the run: N gives N+1 rows; unset: none */
    double every;              /* s between uniform samples; unset: none */
    bool steps;                /* record every accepted step */
    bool reduce;               /* leave out of the integration what ground joints and drives decide alone */
    const char *solver;        /* "auto", "dense", "sparse" */
    double begin;              /* s, when the run begins; `until` as a time comes after it */
    const char *compiled; /* "auto", "always", "never": whether lash_sim_compile makes code for the model */
} lash_run_def;

/* A parameter of the file set from outside, as text: "0.2 mm", "ideal"; or a key of its run block, named with
 * the prefix run: "run.until", "20 rev of motor". A choice of rows (run.samples, run.every, run.steps)
 * replaces the file's whole choice. */
typedef struct lash_setting {
    const char *name, *value;
} lash_setting;

typedef struct lash_load_options {
    const lash_setting *settings;
    size_t setting_count;
    /* Called for every mistake and every warning (status LASH_OK) in order of place; may be NULL. */
    void (*report)(void *user, const lash_error *mistake);
    void *user;
    /* To look at a model, not to compute it: files of tables need not exist, zeros replace them, and
     * files that it includes are read from its own text (lash_model_text) only. */
    bool without_tables;
    /* Keeps the parsed text with the model, so that lash_model_reload takes half of the time. */
    bool keep_parsed;
} lash_load_options;

/* Euler parameters (e0, e1, e2, e3) of body axes relative to other axes: turned by an angle about an axis; by yaw
 * about z, then pitch about the new y, then roll about the new x; or with the x axis along `x` and the y axis
 * in the plane of `x` and `y`. False: an axis has no direction, or the two are parallel. */
bool lash_orientation_about(double out[4], const double axis[3], double angle);
void lash_orientation_angles(double out[4], double roll, double pitch, double yaw);
bool lash_orientation_axes(double out[4], const double x[3], const double y[3]);

/* Definitions with every field at its documented default. An unknown type gives the plain default. */
lash_body_def lash_body_default(void);
lash_material_def lash_material_default(void);
lash_clearance_def lash_clearance_default(void);
lash_joint_def lash_joint_default(const char *type);
lash_drive_def lash_drive_default(void);
lash_force_def lash_force_default(const char *type);
lash_signal_def lash_signal_default(void);
lash_input_def lash_input_default(void);
lash_run_def lash_run_default(void);

lash_status lash_model_create(lash_model **out, lash_space space, lash_error *error);
/* Reads a file, or text that `name` stands for in messages. All mistakes are reported before it fails; the
 * error holds the first one and their number. */
lash_status lash_model_load(lash_model **out, const char *path, const lash_load_options *options,
                            lash_error *error);
lash_status lash_model_parse(lash_model **out, const char *text, size_t length, const char *name,
                             const lash_load_options *options, lash_error *error);
void lash_model_destroy(lash_model *model);

lash_status lash_model_set_title(lash_model *model, const char *title, lash_error *error);
lash_status lash_model_set_gravity(lash_model *model, const double gravity[3], lash_error *error);
lash_status lash_model_set_run(lash_model *model, const lash_run_def *run, lash_error *error);
lash_status lash_model_add_body(lash_model *model, const char *name, const lash_body_def *body,
                                lash_error *error);
/* A point of a body or of "ground", in the body's axes from its centre of mass. */
lash_status lash_model_add_point(lash_model *model, const char *body, const char *name, const double at[3],
                                 lash_error *error);
lash_status lash_model_add_material(lash_model *model, const char *name, const lash_material_def *material,
                                    lash_error *error);
lash_status lash_model_add_joint(lash_model *model, const char *name, const lash_joint_def *joint,
                                 lash_error *error);
lash_status lash_model_add_drive(lash_model *model, const char *name, const lash_drive_def *drive,
                                 lash_error *error);
lash_status lash_model_add_force(lash_model *model, const char *name, const lash_force_def *force,
                                 lash_error *error);
lash_status lash_model_add_signal(lash_model *model, const char *name, const lash_signal_def *signal,
                                  lash_error *error);
lash_status lash_model_add_input(lash_model *model, const char *name, const lash_input_def *input,
                                 lash_error *error);

/* Checks the whole model: references, ranges, contradictions. lash_model_load has done it already. */
lash_status lash_model_validate(const lash_model *model, lash_error *error);

const char *lash_model_title(const lash_model *model); /* "" if none */
const lash_run_def *lash_model_run(const lash_model *model);
/* The file it was read from, with the files that it includes behind it as a second document; "" if built in
 * C. */
const char *lash_model_text(const lash_model *model);
/* The index-th file of a table that was read, as a path from the folder of the model file; NULL past the end.
 */
const char *lash_model_table(const lash_model *model, size_t index);
/* A checksum of the numbers that were read from it: whether another model read the same. */
unsigned long long lash_model_table_sum(const lash_model *model, size_t index);
size_t lash_model_setting_count(const lash_model *model);
lash_setting lash_model_setting(const lash_model *model, size_t index); /* as given when it was loaded */

/* A parameter of the file. Texts live as long as the model. */
typedef struct lash_parameter {
    const char *name;
    const char *text;           /* as it is set: "0.2 mm", "clearance" */
    const char *usual;          /* as the file has it */
    double value;               /* SI; NaN of a switch */
    const char *unit;           /* the SI unit: "m", "" of a plain number or a switch */
    const char *doc;            /* the comment on its line of the file, "" if none */
    const char *const *choices; /* a switch: NULL ends them; NULL of a number */
    double low, high;           /* SI: the range that the file gives it; NaN: none */
} lash_parameter;
/* The index-th parameter; false past the end. */
bool lash_model_parameter(lash_parameter *out, const lash_model *model, size_t index);
/* The same file with other settings, which are all that hold: a model of its own. The model must come from a
 * file or a text. Threads may do this with one model at the same time. */
lash_status lash_model_reload(lash_model **out, const lash_model *model, const lash_load_options *options,
                              lash_error *error);

/* Definitions that a model has, to be changed and put back; it is then compiled again. Systems that were
 * compiled before must be gone by then: they refer to the model. The text that it was read from is forgotten,
 * since it no longer says what the model is. LASH_ERROR_USAGE: no such name. */
lash_status lash_model_get_body(lash_body_def *out, const lash_model *model, const char *name,
                                lash_error *error);
lash_status lash_model_set_body(lash_model *model, const char *name, const lash_body_def *body,
                                lash_error *error);
lash_status lash_model_get_joint(lash_joint_def *out, const lash_model *model, const char *name,
                                 lash_error *error);
lash_status lash_model_set_joint(lash_model *model, const char *name, const lash_joint_def *joint,
                                 lash_error *error);
lash_status lash_model_get_material(lash_material_def *out, const lash_model *model, const char *name,
                                    lash_error *error);
lash_status lash_model_set_material(lash_model *model, const char *name, const lash_material_def *material,
                                    lash_error *error);

/* The reference of the file format (docs/model-format.md, the tables), written from the list the reader
 * validates with. Returns the text, to be freed with free(), or NULL. */
char *lash_model_format_reference(void);
/* The JSON Schema (draft 07) of model and study files, for editors, from the same list; to be freed with
 * free(), or NULL. */
char *lash_schema(void);

/* Expressions with plain SI numbers: of t, e.g. "0.1*sin(2*pi*t)", and in forces and signals of the state,
 * e.g.
 * "-40*slider.vx"; and tables from points with rising x. */
lash_status lash_expression_create(lash_expression **out, const char *text, lash_error *error);
void lash_expression_destroy(lash_expression *expression);
typedef enum lash_interpolation {
    LASH_SPLINE,  /* natural cubic: no jump of the second derivative, but it may overshoot the points */
    LASH_LINEAR,  /* straight lines */
    LASH_MONOTONE /* cubic that stays between neighbouring points; its second derivative jumps */
} lash_interpolation;
lash_status lash_table_create(lash_table **out, const double *x, const double *y, size_t count,
                              lash_interpolation interpolation, lash_error *error);
/* What a table is before its first and after its last point. */
typedef enum lash_beyond {
    LASH_BEYOND_ERROR,       /* nothing: a run that gets there ends with an error; the default */
    LASH_BEYOND_HOLD,        /* the value of the end */
    LASH_BEYOND_EXTRAPOLATE, /* straight on, with the slope of the end */
    LASH_BEYOND_ZERO         /* 0; its first and last y must be 0 */
} lash_beyond;
lash_status lash_table_set_beyond(lash_table *table, lash_beyond beyond, lash_error *error);
void lash_table_destroy(lash_table *table);

#ifdef __cplusplus
}
#endif
#endif
