// Fuzz target: any bytes as the ELF file of a wheel, and all output of the program for it. JSON output is JSON, and no
// format contains terminal control sequences or misleading characters.
#include <cstdint>
#include <string>

#include "elf/read.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judged.h"
#include "tests/support/facts.h"
#include "wheel/install_layout.h"
#include "wheel/roles.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const auto bytes = std::as_bytes(std::span(data, size));
  if (!elf::has_elf_magic(bytes)) return 0;
  // The file twice: as a module that is imported, and as a library that the module may need.
  WheelFacts wheel = test::WheelBuilder("made-1.0-cp311-cp311-manylinux_2_17_x86_64.musllinux_1_2_x86_64.whl")
                         .member("made.libs/libmade.so.1", size)
                         .member("made/module.cpython-311-x86_64-linux-gnu.so", size)
                         .build();
  const wheel::InstallLayout layout(wheel.name);
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
    const MemberPath& path = wheel.members[i].path;
    if (path.text().find(".so") == std::string::npos) continue;
    const wheel::Installed place = layout.place(path);
    ElfFacts facts = elf::read_elf(bytes, {});
    ElfRole role = wheel::role_of(facts, place.path, layout.site_packages());
    const Libc libc = wheel::libc_of(facts, path.name(), wheel.name);
    wheel.elfs.push_back({.member = MemberIndex{i},
                          .role = std::move(role),
                          .libc = libc,
                          .installed = place.path,
                          .facts = std::move(facts)});
  }
  fuzz::show_everything(std::move(wheel));
  return 0;
}
