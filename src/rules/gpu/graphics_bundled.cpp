// WC408: the wheel contains a copy of a library that loads the graphics driver of the machine.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/graphics_stack.h"
#include "rules/common.h"

namespace wheelcheck::rules::graphics_bundled {
namespace {

// The files of the wheel that load the library.
std::vector<std::string> users_of(const WheelView& view, ElfIndex library) {
  std::vector<std::string> users;
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i)
    if (std::ranges::any_of(view.resolution.needed[i],
                            [&](const NeededFound& found) { return found.provider == ElfRef{WheelIndex{0}, library}; }))
      users.emplace_back(path_of(view, ElfIndex{i}));
  return users;
}

bool contains_driver(const WheelFacts& wheel) {
  return std::ranges::any_of(wheel.members,
                             [](const MemberFacts& member) { return is_graphics_driver(member.path.name()); });
}

void check(const WheelView& view, const Emit& emit) {
  struct Copy {
    ElfIndex file;
    std::string_view soname;
    std::vector<std::string> users;
  };
  std::vector<Copy> copies;
  std::set<std::string_view> sonames;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    const std::string_view soname = graphics_library(base_name(path_of(view, index)));
    if (soname.empty()) return;
    std::vector<std::string> users = users_of(view, index);
    if (users.empty()) return;
    copies.push_back({index, soname, std::move(users)});
    sonames.insert(soname);
  });
  if (copies.empty() || contains_driver(view.wheel)) return;
  for (const Copy& copy : copies)
    emit({.place = AtElf{copy.file},
          .message = fmt::format("is a copy of {}, which belongs to the graphics driver of the machine: a copy from "
                                 "another system does not find the driver, or does not fit it",
                                 copy.soname),
          .evidence = {{"needed by", list_of(copy.users)}},
          .fix = fmt::format("leave it out: auditwheel repair --exclude {} WHEEL; or open it with dlopen where it is "
                             "used",
                             fmt::join(sonames, " --exclude ")),
          .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC408",
    .name = "graphics-bundled",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::graphics_bundled
