#include "archive/case_folding.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/text.h"

namespace wheelcheck::archive {

namespace {

std::string mapped_by(std::string_view text, int options) {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);  // not UTF-8, or no memory
  return {reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size)};
}

}  // namespace

std::string fold(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return lower(text);
  return mapped_by(text, UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);
}

std::string compatible_form(std::string_view text) {
  return mapped_by(text, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE);
}

}  // namespace wheelcheck::archive
