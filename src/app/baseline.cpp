// Reads, writes and applies baselines.
#include "app/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "report/shared/fingerprint.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::app {

using report::document_text;
using report::fingerprint;
using report::Json;
using report::safe;
using report::safe_long;

namespace {

constexpr std::string_view schema_name = "wheelcheck-baseline";
constexpr int schema_version = 1;

// Identifies one of a project's wheels, independent of version and level: "gridfit cp311-cp311-manylinux_x86_64".
std::string wheel_key(const WheelName& name) {
  std::set<std::string> platforms;
  for (const PlatformTag& tag : name.platforms)
    platforms.insert(fmt::format("{}_{}", name_of(tag.family), name_of(tag.arch)));
  return fmt::format("{} {}-{}-{}", safe(lower(name.distribution)), safe(join(name.python, ".")),
                     safe(join(name.abi, ".")), fmt::join(platforms, "."));
}

bool comes_first(const KnownFinding& a, const KnownFinding& b) {
  return std::tie(a.wheel, a.code, a.member, a.fingerprint) < std::tie(b.wheel, b.code, b.member, b.fingerprint);
}

std::unexpected<Error> bad(std::string_view file, std::string_view what) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("baseline {}: {}", escape(file), what)});
}

std::optional<std::string> text_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool is_fingerprint(std::string_view text) {
  return text.size() == report::fingerprint_digits &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

// nullopt if the object does not have the form that baseline_text writes.
std::optional<KnownFinding> read_finding(const nlohmann::json& object) {
  if (!object.is_object() || object.size() != 6) return std::nullopt;
  auto fingerprint = text_at(object, "fingerprint"), wheel = text_at(object, "wheel"), code = text_at(object, "rule");
  auto member = text_at(object, "member"), message = text_at(object, "message");
  const auto count = object.find("count");
  if (!fingerprint || !is_fingerprint(*fingerprint) || !wheel || !code || !member || !message) return std::nullopt;
  if (count == object.end() || !count->is_number_unsigned()) return std::nullopt;
  const auto number = count->get<std::uint64_t>();
  if (number == 0 || number > 0xFFFFFFFF) return std::nullopt;
  return KnownFinding{*fingerprint, *wheel, *code, *member, *message, static_cast<std::uint32_t>(number)};
}

}  // namespace

std::vector<KnownFinding> known_findings(const WheelReport& wheel) {
  const std::string key = wheel_key(wheel.facts.name);
  std::map<std::string, KnownFinding> by_fingerprint;
  for (const Finding& finding : wheel.findings) {
    std::string print = fingerprint(wheel, finding);
    const auto [at, fresh] = by_fingerprint.try_emplace(
        print, KnownFinding{print, key, std::string(finding.rule->code), report::place_path(wheel.facts, finding.place),
                            safe_long(finding.message)});
    if (!fresh) ++at->second.count;
  }
  std::vector<KnownFinding> out;
  for (auto& [print, finding] : by_fingerprint) out.push_back(std::move(finding));
  std::ranges::sort(out, comes_first);
  return out;
}

void remove_baseline(WheelReport& wheel, const Baseline& baseline,
                     const std::function<bool(std::string_view code)>& is_judged) {
  std::map<std::string_view, std::uint64_t> left;
  for (const KnownFinding& finding : baseline.findings) left[finding.fingerprint] += finding.count;
  std::vector<Finding> fresh;
  std::set<std::string> seen;
  for (Finding& finding : wheel.findings) {
    const std::string print = fingerprint(wheel, finding);
    const auto found = left.find(print);
    seen.insert(print);
    const bool is_known = found != left.end() && found->second != 0;
    if (is_known) --found->second;
    (is_known ? wheel.known : fresh).push_back(std::move(finding));
  }
  wheel.findings = std::move(fresh);
  const std::string key = wheel_key(wheel.facts.name);
  for (const KnownFinding& finding : baseline.findings)
    if (finding.wheel == key && !seen.contains(finding.fingerprint) && is_judged(finding.code))
      wheel.resolved.push_back(finding);
}

std::string baseline_text(const Report& report) {
  // two versions of a wheel in one run have findings with the same fingerprint
  std::map<std::string_view, KnownFinding> each;
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel) continue;
    for (const KnownFinding& finding : entry.wheel->new_baseline) {
      KnownFinding& same = each.try_emplace(finding.fingerprint, finding).first->second;
      same.count = std::max(same.count, finding.count);
    }
  }
  std::vector<KnownFinding> all;
  for (auto& [print, finding] : each) all.push_back(std::move(finding));
  std::ranges::sort(all, comes_first);
  Json findings = Json::array();
  for (const KnownFinding& finding : all)
    findings.push_back({{"fingerprint", finding.fingerprint},
                        {"wheel", finding.wheel},
                        {"rule", finding.code},
                        {"member", finding.member},
                        {"message", finding.message},
                        {"count", finding.count}});
  const Json document = {{"schema", schema_name}, {"version", schema_version}, {"findings", std::move(findings)}};
  return document_text(document);
}

Result<Baseline> read_baseline(std::string_view file, std::string_view text) {
  const auto parsed = json::parse(text);
  if (!parsed) return bad(file, parsed.error().front());
  const nlohmann::json& document = *parsed;
  if (!document.is_object()) return bad(file, fmt::format("is {}, not an object", json::type_name(document)));
  if (text_at(document, "schema") != schema_name)
    return bad(file, "is not a baseline: it has no \"schema\": \"wheelcheck-baseline\"");
  const auto version = document.find("version");
  if (version == document.end() || !version->is_number_integer()) return bad(file, "has no version");
  if (*version != schema_version)
    return bad(file, fmt::format("has version {}; this wheelcheck knows {}: write it again with --write-baseline",
                                 version->dump(), schema_version));
  const auto findings = document.find("findings");
  if (findings == document.end() || !findings->is_array() || document.size() != 3)
    return bad(file, "is damaged: it has more than a list of findings; write it again with --write-baseline");
  Baseline baseline{.file = std::string(file), .findings = {}};
  for (std::size_t i = 0; i < findings->size(); ++i) {
    auto finding = read_finding((*findings)[i]);
    if (!finding) return bad(file, fmt::format("/findings/{} is not a finding of a baseline", i));
    baseline.findings.push_back(std::move(*finding));
  }
  return baseline;
}

}  // namespace wheelcheck::app
