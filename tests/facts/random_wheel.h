// Random wheels for tests of the cache format. They have values in every field, every kind of file, and texts with any
// bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/facts/random_facts.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

class RandomWheel {
 public:
  explicit RandomWheel(std::uint64_t seed) : elfs_(seed), dice_(seed + 1000) {}

  WheelFacts wheel() {
    WheelFacts out;
    out.file = text();
    out.size = below(1U << 31);
    out.name = {.distribution = text(), .version = text(), .build = text(), .python = texts(), .abi = texts()};
    for (const char* const tag : {"manylinux2014_x86_64", "linux_x86_64_v3", "nonsense"})
      if (one_in(2)) out.name.platforms.push_back(parse_platform_tag(tag));
    out.name.variant = text();
    if (one_in(2)) out.dist_info = text();
    if (one_in(2)) out.wheel = {.wheel_version = text(), .root_is_purelib = maybe(one_in(2)), .tags = texts()};
    if (one_in(2)) out.metadata = {text(), text(), text(), texts(), texts(), texts(), texts()};
    if (one_in(2)) out.record.emplace();
    for (unsigned i = 0, n = out.record ? below(5) : 0; i < n; ++i)
      out.record->push_back({text(), text(), maybe(std::uint64_t{below(1000)})});
    for (unsigned i = 0, n = 3 + below(5); i < n; ++i)
      out.members.push_back({.path = *MemberPath::parse("a" + std::to_string(i)),
                             .size = below(1U << 31),
                             .packed_size = below(1U << 31),
                             .crc32 = below(1U << 31),
                             .unix_mode = below(65536),
                             .sha256 = text(),
                             .foreign = static_cast<ForeignKind>(below(22))});
    for (std::uint32_t i = 0; i < out.members.size(); ++i) {
      if (one_in(3)) out.elfs.push_back(elf(MemberIndex{i}));
      if (one_in(3)) out.python.push_back(python(MemberIndex{i}));
    }
    for (unsigned i = 0, n = below(3); i < n; ++i)
      out.flaws.push_back({static_cast<WheelArea>(below(6)), maybe(MemberIndex{below(3)}), text(), text()});
    if (!out.members.empty() && one_in(2))
      out.sboms.push_back({.member = MemberIndex{0},
                           .tool = text(),
                           .parts = {{.name = text(), .purl = text(), .is_file = one_in(2)}}});
    if (!out.members.empty() && one_in(2))
      out.script_lines.push_back({.member = MemberIndex{0}, .interpreter = text(), .carriage_return = one_in(2)});
    out.all_python = one_in(2);
    return out;
  }

  unsigned below(unsigned bound) { return dice_.below(bound); }

 private:
  bool one_in(unsigned count) { return dice_.one_in(count); }
  std::string text() { return elfs_.text(); }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    for (unsigned i = 0, n = below(3); i < n; ++i) out.push_back(text());
    return out;
  }
  template <class T>
  std::optional<T> maybe(T value) {
    return one_in(2) ? std::optional(std::move(value)) : std::nullopt;
  }

  ElfMember elf(MemberIndex member) {
    ElfMember out{.member = member,
                  .role = {},
                  .libc = static_cast<Libc>(below(4)),
                  .installed = text(),
                  .disguised = one_in(2),
                  .in_purelib = one_in(2),
                  .facts = elfs_.facts()};
    const ElfRole roles[] = {ExtensionModule{text(), maybe(2 + static_cast<int>(below(2))), one_in(2)},
                             BundledLibrary{},
                             PlainLibrary{},
                             Program{},
                             ForeignCode{text()},
                             BrokenElf{}};
    out.role = roles[below(std::size(roles))];
    return out;
  }

  PythonFile python(MemberIndex member) {
    PythonFile out{
        .member = member, .calls = {}, .broken = one_in(2), .cut = static_cast<PythonCut>(below(6)), .names = {}};
    for (unsigned i = 0, n = 1 + below(3); i < n; ++i)
      out.calls.push_back({static_cast<LoadCall>(below(4)), below(1000), maybe(text()), maybe(below(1000)), one_in(2),
                           static_cast<Reach>(below(3)), text()});
    for (unsigned i = 0, n = below(3); i < n; ++i) out.names.push_back({text(), below(1000)});
    for (unsigned i = 0, n = 1 + below(3); i < n; ++i)
      out.conditions.push_back({below(100), one_in(2), i == 0 || one_in(2) ? no_python_index : below(i)});
    for (unsigned i = 0, n = below(3); i < n; ++i) out.refusals.push_back({below(1000), text(), text()});
    for (unsigned i = 0, n = 1 + below(3); i < n; ++i) out.units.push_back({text(), i, 2});
    for (std::size_t i = 0; i < out.units.size() + 2; ++i) {
      PythonEvent event{.action = static_cast<PythonAction>(below(8)),
                        .reach = static_cast<Reach>(below(3)),
                        .line = below(1000),
                        .call = below(static_cast<unsigned>(out.calls.size())),
                        .bits = below(1000),
                        .known = below(1000),
                        .name = text(),
                        .names = texts()};
      if (one_in(2)) event.condition = below(static_cast<unsigned>(out.conditions.size()));
      if (one_in(2)) event.attempt = below(1000);
      if (one_in(2)) event.target = below(static_cast<unsigned>(out.units.size()));
      out.events.push_back(std::move(event));
    }
    return out;
  }

  RandomFacts elfs_;
  oracle::Dice dice_;
};

}  // namespace wheelcheck::test
