#include "report/answers/check_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t shown_errors = 3, shown_files = 5;

// The findings of unmet requirements (policy.h), and of the verdict about them.
bool is_about_the_tag(const Rule& rule) {
  constexpr std::string_view codes[] = {"WC101", "WC102", "WC103", "WC104", "WC105", "WC111", "WC115"};
  return std::ranges::find(codes, rule.code) != std::end(codes);
}

// Nothing for files that are not judged, such as data of tests.
const Flaw* fault_of(const ElfMember& file) {
  if (std::holds_alternative<ForeignCode>(file.role)) return nullptr;
  const auto at = std::ranges::find_if(file.facts.flaws, [](const Flaw& flaw) { return flaw.fatal; });
  return at == file.facts.flaws.end() ? nullptr : &*at;
}

}  // namespace

std::vector<const Finding*> check_errors(const WheelReport& wheel) {
  std::vector<const Finding*> out;
  for (const Finding& finding : wheel.findings)
    if (wheel.fail_on && finding.severity >= *wheel.fail_on && !is_about_the_tag(*finding.rule))
      out.push_back(&finding);
  return out;
}

bool has_check_errors(const WheelReport& wheel) { return !check_errors(wheel).empty(); }

void add_check_errors(Document& out, const WheelReport& wheel) {
  const std::vector<const Finding*> errors = check_errors(wheel);
  std::vector<std::string> names;
  for (const Finding* error : errors) {
    const std::string path = place_path(wheel.facts, error->place);
    std::string name =
        fmt::format("{} {}{}", error->rule->code, error->rule->name, path.empty() ? "" : " (" + path + ")");
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return;
  out.blank();
  out.line({"error ", Style::Bad},
           fmt::format("check reports {}: {}; see `wheelcheck {}`", count_of(errors.size(), "error"),
                       first_few(names, shown_errors), escape(wheel.facts.file)),
           6);
}

Json check_errors_json(const WheelReport& wheel) {
  Json out = Json::array();
  for (const Finding* error : check_errors(wheel)) {
    const std::string path = place_path(wheel.facts, error->place);
    Json item = {{"code", error->rule->code},
                 {"name", error->rule->name},
                 {"member", path.empty() ? Json(nullptr) : Json(path)}};
    if (std::ranges::find(out, item) == out.end()) out.push_back(std::move(item));
  }
  return out;
}

void add_unread(Document& out, const WheelFacts& wheel) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const Flaw* const flaw = fault_of(wheel.elfs[i]);
    if (flaw == nullptr || ++count > shown_files) continue;
    out.line({"error ", Style::Bad},
             fmt::format("{} was not read whole: {}", elf_path(wheel, ElfIndex{i}), escape(flaw->reason)), 6);
  }
  if (count > shown_files) out.and_more("", count - shown_files, "file");
}

}  // namespace wheelcheck::report
