// The names of musl's loader and library.
#include "environment/musl.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_musl[];
extern const std::size_t embedded_musl_count;

namespace environment {

bool is_musl_program(const ElfFacts& program) {
  return program.interpreter && base_name(*program.interpreter).starts_with("ld-musl-");
}

std::string_view musl_interpreter(const ElfFacts& machine) {
  // By e_machine: LDSO_ARCH of musl's arch/*/reloc.h.
  static constexpr std::pair<std::uint16_t, std::string_view> paths[] = {
      {3, "/lib/ld-musl-i386.so.1"},      {21, "/lib/ld-musl-powerpc64le.so.1"}, {22, "/lib/ld-musl-s390x.so.1"},
      {40, "/lib/ld-musl-armhf.so.1"},    {62, "/lib/ld-musl-x86_64.so.1"},      {183, "/lib/ld-musl-aarch64.so.1"},
      {243, "/lib/ld-musl-riscv64.so.1"}, {258, "/lib/ld-musl-loongarch64.so.1"}};
  const auto at = std::ranges::find(paths, machine.machine, &std::pair<std::uint16_t, std::string_view>::first);
  return at == std::end(paths) ? "/lib/ld-musl-any.so.1" : at->second;
}

process::File musl_library(const ElfFacts& program, std::vector<std::unique_ptr<const ElfFacts>>& facts) {
  auto libc = std::make_unique<ElfFacts>();
  libc->kind = ElfKind::SharedObject;
  libc->bits = program.bits;
  libc->machine = program.machine;
  libc->little_endian = program.little_endian;
  std::vector<Export>& exports = libc->dynamic.emplace().exports;
  for (const std::string_view line : split(embedded_musl[0].text, '\n'))
    if (!line.empty() && !line.contains(" dropped "))
      exports.push_back({.name = line.substr(0, line.find(' ')), .version = std::nullopt});
  process::File file{.path = std::string(*program.interpreter), .facts = libc.get(), .reference = true};
  facts.push_back(std::move(libc));
  return file;
}

}  // namespace environment

}  // namespace wheelcheck
