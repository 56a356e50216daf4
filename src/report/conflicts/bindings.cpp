// One binding a line: half a million of them are still good for grep.
#include "report/conflicts/bindings.h"

#include <fmt/format.h>

#include <utility>

#include "report/shared/json_text.h"

namespace wheelcheck::report {
namespace {

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view how(process::Way way) {
  switch (way) {
    case process::Way::Plain:
      return "first";
    case process::Way::Unique:
      return "unique";
    case process::Way::Protected:
      return "protected";
    case process::Way::Platform:
      return "platform";
    case process::Way::WeakNull:
      return "weak";
    case process::Way::Missing:
      return "missing";
  }
  return "first";
}

Json target(std::span<const std::string> names, const process::BoundReference& bound) {
  if (bound.to) return safe(names[bound.to->value]);
  return bound.way == process::Way::Platform ? Json("<platform>") : Json(nullptr);
}

Json binding(const process::World& world, std::span<const std::string> names, const process::BoundReference& bound) {
  const ElfFacts& from = *world.files[bound.from.value].facts;
  const process::Asked asked = process::asked(from, bound.reference);
  Json out{{"from", safe(names[bound.from.value])},
           {"symbol", safe_long(asked.name)},
           {"version", maybe(asked.version)},
           {"to", target(names, bound)},
           {"how", how(bound.way)}};
  if (bound.lazy) out["lazy"] = true;
  if (bound.undone) out["undone"] = true;
  return out;
}

Json failure(const process::Failure& failure) {
  Json out{{"step", failure.step + 1}, {"open", failure.open + 1}, {"error", safe(failure.error)}};
  if (failure.fatal) out["fatal"] = true;
  if (failure.nested) out["nested"] = true;
  if (failure.given_up) out["given_up"] = true;
  return out;
}

template <class Range, class Line>
void add_lines(std::string& out, std::string_view key, const Range& range, const Line& line) {
  out += fmt::format(",\n  \"{}\": [", key);
  bool first = true;
  for (const auto& item : range) {
    out += std::exchange(first, false) ? "\n    " : ",\n    ";
    out += dump(line(item));
  }
  out += first ? "]" : "\n  ]";
}

}  // namespace

std::string render_bindings(const process::World& world, std::span<const std::string> names,
                            const process::Outcome& outcome) {
  const auto name = [&](process::ObjectIndex object) { return Json(safe(names[object.value])); };
  std::string out = "{\n  \"schema\": \"wheelcheck-bindings\",\n  \"version\": 1,\n  \"refused\": ";
  out += dump(maybe(outcome.refused));
  add_lines(out, "bindings", outcome.bound, [&](const auto& bound) { return binding(world, names, bound); });
  add_lines(out, "failed_steps", outcome.failures, [](const auto& each) { return failure(each); });
  add_lines(out, "global_scope", outcome.global, name);
  add_lines(out, "global_scope_added", outcome.published,
            [&](const process::Published& entry) { return name(entry.file); });
  add_lines(out, "loaded", outcome.loaded, [&](const process::Loaded& entry) { return name(entry.file); });
  return out + "\n}\n";
}

}  // namespace wheelcheck::report
