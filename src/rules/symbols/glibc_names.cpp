#include "rules/symbols/glibc_names.h"

#include <algorithm>
#include <array>

#include "model/c_names.h"

namespace wheelcheck::rules {
namespace {

// C23 7.12 and 7.3, and the additions in glibc's math.h; each also exists with the suffix f or l.
constexpr std::array<std::string_view, 115> math = {"acos",
                                                    "acosh",
                                                    "asin",
                                                    "asinh",
                                                    "atan",
                                                    "atan2",
                                                    "atanh",
                                                    "cabs",
                                                    "cacos",
                                                    "cacosh",
                                                    "carg",
                                                    "casin",
                                                    "casinh",
                                                    "catan",
                                                    "catanh",
                                                    "cbrt",
                                                    "ccos",
                                                    "ccosh",
                                                    "ceil",
                                                    "cexp",
                                                    "cimag",
                                                    "clog",
                                                    "clog10",
                                                    "conj",
                                                    "copysign",
                                                    "cos",
                                                    "cosh",
                                                    "cpow",
                                                    "cproj",
                                                    "creal",
                                                    "csin",
                                                    "csinh",
                                                    "csqrt",
                                                    "ctan",
                                                    "ctanh",
                                                    "drem",
                                                    "erf",
                                                    "erfc",
                                                    "exp",
                                                    "exp10",
                                                    "exp2",
                                                    "expm1",
                                                    "fabs",
                                                    "fdim",
                                                    "feclearexcept",
                                                    "fegetenv",
                                                    "fegetexcept",
                                                    "fegetround",
                                                    "feholdexcept",
                                                    "feraiseexcept",
                                                    "fesetenv",
                                                    "fesetround",
                                                    "fetestexcept",
                                                    "feupdateenv",
                                                    "feenableexcept",
                                                    "fedisableexcept",
                                                    "fegetexceptflag",
                                                    "fesetexceptflag",
                                                    "finite",
                                                    "floor",
                                                    "fma",
                                                    "fmax",
                                                    "fmin",
                                                    "fmod",
                                                    "frexp",
                                                    "gamma",
                                                    "hypot",
                                                    "ilogb",
                                                    "isinf",
                                                    "isnan",
                                                    "j0",
                                                    "j1",
                                                    "jn",
                                                    "ldexp",
                                                    "lgamma",
                                                    "lgamma_r",
                                                    "llrint",
                                                    "llround",
                                                    "log",
                                                    "log10",
                                                    "log1p",
                                                    "log2",
                                                    "logb",
                                                    "lrint",
                                                    "lround",
                                                    "modf",
                                                    "nan",
                                                    "nearbyint",
                                                    "nextafter",
                                                    "nexttoward",
                                                    "pow",
                                                    "pow10",
                                                    "remainder",
                                                    "remquo",
                                                    "rint",
                                                    "round",
                                                    "roundeven",
                                                    "scalb",
                                                    "scalbln",
                                                    "scalbn",
                                                    "signgam",
                                                    "significand",
                                                    "sin",
                                                    "sincos",
                                                    "sinh",
                                                    "sqrt",
                                                    "tan",
                                                    "tanh",
                                                    "tgamma",
                                                    "trunc",
                                                    "y0",
                                                    "y1",
                                                    "yn",
                                                    "nextup",
                                                    "nextdown"};
constexpr std::array<std::string_view, 16> families = {"pthread_", "__pthread_", "sem_",    "clock_", "timer_", "aio_",
                                                       "lio_",     "mq_",        "shm_",    "dl",     "thrd_",  "mtx_",
                                                       "cnd_",     "tss_",       "openpty", "forkpty"};

constexpr auto math_by_name = [] {
  auto names = math;
  std::ranges::sort(names);
  return names;
}();

constexpr std::size_t longest_math = std::ranges::max(math, {}, &std::string_view::size).size();

bool is_math(std::string_view name) {
  return name.size() <= longest_math && std::ranges::binary_search(math_by_name, name);
}

}  // namespace

bool is_of_librt(std::string_view symbol) {
  constexpr std::array<std::string_view, 5> of_librt = {"timer_", "aio_", "lio_", "mq_", "shm_"};
  return std::ranges::any_of(of_librt, [&](std::string_view family) { return symbol.starts_with(family); }) &&
         c_name(Libc::Glibc, symbol).has_value();
}

bool is_of_glibcs_parts(std::string_view symbol) {
  for (const std::string_view family : families) {
    if (symbol.empty() || symbol.front() != family.front() || !symbol.starts_with(family)) continue;
    if (family != "dl") return true;
    constexpr std::array<std::string_view, 9> dl = {"dlopen",  "dlsym",  "dlclose", "dlerror", "dladdr",
                                                    "dladdr1", "dlinfo", "dlvsym",  "dlmopen"};
    return std::ranges::find(dl, symbol) != dl.end();
  }
  if (symbol.starts_with("__fpclassify") || symbol.starts_with("__signbit") || symbol.starts_with("__issignaling"))
    return true;
  // -ffast-math before glibc 2.31 produces __exp_finite; old compilers produce __isnan.
  if (symbol.starts_with("__")) symbol.remove_prefix(2);
  if (symbol.ends_with("_finite")) symbol.remove_suffix(7);
  if (is_math(symbol)) return true;
  if (!symbol.ends_with('f') && !symbol.ends_with('l')) return false;
  return is_math(symbol.substr(0, symbol.size() - 1));
}

}  // namespace wheelcheck::rules
