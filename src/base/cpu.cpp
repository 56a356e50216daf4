#include "base/cpu.h"

// glibc has already executed CPUID at start. Under a hypervisor each CPUID costs microseconds, so its result is used.
// The header is C and needs _Bool.
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#define _Bool bool
#include <sys/platform/x86.h>
#undef _Bool
#define WHEELCHECK_HAS(NAME, name) CPU_FEATURE_ACTIVE(NAME)
#elif defined(__x86_64__)
#define WHEELCHECK_HAS(NAME, name) __builtin_cpu_supports(name)
#else
#define WHEELCHECK_HAS(NAME, name) false
#endif

namespace wheelcheck::cpu {

bool has_avx2() { return WHEELCHECK_HAS(AVX2, "avx2"); }

}  // namespace wheelcheck::cpu
