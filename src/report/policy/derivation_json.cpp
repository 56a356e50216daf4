// The evidence of a derived level as JSON.
#include <string_view>

#include "report/policy/derivation.h"
#include "report/shared/json_text.h"

namespace wheelcheck::report {
namespace {

std::string_view word_of(Lack::Kind kind) {
  switch (kind) {
    case Lack::Kind::Architecture:
      return "architecture";
    case Lack::Kind::Library:
      return "library";
    case Lack::Kind::Version:
      return "version";
    case Lack::Kind::Symbol:
      return "symbol";
  }
  return "";
}

Json lack_json(const Lack& lack) {
  Json out = {{"kind", word_of(lack.kind)}, {"arch", name_of(lack.arch)}};
  if (!lack.library.empty()) out["library"] = safe(lack.library);
  if (!lack.names.empty()) out["names"] = texts(lack.names);
  out["has_it"] = texts(lack.has_it);
  out["lacks"] = texts(lack.lacks);
  return out;
}

}  // namespace

std::string render_evidence_json(const Derivation& derivation) {
  Json lacks = Json::array();
  for (const Lack& lack : derivation.lacks) lacks.push_back(lack_json(lack));
  Json unjudged = Json::object();
  for (const auto& [library, families] : derivation.unjudged) unjudged[safe(library)] = texts(families);
  Json arches = Json::array();
  for (const auto& [arch, policy] : derivation.level.policies) arches.push_back(name_of(arch));
  const Json out = {{"name", safe(derivation.level.name)}, {"base", safe(derivation.base)},
                    {"roots", texts(derivation.roots)},    {"architectures", std::move(arches)},
                    {"lacks", std::move(lacks)},           {"unjudged", std::move(unjudged)}};
  return out.dump(2) + "\n";
}

}  // namespace wheelcheck::report
