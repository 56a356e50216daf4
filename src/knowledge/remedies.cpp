// data/remedies.json: how to do without symbols and version nodes that keep wheels from older tags.
#include <string_view>

#include "knowledge/fields.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

TextList patterns_of(const Field& remedy, std::string_view key) {
  const auto list = remedy.find(key);
  if (!list) return {};
  const TextList result = list->list(is_plain, plain_words);
  if (result.empty()) list->fail("is empty; leave it out, or write a pattern");
  return result;
}

}  // namespace

std::vector<KnownRemedy> remedies_of(const Field& table) {
  std::vector<KnownRemedy> result;
  for (const Field& field : table.items("name")) {
    if (!field.object({"name", "advice", "source"}, {"symbols", "nodes", "libraries"})) break;
    KnownRemedy& one = result.emplace_back();
    one.name = field.find("name")->text(is_plain, plain_words);
    one.symbols = patterns_of(field, "symbols");
    one.nodes = patterns_of(field, "nodes");
    one.libraries = patterns_of(field, "libraries");
    one.advice = field.find("advice")->text(is_plain, plain_words);
    one.source = field.find("source")->text(is_plain, plain_words);
    if (one.symbols.empty() && one.nodes.empty()) field.fail("has neither \"symbols\" nor \"nodes\"; add one");
  }
  return result;
}

}  // namespace wheelcheck::knowledge
