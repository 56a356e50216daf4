#include "rules/policy/retired.h"

#include <algorithm>

namespace wheelcheck::rules {
namespace {

// When pypa/manylinux ended its support for each image, as its README says.
constexpr RetiredImage retired[] = {
    {PlatformTag::Family::Manylinux, {{2, 5}}, "manylinux1 (CentOS 5)", "2022-01-01", "manylinux2014"},
    {PlatformTag::Family::Manylinux, {{2, 12}}, "manylinux2010 (CentOS 6)", "2022-08-01", "manylinux2014"},
    {PlatformTag::Family::Manylinux, {{2, 24}}, "manylinux_2_24 (Debian 9)", "2023-01-01", "manylinux_2_28"},
    {PlatformTag::Family::Musllinux, {{1, 1}}, "musllinux_1_1 (Alpine 3.12)", "2024-11-01", "musllinux_1_2"},
};

}  // namespace

const RetiredImage* retired_image(const PlatformTag& tag) {
  const auto is_it = [&](const RetiredImage& one) { return one.family == tag.family && one.libc == tag.libc; };
  const auto* const at = std::ranges::find_if(retired, is_it);
  return at == std::end(retired) ? nullptr : at;
}

}  // namespace wheelcheck::rules
