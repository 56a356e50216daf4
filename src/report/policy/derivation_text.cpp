// The evidence of a derived level as text: by architecture, then library.
#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "report/policy/derivation.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string escaped(const std::vector<std::string>& words, std::string_view between) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(escape(word, 200));
  return join(out, between);
}

std::string counts(const Policy& policy) {
  std::vector<std::string> parts = {plural(policy.libraries.size(), "library", "libraries")};
  for (const auto& [family, nodes] : policy.versions)
    parts.push_back(fmt::format("{} of {}", plural(nodes.size(), "node"), escape(family)));
  std::size_t denied = 0;
  for (const auto& [library, symbols] : policy.denied_symbols) denied += symbols.size();
  if (denied > 0) parts.push_back(fmt::format("{} denied", plural(denied, "symbol")));
  return join(parts, ", ");
}

std::string line_of(const Lack& lack) {
  const std::string who = lack.has_it.empty() ? fmt::format("no root has {}", lack.names.size() > 1 ? "them" : "it")
                                              : fmt::format("not in {}", escaped(lack.lacks, ", "));
  const std::string library = escape(lack.library);
  std::string start;
  switch (lack.kind) {
    case Lack::Kind::Architecture:
      return fmt::format("  not in {}, which is therefore not compared\n", escaped(lack.lacks, ", "));
    case Lack::Kind::Library:
      return fmt::format("  {}: left out, {}\n", library, who);
    case Lack::Kind::Version:
      start = fmt::format("  {}: {} left out, {}: ", library, plural(lack.names.size(), "node"), who);
      break;
    case Lack::Kind::Symbol:
      start = fmt::format("  {}: {} denied, {}: ", library, plural(lack.names.size(), "symbol"), who);
      break;
  }
  return start + wrapped(escaped(lack.names, " "), start.size(), 4) + "\n";
}

}  // namespace

std::string render_evidence_text(const Derivation& derivation) {
  std::string out =
      fmt::format("{}: what {} offer{} of the libraries of {}\n", derivation.level.name,
                  escaped(derivation.roots, ", "), derivation.roots.size() == 1 ? "s" : "", escape(derivation.base));
  for (const auto& [arch, policy] : derivation.level.policies) {
    out += fmt::format("\n{}\n  {}\n", name_of(arch), wrapped(counts(policy), 2, 2));
    for (const Lack& lack : derivation.lacks)
      if (lack.arch == arch) out += line_of(lack);
  }
  if (derivation.unjudged.empty()) return out;
  out += "\nnodes that are not judged, as the base lists none of their family\n";
  for (const auto& [library, families] : derivation.unjudged)
    out += fmt::format("  {}: {}\n", escape(library), escaped(families, " "));
  return out;
}

}  // namespace wheelcheck::report
