// Compiles fmt's own source file into the program, because Debian packages fmt only as a shared library. With these few
// functions inside, the program does not load libfmt and the shared C++ library at each start. Other versions of fmt
// are linked as usual.
#include <fmt/core.h>

#if FMT_VERSION >= 90000 && FMT_VERSION < 100000

#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref locale) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref locale) -> char;

}  // namespace detail
FMT_END_NAMESPACE

#endif
