// Compiler differences of the loops: instruction set clones, inlining and aliasing.
#pragma once

#include <cstddef>

// Clones need the resolver (ifunc) of the GNU C library; <cstddef> above has made __GLIBC__ visible.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    ((defined(__GNUC__) && !defined(__clang__)) || (defined(__clang__) && __clang_major__ >= 14))
// What the processor can do decides, not what it is called: "arch=haswell" is chosen on that family alone.
#if !defined(__clang__) && __GNUC__ >= 12
#define WIDEMARGIN_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WIDEMARGIN_CLONES __attribute__((target_clones("avx2", "default")))
#endif
#else
#define WIDEMARGIN_CLONES
#endif

// What a cloned loop calls has to be inlined into each clone, or it keeps the baseline instructions.
#if defined(__GNUC__) || defined(__clang__)
#define WIDEMARGIN_INLINE inline __attribute__((always_inline))
#define WIDEMARGIN_RESTRICT __restrict__
#elif defined(_MSC_VER)
#define WIDEMARGIN_INLINE __forceinline
#define WIDEMARGIN_RESTRICT __restrict
#else
#define WIDEMARGIN_INLINE inline
#define WIDEMARGIN_RESTRICT
#endif
