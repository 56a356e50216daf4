// A finding: what a rule reports about a wheel. It has a severity (how bad it would be), a confidence (how certain it
// is), a place, the evidence, and a fix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/process.h"

namespace wheelcheck {

struct Rule;
struct WheelFacts;
enum class Severity { Note, Warning, Error };
std::string_view name_of(Severity severity);  // "error"
// How certain the finding is. The severity is independent of it.
enum class Confidence { Low, Medium, High };
std::string_view name_of(Confidence confidence);  // "high"

struct WholeWheel {};
struct AtMember {
  MemberIndex member;
};
// A path that the archive does not contain, such as that of a RECORD row.
struct AtPath {
  std::string path;
};
struct AtElf {
  ElfIndex elf;
};
// A file of a process in which several wheels are loaded.
struct AtObject {
  process::ObjectIndex object;
};
using Place = std::variant<WholeWheel, AtMember, AtPath, AtElf, AtObject>;
// The path of the member, or that is named; "" for other places.
std::string_view path_of(const WheelFacts& wheel, const Place& place);

struct Evidence {
  std::string label, value;
};
// The systems on which a finding holds, if it does not hold on all: those whose C library is older than `before`, or
// not older than `from`; if both are empty, those whose `library` does not define the symbol.
struct SystemCondition {
  std::string before = {}, from = {};  // "2.34"; musl: "1.2.3"
  std::string symbol = {}, library = {};
};
struct Finding {
  const Rule* rule = nullptr;  // never null; set by the engine
  Severity severity = Severity::Error;
  Confidence confidence = Confidence::High;
  Place place;
  std::string message;  // starts with a lower-case letter, without a full stop; names the thing and the fact
  std::vector<Evidence> evidence;
  std::string fix;  // what to type or change in this case
  // For a rule about several wheels: the load plans in which the finding occurs. Indices into Conflicts::load_plans.
  std::vector<std::uint32_t> load_plans = {};
  bool fixable = false;  // `wheelcheck fix` removes it
  std::optional<SystemCondition> on = {};
};

}  // namespace wheelcheck
