/* SPDX-License-Identifier: MIT
 *
 * Replaces the headers of C where a text is compiled for a GPU, which has no C library. Functions that are
 * declared here but do not exist there appear in the compiler's output as `.extern`; a model that needs them
 * is not computed on the GPU.
 */
#define bool _Bool
#define true 1
#define false 0
#define NULL                   ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef __SIZE_TYPE__ size_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef struct FILE FILE;

#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define isnan(x)    __builtin_isnan(x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x)    __builtin_isinf(x)
#define signbit(x)  __builtin_signbit(x)
#define sqrt        __builtin_sqrt
#define fabs        __builtin_fabs
#define fmin        __builtin_fmin
#define fmax        __builtin_fmax
#define copysign    __builtin_copysign
#define floor       __builtin_floor
#define ceil        __builtin_ceil
#define memcpy      __builtin_memcpy
#define memset      __builtin_memset
double pow(double, double), exp(double), log(double), tan(double), atan(double), atan2(double, double);
double hypot(double, double), remainder(double, double), fmod(double, double), round(double), tanh(double),
    log1p(double), asin(double), acos(double), sinh(double), cosh(double), log10(double);
#define rint __builtin_rint
