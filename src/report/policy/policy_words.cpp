// Words of policies, explained.
#include "report/policy/policy_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "report/shared/json_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string_view word_of(WordMeaning::Kind kind) {
  switch (kind) {
    case WordMeaning::Kind::Version:
      return "version node";
    case WordMeaning::Kind::Library:
      return "library";
    case WordMeaning::Kind::Symbol:
      return "symbol";
  }
  return "";
}

std::vector<std::string> names(std::span<const Arch> arches) {
  std::vector<std::string> out;
  for (const Arch arch : arches) out.emplace_back(name_of(arch));
  return out;
}

std::string row(std::string_view left, std::size_t width, std::string_view right) {
  const std::string start = fmt::format("  {}  ", padded(left, width));
  return start + wrapped(right, start.size(), start.size()) + "\n";
}

}  // namespace

std::string render_meanings_text(std::string_view word, std::span<const WordMeaning> meanings) {
  std::string out;
  for (const WordMeaning& meaning : meanings) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{}: {} of {}\n", escape(word), word_of(meaning.kind), name_of(meaning.family));
    std::size_t width = 0;
    const auto left = [](const PromisedSince& one) {
      return one.level.empty() ? std::string("in no level") : fmt::format("since {}", escape(one.level));
    };
    for (const PromisedSince& one : meaning.since) width = std::max(width, left(one).size());
    for (const PromisedSince& one : meaning.since) out += row(left(one), width, join(names(one.arches), " "));
    for (const DeniedAt& one : meaning.denied) {
      const std::string library = fmt::format("denied of {}", escape(one.library));
      out += row(library, library.size(), escape(join(one.levels, " ")));
    }
  }
  return out;
}

std::string render_meanings_json(std::string_view word, std::span<const WordMeaning> meanings) {
  Json out = Json::array();
  for (const WordMeaning& meaning : meanings) {
    Json since = Json::array(), denied = Json::array();
    for (const PromisedSince& one : meaning.since)
      since.push_back(
          {{"level", one.level.empty() ? Json() : Json(safe(one.level))}, {"architectures", names(one.arches)}});
    for (const DeniedAt& one : meaning.denied)
      denied.push_back({{"library", safe(one.library)}, {"levels", texts(one.levels)}});
    out.push_back({{"kind", word_of(meaning.kind)},
                   {"family", name_of(meaning.family)},
                   {"since", std::move(since)},
                   {"denied", std::move(denied)}});
  }
  return Json{{"word", safe(word)}, {"meanings", std::move(out)}}.dump(2) + "\n";
}

std::string render_mistake_text(const PolicyMistake& mistake) {
  return fmt::format("{} {} ({})\n\n{}\n", mistake.code, mistake.name, name_of(mistake.severity),
                     wrapped(mistake.text, 0, 0));
}

std::string render_mistake_json(const PolicyMistake& mistake) {
  const Json out = {
      {"code", mistake.code}, {"name", mistake.name}, {"severity", name_of(mistake.severity)}, {"text", mistake.text}};
  return out.dump(2) + "\n";
}

}  // namespace wheelcheck::report
