// The fingerprint that identifies a finding across releases.
#include "report/shared/fingerprint.h"

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "base/text.h"
#include "model/requires_dist.h"
#include "report/shared/names.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {

namespace {

constexpr std::string_view separator("\0", 1);  // does not occur in names

// The end of the run of characters from `at` on for which `fits` is true.
std::size_t run_end(std::string_view text, std::size_t at, bool (*fits)(char)) {
  while (at < text.size() && fits(text[at])) ++at;
  return at;
}

// The end of a suffix such as "-5d1c8e02": eight or more digits of a hash, which auditwheel and similar tools append to
// a library's name.
std::size_t hash_end(std::string_view text, std::size_t at) {
  if (text[at] != '-') return at;
  const std::size_t end = run_end(text, at + 1, is_lower_hex);
  const bool whole = end == text.size() || !is_alnum(text[end]);
  return whole && end - at > 8 ? end : at;
}

// The end of a version such as "-1.2.3" or ".1.2": two or more numbers.
std::size_t version_end(std::string_view text, std::size_t at) {
  if (text[at] != '-' && text[at] != '.' && text[at] != '_') return at;
  const std::size_t first = run_end(text, at + 1, is_digit);
  std::size_t end = first;
  while (end > at + 1 && end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]))
    end = run_end(text, end + 1, is_digit);
  const bool whole = end == text.size() || !is_alnum(text[end]);
  return end > first && whole ? end : at;
}

std::string stable_part(std::string_view name) {
  // The part after ".so" is a version.
  if (const std::size_t so = name.rfind(".so."); so != name.npos && so > 0)
    if (std::ranges::all_of(name.substr(so + 4), [](char c) { return is_digit(c) || c == '.'; }))
      name = name.substr(0, so + 3);
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::max(hash_end(name, at), version_end(name, at));
    if (end == at) out += name[at++];
    at = std::max(at, end);
  }
  return out;
}

// Identifies one wheel of a release, without its level: cp311, cp311, manylinux x86_64.
std::string build_of(const WheelName& name) {
  std::string out = join(name.python, ".");
  out.append(separator).append(join(name.abi, "."));
  for (const PlatformTag& tag : name.platforms) {
    const std::string platform = std::string(name_of(tag.family)) + " " + std::string(name_of(tag.arch));
    if (out.find(platform) == out.npos) out.append(separator).append(platform);
  }
  return out;
}

// The first item of a list; the others change with the library's code.
std::string_view first_of_list(std::string_view value) { return value.substr(0, value.find(", ")); }

// The subject within the member: a library, a version node, the first symbol.
std::string subject_of_finding(const Finding& finding) {
  constexpr std::string_view names[] = {"library", "soname", "distribution", "module", "search path", "interpreter"};
  constexpr std::string_view lists[] = {"symbols", "names", "libraries", "undefined symbols"};
  constexpr std::string_view nodes[] = {"version", "versions", "node"};
  std::string out;
  for (const auto& [label, value] : finding.evidence) {
    if (contains(names, label)) out.append(separator).append(stable_name(value));
    if (contains(lists, label)) out.append(separator).append(stable_name(first_of_list(value)));
    if (contains(nodes, label)) out.append(separator).append(first_of_list(value));
  }
  return out;
}

}  // namespace

std::string stable_name(std::string_view name) {
  std::string out;
  for (const std::string_view part : split(name, '/')) {
    if (!out.empty()) out += '/';
    out += stable_part(part);
  }
  return out;
}

std::string fingerprint(const WheelReport& wheel, const Finding& finding) {
  const WheelName& name = wheel.facts.name;
  std::string identity(finding.rule->code);
  identity.append(separator).append(normal_project_name(name.distribution));
  identity.append(separator).append(build_of(name));
  identity.append(separator).append(stable_name(place_path(wheel.facts, finding.place)));
  identity += subject_of_finding(finding);
  return sha256_hex(std::as_bytes(std::span(identity))).substr(0, fingerprint_digits);
}

}  // namespace wheelcheck::report
