// What a rule says about a wheel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/process.h"

namespace wheelcheck {

struct Rule;
enum class Severity { Info, Warning, Error };
std::string_view name_of(Severity severity);  // "error"
// How sure it is that what is said is so; the severity says how bad it would be.
enum class Confidence { Low, Medium, High };
std::string_view name_of(Confidence confidence);  // "high"

struct WholeWheel {};
struct AtMember {
  MemberIndex member;
};
struct AtPath {
  std::string path;
};  // a path that the archive does not hold (a RECORD row)
struct AtElf {
  ElfIndex elf;
};
struct AtObject {
  process::ObjectIndex object;
};  // a file of a process in which several wheels are loaded
using Place = std::variant<WholeWheel, AtMember, AtPath, AtElf, AtObject>;

struct Evidence {
  std::string label, value;
};
struct Finding {
  const Rule* rule = nullptr;  // never null; set by the engine
  Severity severity = Severity::Error;
  Confidence confidence = Confidence::High;
  Place place;
  std::string message;  // starts small, no full stop, names the thing and the fact
  std::vector<Evidence> evidence;
  std::string fix;  // what to type or change, for this case
  std::vector<std::uint32_t> load_plans =
      {};                // of a set of wheels: the orders in which it is so, into Conflicts::load_plans
  bool fixable = false;  // `wheelcheck fix` removes it
};

}  // namespace wheelcheck
